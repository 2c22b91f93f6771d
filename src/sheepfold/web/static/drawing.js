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

// What a tag of a picture says (`use href="#sf-cell" id="cell-1-1"/>`, `/g>`, `title>The pasture`). The same tags come again and again.
const known = new Map(), SIGNS = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const plain = (text) => (text.includes("&") ? text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, number, name) => (name ? SIGNS[name] ?? whole : String.fromCodePoint(hex ? parseInt(hex, 16) : Number(number)))) : text);

function read(tag) {
  let found = known.get(tag);
  if (found) return found;
  const end = tag.search(/>[^>]*$/), attributes = new Map();
  for (const [, name, value] of tag.slice(0, end).matchAll(/([\w:-]+)="([^"]*)"/g)) if (name !== "xmlns") attributes.set(name, plain(value));
  found = { tag, name: tag.match(/^[\w-]*/)[0], attributes, id: attributes.get("id"), part: attributes.get("data-part"), ends: tag[0] === "/" || tag[end - 1] === "/", text: plain(tag.slice(end + 1)) };
  if (known.size > 20000) known.clear();
  known.set(tag, found);
  return found;
}

// A picture on the page, from one state to the next: elements that have the same id stay, so that what moved can be shown moving, and what
// a tag says is looked at only where the tag is another. `place` gives the element that the board or a part stands in, if there is one;
// `marks` are classes that the page takes from elements itself: to take one and put it back has the browser style all that is in there anew.
export class Picture {
  #place; #marks; #touched = new Set(); #watch;

  constructor(place, marks = []) {
    this.#place = place;
    this.#marks = marks;
    this.#watch = new MutationObserver((records) => this.#note(records));
  }

  #note(records) { for (const { target } of records) if (target.drawnAs) this.#touched.add(target); }

  // Whatever else the page has put on elements since is taken from them, so after this they are what the server has drawn.
  show(tags) {
    this.#note(this.#watch.takeRecords());
    for (const each of this.#touched) each.drawnAs = null;
    this.#touched.clear();
    const said = tags.slice(1).map(read), parts = said.filter((each) => each.part);
    const rooms = new Map(["board", ...parts.map(({ part }) => part)].map((name) => [name, this.#place(name) ?? document.createElement("div")]));
    const ids = new Set(said.map(({ id }) => id)), open = []; // where we are: an element, and which of its children comes next
    for (const tag of said) {
      if (!tag.name && tag.tag[0] !== "/") continue; // a comment
      if (tag.tag[0] === "/") close(open, tag.text);
      else {
        const top = open.length === 0, room = top ? rooms.get("board") : open.length === 1 && tag.part ? rooms.get(tag.part) : null;
        const around = room ? { element: room, next: room.firstChild } : open.at(-1);
        while (around.next?.id && !room && !ids.has(around.next.id)) drop(around); // or all that follows would be moved before it
        const element = enter(around, tag, this.#marks, top ? fitted(tag, parts) : tag.part ? without(tag.attributes, "width", "height", "y") : tag.attributes, top ? parts.map((each) => each.attributes.get("y")).join() : "");
        open.push({ element, next: element.firstChild });
        if (tag.ends) close(open, tag.text); else write(open.at(-1), tag.text);
      }
    }
    for (const room of rooms.values()) this.#watch.observe(room, { attributes: true, subtree: true, attributeFilter: ["class", "tabindex", "aria-label", "aria-pressed", "data-name"] });
    this.#watch.takeRecords();
    return new Set(rooms.keys());
  }
}

const without = (attributes, ...names) => new Map([...attributes].filter(([name]) => !names.includes(name)));

// The board without its parts, as large as there is room for.
function fitted({ attributes }, parts) {
  const found = without(attributes, "width", "height"), box = (found.get("viewBox") ?? "0 0 0 0").split(" ").map(Number);
  if (parts.length) box[3] = Math.min(...parts.map((part) => Number(part.attributes.get("y"))));
  return found.set("viewBox", box.join(" "));
}

// The element that a tag begins, put in its place: one that was there, else a new one.
function enter(around, tag, marks, attributes, more) {
  const { element: parent } = around, drawnAs = more ? tag.tag + more : tag;
  let found = null;
  if (tag.id) {
    for (let each = around.next; each && !found; each = each.nextSibling) if (each.id === tag.id && each.localName === tag.name) found = each;
  } else if (around.next?.nodeType === Node.ELEMENT_NODE && !around.next.id && around.next.localName === tag.name) found = around.next;
  found ??= document.createElementNS(SVG, tag.name);
  if (found.drawnAs !== drawnAs) dress(found, marked(found, attributes, marks));
  found.drawnAs = drawnAs;
  if (found === around.next) around.next = found.nextSibling; else parent.insertBefore(found, around.next);
  return found;
}

function marked(element, attributes, marks) {
  const kept = marks.filter((mark) => element.classList.contains(mark));
  return kept.length ? new Map([...attributes, ["class", [attributes.get("class"), ...kept].filter(Boolean).join(" ")]]) : attributes;
}

function dress(element, attributes) {
  for (const { name } of [...element.attributes]) if (!attributes.has(name) && name !== "xmlns") element.removeAttribute(name);
  for (const [name, value] of attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function close(open, text) {
  const done = open.pop();
  while (done.next) drop(done);
  if (open.length && text) write(open.at(-1), text);
}

function drop(around) {
  const gone = around.next;
  around.next = gone.nextSibling;
  gone.remove();
}

function write(around, text) {
  if (!text) return;
  if (around.next?.nodeType !== Node.TEXT_NODE) around.element.insertBefore(document.createTextNode(text), around.next);
  else {
    if (around.next.data !== text) around.next.data = text;
    around.next = around.next.nextSibling;
  }
}

// Passages of a board in words: lines to read one by one, and a grid to walk through.
export function inWords(passages) {
  return passages.flatMap((passage) => [
    make("h3", {}, passage.title),
    passage.lines.length ? make("ul", {}, ...passage.lines.map((each) => make("li", {}, each))) : null,
    passage.rows.length ? grid(passage) : null,
  ].filter(Boolean));
}

// What stands in an element becomes those nodes; what says the same stays, so that little is laid out anew and who reads it is not thrown out.
export function renewed(element, nodes) {
  const old = [...element.childNodes];
  for (const [place, node] of nodes.entries()) {
    const there = old[place];
    if (!there) element.append(node);
    else if (there.nodeName !== node.nodeName) there.replaceWith(node);
    else if (node.nodeType === Node.TEXT_NODE) { if (there.data !== node.data) there.data = node.data; }
    else renewed(there, [...node.childNodes]);
  }
  for (const gone of old.slice(nodes.length)) gone.remove();
}

function grid({ title, columns, rows }) {
  const head = make("tr", {}, make("td"), ...columns.map((each) => make("th", { scope: "col" }, each)));
  const body = rows.map(([first, ...cells]) => make("tr", {}, make("th", { scope: "row" }, first), ...cells.map((each) => make("td", {}, each))));
  return make("table", {}, make("caption", {}, title), make("thead", {}, head), make("tbody", {}, ...body));
}
