// Looking back: shows any ply of a game at once, plays it like a film, draws who was winning, and keeps pictures of it.

const root = document.getElementById("replay");
const { make, shape, markOf, Picture, inWords } = await import(root.dataset.drawing);
const { graph } = await import(root.dataset.graph);

const $ = (id) => document.getElementById(id);
const shown = JSON.parse($("shown").textContent), { say, marks } = JSON.parse($("words").textContent);
const words = (key, values = {}) => say[key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const MOVE = { duration: 280, easing: "cubic-bezier(.3,.7,.3,1.12)" };
const { count, players, batch } = shown, url = root.dataset.url, slider = $("r-slider");
let { ply, seat, story, analysis } = shown;
let playing = null;

// ---- pictures, by batches

let pictures = new Map(), fetching = null;
pictures.set(ply, new XMLSerializer().serializeToString($("r-board").firstElementChild)); // as XML: the text may hold what only HTML has names for

async function fetchBatch(first, whose) {
  const query = new URLSearchParams({ first, language: shown.language, of: shown.digest });
  if (whose !== null) query.set("seat", whose);
  const answer = await fetch(`${url}/frames?${query}`);
  if (!answer.ok) throw new Error(`${answer.status}`);
  const { pieces, frames } = await answer.json();
  return frames.map((numbers) => numbers.map((number) => pieces[number]).join(""));
}

const unknown = () => {
  const firsts = Array.from({ length: Math.floor(count / batch) + 1 }, (_, number) => number * batch);
  const open = firsts.filter((first) => Array.from({ length: Math.min(batch, count + 1 - first) }, (_, step) => first + step).some((each) => !pictures.has(each)));
  // The one that is on the screen, then what follows, then what was before.
  const here = Math.floor(ply / batch) * batch;
  return open.sort((one, other) => (one < here) - (other < here) || Math.abs(one - here) - Math.abs(other - here));
};

// Fetch what is missing, the nearest first, one after the other; where one is decides anew each time.
async function fetchAll() {
  if (fetching) return fetching;
  const whose = seat;
  fetching = (async () => {
    for (let first = unknown()[0], failed = 0; first !== undefined && seat === whose; first = unknown()[0]) {
      try {
        const found = await fetchBatch(first, whose);
        failed = 0;
        if (seat !== whose) break;
        found.forEach((picture, step) => pictures.set(first + step, picture));
        if (ply >= first && ply < first + found.length) { note(""); draw(false); }
      } catch {
        failed += 1;
        note(words("failed"));
        await new Promise((done) => setTimeout(done, Math.min(20000, 1000 * 2 ** failed)));
      }
    }
  })();
  await fetching;
  fetching = null;
  if (unknown().length) return fetchAll();
}

// ---- one ply

const boxes = () => new Map([...root.querySelectorAll(":is(#r-board, #r-parts) .sf-piece[id]")].map((each) => [each.id, each.style.transform]));

const on_page = new Picture((name) => {
  if (name === "board") return $("r-board");
  const rows = $("r-parts"), row = [...rows.children].find((each) => each.dataset.part === name)
    ?? rows.appendChild(make("section", { "data-part": name }, name.startsWith("hand-") ? heading(Number(name.slice(5))) : null, make("div", {})));
  return row.lastElementChild;
});

function draw(moving) {
  const picture = pictures.get(ply);
  root.toggleAttribute("aria-busy", !picture);
  if (!picture) return;
  const before = moving && !still.matches ? boxes() : null;
  const parts = on_page.show(picture.split("<"));
  for (const row of [...$("r-parts").children]) if (!parts.has(row.dataset.part)) row.remove();
  root.dataset.drawn = ply;
  if (before) for (const [id, transform] of boxes()) {
    const old = before.get(id);
    if (old !== undefined && old !== transform) $(id).animate([{ transform: old }, { transform }], MOVE);
  }
}

const heading = (number) => make("h3", {}, markOf(players[number].colour, marks), players[number].name);
const isGain = (line) => /^[+−-]\d/.test(line);
const spoken = (lines) => lines.flatMap((line) => [isGain(line) ? make("b", {}, line) : line, " "]);

// What was told last, up to here: events about which there is nothing to say are silent.
function latest() {
  for (let at = ply - 1; at >= 0; at -= 1) if (story[at].lines.length) return { at, told: story[at] };
  return null;
}

function shareNow(number) {
  if (analysis.result && ply === count && analysis.shares.length) return analysis.result[number];
  const known = analysis.shares.filter(([at]) => at <= ply).at(-1);
  return known ? known[1][number] : null;
}

const points_at = (at) => (at ? story[at - 1].scores : shown.start);

function players_now() {
  const points = points_at(ply);
  $("r-players").replaceChildren(...players.map((player) => {
    const share = shareNow(player.seat);
    return make("li", {}, markOf(player.colour, marks), make("span", { class: "who" }, player.name),
      shown.ranks && ply === count ? make("small", {}, words("place", { place: shown.ranks[player.seat] })) : null,
      share === null ? null : make("span", { class: "share" }, words("share-of", { percent: Math.round(100 * share) })),
      make("span", { class: "score", title: words("points") }, String(points[player.seat])));
  }));
}

let addressed = null;

function show(next, { moving = false, keep = false } = {}) {
  if (!keep) pause();
  ply = Math.max(0, Math.min(count, next));
  draw(moving);
  const last = latest();
  $("r-story").replaceChildren(...(last ? [last.told.who >= 0 ? markOf(players[last.told.who].colour, marks) : null, " ", ...spoken(last.told.lines)].filter(Boolean) : [words("start")]));
  $("r-where").textContent = words("ply", { ply, count });
  slider.value = ply;
  slider.setAttribute("aria-valuetext", `${words("ply", { ply, count })} ${last ? last.told.lines.join(" ") : words("start")}`);
  for (const [id, off] of [["r-first", ply === 0], ["r-back", ply === 0], ["r-next", ply === count], ["r-last", ply === count]]) $(id).disabled = off;
  players_now();
  lines.move(ply);
  for (const [number, row] of [...$("r-turning").children].entries()) row.toggleAttribute("aria-current", analysis.turning[number].ply === ply);
  mark_log(last ? last.at : -1);
  play_on();
  clearTimeout(addressed);
  addressed = setTimeout(() => { history.replaceState(null, "", address()); describe(); }, 250);
  if (!pictures.has(ply)) fetchAll();
}

function address() {
  const query = new URLSearchParams({ ply });
  if (seat !== null) query.set("seat", seat);
  return `${location.pathname}?${query}`;
}

// The board in words, while it is open: of the ply where one has come to rest.
async function describe() {
  if (!$("r-outline").open) return;
  const here = new URLSearchParams({ ply });
  if (seat !== null) here.set("seat", seat);
  const of = $("r-outline").dataset.of = String(here);
  const answer = await fetch(`${url}/outline?${of}`).catch(() => null);
  if (!answer?.ok) note(words("failed"));
  else if ($("r-outline").dataset.of === of) $("r-outline").querySelector("div").replaceChildren(...inWords(await answer.json()));
}
$("r-outline").addEventListener("toggle", describe);

// The next ply about which there is something to say, or the end.
function further(step) {
  let at = ply + step;
  while (at > 0 && at < count && !story[at - 1].lines.length) at += step;
  return Math.max(0, Math.min(count, at));
}

// ---- the log

const rows = new Map();

function fill_log() {
  rows.clear();
  $("r-log").replaceChildren(...story.flatMap((told, at) => {
    if (!told.lines.length) return [];
    const row = make("li", {}, make("button", { class: "entry", onclick: () => show(at + 1) },
      make("small", {}, String(at + 1)), told.who >= 0 ? markOf(players[told.who].colour, marks) : null,
      make("span", {}, ...spoken(told.lines)), told.code ? make("code", {}, told.code) : null));
    rows.set(at, row);
    return [row];
  }));
}

function mark_log(at) {
  for (const row of $("r-log").querySelectorAll("[aria-current]")) row.removeAttribute("aria-current");
  const row = rows.get(at), list = $("r-log");
  list.scrollTop = row ? row.offsetTop - list.clientHeight / 2 : 0;
  row?.setAttribute("aria-current", "step");
}

// ---- like a film

function play_button(what) {
  root.dataset.film = what;
  $("r-story").setAttribute("aria-live", what === "playing" ? "off" : "polite"); // a film is not read aloud
  $("r-play").setAttribute("aria-label", words(what === "playing" ? "pause" : "play"));
  $("r-play").title = $("r-play").getAttribute("aria-label");
}

function pause() {
  clearTimeout(playing);
  playing = null;
  play_button("resting");
}

function play() {
  if (ply === count) show(0);
  play_button("playing");
  const step = () => {
    if (pictures.has(ply)) show(further(1), { moving: true, keep: true });
    if (ply === count) pause(); else playing = setTimeout(step, 1200 / Number($("r-speed").value));
  };
  playing = setTimeout(step, 300);
}

const toggle = () => { if (playing === null) play(); else pause(); };

// ---- who was winning

const lines = graph($("r-graph"), { shape, marks, players, count, words, jump: (to) => show(to) });

function show_analysis(next) {
  analysis = next;
  root.dataset.analysis = analysis.state;
  const busy = ["waiting", "running"].includes(analysis.state), any = analysis.shares.length > 0;
  $("r-graph").hidden = $("r-graph-what").hidden = !any;
  if (any) lines.show(analysis);
  $("r-analyse").hidden = busy || analysis.state === "done";
  $("r-analyse").textContent = words(analysis.state === "stopped" ? "go-on" : "analyse");
  $("r-analyse-what").hidden = analysis.state !== "none";
  $("r-progress").hidden = !busy;
  $("r-progress").querySelector("progress").max = Math.max(1, analysis.of);
  $("r-progress").querySelector("progress").value = analysis.done;
  $("r-progress").querySelector("span").textContent = words(analysis.state === "waiting" ? "waiting" : "running", { done: analysis.done, count: analysis.of });
  $("r-none").hidden = analysis.state !== "done" || analysis.turning.length > 0;
  $("r-turning-title").hidden = !analysis.turning.length;
  $("r-turning").replaceChildren(...analysis.turning.map((point, number) => make("li", {}, make("button", { class: "entry", onclick: () => show(point.ply) },
    make("b", { class: "number" }, String(number + 1)), markOf(players[point.seat].colour, marks),
    make("span", {}, words("done", { who: point.who, done: point.done }), " ",
      make("span", { class: "better" }, words("better", { better: point.better }))),
    make("b", { class: "cost" }, words("cost", { percent: Math.round(100 * point.loss) }))))));
  players_now();
  lines.move(ply);
  if (busy) setTimeout(() => ask("analysis"), 1000);
}

async function ask(what, method = "GET") {
  try {
    const answer = await fetch(`${url}/${what}`, { method, headers: { Accept: "application/json" } });
    const said = await answer.json();
    if (answer.ok) { show_analysis(said); return; }
    note(said.problem);
  } catch {
    note(words("failed"));
    if (method === "GET") setTimeout(() => ask(what), 5000);
  }
}

// ---- to keep and to share

const note = (text) => { $("r-note").textContent = text; };

async function copy() {
  const link = new URL(address(), location.href).href;
  try { await navigator.clipboard.writeText(link); } catch {
    const field = make("input", { value: link });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  note(words("copied"));
}

const keeper = () => import(root.dataset.keep);
const tellAll = (from, to) => story.slice(from, to).flatMap((told) => told.lines).join(" ") || words("start");
const framed = (keep, at, since, brief) => keep.alone({
  scores: players.map((player) => ({ mark: markOf(player.colour, marks), name: player.name, points: points_at(at)[player.seat] })),
  picture: pictures.get(at), title: `${shown.title} · ${words("ply", { ply: at, count })}`, caption: tellAll(since, at), brief,
  heading: (name) => players[Number(name.slice(5))].name,
});
const single = (keep) => framed(keep, ply, latest()?.at ?? 0, false);
const fileName = (ending) => `${root.dataset.game}-${ply}.${ending}`;

let filming = false;

async function make_film() {
  if (filming) { filming = false; return; }
  filming = true;
  const button = $("r-film"), tell = (done, of) => { button.textContent = words("film.making", { done, count: of }); return filming; };
  try {
    const keep = await keeper();
    tell(0, count);
    await fetchAll();
    // One picture a turn: where the next event is somebody else's or chance's.
    const plies = story.flatMap((told, at) => (told.who >= 0 && story[at + 1]?.who !== told.who) || at + 1 === count ? [at + 1] : []);
    const frames = [framed(keep, 0, 0, true)];
    for (const [number, at] of plies.entries()) { frames.push(framed(keep, at, plies[number - 1] ?? 0, true)); if (frames.length % 8 === 0) await new Promise((done) => setTimeout(done)); }
    const made = await keep.film(frames, tell);
    if (made) keep.save(made, `${root.dataset.game}.gif`);
  } finally {
    filming = false;
    button.textContent = words("film");
  }
}

let seatChosen = false;

function play_on() {
  const form = $("r-on");
  form.elements.ply.value = ply;
  if (!seatChosen) form.elements.seat.value = String(story.slice(ply).find((told) => told.who >= 0)?.who ?? 0);
  const over = shown.over && ply === count;
  form.querySelector("button").disabled = over;
  form.querySelector("button").title = over ? words("over-here") : "";
}

// ---- hands on

for (const [id, work] of [
  ["r-first", () => show(0)], ["r-back", () => show(further(-1), { moving: true })], ["r-play", toggle],
  ["r-next", () => show(further(1), { moving: true })], ["r-last", () => show(count)], ["r-share", copy], ["r-film", make_film],
  ["r-analyse", () => ask("analysis", "POST")], ["r-stop", () => ask("analysis/stop", "POST")],
  ["r-svg", async () => { const keep = await keeper(); keep.save(new Blob([single(keep)], { type: "image/svg+xml" }), fileName("svg")); }],
  ["r-png", async () => { const keep = await keeper(); keep.save(await keep.png(single(keep)), fileName("png")); }],
]) $(id).addEventListener("click", work);
$("r-on").elements.seat.addEventListener("change", () => { seatChosen = true; });
slider.addEventListener("input", () => show(Number(slider.value)));
$("r-as")?.addEventListener("change", async (event) => {
  seat = event.target.value === "" ? null : Number(event.target.value);
  pictures = new Map();
  const answer = await fetch(`${url}/story${seat === null ? "" : `?seat=${seat}`}`);
  if (answer.ok) story = await answer.json();
  fill_log();
  show(ply);
  fetchAll();
});
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=range]), select, textarea")) return;
  const sliding = event.target === slider;
  const work = { ArrowLeft: () => show(further(-1), { moving: true }), ArrowRight: () => show(further(1), { moving: true }), Home: () => show(0), End: () => show(count) }[event.key];
  if (event.key === " " && !event.target.closest("button, a, summary")) { event.preventDefault(); toggle(); }
  else if (work && !sliding) { event.preventDefault(); work(); }
});

fill_log();
show_analysis(analysis);
show(ply);
fetchAll();
