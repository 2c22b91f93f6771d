// The card of a moment: what ended, what everybody got and why, and on the board what it was given for, one after the other. One tap, or a
// key, goes on. It is a dialog, so keys stay in it and a screen reader reads it; what happens meanwhile is shown under it.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const STEP = 700, READ = 3500, A_GAIN = 1300; // milliseconds at the ordinary pace

export class Card {
  #page; #told; #dialog; #waiting = []; #timers = []; #steps = []; #gone = 0;

  // `told` is called when a card opens, and when the last one is closed.
  constructor(page, told) {
    this.#page = page;
    this.#told = told;
    const style = page.make("link", { rel: "stylesheet", href: document.getElementById("table").dataset.cardStyle });
    this.#dialog = page.make("dialog", { id: "moment", "aria-labelledby": "moment-title", "aria-describedby": "moment-said" });
    document.head.append(style);
    document.body.append(this.#dialog);
    this.#dialog.addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("close", () => this.#next());
    addEventListener("resize", () => this.#place());
    this.ready = new Promise((done) => { style.onload = style.onerror = done; });
  }

  // What has moved is seen first: the lights lie where things stand, not where they glide from.
  async show(moments, scene, goes, pace) {
    const gone = this.#gone;
    await this.ready;
    await Promise.allSettled([...document.querySelectorAll("#board .sf-piece")].flatMap((each) => each.getAnimations()).map((each) => each.finished));
    if (gone !== this.#gone) return;
    this.#waiting.push(...moments.map((moment) => ({ moment, scene, goes, pace })));
    if (!this.#dialog.open) this.#next();
  }

  // Nothing of it is so any more.
  away() {
    this.#waiting = [];
    this.#gone += 1;
    if (this.#dialog.open) this.#dialog.close();
  }

  #next() {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
    const next = this.#waiting.shift();
    this.#told(Boolean(next));
    if (next) this.#open(next);
  }

  #open({ moment, scene, goes, pace }) {
    const { make, words, markOf } = this.#page;
    const gains = moment.gains.map((gain) => {
      const player = scene.players[gain.seat];
      return make("li", gain.points ? {} : { class: "nothing" }, markOf(player.colour),
        make("b", { class: "who" }, player.name), make("strong", {}, signed(gain.points)), make("span", { class: "total", title: words("points") }, `= ${gain.total}`),
        gain.reasons.length ? make("span", { class: "why" }, ...gain.reasons.flatMap((reason, place) => [place ? " · " : "", make("span", {}, reason)])) : null, drawn(gain.picture));
    });
    const paper = make("div", { class: "paper" }, make("h2", { id: "moment-title" }, moment.title),
      make("div", { id: "moment-said", tabindex: 0 }, gains.length ? make("ul", {}, ...gains) : null, moment.note ? make("p", {}, moment.note) : null),
      make("button", { class: "go large" }, words("card.go")));
    this.#steps = moment.steps;
    const lights = this.#steps.flatMap(({ targets, points }, step) => targets.map((id) => make("span", { class: "light", "data-on": id, "data-step": step }, make("b", {}, signed(points)))));
    this.#dialog.replaceChildren(make("div", { class: "lights", "aria-hidden": "true" }, ...lights), paper);
    if (lights.length) document.getElementById("board").scrollIntoView({ block: "nearest" }); // who has scrolled to the hand sees them too
    this.#dialog.showModal();
    paper.querySelector("button").focus({ preventScroll: true });
    this.#place();
    // What has just moved may still be gliding, and the flock with it.
    for (const gliding of document.getElementById("board").getAnimations({ subtree: true })) gliding.finished.then(() => this.#place(), () => {});
    for (const light of lights) {
      const on = () => light.classList.add("on");
      if (still.matches) on(); else this.#timers.push(setTimeout(on, 250 + STEP * pace * light.dataset.step));
    }
    this.#dialog.classList.toggle("stepping", lights.length > 0);
    this.#timers.push(setTimeout(() => this.#dialog.classList.remove("stepping"), 900 + STEP * pace * this.#steps.length));
    const lasts = (READ + A_GAIN * gains.length + STEP * this.#steps.length) * pace;
    if (goes) this.#timers.push(setTimeout(() => this.#dialog.close(), lasts));
    paper.style.setProperty("--lasts", goes ? `${lasts}ms` : "0s");
    paper.classList.toggle("goes", goes);
  }

  // The lights lie on what scores, and the card where they are not.
  #place() {
    if (!this.#dialog.open) return;
    this.#dialog.style.setProperty("--side", `${document.getElementById("side").offsetWidth}px`);
    const found = [];
    for (const light of this.#dialog.querySelectorAll(".light")) {
      const box = document.getElementById(light.dataset.on)?.getBoundingClientRect();
      light.hidden = !box?.width;
      if (light.hidden) continue;
      found.push(box);
      for (const side of ["left", "top", "width", "height"]) light.style[side] = `${box[side]}px`;
    }
    const middle = found.reduce((sum, box) => sum + box.top + box.height / 2, 0) / found.length;
    this.#dialog.classList.toggle("low", found.length > 0 && middle < innerHeight / 2);
    this.#dialog.classList.toggle("high", found.length > 0 && middle >= innerHeight / 2);
  }
}

const signed = (points) => (points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "+0");

function drawn(picture) {
  if (!picture) return null;
  const svg = document.importNode(new DOMParser().parseFromString(picture, "image/svg+xml").documentElement, true);
  svg.style.width = `min(100%, ${svg.getAttribute("width") / 25}rem)`; // in one size, however many rows there are
  svg.setAttribute("aria-hidden", "true"); // the reasons say it
  return svg;
}
