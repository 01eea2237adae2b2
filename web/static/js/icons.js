// The faces of the weather die and the small signs, drawn.
import { el, token } from "./garden.js";

const line = (d, stroke, width = 2.4) => el("path", { d, fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" });
const cloud = (fill) => el("path", { d: "M-13 7a7 7 0 0 1 1-14a9 9 0 0 1 17-2a7 7 0 0 1 8 16z", fill, stroke: "#4b5a66", "stroke-width": 1.8, "stroke-linejoin": "round" });

const FACES = {
  sun: () => [el("circle", { r: 8, fill: "#f5b82e", stroke: "#9a6a00", "stroke-width": 1.6 }),
    line("M0-13v-4M0 13v4M-13 0h-4M13 0h4M-9-9l-3-3M9-9l3-3M-9 9l-3 3M9 9l3 3", "#c68a00")],
  rain: () => [el("g", { transform: "translate(0 -4)" }, cloud("#cfdbe4")), line("M-8 8l-3 7M0 8l-3 7M8 8l-3 7", "#2f7fb8", 2.8)],
  wind: () => [line("M-16-5H4a5 5 0 1 0-5-5M-16 1H11a5 5 0 1 1-5 6M-16 7H-2a4 4 0 1 1-4 5", "#3f7f78", 2.8)],
  storm: () => [el("g", { transform: "translate(0 -4)" }, cloud("#a9b4bd")), el("path", { d: "M2 3l-8 9h6l-3 8l10-11H1z", fill: "#f5b82e", stroke: "#8a5f00", "stroke-width": 1.4, "stroke-linejoin": "round" })],
  clouds: () => [el("g", { transform: "translate(4 -5) scale(.8)" }, cloud("#b8c4cd")), el("g", { transform: "translate(-2 4)" }, cloud("#e9eff3"))],
  choice: () => [el("text", { y: 10, "text-anchor": "middle", "font-size": 28, "font-weight": 700, fill: "#5d3aa8" }, "?")],
};

export function dieFace(face) {
  const svg = el("svg", { viewBox: "-28 -28 56 56", "aria-hidden": "true" },
    el("rect", { x: -25, y: -25, width: 50, height: 50, rx: 11, fill: "#fffdf5", stroke: "#b9ac8d", "stroke-width": 2 }));
  if (face) svg.append(...FACES[face]());
  else svg.append(...[[-9, -9], [9, 9], [0, 0]].map(([cx, cy]) => el("circle", { cx, cy, r: 3, fill: "#b9ac8d" })));
  return svg;
}

export function sign(kind) {
  const svg = el("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" });
  if (["watershed", "enclosure", "fertilizer"].includes(kind)) svg.append(token(kind, 0, 0, 23));
  else if (kind === "channel") svg.append(el("path", { d: "M-8 5L8-5", stroke: "#2f7fb8", "stroke-width": 6, "stroke-linecap": "round" }));
  else if (kind === "card") svg.append(el("rect", { x: -7, y: -9, width: 14, height: 18, rx: 2.5, fill: "#fffdf5", stroke: "#6c6250", "stroke-width": 1.8 }), el("circle", { r: 3, fill: "#6c6250" }));
  else {
    const [fill, stroke] = { green: ["#4f9d2f", "#2c6617"], yellow: ["#e0b021", "#8d6a05"], pink: ["#d9706a", "#8f3430"] }[kind];
    svg.append(el("rect", { x: -4, y: -10, width: 8, height: 9.5, rx: 2.4, fill, stroke, "stroke-width": 1.4 }), el("rect", { x: -4, y: 0.5, width: 8, height: 9.5, rx: 2.4, fill, stroke, "stroke-width": 1.4 }));
  }
  return svg;
}
