// Told that it is one's turn, beyond what the page says: on the tab, by a sound or a buzz, and by push when the page is closed or out of
// sight. What is wanted on this device is kept on this device; who wants push is known to the server.

const $ = (id) => document.getElementById(id);
const wants = (what) => localStorage.getItem(`told-${what}`) === "yes";

// ---- the open page

const icon = document.querySelector("link[rel=icon]");
const plain = icon?.href;
let marked = null;
async function mark() {
  if (!icon) return;
  if (turn && !marked) {
    const drawn = await fetch(plain).then((answer) => answer.text()).catch(() => null);
    if (drawn) marked = `data:image/svg+xml,${encodeURIComponent(drawn.replace(/<\/svg>\s*$/, '<circle cx="50" cy="14" r="13" fill="#ffd23c" stroke="#45403f" stroke-width="3"/></svg>'))}`;
  }
  icon.href = turn && marked ? marked : plain; // it may no longer be, meanwhile
}

// A sheep's bell: two tones that die away.
function ring() {
  const air = new AudioContext(), now = air.currentTime;
  for (const [tone, start, loud] of [[1318, 0, .12], [1760, .13, .1], [2637, .13, .03]]) {
    const voice = air.createOscillator(), fade = air.createGain();
    voice.frequency.value = tone;
    fade.gain.setValueAtTime(loud, now + start);
    fade.gain.exponentialRampToValueAtTime(.0001, now + start + .9);
    voice.connect(fade).connect(air.destination);
    voice.start(now + start);
    voice.stop(now + start + 1);
  }
  setTimeout(() => air.close(), 1500);
}

const waits = (scene) => scene.status === "playing" && scene.actions.length > 0;
const with_others = (scene) => scene.status !== "over" && scene.players.some((each) => each.kind !== "bot" && !scene.mine.includes(each.seat));
let subscribed = false, turn = false, among_people = false, ready = false;
// As the table was when this arrived, which may be after all else: the tab says whose turn it is, and nothing rings, for who has come sees it.
export function begun(scene) {
  turn = waits(scene);
  among_people = with_others(scene);
  mark();
  offer();
}
function my_turn(is, prompt, own) {
  if (is === turn) return;
  turn = is;
  mark();
  if (!is || own) return; // nobody is told of what they did themselves
  if (wants("sound")) ring();
  if (wants("buzz")) navigator.vibrate?.([80, 60, 80]);
  if (document.hidden && !subscribed && wants("system") && window.Notification?.permission === "granted") {
    navigator.serviceWorker?.ready.then((worker) => worker.showNotification(document.title.replace(/^● /, ""), { body: prompt, tag: location.pathname, icon: "/static/icon-192.png", data: { address: location.pathname } }));
  }
}
$("table")?.addEventListener("shown", ({ detail: { scene, prompt, fresh } }) => {
  const did = fresh.filter(({ who }) => who >= 0); // the rest is chance
  my_turn(waits(scene), prompt, did.length > 0 && did.every(({ who }) => scene.mine.includes(who)));
  among_people = with_others(scene);
  offer();
});

// Who plays with others is offered it where they look.
function offer() { if ($("bell")) $("bell").hidden = !ready || !among_people || subscribed || wants("system"); }

// ---- what is wanted on this device

for (const what of ["sound", "buzz"]) {
  const box = $(what);
  if (!box) continue;
  if (what === "buzz" && !navigator.vibrate) box.closest("label").hidden = true;
  box.checked = wants(what);
  box.addEventListener("change", () => {
    localStorage.setItem(`told-${what}`, box.checked ? "yes" : "no");
    if (box.checked && what === "sound") ring();
    if (box.checked && what === "buzz") navigator.vibrate([80, 60, 80]);
  });
}

const button = $("tell-me"), said = $("device-notices")?.dataset, how = $("told-how");
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const send = (address, body) => fetch(address, { method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(body ?? {}) });

function show() { button.textContent = subscribed || wants("system") ? said.on : said.off; button.setAttribute("aria-pressed", String(subscribed || wants("system"))); }

async function tell_me() {
  how.textContent = "";
  const worker = await navigator.serviceWorker.ready;
  if (subscribed || wants("system")) {
    localStorage.setItem("told-system", "no");
    await (await worker.pushManager?.getSubscription())?.unsubscribe();
    await send("/push/unsubscribe");
    subscribed = false;
    return;
  }
  if (await Notification.requestPermission() !== "granted") { how.textContent = said.refused; return; }
  localStorage.setItem("told-system", "yes"); // at least while the page is open
  try {
    const { key } = await fetch("/push/key").then((answer) => answer.json());
    const wish = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
    subscribed = (await send("/push/subscribe", wish.toJSON())).ok;
  } catch { subscribed = false; }
  if (!subscribed) how.textContent = said.without;
}

async function begin() {
  if (!button || !navigator.serviceWorker || !window.Notification) return;
  const known = await fetch("/push/key").then((answer) => answer.json()).catch(() => ({}));
  subscribed = Boolean(known.subscribed) && Notification.permission === "granted";
  show();
  button.hidden = false;
  ready = true;
  offer();
  for (const each of [button, $("bell")]) each?.addEventListener("click", async () => {
    each.disabled = true;
    try { await tell_me(); } finally { each.disabled = false; show(); offer(); }
    if (each !== button && $("note")) $("note").textContent = how.textContent || said.done;
  });
}
begin();

for (const zone of document.querySelectorAll("input[name=zone]")) if (!zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
