// Keys and screen readers at the table: arrow keys between lit things, a focus that is never lost, what happened said in a live region,
// and the board in words. It listens to what table.js says of itself (`lit`, `shown`, `curtain`) and changes nothing else.

const $ = (id) => document.getElementById(id);
const table = $("table"), parts = [$("board"), $("hand"), $("others")], outline = $("outline"), live = $("live");
const LIT = ".can, .chosen", drawing = import(table.dataset.drawing);

let keys = false; // whether the last thing done was done by keys (or by a screen reader, whose clicks have no count)
let last = { id: null, x: 0, y: 0, room: "board" }; // where the focus was
let steps = 0;

document.addEventListener("keydown", (event) => { if (!event.altKey && !event.ctrlKey && !event.metaKey) keys = true; }, true);
document.addEventListener("pointerdown", () => { keys = false; }, true);
document.addEventListener("click", (event) => { if (event.detail === 0) keys = true; }, true);
document.addEventListener("focusin", ({ target }) => {
  const room = target.closest("#board, #hand, #others, #choices, #loose, #tools")?.id;
  if (!room || target.id === room) return;
  const [x, y] = middle(target);
  last = { id: target.id, x, y, room };
  if (target.matches(LIT)) rove(parts.find((part) => part.contains(target)), target);
});

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const shown = (element) => element.checkVisibility({ visibilityProperty: true });
const litIn = (part) => [...part.querySelectorAll(LIT)].filter(shown);

// One thing of each part is in the tab order: where one was last, else the first.
function rove(part, chosen = null) {
  const lit = litIn(part);
  const here = chosen ?? lit.find((each) => each.id === last.id) ?? lit.find((each) => each.matches(".can")) ?? lit[0];
  for (const each of lit) each.setAttribute("tabindex", each === here ? "0" : "-1");
}

// ---- arrows

// As one reads: row by row. What overlaps in height by half is in one row.
function inOrder(lit) {
  const placed = lit.map((each) => ({ each, box: each.getBoundingClientRect() })).sort((one, other) => one.box.y + one.box.height / 2 - other.box.y - other.box.height / 2);
  const rows = [];
  for (const item of placed) {
    const row = rows.at(-1), top = row?.[0].box;
    if (row && item.box.y + item.box.height / 2 < top.y + top.height / 2 + Math.min(item.box.height, top.height) / 2) row.push(item); else rows.push([item]);
  }
  return rows.flatMap((row) => row.sort((one, other) => one.box.x - other.box.x)).map(({ each }) => each);
}

function vertical(from, down, lit) {
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const each of lit) {
    const [ex, ey] = middle(each), along = (ey - y) * down, cost = along + 2 * Math.abs(ex - x);
    if (along > 3 && cost < least) { best = each; least = cost; }
  }
  return best;
}

// Left and right walk through everything, part by part; up and down go to what lies there.
function neighbour(target, part, key) {
  if (key === "ArrowUp" || key === "ArrowDown") {
    const down = key === "ArrowDown" ? 1 : -1;
    return vertical(target, down, litIn(part)) ?? vertical(target, down, parts.filter((each) => each !== part).flatMap(litIn));
  }
  const order = parts.flatMap((each) => inOrder(litIn(each)));
  if (key === "Home") return order[0];
  if (key === "End") return order.at(-1);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  return step ? order[(order.indexOf(target) + step + order.length) % order.length] : null;
}

for (const part of parts) part.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = event.target.closest(LIT);
  const next = target ? neighbour(target, part, event.key) : event.key.startsWith("Arrow") ? nearest() : null;
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// ---- the focus

function lost() {
  const now = document.activeElement;
  return !now || now === document.body || now === parts[0] || now.disabled || !shown(now) || (parts.some((part) => part.contains(now)) && !now.matches(LIT));
}

function nearest() {
  const away = (each) => { const [x, y] = middle(each); return (x - last.x) ** 2 + (y - last.y) ** 2; };
  const rooms = [parts.find((part) => part.id === last.room), ...parts].filter(Boolean);
  for (const part of rooms) {
    const lit = litIn(part).filter((each) => each.matches(".can"));
    const same = lit.find((each) => each.id === last.id);
    if (same || lit.length) return same ?? lit.reduce((one, other) => (away(other) < away(one) ? other : one));
  }
  return null;
}

// Who uses keys stays where things are done: at the list of choices, or at the nearest lit thing. While others play, on the board itself.
function settle() {
  if (!keys || !lost()) return;
  const button = (room) => [...$(room).querySelectorAll("button")].find(shown);
  const next = (shown($("curtain")) && button("curtain")) || (shown($("result")) && $("result")) || (last.room === "choices" && button("choices")) || nearest() || button("loose") || parts[0];
  if (next !== document.activeElement) next.focus({ preventScroll: [parts[0], $("result")].includes(next) }); // the page itself brings these into sight
}

function tend({ steps: taken }) {
  for (const part of parts) {
    for (const each of part.querySelectorAll("[aria-label]")) {
      // Empty fields and free edges are said by the board in words; here only things are, and what can be chosen.
      const said = each.matches(".can, .chosen, .sf-piece, svg");
      if (said === each.hasAttribute("aria-hidden")) { if (said) each.removeAttribute("aria-hidden"); else each.setAttribute("aria-hidden", "true"); }
      if (said && !each.hasAttribute("role")) each.setAttribute("role", "img");
    }
    for (const each of part.querySelectorAll(".chosen")) each.setAttribute("aria-pressed", "true");
    rove(part);
  }
  const moved = taken !== steps;
  steps = taken;
  if (keys && moved && document.activeElement?.matches(".chosen")) nearest()?.focus(); else settle();
}

table.addEventListener("lit", ({ detail }) => { if (!detail.soon) tend(detail); }); // of a new scene `shown` tells, once it is painted

// ---- what is said

function say(lines) {
  live.replaceChildren(...lines.filter(Boolean).map((line) => Object.assign(document.createElement("p"), { textContent: line })));
}

let told = null; // the latest prompt

table.addEventListener("shown", ({ detail }) => {
  const { scene, prompt, fresh, spoken } = detail;
  describe(scene.outline);
  const lines = [...fresh.flatMap((each) => each.lines), ...(prompt !== told || fresh.length ? [prompt] : []), ...spoken];
  if (told !== null && lines.length) say(lines);
  told = prompt;
  tend(detail);
});

// Nothing of what one person was told may stay for the next.
table.addEventListener("curtain", ({ detail: { prompt } }) => {
  describe([]);
  say([prompt]);
  told = prompt;
  settle();
});

// ---- the board in words

function describe(passages) {
  const text = JSON.stringify(passages);
  if (outline.dataset.text === text) return; // who is reading it is not thrown out
  outline.dataset.text = text;
  drawing.then(({ inWords, renewed }) => { if (outline.dataset.text === text) renewed(outline.querySelector("div"), inWords(passages)); });
}
