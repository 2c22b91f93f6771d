// The table: shows scenes as they come, follows taps along the paths of the legal actions, posts the action they spell.
// It knows no game: what can be tapped is whatever the actions of the scene name as their targets.

const table = document.getElementById("table");
const url = table.dataset.url;
const board = document.getElementById("board");
const prompt = document.getElementById("prompt");
const note = document.getElementById("note");
const list = document.querySelector("#choices ol");
let scene = JSON.parse(document.getElementById("scene").textContent);
let path = [];
let log = [];

const choices = () => [...scene.actions, ...scene.interruptions];
const open = () => choices().filter((choice) => path.every((id, step) => choice.targets[step] === id));

// Make the old tree like the new one, keeping elements that have the same id, so that CSS transitions animate what moved.
function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) { old.replaceWith(fresh); return; }
  if (old.nodeType === Node.TEXT_NODE) { if (old.data !== fresh.data) old.data = fresh.data; return; }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const known = new Map([...old.children].filter((each) => each.id).map((each) => [each.id, each]));
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const same = child.id ? known.get(child.id) : place && !place.id && place.nodeName === child.nodeName ? place : null;
    if (same) {
      if (same !== place) old.insertBefore(same, place); else place = place.nextSibling;
      morph(same, child);
    } else old.insertBefore(child, place);
  }
  while (place) { const next = place.nextSibling; place.remove(); place = next; }
}

function light() {
  for (const lit of board.querySelectorAll(".can, .chosen")) lit.classList.remove("can", "chosen");
  for (const id of path) document.getElementById(id)?.classList.add("chosen");
  for (const choice of open()) document.getElementById(choice.targets[path.length])?.classList.add("can");
  list.replaceChildren(...open().map((choice) => {
    const button = document.createElement("button");
    button.textContent = choice.label;
    button.addEventListener("click", () => post(choice));
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
}

function show(next) {
  log = [...log.slice(0, log.findIndex((told) => told.ply >= next.log_since) >>> 0), ...next.log];
  scene = next;
  path = [];
  prompt.textContent = scene.prompt;
  const fresh = new DOMParser().parseFromString(scene.picture, "image/svg+xml").documentElement;
  if (board.firstElementChild) morph(board.firstElementChild, document.importNode(fresh, true)); else board.append(document.importNode(fresh, true));
  document.getElementById("players").replaceChildren(...scene.players.map((player) => {
    const item = document.createElement("li");
    item.textContent = `${player.name} ${player.score}`;
    item.toggleAttribute("aria-current", player.seat === scene.to_act);
    return item;
  }));
  document.getElementById("log").replaceChildren(...log.flatMap((told) => told.lines).map((line) => {
    const item = document.createElement("li");
    item.textContent = line;
    return item;
  }));
  light();
}

async function post(choice) {
  note.textContent = "";
  const answer = await fetch(`${url}/move`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({ ply: scene.ply, action: choice.action, seat: scene.seat }),
  });
  if (!answer.ok) { note.textContent = (await answer.json()).problem; await again(); }
}

async function again() { show(await (await fetch(`${url}/scene`)).json()); }

board.addEventListener("click", (event) => {
  const target = event.target.closest(".can, .chosen");
  if (!target) { path = []; light(); return; }
  if (target.classList.contains("chosen")) path = path.slice(0, path.indexOf(target.id));
  else {
    path = [...path, target.id];
    const left = open();
    if (left.length === 1 && left[0].targets.length === path.length) { post(left[0]); path = []; }
  }
  light();
});

for (const name of ["undo", "hint"]) document.getElementById(name).addEventListener("click", async () => {
  const answer = await fetch(`${url}/${name}`, { method: "POST", headers: { Accept: "application/json" } });
  const said = await answer.json();
  note.textContent = said.problem ?? said.reason ?? "";
});

show(scene);
new EventSource(`${url}/stream`).addEventListener("scene", (event) => show(JSON.parse(event.data)));
