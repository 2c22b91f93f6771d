// Learning at the table: what the guide of a first game says and points at, and the rules opened where they matter.
// It hears of every scene from table.js (`lit`: a scene is shown or a tap was taken) and knows no game.

const $ = (id) => document.getElementById(id);
const table = $("table"), guide = $("guide"), finger = $("finger");
let scene = null, path = [], pointed = "", lay = 0, ended = false;

// ---- the guide

const ask = (wish) => fetch(`${table.dataset.url}/guide`, {
  method: "POST",
  headers: { "Content-Type": "application/json", Accept: "application/json" },
  body: JSON.stringify({ wish }),
});

for (const button of guide.querySelectorAll("[data-wish]")) button.addEventListener("click", async () => {
  button.disabled = true;
  await ask(button.dataset.wish).catch(() => null);
  button.disabled = false;
});

function say() {
  const lesson = scene.guide;
  guide.hidden = !lesson;
  if (!lesson) return;
  for (const name of ["said", "did", "ask"]) {
    const line = guide.querySelector(`.${name}`), text = name === "ask" && lesson.astray ? "" : lesson[name];
    if (line.textContent !== text) line.textContent = text;
    line.hidden = !text;
  }
  const count = guide.querySelector("[data-count]");
  count.textContent = lesson.done ? "" : count.dataset.count.replace("STEPS", lesson.steps).replace("STEP", lesson.step);
  guide.querySelector(".count [data-wish=show]").hidden = lesson.astray || lesson.done || !lesson.want.length;
  guide.querySelector(".count [data-wish=leave]").hidden = lesson.done;
  guide.querySelector(".astray").hidden = !lesson.astray;
  guide.querySelector(".over").hidden = !lesson.done;
  guide.querySelector(".over [data-wish=leave]").hidden = scene.status === "over";
  if (lesson.done && !ended) { ended = true; ask("done").catch(() => null); }
}

// What to tap next for what is asked: the next thing on the way of the wanted action that goes on from the taps so far.
function wanted() {
  const lesson = scene?.guide;
  if (!lesson || lesson.astray || lesson.done) return [];
  const ways = [...scene.actions, ...scene.interruptions].filter((choice) => lesson.want.includes(choice.action)).map((choice) => choice.targets);
  const on = ways.filter((way) => path.every((id, step) => way[step] === id));
  return (on.length ? on : ways).map((way) => way[on.length ? path.length : 0]).filter(Boolean);
}

function point() {
  const ids = wanted();
  for (const each of table.querySelectorAll(".look")) each.classList.remove("look");
  for (const id of scene?.guide?.point ?? []) if (!scene.guide.astray) $(id)?.classList.add("look");
  const element = ids.map($).find((each) => each?.getBoundingClientRect().width);
  finger.hidden = !element;
  if (!element) { pointed = ""; return; }
  const now = `${scene.ply} ${element.id}`;
  finger.dataset.at = element.id;
  if (pointed !== now) { pointed = now; reveal(element); }
  place();
}

// On a phone the guide stays above the board while it scrolls, so what it points at must come out from under it.
function reveal(element) {
  const box = element.getBoundingClientRect(), bottom = innerHeight - ($("tabs")?.getBoundingClientRect().height ?? 0);
  const top = getComputedStyle(guide).position === "sticky" ? guide.getBoundingClientRect().height + 8 : 0;
  if (box.top >= top && box.bottom <= bottom) return;
  if (!top) element.scrollIntoView({ block: "nearest" });
  else scrollBy({ top: box.top < top ? box.top - top - 12 : box.bottom - bottom + 12, behavior: "instant" });
}

// The finger is a ring over the thing itself, so that it works for whatever is drawn.
function place() {
  if (finger.hidden) return;
  const element = $(finger.dataset.at);
  if (!element) return;
  const lies = Math.round(element.getBoundingClientRect().top + scrollY);
  if (lies !== lay && getComputedStyle(guide).position === "sticky") reveal(element); // the page has moved it, not the reader
  lay = lies;
  const box = (element.querySelector(":scope > .sf-lit:not(.sf-hit)") ?? element).getBoundingClientRect(); // not what catches taps beside it
  const size = 6;
  Object.assign(finger.style, { left: `${box.left - size}px`, top: `${box.top - size}px`, width: `${box.width + 2 * size}px`, height: `${box.height + 2 * size}px` });
}

addEventListener("scroll", place, true);
addEventListener("resize", place);
setInterval(place, 250); // things glide, panels open

table.addEventListener("lit", (event) => {
  ({ scene, path } = event.detail);
  say();
  point();
  guide.dataset.at = `${scene.ply} ${path.length}`;
});
