// Beside the board: the rules opened at a section, and tips on whatever is drawn (rest on it, press it long, or focus it).
// A tip is found by the thing's id, by the class or the symbol it is drawn with; /tips/GAME has them in the reader's language.

const $ = (id) => document.getElementById(id);
const table = $("table"), panels = $("panels"), rules = $("rules");
const REST = 600, PRESS = 550;

const link = document.createElement("link");
Object.assign(link, { rel: "stylesheet", href: $("rule").dataset.style });
document.head.append(link);

// ---- rules

export function open_rule(section) {
  const tab = $("tab-rules");
  if (tab.getAttribute("aria-selected") !== "true" || (getComputedStyle(panels).display === "none")) tab.click();
  else go_to(section);
}

export function go_to(section) {
  const scroll = () => {
    const heading = section && $(`rule-${section}`);
    if (!heading) return false;
    panels.scrollTop += heading.getBoundingClientRect().top - panels.getBoundingClientRect().top - 8;
    rules.querySelector(".here")?.classList.remove("here");
    heading.classList.add("here");
    return true;
  };
  if (scroll()) return;
  const watch = new MutationObserver(() => { if (scroll()) watch.disconnect(); });
  watch.observe(rules, { childList: true });
}

// ---- tips

const bubble = document.createElement("p");
Object.assign(bubble, { id: "tip", role: "tooltip", hidden: true });
document.body.append(bubble);

const tips = fetch(`/tips/${table.dataset.game}`).then((answer) => (answer.ok ? answer.json() : {})).catch(() => ({}));

function* keys(element) {
  for (let each = element; each && !["board", "hand", "others"].includes(each.id); each = each.parentElement) {
    if (each.id) yield each.id;
    for (const symbol of each.id ? each.querySelectorAll("use") : [each]) if (symbol.hasAttribute("href")) yield symbol.getAttribute("href").slice(1);
    for (const words = each.id.split("-"); words.length > 1;) { words.pop(); yield words.join("-"); }
    yield* each.classList;
  }
}

async function told(element) {
  const found = await tips;
  const named = element.closest(":is(#board, #hand, #others) [id][aria-label]"), label = named?.dataset.name ?? named?.getAttribute("aria-label") ?? "";
  for (const key of keys(element)) if (found[key]) return { label, text: found[key], thing: named ?? element };
  return label ? { label, text: "", thing: named } : null;
}

let waiting = 0, over = null, clicked = null;
const tapping = () => table.querySelector(".chosen") !== null; // who is in the middle of a move wants to see the board, not a tip over it
const hide = () => { clearTimeout(waiting); over = null; bubble.hidden = true; };

async function show(element, x, y) {
  const tip = await told(element);
  if (!tip || over !== element || tapping()) return;
  bubble.replaceChildren(Object.assign(document.createElement("b"), { textContent: tip.label }), tip.label && tip.text ? " " : "", tip.text);
  bubble.hidden = false;
  const box = bubble.getBoundingClientRect();
  bubble.style.left = `${Math.max(6, Math.min(x - box.width / 2, innerWidth - box.width - 6))}px`;
  bubble.style.top = `${y + 18 + box.height < innerHeight ? y + 18 : Math.max(6, y - box.height - 18)}px`;
}

function later(element, x, y, time) {
  hide();
  over = element;
  waiting = setTimeout(() => show(element, x, y), time);
}

export async function near(event, kind) {
  const element = event.target.closest?.("#board *, #hand *, #others *");
  if (!element) { if (kind !== "focusin") hide(); return; }
  if (kind === "pointerover" && event.pointerType === "mouse" && element !== over) {
    if (clicked && Math.hypot(event.clientX - clicked[0], event.clientY - clicked[1]) < 8) return; // the board moved, not the mouse
    clicked = null;
    later(element, event.clientX, event.clientY, REST);
  }
  if (kind === "pointerdown" && event.pointerType === "mouse") { hide(); clicked = [event.clientX, event.clientY]; }
  if (kind === "pointerdown" && event.pointerType !== "mouse") press(element, event);
  if (kind === "focusin") {
    const tip = await told(element);
    if (tip?.text) tip.thing.setAttribute("aria-description", tip.text);
    if (!element.matches(":focus-visible")) return;
    const box = element.getBoundingClientRect();
    later(element, box.left + box.width / 2, box.bottom, REST);
  }
}

// A long press shows the tip and is no tap.
function press(element, { clientX, clientY }) {
  later(element, clientX, clientY, PRESS);
  const swallow = (event) => { if (!bubble.hidden) { event.stopPropagation(); event.preventDefault(); } };
  const still = (event) => { if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > 12) hide(); };
  addEventListener("click", swallow, { capture: true, once: true });
  addEventListener("contextmenu", swallow, { capture: true, once: true });
  addEventListener("pointermove", still);
  addEventListener("pointerup", () => {
    removeEventListener("pointermove", still);
    if (bubble.hidden) clearTimeout(waiting);
    setTimeout(() => { removeEventListener("click", swallow, { capture: true }); removeEventListener("contextmenu", swallow, { capture: true }); }, 400);
  }, { once: true });
}

table.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") hide(); });
table.addEventListener("lit", hide);
table.addEventListener("curtain", () => { hide(); bubble.replaceChildren(); }); // it may be about a card of who sat here before
addEventListener("scroll", hide, true);
addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
addEventListener("click", (event) => { if (event.detail && matchMedia("(hover: hover)").matches) hide(); });
