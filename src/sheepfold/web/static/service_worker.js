// The worker of the installed app: when a page cannot be had it shows the friendly one that it kept. `kept` is written above by the server.
// It keeps that page and the files it needs, nothing else; tables, seats and moves never pass through a cache.

const shelf = `sheepfold-${kept.version}`;

const fetched = (address) => fetch(address, { cache: "reload" }).then((answer) => { if (!answer.ok) throw answer; return answer; });

async function keep(addresses) {
  const cache = await caches.open(shelf);
  await Promise.all(addresses.map(async (address) => cache.put(address, await fetched(address))));
}

async function tidy() {
  for (const name of await caches.keys()) if (name !== shelf) await caches.delete(name);
  await self.clients.claim();
}

async function visit(event, request) {
  try {
    const answer = await fetch(request);
    // Whoever chose another language or other colours wants the offline page in them too.
    if (["/language", "/theme"].includes(new URL(request.url).pathname)) event.waitUntil(keep([kept.page]).catch(() => {}));
    return answer;
  } catch {
    if (request.method !== "GET") return Response.redirect(request.referrer || "/", 303); // nothing was done; back to where it was asked
    return (await caches.match(kept.page)) ?? Response.error();
  }
}

self.addEventListener("install", (event) => event.waitUntil(keep([...kept.files, kept.page]).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(tidy()));
self.addEventListener("fetch", (event) => {
  const { request } = event, { origin, pathname, search } = new URL(request.url);
  if (request.mode === "navigate") event.respondWith(visit(event, request));
  else if (request.method === "GET" && origin === location.origin && kept.files.includes(pathname + search)) {
    event.respondWith(caches.match(request.url).then((found) => found ?? fetch(request)));
  }
});

// It is somebody's turn. One notice a table; a tap leads there, to the window that shows it already if there is one.
self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  event.waitUntil(self.registration.showNotification(told.title ?? "Sheepfold", {
    body: told.text ?? "", tag: told.address, renotify: Boolean(told.address), icon: "/static/icon-192.png", data: { address: told.address ?? "/mine" },
  }));
});

async function go(address) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((each) => new URL(each.url).pathname === address);
  return there ? there.focus() : self.clients.openWindow(address);
}
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(go(event.notification.data?.address ?? "/mine"));
});

// The browser has changed the address at which it is told.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil((async () => {
  const { key } = await (await fetch("/push/key")).json();
  const wish = event.newSubscription ?? await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await fetch("/push/subscribe", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(wish.toJSON()) });
})()));
