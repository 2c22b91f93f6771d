// The evaluation graph: for each seat a line of the share of the win it could expect, the turning points numbered, and where one is.

const HIGH = 190, LEFT = 48, RIGHT = 26, TOP = 12, LOW = 24;

export function graph(box, { shape, marks, players, count, jump, words }) {
  let width = 0, cursor = null, known = null;
  const x = (ply) => LEFT + (count ? ply / count : 0) * (width - LEFT - RIGHT);
  const y = (share) => TOP + (1 - share) * (HIGH - TOP - LOW);
  const colour = (seat) => players[seat].colour ?? ["blue", "yellow", "green", "red", "white"][seat];

  function points(analysis) {
    const all = analysis.shares.map(([ply, shares]) => [ply, shares]);
    if (analysis.result && all.length) all.push([count, analysis.result]);
    return all;
  }

  // Names of lines that end at the same height are pushed apart.
  function ends(last) {
    const order = players.map((player) => ({ seat: player.seat, at: y(last[player.seat]) })).sort((one, other) => one.at - other.at);
    for (let place = 1; place < order.length; place += 1) order[place].at = Math.max(order[place].at, order[place - 1].at + 17);
    const over = order.length ? Math.max(0, order.at(-1).at - (HIGH - LOW)) : 0;
    for (let place = order.length - 1, limit = HIGH - LOW; over && place >= 0; place -= 1, limit -= 17) order[place].at = Math.min(order[place].at, limit);
    return order;
  }

  function draw(analysis) {
    known = analysis;
    width = Math.max(240, box.clientWidth);
    const all = points(analysis), lines = [];
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      lines.push(shape("line", { class: "g-grid", x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share) }));
      if (share * 2 === Math.round(share * 2)) {
        lines.push(shape("text", { class: "g-text", x: LEFT - 5, y: y(share) + 4, "text-anchor": "end" }, words("share-of", { percent: 100 * share })));
      }
    }
    const step = [5, 10, 20, 50, 100, 200, 500, 1000].find((each) => count / each <= 8) ?? 2000;
    for (let ply = step; ply < count; ply += step) lines.push(shape("text", { class: "g-text", x: x(ply), y: HIGH - 6, "text-anchor": "middle" }, String(ply)));
    for (const ghost of [true, false]) for (const player of players) {
      const way = all.map(([ply, shares], place) => `${place ? "L" : "M"}${x(ply).toFixed(1)} ${y(shares[player.seat]).toFixed(1)}`).join("");
      lines.push(shape("path", { class: ghost ? "g-under" : "g-line", d: way, style: ghost ? null : `stroke:var(--sf-${colour(player.seat)})` }));
    }
    if (all.length) for (const end of ends(all.at(-1)[1])) {
      lines.push(shape("use", { href: `#sf-${marks[colour(end.seat)]}`, class: `sf-${colour(end.seat)}`, transform: `translate(${width - RIGHT + 14} ${end.at}) scale(.62)` }));
    }
    cursor = shape("g", { class: "g-cursor" }, shape("line", { y1: TOP - 8, y2: HIGH - LOW }), shape("path", { d: `M-6 ${HIGH - LOW + 8}L0 ${HIGH - LOW}L6 ${HIGH - LOW + 8}z` }));
    lines.push(cursor);
    analysis.turning.forEach((point, number) => {
      const found = analysis.shares.find(([ply]) => ply === point.ply);
      lines.push(shape("g", { class: "g-point", transform: `translate(${x(point.ply)} ${y(found[1][point.seat])})` },
        shape("circle", { r: 9 }), shape("text", { y: 4, "text-anchor": "middle" }, String(number + 1))));
    });
    const picture = shape("svg", { viewBox: `0 0 ${width} ${HIGH}`, class: "sf sf-auto", role: "img", "aria-label": box.dataset.label }, ...lines);
    box.replaceChildren(picture);
    return picture;
  }

  let dragging = false;
  const at = (event) => {
    const place = (event.clientX - box.getBoundingClientRect().left - LEFT) / (width - LEFT - RIGHT);
    jump(Math.max(0, Math.min(count, Math.round(place * count))));
  };
  box.addEventListener("pointerdown", (event) => { dragging = true; at(event); });
  box.addEventListener("pointermove", (event) => { if (dragging && event.buttons) at(event); });
  addEventListener("pointerup", () => { dragging = false; });

  let here = 0;
  const move = (ply) => { here = ply; cursor?.setAttribute("transform", `translate(${x(ply)} 0)`); };
  new ResizeObserver(() => { if (known && Math.abs(box.clientWidth - width) > 1) { draw(known); move(here); } }).observe(box);
  return { show: (analysis) => { draw(analysis); move(here); }, move };
}
