// What helps to follow a game: how quick bots are and when they hold, trails of what moved, all that happened once more, and the card of
// a moment. table.js loads it when something happens first, and tells it what is shown; like it, this knows no game.

const $ = (id) => document.getElementById(id);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const SVG = "http://www.w3.org/2000/svg";
export const PACES = { slow: 1.8, normal: 1, fast: 0.5 };
const DECISION = 1300, SENTENCE = 450; // milliseconds, when what happened is shown again

const kept = (what) => { try { return localStorage.getItem(what); } catch { return null; } };
const keep = (what, value) => { try { localStorage.setItem(what, value); } catch { /* then it holds until the page is left */ } };
const pace = () => PACES[kept("pace")] ?? 1;

export class Follow {
  #page; #why = new Set(); #gone = -1; #ply = null; #card = null; #playing = false; #reading = false; #said = Promise.resolve();

  // `page` is what table.js lends: words, sending, the present scene, and drawing.
  constructor(page) {
    this.#page = page;
    this.#settings();
    $("board").addEventListener("click", () => this.#go_on());
    $("table").addEventListener("lit", ({ detail: { steps, scene } }) => this.#hold("choosing", steps > 0 && !scene.actions.length));
    $("table").addEventListener("curtain", () => { // nothing of what one person sees is there for the next
      this.#away();
      this.#playing = false;
      $("once-more").hidden = true;
    });
    $("once-more")?.addEventListener("click", () => this.again());
    $("hold")?.addEventListener("click", () => this.#hold("asked", !this.#why.has("asked")));
  }

  #settings() {
    for (const each of document.querySelectorAll("#pace input")) {
      each.checked = each.value === (kept("pace") ?? "normal");
      each.addEventListener("change", () => { keep("pace", each.value); this.#page.listen(); });
    }
    const goes = $("card-goes");
    goes.checked = kept("card-goes") === "yes";
    goes.addEventListener("change", () => keep("card-goes", goes.checked ? "yes" : "no"));
  }

  // ---- bots hold, or go on

  #bot_to_act() {
    const { status, seat, to_act, players } = this.#page.scene();
    return status === "playing" && seat !== null && to_act !== null && (players[to_act].kind === "bot" || players[to_act].away);
  }

  #hold(why, is) {
    const held = this.#why.size > 0;
    if (is && this.#bot_to_act()) this.#why.add(why); else this.#why.delete(why);
    if (held !== this.#why.size > 0) this.#wish(held ? "go" : "hold");
    this.#tell();
  }

  // One after the other: a wish that overtakes another would let bots wait for nobody.
  #wish(wish) {
    this.#said = this.#said.then(async () => {
      for (let tries = 3; tries > 0 && (await this.#page.send("bots", { wish })).problem; tries -= 1) await new Promise((done) => { setTimeout(done, 2000); });
    });
  }

  // Who has seen it need not wait any longer; once for what there is to see.
  #go_on() {
    const { ply } = this.#page.scene();
    if (this.#why.size || this.#gone === ply || !this.#bot_to_act()) return;
    this.#gone = ply;
    this.#wish("go");
  }

  #tell() {
    const button = $("hold"), on = this.#why.has("asked");
    if (!button) return;
    button.hidden = this.#page.scene().out_of_turn === null || this.#page.scene().status !== "playing";
    button.disabled = !on && !(this.#page.scene().out_of_turn && this.#bot_to_act());
    button.setAttribute("aria-pressed", String(on));
  }

  // ---- a scene is shown

  shown(scene, since, missed) {
    this.#ply ??= since;
    const fresh = scene.moments.filter((moment) => moment.ply >= this.#ply);
    if (scene.ply < this.#ply) this.#away(); // taken back
    else if (fresh.length) this.#show(missed ? fresh.slice(-1) : fresh, scene);
    if (scene.ply !== this.#ply) this.#hold("asked", false);
    this.#ply = scene.ply;
    $("table").classList.toggle("reading", this.#reading);
    $("once-more").hidden = !scene.log.some((told) => told.who >= 0 && told.who !== scene.seat);
    this.#tell();
  }

  async #show(moments, scene) {
    this.#read(true); // at once, though the card may have to be loaded first
    const begun = scene.seat, { Card } = await import($("table").dataset.card).catch(() => ({}));
    if (!Card || this.#page.scene().seat !== begun) { this.#read(false); return; } // the log says it, too
    this.#card ??= new Card(this.#page, (open) => {
      this.#read(open);
      if (!open) this.#page.light(); // keys go on where things are done
    });
    const goes = kept("card-goes") === "yes" || scene.seat === null || scene.left !== null; // a clock is not to run out behind it
    this.#card.show(moments, scene, goes, pace());
  }

  #away() {
    this.#card?.away();
    this.#read(false);
  }

  // The result comes after the last card.
  #read(is) {
    this.#reading = is;
    $("table").classList.toggle("reading", is);
    this.#hold("reading", is);
    if (!is && this.#page.scene().ranks) scrollTo({ top: 0, behavior: still.matches ? "instant" : "smooth" });
  }

  // ---- trails

  // From where things stood to where they stand: an arrow, which fades; for who wants no motion it stays until the next move.
  moved(moves) {
    const board = $("board"), picture = board.firstElementChild;
    board.querySelector(":scope > .trails")?.remove();
    const screen = picture?.getScreenCTM()?.inverse();
    if (!screen || !moves.length) return;
    const ways = moves.map(({ element, old, now }) => {
      const there = screen.multiply(element.parentNode.getScreenCTM());
      return [old, now].map((transform) => { const { e, f } = new DOMMatrix(transform); return new DOMPoint(e, f).matrixTransform(there); });
    });
    const along = ([from, to]) => Math.hypot(to.x - from.x, to.y - from.y);
    const drawn = ways.filter((way) => along(way) > 12).sort((one, other) => along(other) - along(one)).slice(0, 14);
    if (!drawn.length) return;
    const trails = document.createElementNS(SVG, "svg");
    trails.setAttribute("class", "trails");
    trails.setAttribute("viewBox", picture.getAttribute("viewBox"));
    trails.setAttribute("aria-hidden", "true");
    if (picture.style.width) { // a map that is moved about inside the board
      const here = picture.getBoundingClientRect(), frame = board.getBoundingClientRect();
      trails.style.cssText = `inset:auto;left:${here.left - frame.left + board.scrollLeft}px;top:${here.top - frame.top + board.scrollTop}px;width:${here.width}px;height:${here.height}px`;
    }
    trails.append(...drawn.flatMap(([from, to]) => arrow(from, to)));
    board.append(trails);
    if (!still.matches) trails.animate([{ opacity: 1 }, { opacity: 1, offset: 0.6 }, { opacity: 0 }], { duration: 2600 * pace(), fill: "forwards" });
  }

  // ---- again

  // Bots hold meanwhile; a tap, a key or the next move ends it.
  async again() {
    if (this.#playing) { this.#playing = false; return; }
    const { make, words } = this.#page, asked = this.#page.asked(), ply = this.#page.scene().ply, begun = this.#page.shows();
    const answer = await fetch(`${$("table").dataset.url}/again${asked}`, { headers: { Accept: "application/json" } }).catch(() => null);
    const frames = answer?.ok ? (await answer.json()).frames : [];
    if (frames.length < 2 || this.#playing || this.#page.shows() !== begun) return; // the screen may be somebody else's by now
    this.#playing = true;
    this.#hold("again", true);
    const caption = make("p", { id: "caption", role: "status" }, make("span"));
    $("board").after(caption);
    const stop = (event) => { if (!event.target.closest?.("#once-more") && (event.type !== "keydown" || event.key === "Escape")) { event.preventDefault(); event.stopPropagation(); this.#playing = false; } };
    const ends = ["click", "keydown"];
    for (const end of ends) document.addEventListener(end, stop, true);
    $("once-more").setAttribute("aria-pressed", "true");
    for (const [number, { picture, lines, passing }] of frames.entries()) {
      if (!this.#playing || this.#page.shows() !== begun) break;
      caption.firstChild.textContent = number ? `${number} / ${frames.length - 1} · ${lines.join(" ")}` : words("again.start");
      this.#page.frame(picture.split("<"), number ? passing : null);
      const ends_at = performance.now() + (number ? DECISION + SENTENCE * Math.min(3, Math.max(0, lines.length - 1)) + (passing ? DECISION : 0) : DECISION / 2) * pace();
      while (performance.now() < ends_at && this.#playing && this.#page.shows() === begun) await new Promise((done) => { setTimeout(done, 40); });
    }
    for (const end of ends) document.removeEventListener(end, stop, true);
    this.#playing = false;
    $("once-more").setAttribute("aria-pressed", "false");
    caption.remove();
    this.#hold("again", false);
    if (this.#page.shows() === begun && this.#page.scene().ply === ply) this.#page.back();
  }
}

// A bow from one place to the other, with a head, so light that what lies under it is read.
function arrow(from, to) {
  const long = Math.hypot(to.x - from.x, to.y - from.y), [x, y] = [(to.x - from.x) / long, (to.y - from.y) / long];
  const bow = Math.min(26, long / 7), tip = { x: to.x - x * 14, y: to.y - y * 14 }, middle = { x: (from.x + tip.x) / 2 + y * bow, y: (from.y + tip.y) / 2 - x * bow };
  const turn = Math.atan2(tip.y - middle.y, tip.x - middle.x) * 180 / Math.PI;
  return ["trail-edge", "trail"].map((name) => {
    const group = document.createElementNS(SVG, "g"), line = document.createElementNS(SVG, "path"), head = document.createElementNS(SVG, "path");
    group.setAttribute("class", name);
    line.setAttribute("d", `M${from.x} ${from.y}Q${middle.x} ${middle.y} ${tip.x} ${tip.y}`);
    line.setAttribute("fill", "none");
    head.setAttribute("d", "M14 0L-8 -11L-8 11Z");
    head.setAttribute("transform", `translate(${tip.x} ${tip.y}) rotate(${turn})`);
    group.append(line, head);
    return group;
  });
}
