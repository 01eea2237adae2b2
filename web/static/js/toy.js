// The simulated table: what truly lies there, hands that move it, and the drawn button panel.
import { _ } from "../i18n/i18n.js";
import { openCell } from "./correct.js";
import { byId, fill, h, post } from "./dom.js";
import { drawGarden, neighbours } from "./garden.js";
import { listen } from "./stream.js";

const words = JSON.parse(byId("words").textContent);
let toy = null;

// Changes as in a correction become single pieces that a hand puts down.
async function move(changes) {
  for (const [at, value] of Object.entries(changes.plots ?? {})) await post("/simulated/put", { what: "plot", at, value });
  for (const [at, value] of Object.entries(changes.bamboo ?? {})) await post("/simulated/put", { what: "bamboo", at, value: String(value) });
  for (const figure of ["gardener", "panda"]) {
    if (changes[figure]) await post("/simulated/put", { what: figure, at: changes[figure], value: "here" });
  }
  if (!changes.channels) return;
  const [before, after] = [new Set(toy.garden.channels), new Set(changes.channels)];
  for (const edge of before) if (!after.has(edge)) await post("/simulated/put", { what: "channel", at: edge, value: null });
  for (const edge of after) if (!before.has(edge)) await post("/simulated/put", { what: "channel", at: edge, value: "here" });
}

function show(fresh) {
  const previous = toy?.garden ?? null;
  toy = fresh;
  const taken = new Set(["0,0", ...toy.garden.plots.map((p) => p.at)]);
  const empty = [...new Set([...taken].flatMap(neighbours))].filter((at) => !taken.has(at));
  drawGarden(byId("garden"), toy.garden, { words, previous, empty, onCell: (at) => openCell(at, toy.garden, words, move, false) });
  for (const button of document.querySelectorAll("[data-disturb]")) {
    const state = { hand: toy.hand, lamp: !toy.lamp, people: toy.people === false }[button.dataset.disturb];
    if (state !== undefined) button.setAttribute("aria-pressed", String(Boolean(state)));
    if (button.dataset.disturb === "people") button.textContent = toy.people === false ? _("Let the people play on") : _("Pause the people");
  }
}

function showPanel(panel) {
  if (!panel.status) return;
  const [red, green, blue] = panel.status.map((part) => Math.round(255 * Math.sqrt(part)));
  const led = byId("status-led");
  led.style.backgroundColor = `rgb(${red} ${green} ${blue})`;
  led.style.boxShadow = `0 0 14px rgb(${red} ${green} ${blue})`;
  fill(byId("weather-leds"), panel.weather, () => Object.entries(words.weather).map(([face, name]) =>
    h("span", {}, h("i", { class: panel.weather.includes(face) ? "led on" : "led", "aria-hidden": "true" }), name,
      h("span", { class: "visually-hidden" }, panel.weather.includes(face) ? _("lit") : _("dark")))));
}

for (const button of document.querySelectorAll("[data-button]")) {
  let down = false;
  const push = (state) => {
    if (state === down) return;
    down = state;
    button.classList.toggle("down", down);
    post(`/buttons/${button.dataset.button}`, { down });
  };
  button.addEventListener("pointerdown", (event) => { button.setPointerCapture(event.pointerId); push(true); });
  for (const name of ["pointerup", "pointercancel", "blur"]) button.addEventListener(name, () => push(false));
  button.addEventListener("keydown", (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); push(true); } });
  button.addEventListener("keyup", () => push(false));
}
for (const button of document.querySelectorAll("[data-disturb]")) {
  button.addEventListener("click", () => post("/simulated/disturb", { what: button.dataset.disturb }));
}

const picture = byId("picture");
let serial = 0;
const next = () => { serial += 1; picture.src = `/camera/picture.jpg?overlay=1&n=${serial}`; };
picture.addEventListener("load", () => { picture.hidden = false; setTimeout(next, 1500); });
picture.addEventListener("error", () => setTimeout(next, 3000));
next();

show(JSON.parse(byId("toy-data").textContent));
showPanel(JSON.parse(byId("panel-data").textContent));
listen("/stream?topics=toy,panel", {
  toy: show, panel: showPanel,
  table: (view) => {
    byId("lamp").dataset.lamp = view.lamp.id;
    fill(byId("lamp"), view.lamp, () => [h("i", { "aria-hidden": "true" }), view.lamp.words]);
  },
}, () => {});
