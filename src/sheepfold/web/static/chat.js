// What is said at a table. Who does not want to read somebody folds their lines, for this browser alone; a host can be asked to look at one.

const MUTED = "muted", MOST = 50; // by table, the latest last, whose lines are folded; of so many tables

function kept() {
  try { return JSON.parse(localStorage.getItem(MUTED)) ?? {}; } catch { return {}; }
}

function keep(table, names) {
  const { [table]: _, ...others } = kept();
  const all = Object.entries({ ...others, ...(names.length ? { [table]: names } : {}) });
  try { localStorage.setItem(MUTED, JSON.stringify(Object.fromEntries(all.slice(-MOST)))); } catch { /* then it holds until the page is left */ }
}

export class Chat {
  // `page` has what a table's page can do: make, fill, words, note, send; and its address.
  constructor(panel, tab, page) {
    Object.assign(this, { panel, tab, page });
    this.table = page.url.split("/").pop();
    this.muted = kept()[this.table] ?? [];
    this.heard = null; // how many lines were said when they were last shown
    this.lines = []; // all that this page has, and
    this.first = 0; // the number of the first
    this.list = panel.querySelector("ol");
    this.earlier = panel.querySelector("#earlier");
    this.earlier.addEventListener("click", () => this.fetchEarlier());
  }

  // A scene has only the latest lines; `whole` where earlier ones may be others now. What is new, to be read aloud.
  show(scene, whole) {
    const { said, chat, mine, players } = scene, start = said - chat.length, fresh = this.heard === null ? 0 : Math.min(said - this.heard, chat.length);
    if (fresh > 0 && this.panel.hidden) this.tab.classList.add("news");
    this.heard = said;
    this.own = mine.map((seat) => players[seat].name);
    const goesOn = !whole && start >= this.first && start <= this.first + this.lines.length;
    this.lines = [...(goesOn ? this.lines.slice(0, start - this.first) : []), ...chat];
    if (!goesOn) this.first = start;
    this.lineUp();
    return fresh > 0 ? chat.slice(-fresh).filter(([who]) => !this.muted.includes(who)).map(([who, text]) => (who ? `${who}: ${text}` : text)) : [];
  }

  lineUp() {
    this.earlier.hidden = this.first === 0;
    const items = this.lines.map(([who, text], place) => ({ who, text, number: this.first + place, own: this.own.includes(who), muted: Boolean(who) && this.muted.includes(who) }));
    this.page.fill(this.list, items, (item) => this.line(item));
  }

  line({ who, text, number, own, muted }) {
    const { make, words } = this.page, said = () => [make("b", {}, who), `: ${text}`];
    if (!who) return make("li", {}, make("i", {}, text));
    if (own) return make("li", {}, ...said());
    const turn = () => make("button", { onclick: () => this.mute(who, !muted) }, words(muted ? "line.hear" : "line.mute", { who }));
    if (muted) return make("li", { class: "muted" }, this.folded({}, [words("line.muted", { who })], () => [make("p", {}, ...said()), turn()]));
    return make("li", {}, this.folded({ title: words("line", { who }) }, said(), () => [turn(), this.complaint(number)]));
  }

  // What a tap on a line shows is made when it is wanted.
  folded(attributes, summary, build) {
    const { make } = this.page, line = make("summary", attributes, make("span", {}, ...summary)), found = make("details", {}, line);
    line.addEventListener("click", () => found.append(...build().filter(Boolean)), { once: true });
    return found;
  }

  // One tap is enough; a reason may be given.
  complaint(number) {
    if (!("reports" in this.panel.dataset)) return null;
    const { make, words, send } = this.page;
    const field = make("input", { maxlength: 300, autocomplete: "off", placeholder: words("line.reason"), "aria-label": words("line.reason") });
    const form = make("form", {}, field, make("button", {}, words("line.report")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const { problem } = await send("report", { number, reason: field.value.trim() });
      form.replaceChildren(make("p", { role: "status" }, problem ?? words("line.thanks")));
    });
    return form;
  }

  mute(who, wish) {
    this.muted = [...this.muted.filter((each) => each !== who), ...(wish ? [who] : [])];
    keep(this.table, this.muted);
    this.lineUp();
    this.panel.focus(); // what was tapped is gone
  }

  async say(field) {
    const text = field.value.trim();
    if (!text) return;
    const { problem } = await this.page.send("say", { text });
    if (problem) this.page.note(problem); else field.value = "";
  }

  async fetchEarlier() {
    const { note, url, words } = this.page;
    try {
      const before = this.first, answer = await fetch(`${url}/chat?before=${before}`, { headers: { Accept: "application/json" } });
      const found = await answer.json();
      if (!answer.ok) { note(found.problem); return; }
      if (this.first !== before) return;
      this.lines = [...found.chat, ...this.lines];
      this.first = found.since;
      this.lineUp();
    } catch { note(words("lost")); }
  }
}
