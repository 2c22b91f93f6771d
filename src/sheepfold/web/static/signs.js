// Signs over the picture that come and go: what a tap would bring, points where they are given, and the arrow of a hint. The table asks for
// this when there is the first of them. It knows no game: all it is told are ids of elements, actions with their targets, and scores.

const $ = (id) => document.getElementById(id);
const table = $("table"), advice = $("advice"), board = $("board");
const { shape, make } = await import(table.dataset.drawing);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const style = make("link", { rel: "stylesheet", href: table.dataset.signsStyle });
await new Promise((done) => { style.onload = style.onerror = done; document.head.append(style); });

const arrived = (elements) => Promise.allSettled(elements.flatMap((each) => each.getAnimations()).map((each) => each.finished)); // what glides stands still
const signed = (points) => (points > 0 ? `+${points}` : `−${-points}`);

// ---- on the picture

// Where an element is in its own picture, in that picture's units, and how many of them make a pixel: so signs move and grow with the board.
function spot(element) {
  const svg = element.ownerSVGElement, box = element.getBoundingClientRect(), units = svg.getScreenCTM().inverse();
  const [one, other] = [[box.left, box.top], [box.right, box.bottom]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(units));
  return { svg, x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, left: one.x, top: one.y, wide: other.x - one.x, high: other.y - one.y, unit: units.a };
}

// A group that lies over all else; the next picture that is drawn leaves it out by itself.
function layer(svg, name) {
  return svg.querySelector(`:scope > .${name}`) ?? svg.appendChild(shape("g", { class: `signs ${name}`, "aria-hidden": "true" }));
}
const wipe = (name) => { for (const each of table.querySelectorAll(`g.${name}`)) each.remove(); };

// ---- what a tap would bring

let latest = null; // the choice that is shown
export function lit({ scene, path, soon }) {
  latest = { scene, path };
  if (hinted && (hinted.ply !== scene.ply || !path.every((id, step) => hinted.targets[step] === id))) forget();
  if (soon) arrived([...board.querySelectorAll(".sf-piece")]).then(() => { if (latest.scene === scene) draw(); }); else draw();
}

function draw() {
  wipe("gains");
  for (const [id, points] of gains(latest)) {
    const element = $(id);
    if (!element?.ownerSVGElement || !element.classList.contains("can")) continue;
    const { svg, x, y, left, top, wide, high, unit } = spot(element), text = signed(points), broad = (text.length * 9 + 8) * unit, tall = 19 * unit;
    const slim = Math.min(wide, high) < 1.2 * tall; // a fence: then it stands on its middle
    const [middle, height] = slim ? [x, y] : [left + wide - broad / 2 + 4 * unit, top + tall / 2 - 4 * unit];
    layer(svg, "gains").append(
      shape("rect", { x: middle - broad / 2, y: height - tall / 2, width: broad, height: tall, rx: tall / 2, "stroke-width": 1.5 * unit }),
      shape("text", { x: middle, y: height + 5 * unit, "font-size": 14.5 * unit, class: points > 0 ? null : "less" }, text));
  }
  point();
}

// By what is to be tapped next: points that are the same whatever is tapped after it.
function gains({ scene, path }) {
  const found = new Map();
  for (const { targets, gain = 0 } of scene.actions) {
    const id = targets[path.length];
    if (!id || path.some((each, step) => targets[step] !== each)) continue;
    found.set(id, found.has(id) && found.get(id) !== gain ? 0 : gain);
  }
  return [...found].filter(([, points]) => points);
}

// ---- a hint

let hinted = null;

export function hint(scene, choice, reason) {
  hinted = { ply: scene.ply, targets: choice?.targets ?? [] };
  latest ??= { scene, path: [] };
  advice.textContent = reason;
  point();
}

export function forget() {
  hinted = null;
  advice.textContent = "";
  wipe("way");
}

