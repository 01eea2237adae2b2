// Draws a garden into an SVG element from the view's plain JSON. Flat hexes seen from above, stalks upright in them.
const NS = "http://www.w3.org/2000/svg";
const R = 56; // corner radius of a hex, in the drawing's units
const ROOT3 = Math.sqrt(3);

export function centre(at) {
  const [q, r] = at.split(",").map(Number);
  return [R * ROOT3 * (q + r / 2), R * 1.5 * r];
}

function corners(at, radius = R) {
  const [x, y] = centre(at);
  return [...Array(6).keys()].map((k) => {
    const angle = (Math.PI / 180) * (60 * k - 30);
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

function edgeEnds(edge, share = 0.82) {
  const [a, b] = edge.split("|").map(centre);
  const [mx, my] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [(-dy / length) * (R / 2) * share, (dx / length) * (R / 2) * share];
  return { x1: mx - ux, y1: my - uy, x2: mx + ux, y2: my + uy };
}

export function el(name, attributes = {}, ...children) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

const hexagon = (at, radius, cls) =>
  el("polygon", { points: corners(at, radius).map((p) => p.map((v) => v.toFixed(1)).join(",")).join(" "), class: cls });

export function neighbours(at) {
  const [q, r] = at.split(",").map(Number);
  return [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]].map(([a, b]) => `${q + a},${r + b}`);
}

export function edgeOf(one, other) {
  const [a, b] = [one, other].map((t) => t.split(",").map(Number));
  return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]) ? `${one}|${other}` : `${other}|${one}`;
}

export function token(kind, x, y, size) {
  const group = el("g", { transform: `translate(${x} ${y}) scale(${size / 24})`, class: `g-token ${kind}` });
  group.append(...symbol(kind));
  return group;
}

function symbol(kind) {
  switch (kind) {
    case "watershed":
      return [el("path", { d: "M0-10C5-3 7 0 7 4a7 7 0 1 1-14 0C-7 0-5-3 0-10z", fill: "#2f7fb8", stroke: "#fff", "stroke-width": 1.6 })];
    case "enclosure":
      return [el("path", { d: "M-9 8V-4l3-4 3 4V8M-3 8V-4l3-4 3 4V8M3 8V-4l3-4 3 4V8M-10-1H10M-10 5H10", fill: "#f5e3c0", stroke: "#8f2f2b", "stroke-width": 2, "stroke-linejoin": "round" })];
    default:
      return [el("path", { d: "M-6-8H6L4-4C9 0 9 9 5 9H-5C-9 9-9 0-4-4z", fill: "#cdb48a", stroke: "#5a4320", "stroke-width": 1.8, "stroke-linejoin": "round" }),
        el("path", { d: "M0-1v6M-3 2h6", stroke: "#5a4320", "stroke-width": 2, "stroke-linecap": "round" })];
  }
}

function defs() {
  const pattern = (id, w, h, ...content) => el("pattern", { id, width: w, height: h, patternUnits: "userSpaceOnUse" }, ...content);
  return el("defs", {},
    pattern("hatch-green", 9, 9, el("path", { d: "M4.5 0V9", stroke: "#3d7a2a", "stroke-width": 1.6 })),
    pattern("hatch-yellow", 10, 10, el("circle", { cx: 5, cy: 5, r: 1.7, fill: "#9b7a16" })),
    pattern("hatch-pink", 16, 9, el("path", { d: "M0 4.5q4-5 8 0t8 0", fill: "none", stroke: "#a4504a", "stroke-width": 1.6 })));
}

function pond(at, label) {
  const [x, y] = centre(at);
  return el("g", { class: "g-cell g-pond", "data-at": at, role: "img", "aria-label": label }, hexagon(at, R - 2, "face"),
    ...[18, 30, 18].map((w, i) => el("path", { class: "ripple", d: `M${x - w} ${y - 12 + i * 12}q${w / 2} -7 ${w} 0t${w} 0` })));
}

