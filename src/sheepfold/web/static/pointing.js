// Arrows at the edges of a board that is moved about in its window: where something that can be tapped lies outside of it. A tap on an
// arrow brings the nearest such thing into the window. The arrows keep off whatever can be tapped, and are gone when all of it is in sight.

const $ = (id) => document.getElementById(id);
const table = $("table"), board = $("board"), still = matchMedia("(prefers-reduced-motion: reduce)");
const SIZE = 44, STEP = 11, EDGE = 3, INSIDE = 10; // an arrow; how finely a place for it is sought; how far from the edge; what counts as in sight
const SIGNS = { "-1,-1": "↖", "0,-1": "↑", "1,-1": "↗", "-1,0": "←", "1,0": "→", "-1,1": "↙", "0,1": "↓", "1,1": "↘" };

const layer = document.createElement("div");
layer.className = "pointing";
let words = null;

const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
const beyond = (at, from, to) => (at < from + INSIDE ? -1 : at > to - INSIDE ? 1 : 0);

// What is out of sight, by the way that leads there.
function hidden(frame) {
  const found = new Map();
  for (const each of board.querySelectorAll(".can")) {
    const [x, y] = middle(each.getBoundingClientRect());
    const way = `${beyond(x, frame.left, frame.right)},${beyond(y, frame.top, frame.bottom)}`;
    if (way !== "0,0") found.set(way, [...(found.get(way) ?? []), { each, x, y }]);
  }
  return found;
}

const away = (frame) => { const [x, y] = middle(frame); return (one, other) => Math.hypot(one.x - x, one.y - y) - Math.hypot(other.x - x, other.y - y); };
const overlap = (x, y) => (box) => Math.max(0, Math.min(x + SIZE, box.right) - Math.max(x, box.left)) * Math.max(0, Math.min(y + SIZE, box.bottom) - Math.max(y, box.top));

// Along the edges that the way leads over: as near to it as can be without lying on anything that can be tapped, or on another arrow.
function spot(frame, way, { x, y }, taken) {
  const [across, down] = way.split(",").map(Number);
  const left = frame.left + EDGE, top = frame.top + EDGE, right = frame.right - EDGE - SIZE, bottom = frame.bottom - EDGE - SIZE;
  const steps = (from, to) => Array.from({ length: Math.max(1, Math.ceil((to - from) / STEP)) }, (_, step) => Math.min(to, from + step * STEP));
  const spots = [
    ...(across ? steps(top, bottom).map((at) => [across < 0 ? left : right, at]) : []),
    ...(down ? steps(left, right).map((at) => [at, down < 0 ? top : bottom]) : []),
  ];
  const cost = ([sx, sy]) => 1000 * taken.reduce((sum, box) => sum + overlap(sx, sy)(box), 0) + Math.hypot(sx + SIZE / 2 - x, sy + SIZE / 2 - y);
  return spots.reduce((one, other) => (cost(other) < cost(one) ? other : one));
}

function arrow(way, places) {
  const button = document.createElement("button"), what = places[0].each.getAttribute("aria-label") ?? "";
  button.textContent = SIGNS[way];
  button.dataset.to = places.map(({ each }) => each.id).join(" ");
  button.setAttribute("aria-label", words(places.length > 1 ? "point.more" : "point", { what, count: places.length - 1 }));
  button.addEventListener("click", (event) => { event.stopPropagation(); bring(button.dataset.to.split(" ")); });
  return button;
}

function bring([nearest]) {
  const frame = board.getBoundingClientRect(), [x, y] = middle($(nearest).getBoundingClientRect()), [to_x, to_y] = middle(frame);
  board.scrollBy({ left: x - to_x, top: y - to_y, behavior: still.matches ? "instant" : "smooth" });
}

function point() {
  asked = 0;
  const frame = board.getBoundingClientRect(), taken = [...board.querySelectorAll(".can, .chosen")].map((each) => each.getBoundingClientRect());
  const found = $("stage").classList.contains("pans") ? hidden(frame) : new Map(), now = [...layer.children];
  const arrows = [...found].map(([way, places]) => {
    places.sort(away(frame));
    const fresh = arrow(way, places), old = now.find((each) => each.dataset.to === fresh.dataset.to), button = old ?? fresh; // one that has the focus keeps it
    const [x, y] = spot(frame, way, places[0], taken);
    taken.push({ left: x, top: y, right: x + SIZE, bottom: y + SIZE });
    button.style.translate = `${x - frame.left}px ${y - frame.top}px`;
    return button;
  });
  for (const gone of now) if (!arrows.includes(gone)) gone.remove();
  for (const each of arrows) if (each.parentNode !== layer) layer.append(each);
  if (layer.parentNode !== board) board.append(layer);
}

let asked = 0;
const soon = () => { asked ||= requestAnimationFrame(point); };

export function pointing(say) {
  words = say;
  board.addEventListener("scroll", soon, { passive: true });
  for (const kind of ["lit", "shown", "curtain"]) table.addEventListener(kind, soon);
  $("zoom").addEventListener("click", soon);
  new ResizeObserver(soon).observe(board);
  soon();
}
