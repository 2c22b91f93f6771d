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