function stalk(plot, before) {
  const [x, y] = centre(plot.at);
  const group = el("g", { class: `g-stalk ${plot.colour}` });
  const height = 15;
  for (let k = 0; k < plot.bamboo; k += 1) {
    const top = y + 25 - (k + 1) * height;
    group.append(el("rect", { x: x - 6, y: top, width: 12, height: height - 1.5, rx: 3.5, class: before !== undefined && k >= before ? "new" : "" }));
  }
  if (plot.bamboo > 0) {
    const top = y + 25 - plot.bamboo * height;
    group.append(el("path", { class: "leaf", d: `M${x} ${top + 2}q9-13 20-9q-5 11-20 9zM${x} ${top + 3}q-9-12-19-7q5 10 19 7z` }));
  }
  return group;
}

function plotGroup(plot, words, before) {
  const [x, y] = centre(plot.at);
  const group = el("g", { class: `g-cell g-plot ${plot.colour} ${plot.irrigated ? "" : "dry"}`, "data-at": plot.at, role: "img", "aria-label": plot.label },
    hexagon(plot.at, R - 1.5, "face"), hexagon(plot.at, R - 1.5, "hatch"), hexagon(plot.at, R - 6.5, "wet"),
    el("text", { class: "letter", x: x - 33, y: y + 25, "text-anchor": "middle" }, words.letters[plot.colour]));
  if (plot.improvement) {
    const [tx, ty] = [x + 29, y + 19];
    group.append(el("circle", { cx: tx, cy: ty, r: 13.5, fill: plot.chip ? "#fffdf8" : "#ffffff90", stroke: plot.chip ? "#1e2a25" : "#00000030", "stroke-width": plot.chip ? 1.8 : 1 }),
      token(plot.improvement, tx, ty, 21));
  }
  group.append(stalk(plot, before));
  if (plot.bamboo > 0) {
    group.append(el("circle", { class: "count-back", cx: x, cy: y + 37, r: 11 }), el("text", { class: "count", x, y: y + 42.5, "text-anchor": "middle" }, String(plot.bamboo)));
  }
  return group;
}

function panda() {
  return el("g", {},
    el("ellipse", { cx: 0, cy: 15, rx: 15, ry: 5, fill: "#00000030" }),
    el("circle", { cx: -10, cy: -12, r: 6, fill: "#1b1b1b" }), el("circle", { cx: 10, cy: -12, r: 6, fill: "#1b1b1b" }),
    el("circle", { cx: 0, cy: 0, r: 16, fill: "#fff", stroke: "#1b1b1b", "stroke-width": 2 }),
    el("ellipse", { cx: -6, cy: -2, rx: 4.4, ry: 5.6, fill: "#1b1b1b", transform: "rotate(18 -6 -2)" }),
    el("ellipse", { cx: 6, cy: -2, rx: 4.4, ry: 5.6, fill: "#1b1b1b", transform: "rotate(-18 6 -2)" }),
    el("circle", { cx: -5.5, cy: -2.5, r: 1.5, fill: "#fff" }), el("circle", { cx: 5.5, cy: -2.5, r: 1.5, fill: "#fff" }),
    el("ellipse", { cx: 0, cy: 5, rx: 2.8, ry: 2, fill: "#1b1b1b" }), el("path", { d: "M0 7q-3 4-6 2M0 7q3 4 6 2", fill: "none", stroke: "#1b1b1b", "stroke-width": 1.4 }));
}

function gardener() {
  return el("g", {},
    el("ellipse", { cx: 0, cy: 18, rx: 15, ry: 5, fill: "#00000030" }),
    el("path", { d: "M-11 18Q-12 2 0 0Q12 2 11 18z", fill: "#2c6b8f", stroke: "#123247", "stroke-width": 1.6 }),
    el("circle", { cx: 0, cy: -4, r: 8, fill: "#f1cfa8", stroke: "#5a3a1c", "stroke-width": 1.4 }),
    el("path", { d: "M-17-6Q0-27 17-6Q0-1-17-6z", fill: "#e6c36b", stroke: "#6b4d12", "stroke-width": 1.6 }),
    el("path", { d: "M-3 2q3 3 6 0", fill: "none", stroke: "#5a3a1c", "stroke-width": 1.4 }));
}

function figure(kind, at, shift, label) {
  const [x, y] = centre(at);
  const group = el("g", { class: "g-figure", "data-figure": kind, role: "img", "aria-label": label }, kind === "panda" ? panda() : gardener());
  group.style.transform = `translate(${x + shift}px, ${y - 12}px)`;
  return group;
}

