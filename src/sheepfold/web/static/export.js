// Pictures to keep: a ply as SVG or PNG that stands alone, and the game as an animated GIF, which every messenger and every forum shows.

const WIDE = 720, MARGIN = 14, LINE = 26, FULL = WIDE - 2 * MARGIN, FILM_WIDE = 480;

// ---- one picture

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function wrapped(text, letters) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    if (lines.at(-1) && lines.at(-1).length + word.length >= letters) lines.push("");
    lines[lines.length - 1] += (lines.at(-1) ? " " : "") + word;
  }
  return lines.filter(Boolean);
}

// The drawings that a body uses, and those that these use.
function symbols(body) {
  const found = new Map(), waiting = [body];
  while (waiting.length) for (const [, name] of waiting.pop().matchAll(/href="#(sf-[\w-]+)"/g)) {
    if (found.has(name)) continue;
    found.set(name, document.getElementById(name)?.outerHTML ?? "");
    waiting.push(found.get(name));
  }
  return [...found.values()].join("");
}

// The rules that something in the picture needs, with the colours of the theme on the screen instead of their names.
function style(picture) {
  const sheet = [...document.styleSheets].find((each) => each.href?.includes("/art.css"));
  const colours = getComputedStyle(document.documentElement);
  return [...sheet.cssRules]
    .filter((rule) => rule.selectorText && !rule.selectorText.includes("sf-auto") && picture.querySelector(rule.selectorText))
    .map((rule) => rule.cssText.replace(/var\((--[\w-]+)\)/g, (_, name) => colours.getPropertyValue(name).trim()))
    .join("");
}

// A picture as a tree of its own: the board, and by name the parts that a page may put elsewhere.
function takeApart(picture) {
  const board = document.importNode(new DOMParser().parseFromString(picture, "image/svg+xml").documentElement, true);
  const parts = new Map([...board.querySelectorAll(":scope > svg[data-part]")].map((part) => [part.dataset.part, part]));
  const box = board.getAttribute("viewBox").split(" ").map(Number);
  if (parts.size) box[3] = Math.min(...[...parts.values()].map((part) => Number(part.getAttribute("y"))));
  board.setAttribute("viewBox", box.join(" "));
  for (const each of [board, ...parts.values()]) { each.removeAttribute("width"); each.removeAttribute("height"); }
  for (const part of parts.values()) { part.remove(); part.removeAttribute("y"); }
  return { board, parts };
}

// The picture of a ply by itself: title, board, hands by name, what happened; `brief` leaves out what everybody may see beside the board.
export function alone({ picture, title, caption, heading, brief = false }) {
  const { board, parts } = takeApart(picture), inside = [];
  const height = (part) => Number(part.getAttribute("viewBox").split(" ")[3]);
  const text = (x, y, words, size, kind = "sf-text") => inside.push(`<text class="${kind}" x="${x}" y="${y}" font-size="${size}">${escaped(words)}</text>`);
  const place = (part, x, y, wide) => {
    part.setAttribute("x", x); part.setAttribute("y", y); part.setAttribute("width", wide); part.setAttribute("height", height(part) * wide / WIDE);
    inside.push(new XMLSerializer().serializeToString(part));
  };
  let y = 48;
  text(20, 34, title, 28);
  place(board, MARGIN, y, FULL);
  y += height(board) * FULL / WIDE + 8;
  let column = 0, row = 0;
  for (const [name, part] of parts) {
    if (!name.startsWith("hand-")) {
      if (brief) continue;
      place(part, MARGIN, y, FULL);
      y += height(part) * FULL / WIDE + 8;
      continue;
    }
    const x = column * (WIDE / 2) + MARGIN;
    text(x, y + 20, heading(name), 20);
    place(part, x, y + 28, WIDE / 2 - 2 * MARGIN);
    row = Math.max(column ? row : 0, 28 + height(part) / 2 + 8);
    column = 1 - column;
    if (!column) y += row;
  }
  if (column) y += row;
  for (const line of wrapped(caption, 58)) { y += LINE; text(20, y, line, 20); }
  y += 18;
  const body = inside.join("");
  const head = `<svg xmlns="http://www.w3.org/2000/svg" class="sf" viewBox="0 0 ${WIDE} ${Math.ceil(y)}" width="${WIDE}" height="${Math.ceil(y)}">`;
  const ground = `<rect class="sf-paper-flat" width="${WIDE}" height="${Math.ceil(y)}"/>`;
  const bare = `${head}<defs>${symbols(body)}</defs>${ground}${body}</svg>`;
  const rules = style(new DOMParser().parseFromString(bare, "image/svg+xml"));
  return bare.replace("<defs>", `<style>${rules.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</style><defs>`);
}

async function canvasOf(svg, wide, high = null) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = wide;
    canvas.height = high ?? Math.round(wide * image.naturalHeight / image.naturalWidth);
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--sf-paper");
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, wide, Math.round(wide * image.naturalHeight / image.naturalWidth));
    return canvas;
  } finally { URL.revokeObjectURL(address); }
}

