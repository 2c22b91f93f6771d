// The table: shows scenes as they come, follows taps along the paths of the legal actions, posts the action they spell.
// It knows no game: what can be tapped is whatever the actions of the scene name as their targets (docs/pictures.md).

const $ = (id) => document.getElementById(id);
const table = $("table"), url = table.dataset.url, board = $("board"), hand = $("hand"), others = $("others");
const { make, markOf: marked, Picture } = await import(table.dataset.drawing);
const { applied } = await import(table.dataset.differences);
const { say, marks } = JSON.parse($("words").textContent);
const markOf = (colour) => marked(colour, marks);
const words = (key, values = {}) => say[key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
const wide = matchMedia("(min-width: 56.25em)"), still = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE = { duration: 280, easing: "cubic-bezier(.3,.7,.3,1.12)" };

let scene = JSON.parse($("scene").textContent);
$("scene").remove(); // at a shared screen it may be somebody else's, later
scene.picture = (scene.picture || (board.firstElementChild ? new XMLSerializer().serializeToString(board.firstElementChild) : "")).split("<"); // as XML: HTML has names that it lacks
let fed = null; // the latest scene as the server has sent it, from which it tells what changes
let path = [], log = [], moved = new Set(), shown_ply = null;
let undone = 0; // to where the game was taken back last: what came before is no news
let facing = null; // whose the screen is, where several people share it
let veiled = false; // they have not said yet that they are there
let wanted = null; // the seat that somebody with several seats asked to look as
let busy = false, byKeys = false, shows = 0;
const told_of = (what, detail) => table.dispatchEvent(new CustomEvent(what, { detail })); // to keyboard.js, which is for keys and screen readers

// Signs over the picture (what a tap brings, points as they are given, the way of a hint) are fetched when there is the first of them.
let signs = null;
const sign = (what, ...given) => (signs ??= import(table.dataset.signs)).then((each) => each[what](...given)).catch(() => {});

// ---- the picture

// Where things stand on the screen, for those that go on as another thing (`data-from`): a card of the hand that is laid on a pile.
const spots = (tags) => new Map(tags.flatMap((tag) => tag.match(/ data-from="([^"]*)"/)?.[1] ?? []).filter($).map((id) => [id, $(id).getBoundingClientRect()]));

function arrive(before) {
  for (const element of table.querySelectorAll("[data-from]")) {
    const old = before.spots.get(element.dataset.from);
    if (!old || before.has(element.id) || $(element.dataset.from) || still.matches) continue;
    const now = element.getBoundingClientRect(), unit = element.parentNode.getScreenCTM().a;
    const [x, y] = [(old.left + old.right - now.left - now.right) / 2 / unit, (old.top + old.bottom - now.top - now.bottom) / 2 / unit];
    element.animate([{ transform: `translate(${x}px,${y}px) ${element.style.transform} scale(${old.width / now.width})` }, { transform: element.style.transform }], MOVE);
  }
}

const MARKS = ["can", "chosen", "next", "hinted", "last"]; // what `light` puts on things and takes from them: nobody else does
const pieces = () => new Map([...table.querySelectorAll(".sf-piece[id]")].map((each) => [each.id, each.getAttribute("style")]));
const place = (style) => style?.match(/transform:([^;]*)/)?.[1].trim() ?? "";

const rooms = { board, below: $("below"), hand, others }, picture = new Picture((name) => rooms[name], MARKS);

function draw(tags) {
  const before = pieces();
  before.spots = spots(tags);
  const shown = picture.show(tags);
  for (const [name, room] of Object.entries(rooms)) if (!shown.has(name)) room.replaceChildren();
  $("tab-others").hidden = !shown.has("others");
  arrange();
  size();
  return before;
}

// A picture that says how large its tiles came out is shown so large that they can be hit; then it is moved about inside the board.
const LEAST = 44;
let points = null; // what points at things outside the window, once there is a window
let whole = false; // all of it was asked for, however small
let room = null; // the board's window, measured when it has become another: to ask for it before it is painted takes as long as to paint it
function size() {
  const svg = board.firstElementChild, tile = Number(svg?.querySelector("[data-tile]")?.dataset.tile ?? 0);
  if ($("stage").classList.contains("pans") !== tile > 0) room = null;
  $("stage").classList.toggle("pans", tile > 0);
  if (!svg) return;
  if ((!tile || !room) && svg.style.width) svg.style.width = svg.style.height = "";
  if (!tile) { $("zoom").hidden = true; return; }
  points ??= import(table.dataset.pointing).then(({ pointing }) => pointing(words));
  if (!room) {
    $("zoom").hidden = true;
    room = [board.clientWidth, board.clientHeight];
  }
  const [, , wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
  const fits = Math.min(room[0] / wide, room[1] / high), wanted = LEAST / tile;
  const scale = whole || table.classList.contains("over") ? fits : Math.max(fits, wanted);
  svg.style.width = `${wide * scale}px`;
  svg.style.height = `${high * scale}px`;
  $("zoom").hidden = fits >= wanted || table.classList.contains("over");
  $("zoom").textContent = words(whole ? "closer" : "whole");
}

// Bring what matters into the board's window: what can be tapped there, else what has moved.
let looked = false;
function look() {
  if (!$("stage").classList.contains("pans")) return;
  if (board.scrollWidth <= board.clientWidth + 1 && board.scrollHeight <= board.clientHeight + 1) return;
  const lit = [...board.querySelectorAll(".can, .chosen")], shown = lit.length ? lit : [...board.querySelectorAll(".last")];
  if (!shown.length) {
    if (!looked) board.scrollTo({ left: (board.scrollWidth - board.clientWidth) / 2, top: (board.scrollHeight - board.clientHeight) / 2, behavior: "instant" });
    looked = true;
    return;
  }
  looked = true;
  const boxes = shown.map((each) => each.getBoundingClientRect()), frame = board.getBoundingClientRect();
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  if (left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom) return;
  // Where not all of it fits, the middle one of the things rather than the middle between them.
  const fits = right - left <= frame.width && bottom - top <= frame.height;
  const middle = [...boxes].sort((one, other) => one.left + one.top - other.left - other.top)[boxes.length >> 1];
  const [x, y] = fits ? [(left + right) / 2, (top + bottom) / 2] : [middle.left + middle.width / 2, middle.top + middle.height / 2];
  board.scrollBy({ left: x - frame.left - frame.width / 2, top: y - frame.top - frame.height / 2, behavior: still.matches ? "instant" : "smooth" });
}

// What moved glides from where it was, also if it was put elsewhere in the tree (which would end a CSS transition).
function glide(before) {
  const now = new Set(), moves = [];
  for (const [id, style] of pieces()) {
    if (style === before.get(id) && before.has(id)) continue;
    const transform = place(style), old = before.has(id) ? place(before.get(id)) : undefined, element = $(id);
    if (old === transform) continue;
    if (board.contains(element)) now.add(id);
    if (old && board.contains(element)) moves.push({ element, old, now: transform });
    if (old !== undefined && !still.matches) element.animate([{ transform: old }, { transform }], MOVE);
  }
  if (moves.length) follow().then((help) => help.moved(moves)); else board.querySelector(":scope > .trails")?.remove();
  return before.size ? now : new Set();
}

// What everybody saw for a moment, though it has left the picture already (a pair that was found). It lies over the board and is in nobody's way.
function passing(body) {
  if (!body || !board.firstElementChild) return;
  board.querySelector(":scope > .passing")?.remove();
  const box = board.firstElementChild.getAttribute("viewBox");
  const fresh = document.importNode(new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg" class="passing sf sf-auto" viewBox="${box}">${body}</svg>`, "image/svg+xml").documentElement, true);
  board.append(fresh);
  setTimeout(() => fresh.remove(), 2500);
}
board.addEventListener("pointerdown", () => board.querySelector(":scope > .passing")?.remove(), true);

// What helps to follow the game is loaded when something happens: trails, the card of a moment, all of it once more, the pace of bots.
let following = null;
const follow = () => (following ??= import(table.dataset.follow).then(({ Follow }) => new Follow({
  make, markOf, words, send, listen, scene: () => scene, shows: () => shows, asked: () => (scene.seat === null ? "" : `?seat=${scene.seat}`),
  frame: (tags, body) => {
    scene = { ...scene, actions: [], interruptions: [] };
    path = [];
    const before = draw(tags);
    moved = body === null ? new Set() : glide(before);
    passing(body);
    light();
  },
  back: () => again(),
  light: () => { light(); preview(document.activeElement?.closest(".can")?.id ?? null); },
})));

// ---- choosing

const mine = () => scene.actions.length > 0;
const all = () => [...scene.actions, ...scene.interruptions];
const along = (way) => all().filter((choice) => way.length <= choice.targets.length && way.every((id, step) => choice.targets[step] === id));
const nameOf = (id) => { const element = $(id); return element ? element.dataset.name ?? element.getAttribute("aria-label") ?? "" : ""; };

// The actions that go on from the taps so far, and by what is to be tapped next.
function ways() {
  const open = along(path), lit = new Map();
  for (const choice of open) {
    const id = choice.targets[path.length];
    if (lit.has(id)) lit.get(id).push(choice); else if (id) lit.set(id, [choice]);
  }
  return [open, lit];
}

// With `soon` what nobody sees in the first frame is left to `finish`.
function light(soon = false) {
  const [open, lit] = ways();
  for (const each of [board, hand, others].flatMap((part) => [...part.querySelectorAll(".can, .chosen, .next, .hinted, .last, [tabindex]")])) {
    const stays = { can: lit.has(each.id), chosen: path.includes(each.id), last: moved.has(each.id) };
    for (const mark of MARKS) if (!stays[mark] && each.classList.contains(mark)) each.classList.remove(mark); // others are not styled anew
    for (const name of ["tabindex", "role", "aria-pressed"]) if (name !== "tabindex" || each !== document.activeElement) each.removeAttribute(name);
    if (each.dataset.name) each.setAttribute("aria-label", each.dataset.name);
  }
  for (const [id, choices] of [...path.map((id) => [id, null]), ...lit]) {
    const element = $(id);
    if (!element) continue;
    element.dataset.name ??= element.getAttribute("aria-label") ?? "";
    element.classList.add(choices ? "can" : "chosen");
    element.setAttribute("tabindex", "-1");
    element.setAttribute("role", "button");
    if (choices) element.setAttribute("aria-label", label_of(id, choices));
  }
  for (const id of moved) $(id)?.classList.add("last");
  const loose = open.filter((choice) => choice.targets.length === path.length);
  if (loose.length || $("loose").firstChild) $("loose").replaceChildren(...loose.map(buttonFor));
  if (!soon || in_sight($("choices"))) list(open, lit);
  tools();
  preview();
  told_of("lit", { steps: path.length, path, scene, soon });
  if (signs || scene.actions.some((choice) => choice.gain)) sign("lit", { scene, path, soon });
  look(); // what is to be tapped must not slip away from under the finger a moment later
}

// What a tap on it would do: the one action, or how many ways go on from there.
function label_of(id, choices) {
  return choices.length === 1 ? choices[0].label : words("moves", { what: nameOf(id), count: choices.length });
}

const buttonFor = (choice) => make("button", { onclick: () => post(choice) }, choice.label);

const in_sight = (panel) => !panel.hidden && (wide.matches || $("side").classList.contains("open"));

function list(open, lit) {
  const grouped = open.length > 8 && [...lit.values()].some((choices) => choices.length > 1);
  const rows = [];
  const seen = new Set();
  if (grouped) for (const [id, choices] of lit) {
    rows.push(make("li", {}, make("h3", {}, nameOf(id)), make("ol", {}, ...choices.map((choice) => make("li", {}, buttonFor(choice))))));
    choices.forEach((choice) => seen.add(choice));
  }
  rows.push(...open.filter((choice) => !seen.has(choice)).map((choice) => make("li", {}, buttonFor(choice))));
  const focused = document.activeElement?.closest("#choices") ? document.activeElement.textContent : null;
  $("choices").querySelector("ol").replaceChildren(...rows);
  if (focused) [...$("choices").querySelectorAll("button")].find((button) => button.textContent === focused)?.focus();
  $("choices").querySelector(".none").hidden = open.length > 0;
}

// On a phone the line says what happened last; if nothing follows for a while, whom one waits for.
const LONG = 2500;
const others_turn = () => scene.status === "playing" && scene.to_act !== null && !mine() && !scene.guide?.want.length; // a lesson that asks waits for its learner
let long = false, patient = 0;
function wait() {
  clearTimeout(patient);
  long = false;
  if (others_turn()) patient = setTimeout(() => { long = true; preview(); }, LONG);
}

function preview(id = null) {
  for (const each of table.querySelectorAll(".next")) each.classList.remove("next");
  const text = $("preview"), latest = log.findLastIndex(({ who, lines }) => who >= 0 && lines.length); // the latest move: before the first one things are only dealt
  if (id && $(id)?.classList.contains("can")) {
    const further = along([...path, id]);
    text.textContent = label_of(id, further);
    for (const choice of further) $(choice.targets[path.length + 1])?.classList.add("next");
  } else if (path.length) {
    const open = along(path);
    text.textContent = open.length === 1 ? open[0].label : words("step", { what: path.map(nameOf).join(", "), count: open.length });
  } else if (others_turn() && scene.interruptions.length) {
    text.textContent = words("before", { who: scene.players[scene.to_act].name });
  } else if (!wide.matches && !byKeys && $("curtain").hidden && log.at(-1)?.ply >= undone && !long && latest >= 0) { // above the board there is no room for it
    const told = log.slice(latest).flatMap(({ lines }) => lines); // the latest move, and what chance made of it
    text.textContent = [...told.filter(isGain), ...told.filter((line) => !isGain(line))].join(" "); // what is too long is cut off: points come first
  } else if (others_turn()) {
    const player = scene.players[scene.to_act];
    text.textContent = words(player.kind === "bot" || player.away ? "thinking" : "others-turn", { who: player.name });
  } else text.textContent = mine() ? (byKeys ? $("keys").textContent : words("your-turn", { count: all().length })) : "";
}

function tap(target) {
  note("");
  if (target.classList.contains("chosen")) path = path.slice(0, path.indexOf(target.id));
  else {
    path = [...path, target.id];
    const done = along(path).find((choice) => choice.targets.length === path.length);
    if (done) { post(done); return; }
  }
  light();
  reach();
}

// What is to be tapped next may lie below the edge of a phone's screen.
function reach() {
  const lit = [...table.querySelectorAll(":is(#board, #hand) .can")], bottom = innerHeight - (wide.matches ? 0 : $("tabs").offsetHeight);
  const seen = lit.some((each) => { const box = each.getBoundingClientRect(); return box.bottom <= bottom && box.top >= 0; });
  if (lit.length && !seen) lit[0].scrollIntoView({ block: "nearest", behavior: still.matches ? "instant" : "smooth" });
}

// A tap on something else that could have been chosen before changes the choice.
function instead(id) {
  for (let step = path.length - 1; step >= 0; step -= 1) {
    const way = [...path.slice(0, step), id], open = along(way);
    if (open.length && open.every((choice) => choice.targets.length > way.length)) return way;
  }
  return [];
}

// Why a tap does nothing: the game's own reason, by the longest beginning of the id that it names.
function whyNot(id, chosen) {
  if (scene.status !== "playing" || scene.seat === null) return "";
  if (!mine()) return words("others-turn", { who: scene.players[scene.to_act]?.name });
  if (chosen.length && along(chosen).length > 1) return words("not-there", { what: nameOf(chosen.at(-1)) });
  const known = Object.keys(scene.refusals ?? {}).filter((start) => id.startsWith(start)).sort((one, other) => other.length - one.length);
  return known.length ? scene.refusals[known[0]] : `${words("never", { what: nameOf(id) })} ${scene.prompt}`;
}

// ---- talking to the server

let noted = 0; // the ply that the note was about; it goes when the game goes on
const note = (text) => { $("note").textContent = text; noted = scene.ply; };

async function send(what, body) {
  try {
    const answer = await fetch(`${url}/${what}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: body ? JSON.stringify(body) : null,
    });
    const said = await answer.json().catch(() => ({}));
    return answer.ok ? said : { problem: said.problem ?? words("lost") };
  } catch { return { problem: words("lost") }; }
}

async function post(choice) {
  if (busy) return;
  busy = true;
  path = [];
  fold();
  table.setAttribute("aria-busy", "true");
  $("preview").textContent = choice.label;
  const ply = scene.ply;
  const said = await send("move", { ply, action: choice.action, seat: scene.seat });
  if (wanted !== null) { wanted = null; listen(); } // who was looked as has acted; from now on whoever is to act
  if (said.problem) {
    free();
    await again();
    note(said.problem);
  } else if (live?.readyState !== EventSource.OPEN) await again();
  else setTimeout(() => { if (busy && scene.ply === ply) again(); }, 1500); // the stream is slower than it should be
}

function free() {
  busy = false;
  table.removeAttribute("aria-busy");
}

async function again() {
  const before = shows;
  try {
    const answer = await fetch(`${url}/scene${wanted === null ? "" : `?seat=${wanted}`}`, { headers: { Accept: "application/json" } });
    if (!answer.ok) return;
    const found = cut(await answer.json());
    if (shows === before) show(fed = found);
  } catch { lost(true); }
}

let unlike = false; // a whole scene has come: of what it only tells the end, the beginning may be otherwise now
function cut(whole) {
  unlike = true;
  return { ...whole, picture: whole.picture.split("<") }; // differences are told tag by tag
}
let live = null, patience = 1000;

function listen() {
  live?.close();
  const asked = { ...(wanted === null ? {} : { seat: wanted }), ...(fed ? { since: fed.stamp } : {}), ...(document.hidden ? { away: 1 } : {}) };
  try { asked.pace = localStorage.getItem("pace") ?? "normal"; } catch { /* then it is the ordinary one */ }
  live = new EventSource(`${url}/stream?${new URLSearchParams(asked)}`);
  live.addEventListener("open", () => { patience = 1000; lost(false); });
  live.addEventListener("scene", (event) => show(fed = cut(JSON.parse(event.data))));
  live.addEventListener("change", (event) => {
    const change = JSON.parse(event.data);
    if (fed?.stamp === change.stamp) return; // it was asked for in between
    if (fed?.stamp !== change.from) { fed = null; listen(); return; } // there is a gap: all of it once more
    show(fed = applied(fed, change));
  });
  live.addEventListener("error", () => {
    lost(true);
    if (live.readyState === EventSource.CLOSED) { setTimeout(listen, patience); patience = Math.min(patience * 2, 20000); }
  });
}

function lost(is) {
  $("banner").hidden = !is;
  $("banner").textContent = is ? words("lost") : "";
}

// ---- showing a scene

// A change is painted first; what is not seen at once, or read rather than seen, follows it: after the frame, or before the next change.
let rest = null;
function finish() {
  const work = rest;
  rest = null;
  work?.();
}

function show(next) {
  finish();
  shows += 1;
  if (wanted !== null && next.to_act !== scene.to_act && next.mine.includes(next.to_act)) { wanted = null; listen(); return; } // the turn has gone on
  const shared = next.secrets && next.mine.length > 1 && (next.status === "playing" || next.status === "closed"); // closed: what was hidden stays so
  // Somebody elsewhere acts out of turn: the screen stays with whom it is for, also behind the curtain.
  const elsewhere = next.seat !== facing && next.mine.includes(facing) && !next.mine.includes(next.to_act);
  if (shared && wanted === null && elsewhere) { wanted = facing; listen(); return; }
  const same = next.ply === scene.ply && shown_ply !== null;
  log = next.log;
  if (shared && (veiled || next.seat !== facing)) { draw_curtain(next); return; }
  facing = next.seat;
  veiled = false;
  if (next.seat !== scene.seat) path = [];
  $("curtain").hidden = true;
  table.classList.remove("veiled");
  const before = draw(next.picture), first = shown_ply === null;
  if (!same) {
    moved = first ? new Set() : glide(before);
    passing(first ? "" : next.passing);
    free();
  }
  if (next.ply !== noted) note("");
  const fresh = first ? [] : next.log.filter((told) => told.ply >= shown_ply), since = first ? next.ply : shown_ply, missed = unlike || document.hidden;
  const scores = scene.players.map(({ score }) => score);
  const scored = !first && next.ply > scene.ply && next.players.some(({ score }, seat) => score !== scores[seat]);
  if (next.ply < shown_ply) undone = next.ply;
  shown_ply = next.ply;
  scene = next;
  if (!along(path).length) path = [];
  if (!same) wait();
  whose();
  $("prompt").textContent = scene.status === "open" ? words("waiting") : scene.prompt;
  happened();
  players();
  if (!first && scene.moments.some((moment) => moment.ply >= since)) table.classList.add("reading"); // its card comes before the result
  result();
  $("waiting").hidden = scene.status !== "open" || looks_on;
  for (const form of $("waiting").querySelectorAll("form[data-seat]")) form.hidden = scene.players[form.dataset.seat].kind !== "open";
  rests();
  $("absent").hidden = !scene.mine.some((seat) => scene.players[seat].away);
  light(true);
  if (scored) sign("points", scores, scene, moved, since);
  if (!same && !first) arrive(before);
  rest = () => {
    logbook();
    const spoken = chat?.show(scene, unlike) ?? [];
    if (!chat && scene.said) talk();
    unlike = false;
    if (!in_sight($("choices"))) list(...ways());
    document.title = mine() ? `● ${$("my-turn").textContent} – ${scene.title}` : titled;
    if (following || scene.log.some((told) => told.who >= 0)) follow().then((help) => help.shown(scene, since, missed));
    told_of("shown", { scene, prompt: mine() ? `${$("my-turn").textContent}. ${scene.prompt}` : $("prompt").textContent, fresh, spoken, steps: path.length });
    table.dataset.ply = scene.ply;
  };
  if (first || document.hidden) finish(); else requestAnimationFrame(() => setTimeout(finish, 30)); // nothing is painted while it is hidden
}

// Chat comes with the first line that is said, or when its tab is opened.
let chat = null, coming = null;
const said_before = scene.said;
function talk() {
  coming ??= import(table.dataset.chat).then(({ Chat }) => {
    chat = new Chat($("chat"), $("tab-chat"), { make, fill, words, note, send, url });
    chat.heard = said_before;
    const spoken = chat.show(scene, true);
    if (spoken.length) told_of("shown", { scene, prompt: $("prompt").textContent, fresh: [], spoken, steps: path.length });
  }).catch(() => { coming = null; }); // tried again with the next scene, or tap
  return coming;
}
$("chat").querySelector("form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await talk();
  chat?.say(event.target.elements.text);
});

// One's own turn is said loud, with one's mark and in its colour; who shares the screen reads whose of them it is.
const titled = document.title;
function whose() {
  const own = mine(), player = scene.players[scene.seat], said = own && (scene.mine.length > 1 ? words("turn-of", { who: player.name }) : words("turn"));
  $("said").classList.toggle("mine", own);
  $("my-turn").hidden = !own;
  if (!own || $("my-turn").textContent === said) return;
  $("my-turn").replaceChildren(markOf(player.colour) ?? "", said);
  $("said").style.setProperty("--mine", `var(--sf-${player.colour ?? "lit-line"})`);
}

// Nothing of anybody's hand is on the screen until the next person says that they are there.
function draw_curtain(next) {
  facing = next.seat;
  veiled = true;
  scene = { ...next, actions: [], interruptions: [] };
  for (const each of [board, $("below"), hand, others, $("log").querySelector("ol"), $("loose")]) each.replaceChildren();
  shown_ply = null;
  moved = new Set();
  path = [];
  note("");
  $("advice").textContent = ""; // it was for one person
  if (signs) sign("forget");
  $("curtain").hidden = false;
  table.classList.add("veiled");
  $("curtain").querySelector("use").setAttribute("class", `sf-${next.players[next.seat].colour ?? "white"}`);
  happened();
  players();
  tools();
  list([], new Map());
  preview();
  const who = next.players[next.seat].name;
  $("prompt").textContent = words("curtain", { who });
  $("curtain").querySelector("p").textContent = words("curtain", { who });
  const button = $("curtain").querySelector("button");
  button.textContent = words("curtain.show", { who });
  button.onclick = () => { veiled = false; again(); };
  told_of("curtain", { prompt: $("prompt").textContent });
}

function refused(button) {
  const is = button.hasAttribute("aria-disabled");
  if (is) note(button.title);
  return is;
}

// The same said several times over (a hand that is drawn) is said once, with how often.
function together(rows) {
  const found = [];
  for (const told of rows) {
    const last = found.at(-1);
    if (last && !told.notation && last.said === told.lines.join(" ")) last.times += 1;
    else found.push({ ...told, said: told.lines.join(" "), times: 1 });
  }
  return found.map((told) => (told.times > 1 ? { ...told, lines: [...told.lines, `(×${told.times})`] } : told));
}

const isGain = (line) => /^[+−-]\d/.test(line);

// Above the board the latest events, the last one first.
function happened() {
  const latest = $("curtain").hidden ? log.filter((told) => told.lines.length).slice(-12).reverse() : [];
  fill($("happened"), together(latest).slice(0, wide.matches ? 4 : 6).map(({ lines }) => lines), (lines) => make("span", {}, ...lines.flatMap((line) => [isGain(line) ? make("b", {}, line) : line, " "])));
}

const day = (at) => new Date(at * 1000).toLocaleDateString(document.documentElement.lang, { weekday: "short", day: "numeric", month: "short" });
function players() {
  const playing = scene.status === "playing", turn = (player) => player.seat === scene.to_act;
  const rows = scene.players.map(({ score, ...player }) => ({
    ...player, ours: scene.mine.includes(player.seat), until: turn(player) && scene.left !== null ? Date.now() + 1000 * scene.left : null,
    look: scene.mine.length > 1 && scene.mine.includes(player.seat) && player.seat !== scene.seat && scene.secrets && playing,
  }));
  fill($("players"), rows, (player) => {
    const kind = player.kind === "open" ? words("open") : player.away ? words("away") : player.absent * 1000 > Date.now() ? words("gone", { date: day(player.absent) }) : player.kind === "bot" ? words("bot", { level: say[`level.${player.level}`] ?? player.level }) : player.ours ? words("you") : "";
    return make("li", {}, markOf(player.colour),
      make("span", { class: "who" }, player.kind === "open" ? words("open") : player.name, " ", make("small", {}, player.kind === "open" ? "" : kind)),
      player.look ? make("button", { "aria-label": `${words("switch")}: ${player.name}`, onclick: () => { wanted = player.seat; listen(); } }, words("switch")) : null,
      player.until ? make("span", { class: "clock", "data-until": player.until }) : null,
      make("span", { class: "score", title: words("points") }));
  });
  for (const [place, row] of [...$("players").children].entries()) {
    const player = scene.players[place];
    if (playing && turn(player)) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current");
    row.lastChild.textContent = String(player.score);
  }
  tick();
}

function tick() {
  for (const clock of document.querySelectorAll(".clock")) clock.textContent = span(Math.max(0, (clock.dataset.until - Date.now()) / 1000));
}

// Of a list only those rows are made that say something else than before.
function fill(list, items, build) {
  const rows = [...list.children], says = items.map((item) => JSON.stringify(item)), most = Math.min(rows.length, items.length);
  let start = 0, end = 0;
  while (start < most && rows[start].says === says[start]) start += 1;
  while (end < most - start && rows.at(-1 - end).says === says.at(-1 - end)) end += 1;
  for (const gone of rows.slice(start, rows.length - end)) gone.remove();
  const fresh = items.slice(start, items.length - end).map((item, place) => Object.assign(build(item), { says: says[start + place] }));
  if (start) rows[start - 1].after(...fresh); else list.prepend(...fresh);
}

function logbook() {
  const rows = together(log.filter((told) => told.lines.length).slice(-300).reverse());
  fill($("log").querySelector("ol"), rows.map((told) => ({ ...told, colour: scene.players[told.who]?.colour })), (told) => make("li", {},
    told.notation ? make("code", {}, told.notation) : null, markOf(told.colour), " ",
    ...told.lines.flatMap((line) => [make("span", isGain(line) ? { class: "gain" } : {}, line), " "])));
}

try { // whether moves are shown as notation too is kept on this device
  $("notation").checked = localStorage.getItem("notation") === "yes";
  $("notation").addEventListener("change", (event) => localStorage.setItem("notation", event.target.checked ? "yes" : "no"));
} catch { /* then it is ticked anew each time */ }

function tools() {
  const watching = scene.seat === null;
  for (const name of ["undo", "hint"]) $(name).hidden = watching || scene.counts || scene.status === "open" || scene.status === "closed" || (scene.status === "over" && (name === "hint" || scene.undo !== null));
  const back = scene.undo === null || path.length > 0;
  refuse($("undo"), !back);
  $("undo").title = words(back ? "undo" : scene.undo);
  refuse($("hint"), !mine() || scene.forgetful || !scene.hints || scene.rated === "firm");
  $("hint").title = words(scene.rated === "firm" ? "hint.rated" : scene.forgetful ? "hint.memory" : !scene.hints ? "hint.people" : mine() ? "hint" : "hint.not-now");
  if (scene.rated) table.dataset.rated = scene.rated;
}

// It can still be reached, and says why not.
function refuse(button, is) { if (is) button.setAttribute("aria-disabled", "true"); else button.removeAttribute("aria-disabled"); }

function result() {
  const over = scene.ranks !== null;
  if (over && $("result").hidden) {
    $("side").classList.remove("open"); // there is room for the result; a tab opens its panel again
    if (!wide.matches) scrollTo({ top: 0, behavior: still.matches ? "instant" : "smooth" }); // it stands above the board
    import(table.dataset.result).then(({ conclude }) => conclude(scene)).catch(() => {}); // how it came about; without it the ranks say enough
  }
  $("result").hidden = !over;
  table.classList.toggle("over", over);
  arrange();
  if (!over) return;
  size(); // a map is shown whole now
  if (scene.rematch && $("again")) $("again").textContent = words("next");
  if (scene.rematch && $("next")) { $("next").href = `/t/${scene.rematch}`; $("next").hidden = false; }
  const order = [...scene.players].sort((one, other) => scene.ranks[one.seat] - scene.ranks[other.seat]);
  $("result").querySelector("ol").replaceChildren(...order.map((player) => make("li", scene.ranks[player.seat] === 1 ? { class: "first" } : {},
    order.length > 1 ? make("span", {}, words("place", { place: scene.ranks[player.seat] })) : null, markOf(player.colour), make("span", {}, player.name),
    make("span", { class: "score" }, String(player.score)))));
  const reasons = log.filter((told) => told.lines.length).at(-1)?.lines.filter((line) => line !== scene.prompt) ?? [];
  $("reasons").replaceChildren(...reasons.map((line) => make("p", isGain(line) ? { class: "gain" } : {}, line)));
}

// How long, in the largest unit of which there are at least two; so nobody reads of thousands of seconds.
function span(seconds) {
  for (const [unit, size] of [["clock.days", 86400], ["clock.hours", 3600], ["clock.minutes", 60]]) if (seconds >= 2 * size) return words(unit, { count: Math.floor(seconds / size) });
  return words("seconds", { count: Math.round(seconds) });
}

// Where a clock runs: who would like it to rest, whether it does, and who has said that they are away.
function rests() {
  const pause = scene.pause, asked = pause?.asked ?? [], others = asked.filter((seat) => !scene.mine.includes(seat));
  const named = (seats) => seats.map((seat) => scene.players[seat].name).join(", ");
  $("pausing").hidden = !pause || (!pause.on && !asked.length) || scene.status !== "playing";
  $("pausing").firstElementChild.textContent = !pause ? "" : pause.on ? words("pause.on") : words("pause.asked", { who: named(asked) });
  for (const button of $("pausing").querySelectorAll("button")) button.hidden = !scene.mine.length || (button.dataset.wish === "yes" && (pause?.on || !others.length || asked.some((seat) => scene.mine.includes(seat))));
  if ($("rest")) $("rest").textContent = pause?.on || asked.some((seat) => scene.mine.includes(seat)) ? $("rest").dataset.no : $("rest").dataset.yes;
  if ($("present")) $("present").hidden = !scene.mine.some((seat) => scene.players[seat].absent * 1000 > Date.now());
}
const heed = async (what, body) => { const said = await send(what, body); note(said.problem ?? ""); };
for (const button of $("pausing").querySelectorAll("button")) button.addEventListener("click", () => heed("pause", { wish: button.dataset.wish }));
$("rest")?.addEventListener("click", () => heed("pause", { wish: $("rest").textContent === $("rest").dataset.yes ? "yes" : "no" }));
$("absence")?.addEventListener("submit", (event) => { event.preventDefault(); heed("absence", { days: Number(event.target.elements.days.value) }); });
$("present")?.addEventListener("click", () => heed("absence", { days: 0 }));

// ---- hands on

// What is drawn smaller than a finger can be hit from a little beside it.
const FINGER = 44;
function near(event, part) {
  const beside = (box) => Math.max(box.left - event.clientX, event.clientX - box.right, box.top - event.clientY, event.clientY - box.bottom);
  const found = [...part.querySelectorAll(".can")].map((each) => [each, each.getBoundingClientRect()])
    .filter(([, box]) => box.width && beside(box) <= (FINGER - Math.min(box.width, box.height)) / 2)
    .sort(([, one], [, other]) => beside(one) - beside(other));
  return found[0]?.[0] ?? null;
}

for (const part of [board, hand, others]) {
  part.addEventListener("click", (event) => {
    const target = event.target.closest(".can, .chosen");
    if (target) { tap(target); return; }
    const other = event.target.closest(":is(#board, #hand, #others) [id][aria-label]"), chosen = path, meant = other?.matches(".sf-piece") ? null : near(event, part);
    if (meant) { tap(meant); return; }
    path = other ? instead(other.id) : [];
    note(other && !path.length ? whyNot(other.id, chosen) : "");
    light();
  });
  part.addEventListener("keydown", (event) => {
    const target = event.target.closest(".can, .chosen");
    if (target && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); tap(target); }
  });
  for (const kind of ["pointerover", "focusin"]) part.addEventListener(kind, (event) => preview(event.target.closest(".can")?.id ?? null));
  for (const kind of ["pointerleave", "focusout"]) part.addEventListener(kind, () => preview());
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && path.length) { path = []; light(); }
  else if (event.key === "Escape" && !wide.matches && $("side").classList.contains("open")) { fold(); tabs.find((tab) => tab.tabIndex === 0).focus(); }
  if (event.key === "Tab" && !byKeys) { byKeys = true; preview(); }
});
document.addEventListener("pointerdown", () => { byKeys = false; });

$("undo").addEventListener("click", async () => {
  if (path.length) { path = path.slice(0, -1); note(""); light(); return; } // the latest tap first, which nobody else has seen
  if (refused($("undo"))) return;
  const said = await send("undo");
  note(said.problem ?? "");
});
$("hint").addEventListener("click", async () => {
  if (refused($("hint"))) return;
  note("");
  $("advice").textContent = "…";
  const { ply, seat } = scene, said = await send("hint");
  note(said.problem ?? "");
  if (said.problem || veiled || scene.ply !== ply || scene.seat !== seat) { $("advice").textContent = ""; return; }
  const choice = scene.actions.find((each) => each.action === said.action);
  for (const id of choice?.targets ?? []) $(id)?.classList.add("hinted");
  sign("hint", scene, choice, said.reason);
});
$("back").addEventListener("click", () => send("back"));
let looks_on = false; // who was invited and only watches
for (const button of document.querySelectorAll(".look-on")) button.addEventListener("click", () => { looks_on = true; $("waiting").hidden = true; });

const tabs = [...$("tabs").children];
async function open_tab(tab, toggle = true) {
  const again = tab.getAttribute("aria-selected") === "true";
  $("side").classList.toggle("open", !(toggle && again && $("side").classList.contains("open")));
  for (const each of tabs) {
    each.setAttribute("aria-selected", String(each === tab));
    each.tabIndex = each === tab ? 0 : -1;
    $(each.getAttribute("aria-controls")).hidden = each !== tab;
  }
  tab.classList.remove("news");
  if (tab.id === "tab-more") follow();
  if (tab.id === "tab-chat") talk();
  const rules = $("rules");
  if (tab.id === "tab-rules" && !rules.childElementCount) {
    const answer = await fetch(`/rules/${table.dataset.game}?part=1&table=${url.split("/").pop()}`).catch(() => null);
    if (answer?.ok) rules.innerHTML = await answer.text();
  }
}
for (const [number, tab] of tabs.entries()) {
  tab.addEventListener("click", () => open_tab(tab));
  tab.addEventListener("keydown", (event) => {
    const shown = tabs.filter((each) => !each.hidden), at = shown.indexOf(tab);
    const next = shown.at({ ArrowRight: (at + 1) % shown.length, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key] ?? shown.length);
    if (!next) return;
    event.preventDefault();
    next.focus();
    open_tab(next, false);
  });
  tab.tabIndex = number === 1 ? 0 : -1;
}

// On a phone the panels lie over the board; whoever goes on playing wants to see it.
function fold() { if (!wide.matches) $("side").classList.remove("open"); }
$("stage").addEventListener("pointerdown", fold);

// Beside the board there is room for a hand; one that is a single row and lies well below it says so itself.
function arrange() {
  const below = !wide.matches || hand.firstElementChild?.dataset.place === "below";
  if (below) { if (hand.previousElementSibling !== $("loose")) $("loose").after(hand); }
  else if (hand.previousElementSibling !== $("players")) $("players").after(hand);
  // Only what is not there yet is put: an element that is moved loses the focus.
  if (!wide.matches) { if ($("tools").parentNode !== $("bar")) $("bar").append($("tools")); }
  else if ($("tools").nextElementSibling !== $("tabs")) $("tabs").before($("tools"));
  if (!wide.matches) { if ($("advice").parentNode !== $("bar")) $("preview").after($("advice")); }
  else if ($("advice").nextElementSibling !== $("panels")) $("panels").before($("advice")); // there it covers nothing, and the board stays
  const above = wide.matches ? $("prompt") : $("stage"); // a map shares the screen with what is needed to play
  if (above.nextElementSibling !== $("happened")) above.after($("happened"));
  if (!wide.matches) { if (board.previousElementSibling !== $("result")) board.before($("result")); }
  else if ($("side").firstElementChild !== $("result")) $("side").prepend($("result"));
}
wide.addEventListener("change", () => { arrange(); room = null; size(); });
new ResizeObserver(() => { room = null; size(); }).observe(board);
$("zoom").addEventListener("click", () => { whole = !whole; size(); look(); });
document.addEventListener("visibilitychange", finish);
document.addEventListener("visibilitychange", () => { if (scene.mine.length || live?.readyState !== EventSource.OPEN) listen(); }); // whoever does not see it is told elsewhere
setInterval(tick, 1000);

show(scene);
listen();
if (table.dataset.notices) import(table.dataset.notices).then(({ begun }) => begun(scene)).catch(() => {}); // one can play without it
