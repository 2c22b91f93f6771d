// Pictures to keep: a ply as SVG or PNG that stands alone, and the game as an animated GIF, which every messenger and every forum shows.

const WIDE = 720, MARGIN = 14, LINE = 26, FULL = WIDE - 2 * MARGIN, FILM_WIDE = 480, SAMPLE = 6;

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

// The picture of a ply by itself: title, who has how many points, board, hands by name, what happened; `brief` leaves out what everybody may see
// beside the board. `scores` has for each player the mark, an image or none, the name and the points.
export function alone({ picture, title, caption, heading, scores = [], brief = false }) {
  const { board, parts } = takeApart(picture), inside = [];
  const height = (part) => Number(part.getAttribute("viewBox").split(" ")[3]);
  const text = (x, y, words, size, kind = "sf-text") => inside.push(`<text class="${kind}" x="${x}" y="${y}" font-size="${size}">${escaped(words)}</text>`);
  const place = (part, x, y, wide) => {
    part.setAttribute("x", x); part.setAttribute("y", y); part.setAttribute("width", wide); part.setAttribute("height", height(part) * wide / WIDE);
    inside.push(new XMLSerializer().serializeToString(part));
  };
  let y = 48;
  text(20, 34, title, 28);
  for (const [place, { mark, name, points }] of scores.entries()) {
    const x = 20 + place * (WIDE - 40) / scores.length, room = Math.floor((WIDE - 40) / scores.length / 12) - 6;
    for (const [side, value] of Object.entries({ x, y, width: 24, height: 24 })) mark?.setAttribute(side, value);
    if (mark) inside.push(new XMLSerializer().serializeToString(mark));
    text(x + 30, y + 19, `${name.length > room ? `${name.slice(0, room - 1)}…` : name} ${points}`, 20);
  }
  if (scores.length) y += 36;
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

const BEFORE = 255, FREQUENT = 180; // the number of 'as before'; so many colours are there since they are frequent

const away = (one, other) => (((one & 255) - (other & 255)) ** 2 + ((one >> 8 & 255) - (other >> 8 & 255)) ** 2 + ((one >> 16 & 255) - (other >> 16 & 255)) ** 2);

// The 255 colours of a film, chosen from some of its pictures: of colours that are nearly the same the most frequent, and then those that none
// of these is like. A colour is the same number in every picture, so that what comes back to how it was looks as it did, and nothing stays of
// what was there in between.
class Palette {
  constructor(pictures) {
    const exact = new Map(), nearly = new Map();
    for (const pixels of pictures) for (let at = 0, run = 1; at < pixels.length; at += run, run = 1) {
      while (pixels[at + run] === pixels[at]) run += 1;
      exact.set(pixels[at], (exact.get(pixels[at]) ?? 0) + run);
    }
    for (const [pixel, count] of exact) {
      const key = pixel & 0xf8f8f8, bin = nearly.get(key) ?? { pixel, most: 0, count: 0 };
      nearly.set(key, { pixel: count > bin.most ? pixel : bin.pixel, most: Math.max(count, bin.most), count: bin.count + count });
    }
    const bins = [...nearly.values()].sort((one, other) => other.count - one.count);
    this.colours = bins.splice(0, FREQUENT).map(({ pixel }) => pixel);
    for (const bin of bins) bin.far = Math.min(...this.colours.map((pixel) => away(pixel, bin.pixel)));
    while (bins.length && this.colours.length < BEFORE) {
      const worst = bins.reduce((one, other) => (other.far * other.count ** .5 > one.far * one.count ** .5 ? other : one));
      this.colours.push(worst.pixel);
      for (const bin of bins) bin.far = Math.min(bin.far, away(worst.pixel, bin.pixel));
    }
    this.numbers = new Map(this.colours.map((pixel, place) => [pixel, place]));
  }

  get bytes() {
    const found = new Uint8Array(768);
    this.colours.forEach((pixel, place) => found.set([pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255], place * 3));
    return found;
  }

  number(pixel) {
    let found = this.numbers.get(pixel);
    if (found === undefined) {
      found = this.colours.reduce((best, other, place) => (away(other, pixel) < away(this.colours[best], pixel) ? place : best), 0);
      this.numbers.set(pixel, found);
    }
    return found;
  }

  // A picture in numbers.
  drawn(pixels) {
    const found = new Uint8Array(pixels.length);
    for (let at = 0; at < pixels.length; at += 1) found[at] = at && pixels[at] === pixels[at - 1] ? found[at - 1] : this.number(pixels[at]);
    return found;
  }
}

// A rectangle of a picture, with what is as before left out.
function news(before, after, wide, box) {
  const found = new Uint8Array(box.wide * box.high);
  for (let row = 0, at = 0; row < box.high; row += 1) for (let column = 0; column < box.wide; column += 1, at += 1) {
    const place = (box.top + row) * wide + box.left + column;
    found[at] = before && before[place] === after[place] ? BEFORE : after[place];
  }
  return found;
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
  const wide = FILM_WIDE, high = Math.round(wide * tallest / WIDE);
  const pixels = async (svg) => new Uint32Array((await canvasOf(svg, wide, high)).getContext("2d").getImageData(0, 0, wide, high).data.buffer);
  const sample = [];
  for (let part = 0; part < SAMPLE; part += 1) sample.push(await pixels(pictures[Math.floor(part * (pictures.length - 1) / (SAMPLE - 1))]));
  const palette = new Palette(sample), sign = new TextEncoder();
  const parts = [sign.encode("GIF89a"), bytes(...word(wide), ...word(high), 0xf7, 0, 0), palette.bytes, bytes(0x21, 0xff, 11), sign.encode("NETSCAPE2.0"), bytes(3, 1, 0, 0, 0)];
  let before = null;
  const delays = []; // where a picture's time stands, so that one without changes makes the one before last longer
  for (const [number, svg] of pictures.entries()) {
    const after = palette.drawn(await pixels(svg));
    const box = before ? changed(before, after, wide, high) : { left: 0, top: 0, wide, high };
    if (box) {
      const control = bytes(0x21, 0xf9, 4, before ? 5 : 4, ...word(rest), BEFORE, 0);
      delays.push(control);
      parts.push(control, bytes(0x2c, ...word(box.left), ...word(box.top), ...word(box.wide), ...word(box.high), 0), lzw(news(before, after, wide, box)));
    } else delays.at(-1).set(word(Math.min(65535, (delays.at(-1)[4] | delays.at(-1)[5] << 8) + rest)), 4);
    before = after;
    if (tell(number + 1, pictures.length) === false) return null;
  }
  delays.at(-1).set(word(last), 4);
  parts.push(bytes(0x3b));
  return new Blob(parts, { type: "image/gif" });
}
