// Points over time, one line a player: told apart by dashes, end marks and names as well as colours.
import { el } from "./garden.js";

const LOOKS = [["#1f7a5a", ""], ["#b3472f", "9 5"], ["#2f6db8", "3 5"], ["#8a5fb0", "12 4 3 4"]];

// Names stand beside the lines' ends; the table above has them in full.
const short = (name, most) => ([...name].length > most ? `${[...name].slice(0, most - 1).join("")}…` : name);

export function drawChart(svg, chart) {
  // On a phone the drawing is as wide as it is shown, so that its words stay as large.
  const isNarrow = svg.clientWidth > 0 && svg.clientWidth < 480;
  const [width, height, left, right, top, bottom] = isNarrow ? [360, 240, 30, 112, 14, 34] : [640, 260, 44, 130, 14, 34];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const most = Math.max(5, ...chart.series.flatMap((s) => s.points));
  const last = Math.max(1, chart.series[0].points.length - 1);
  const x = (turn) => left + ((width - left - right) * turn) / last;
  const y = (points) => height - bottom - ((height - top - bottom) * points) / most;
  svg.replaceChildren();
  const step = most > 20 ? 10 : 5;
  for (let value = 0; value <= most; value += step) {
    svg.append(el("line", { x1: left, x2: width - right, y1: y(value), y2: y(value), stroke: "currentColor", "stroke-opacity": 0.18 }),
      el("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end", "font-size": 13, fill: "currentColor" }, String(value)));
  }
  svg.append(el("text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle", "font-size": 13, fill: "currentColor" }, chart.label));
  const ends = chart.series.map((s, i) => ({ i, y: y(s.points.at(-1)) })).sort((a, b) => a.y - b.y);
  for (let k = 1; k < ends.length; k += 1) ends[k].y = Math.max(ends[k].y, ends[k - 1].y + 17);
  for (const [index, series] of chart.series.entries()) {
    const [stroke, dash] = LOOKS[index % LOOKS.length];
    const points = series.points.map((p, turn) => `${x(turn).toFixed(1)},${y(p).toFixed(1)}`).join(" ");
    svg.append(el("polyline", { points, fill: "none", stroke, "stroke-width": 3.2, "stroke-dasharray": dash || null, "stroke-linejoin": "round" }),
      el("text", { x: width - right + 10, y: ends.find((e) => e.i === index).y + 5, "font-size": 15, "font-weight": 650, fill: "currentColor" }, `${series.points.at(-1)} ${short(series.name, isNarrow ? 8 : 11)}`),
      el("circle", { cx: x(last), cy: y(series.points.at(-1)), r: 4.5, fill: stroke }));
  }
}