export async function png(svg) {
  const canvas = await canvasOf(svg, 2 * WIDE);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

// ---- the film

const bytes = (...numbers) => new Uint8Array(numbers);
const word = (number) => [number & 255, number >> 8];

// The rectangle in which two pictures differ; null where they do not.
function changed(before, after, wide, high) {
  let left = wide, right = -1, top = high, bottom = -1;
  for (let row = 0, at = 0; row < high; row += 1) for (let column = 0; column < wide; column += 1, at += 1) {
    if (before[at] === after[at]) continue;
    if (column < left) left = column;
    if (column > right) right = column;
    if (row < top) top = row;
    bottom = row;
  }
  return right < 0 ? null : { left, top, wide: right - left + 1, high: bottom - top + 1 };
}

// Up to 255 colours of what is new in a rectangle, the most frequent; number 255 is 'as before'.
function reduced(before, after, wide, box) {
  const seen = new Map(), indexed = new Uint8Array(box.wide * box.high);
  const eachPixel = (work) => {
    for (let row = 0, at = 0; row < box.high; row += 1) for (let column = 0; column < box.wide; column += 1, at += 1) {
      work(at, (box.top + row) * wide + box.left + column);
    }
  };
  const coarse = (pixel) => (pixel >> 3 & 31) | (pixel >> 11 & 31) << 5 | (pixel >> 19 & 31) << 10;
  eachPixel((at, place) => {
    if (before && before[place] === after[place]) return;
    const key = coarse(after[place]), bin = seen.get(key);
    if (bin) bin.count += 1; else seen.set(key, { count: 1, pixel: after[place] });
  });
  const kept = [...seen.entries()].sort(([, one], [, other]) => other.count - one.count).slice(0, 255).map(([, bin]) => bin.pixel);
  const number = new Map(kept.map((pixel, place) => [coarse(pixel), place]));
  const nearest = (pixel) => {
    let best = 0, least = Infinity;
    kept.forEach((other, place) => {
      const [red, green, blue] = [0, 8, 16].map((bits) => (pixel >> bits & 255) - (other >> bits & 255));
      const far = red * red + green * green + blue * blue;
      if (far < least) { least = far; best = place; }
    });
    return best;
  };
  eachPixel((at, place) => {
    if (before && before[place] === after[place]) { indexed[at] = 255; return; }
    const key = coarse(after[place]);
    if (!number.has(key)) number.set(key, nearest(after[place]));
    indexed[at] = number.get(key);
  });
  const palette = new Uint8Array(768);
  kept.forEach((pixel, place) => palette.set([pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255], place * 3));
  return { palette, indexed };
}

// Lempel, Ziv and Welch's code with words that grow from 9 to 12 bits, in blocks of 255 bytes.
function lzw(indexed) {
  const CLEAR = 256, END = 257, out = [8];
  let block = [], held = 0, bits = 0, size = 9, next = 258, known = new Map();
  const put = (code) => {
    held |= code << bits;
    bits += size;
    while (bits >= 8) {
      block.push(held & 255);
      held >>>= 8;
      bits -= 8;
      if (block.length === 255) { out.push(255, ...block); block = []; }
    }
  };
  put(CLEAR);
  let prefix = indexed[0];
  for (let at = 1; at < indexed.length; at += 1) {
    const key = prefix << 8 | indexed[at], code = known.get(key);
    if (code !== undefined) { prefix = code; continue; }
    put(prefix);
    if (next === 4096) {
      put(CLEAR);
      known = new Map();
      next = 258;
      size = 9;
    } else {
      if (next === 1 << size) size += 1;
      known.set(key, next);
      next += 1;
    }
    prefix = indexed[at];
  }
  put(prefix);
  put(END);
  if (bits) block.push(held & 255);
  if (block.length) out.push(block.length, ...block);
  out.push(0);
  return new Uint8Array(out);
}

// An animated GIF of pictures, each shown for so many hundredths of a second; `tell` hears of each one, and ends it by answering false.
export async function film(pictures, tell, rest = 80, last = 400) {
  const tallest = Math.max(...pictures.map((svg) => Number(/ height="(\d+)"/.exec(svg)[1])));
  const parts = [], wide = FILM_WIDE, high = Math.round(wide * tallest / WIDE);
  let before = null;
  const delays = []; // where a picture's time stands, so that one without changes makes the one before last longer
  for (const [number, svg] of pictures.entries()) {
    const canvas = await canvasOf(svg, wide, high);
    const after = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, wide, high).data.buffer);
    const box = before ? changed(before, after, wide, high) : { left: 0, top: 0, wide, high };
    if (!parts.length) parts.push(new TextEncoder().encode("GIF89a"), bytes(...word(wide), ...word(high), 0x70, 0, 0), bytes(0x21, 0xff, 11), new TextEncoder().encode("NETSCAPE2.0"), bytes(3, 1, 0, 0, 0));
    if (box) {
      const { palette, indexed } = reduced(before, after, wide, box);
      const control = bytes(0x21, 0xf9, 4, before ? 5 : 4, ...word(rest), 255, 0);
      delays.push(control);
      parts.push(control, bytes(0x2c, ...word(box.left), ...word(box.top), ...word(box.wide), ...word(box.high), 0x87), palette, lzw(indexed));
    } else delays.at(-1).set(word(Math.min(65535, (delays.at(-1)[4] | delays.at(-1)[5] << 8) + rest)), 4);
    before = after;
    if (tell(number + 1, pictures.length) === false) return null;
  }
  delays.at(-1).set(word(last), 4);
  parts.push(bytes(0x3b));
  return new Blob(parts, { type: "image/gif" });
}