// A ring round each thing to tap, and an arrow from one to the next where they are in one picture.
function point() {
  wipe("way");
  const spots = (hinted?.targets ?? []).map($).filter((each) => each?.ownerSVGElement && each.checkVisibility({ visibilityProperty: true })).map(spot); // some come only after a tap
  for (const [step, here] of spots.entries()) {
    const { svg, left, top, wide, high, unit } = here, room = 4 * unit, from = spots[step - 1];
    layer(svg, "way").append(shape("rect", { x: left - room, y: top - room, width: wide + 2 * room, height: high + 2 * room, rx: 10 * unit, "stroke-width": 4 * unit }));
    if (from?.svg === svg) layer(svg, "way").append(...arrow(from, here, unit));
  }
}

function arrow(from, to, unit) {
  const [dx, dy] = [to.x - from.x, to.y - from.y], far = Math.hypot(dx, dy);
  if (far < 20 * unit) return [];
  const [ux, uy] = [dx / far, dy / far], start = Math.min(.3 * Math.min(from.wide, from.high), far / 4), head = Math.min(16 * unit, far / 2);
  const [sx, sy, ex, ey] = [from.x + ux * start, from.y + uy * start, to.x - ux * head, to.y - uy * head], half = head * .62;
  const d = `M${sx} ${sy}L${ex} ${ey}M${ex - uy * half} ${ey + ux * half}L${to.x} ${to.y}L${ex + uy * half} ${ey - ux * half}z`;
  return [shape("path", { d, class: "halo", "stroke-width": 11 * unit }), shape("path", { d, "stroke-width": 6 * unit })];
}

advice.addEventListener("click", forget);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") forget(); });
new ResizeObserver(() => { if (latest) draw(); }).observe(board);

// ---- points, as they are given

// The scores in the panel tick from what they were; a '+n' rises from there, and from the pieces that brought it, unless a card lights those or a result covers them.
export function points(before, scene, moved, since) {
  const covered = scene.ranks || scene.moments.some(({ ply, steps }) => ply >= since && steps.length);
  const changes = scene.players.map(({ score }, seat) => score - before[seat]), scorers = changes.filter(Boolean).length;
  for (const [seat, change] of changes.entries()) {
    if (!change) continue;
    const shown = $("players").children[seat]?.querySelector(".score");
    if (shown) { tick(shown, before[seat], scene.players[seat].score); rise(shown, change); }
    const from = covered ? [] : sources(scene.players[seat].colour, moved, scorers);
    arrived(from).then(() => { for (const each of from) rise(each, change); });
  }
}

// Pieces of who scores, those that moved first; where pieces have no owners what moved, if nobody else scores; none where nothing moved.
function sources(colour, moved, scorers) {
  if (!moved.size) return [];
  const pieces = [...board.querySelectorAll(".sf-piece[id]")], fresh = pieces.filter(({ id }) => moved.has(id));
  const own = (each) => colour && (each.matches(`.sf-${colour}`) || each.querySelector(`.sf-${colour}`));
  const found = [fresh.filter(own), pieces.filter(own)].find((each) => each.length > 0 && each.length < 4);
  return found ? found.slice(0, 1) : scorers === 1 ? fresh.slice(-1) : [];
}

const STEPS = 12;
function tick(shown, from, to) {
  if (still.matches) return;
  shown.textContent = String(from);
  let step = 0;
  const timer = setInterval(() => {
    step += 1;
    if (shown.textContent !== String(Math.round(from + (to - from) * (step - 1) / STEPS))) step = STEPS; // it says something else by now
    else shown.textContent = String(Math.round(from + (to - from) * step / STEPS));
    if (step >= STEPS) clearInterval(timer);
  }, 50);
}

const STAYS = 1600;
function rise(element, change) {
  const beside = element.closest("#players li")?.clientWidth > 200; // above that row is somebody else's score
  const box = element.getBoundingClientRect();
  if (!box.width) return;
  const text = make("b", { class: change > 0 ? "rising" : "rising less", "aria-hidden": "true" }, signed(change));
  text.style.left = `${Math.min(innerWidth - 24, Math.max(24, beside ? box.left - 26 : box.left + box.width / 2))}px`;
  text.style.top = `${Math.max(24, box.top + Math.min(box.height / 2, 20))}px`;
  if (beside) text.style.setProperty("--far", "-50%");
  else if (box.top < 90) text.style.setProperty("--far", "60%"); // there is no room above it
  document.body.append(text);
  setTimeout(() => text.remove(), STAYS);
}