function bounds(garden, extra, isTight) {
  const cells = ["0,0", ...garden.plots.map((p) => p.at), ...extra];
  const points = cells.map(centre);
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  // Room for two rings at least, so that a young garden does not fill the screen with three hexes.
  const reach = isTight ? 0 : R * 2.2;
  const x0 = Math.min(-reach, ...xs) - R * 1.05;
  const x1 = Math.max(reach, ...xs) + R * 1.05;
  const y0 = Math.min(-reach * 0.8, ...ys) - R * 1.15;
  const y1 = Math.max(reach * 0.8, ...ys) + R * 1.15;
  return [x0, y0, x1 - x0, y1 - y0].map((v) => v.toFixed(1)).join(" ");
}

// options: words, previous (garden), spots {cells, edges} with onPick, marks [at], diffs [at], onCell, editable
export function drawGarden(svg, garden, options) {
  const { words, previous, spots, marks = [], diffs = [], empty = [], isTight = false, onCell } = options;
  const focused = svg.contains(document.activeElement) ? document.activeElement.getAttribute("data-key") : null;
  const before = previous ? new Map(previous.plots.map((p) => [p.at, p.bamboo])) : null;
  svg.replaceChildren(defs());
  svg.setAttribute("viewBox", bounds(garden, [...(spots?.cells ?? []), ...empty, ...marks.filter((m) => !m.includes("|"))], isTight));
  svg.classList.toggle("editable", Boolean(onCell));
  const ground = el("g");
  for (const at of empty) ground.append(pressable(hexagon(at, R - 5, "g-empty"), `cell ${at}`, `${words.place} ${at}`, () => onCell(at)));
  ground.append(pond("0,0", words.pond));
  const byRow = [...garden.plots].sort((a, b) => centre(a.at)[1] - centre(b.at)[1]);
  for (const plot of byRow) ground.append(plotGroup(plot, words, before ? (before.get(plot.at) ?? 0) : undefined));
  svg.append(ground);
  for (const edge of garden.channels) {
    const ends = edgeEnds(edge);
    svg.append(el("g", { role: "img", "aria-label": `${words.channel} ${edge}` }, el("line", { ...ends, class: "g-channel" }), el("line", { ...ends, class: "g-channel-in" })));
  }
  if (garden.gardener) svg.append(figure("gardener", previous?.gardener ?? garden.gardener, -25, words.gardener));
  if (garden.panda) svg.append(figure("panda", previous?.panda ?? garden.panda, 25, words.panda));
  requestAnimationFrame(() => {
    for (const node of svg.querySelectorAll(".g-figure")) {
      const kind = node.dataset.figure;
      const [x, y] = centre(garden[kind]);
      node.style.transform = `translate(${x + (kind === "gardener" ? -1 : 1) * 25}px, ${y - 12}px)`;
    }
  });
  for (const [list, cls] of [[marks, "g-mark"], [diffs, "g-diff"]]) {
    for (const at of list) svg.append(at.includes("|") ? el("line", { ...edgeEnds(at, 1), class: cls }) : hexagon(at, R - 3, cls));
  }
  if (spots) drawSpots(svg, spots, words);
  if (onCell && !spots) makeEditable(svg, onCell, words);
  if (focused) svg.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function pressable(node, key, label, action) {
  for (const [name, value] of Object.entries({ tabindex: 0, role: "button", "aria-label": label, "data-key": key })) node.setAttribute(name, value);
  node.addEventListener("click", action);
  node.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      action();
    }
  });
  return node;
}

function drawSpots(svg, spots, words) {
  for (const at of spots.cells) svg.append(pressable(hexagon(at, R - 5, "g-spot"), `spot ${at}`, `${words.place} ${at}`, () => spots.onPick(at)));
  for (const edge of spots.edges) {
    svg.append(el("g", {}, pressable(el("line", { ...edgeEnds(edge, 1), class: "g-edge-hit" }), `spot ${edge}`, `${words.edge} ${edge}`, () => spots.onPick(edge)),
      el("line", { ...edgeEnds(edge, 0.8), class: "g-edge-spot" })));
  }
}

function makeEditable(svg, onCell, words) {
  for (const node of svg.querySelectorAll(".g-cell")) {
    const at = node.dataset.at;
    pressable(node, `cell ${at}`, `${node.getAttribute("aria-label")}. ${words.correct}`, () => onCell(at));
  }
}
