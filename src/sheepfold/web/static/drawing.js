// What the table and the replay make and draw with: elements, a colour's mark, pictures that change piece by piece, and boards in words.

const SVG = "http://www.w3.org/2000/svg";

export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function shape(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.addEventListener("click", value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

export function markOf(colour, marks) {
  if (!colour) return null;
  return shape("svg", { class: "mark sf sf-auto", viewBox: "-15 -15 30 30", "aria-hidden": "true" },
    shape("use", { href: `#sf-${marks[colour]}`, class: `sf-${colour}` }));
}

// Make the old tree like the new one, keeping elements that have the same id, so that what moved can be shown moving.
export function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) { old.replaceWith(fresh); return; }
  if (old.nodeType !== Node.ELEMENT_NODE) { if (old.data !== fresh.data) old.data = fresh.data; return; }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const known = new Map([...old.children].filter((each) => each.id).map((each) => [each.id, each]));
  let place = old.firstChild;
  for (const child of [...fresh.childNodes]) {
    const same = child.id ? known.get(child.id) : place && !place.id && place.nodeName === child.nodeName ? place : null;
    if (same) {
      if (same !== place) old.insertBefore(same, place); else place = place.nextSibling;
      morph(same, child);
    } else old.insertBefore(child, place);
  }
  while (place) { const next = place.nextSibling; place.remove(); place = next; }
}

// A picture as a tree of its own: the board, and by name the parts that a page may put elsewhere.
export function takeApart(picture) {
  const board = document.importNode(new DOMParser().parseFromString(picture, "image/svg+xml").documentElement, true);
  const parts = new Map([...board.querySelectorAll(":scope > svg[data-part]")].map((part) => [part.dataset.part, part]));
  const box = board.getAttribute("viewBox").split(" ").map(Number);
  if (parts.size) box[3] = Math.min(...[...parts.values()].map((part) => Number(part.getAttribute("y"))));
  board.setAttribute("viewBox", box.join(" "));
  for (const each of [board, ...parts.values()]) { each.removeAttribute("width"); each.removeAttribute("height"); }
  for (const part of parts.values()) { part.remove(); part.removeAttribute("y"); }
  return { board, parts };
}

export function put(container, fresh) {
  if (!fresh) container.replaceChildren();
  else if (container.firstElementChild) morph(container.firstElementChild, fresh);
  else container.append(fresh);
}

// Passages of a board in words: lines to read one by one, and a grid to walk through.
export function inWords(passages) {
  return passages.flatMap((passage) => [
    make("h3", {}, passage.title),
    passage.lines.length ? make("ul", {}, ...passage.lines.map((each) => make("li", {}, each))) : null,
    passage.rows.length ? grid(passage) : null,
  ].filter(Boolean));
}

function grid({ title, columns, rows }) {
  const head = make("tr", {}, make("td"), ...columns.map((each) => make("th", { scope: "col" }, each)));
  const body = rows.map(([first, ...cells]) => make("tr", {}, make("th", { scope: "row" }, first), ...cells.map((each) => make("td", {}, each))));
  return make("table", {}, make("caption", {}, title), make("thead", {}, head), make("tbody", {}, ...body));
}
