// Replays a night: a slider over what happened, the garden beside it.
import { _ } from "../i18n/i18n.js";
import { drawChart } from "../js/chart.js";
import { byId, get } from "../js/dom.js";
import { drawGarden } from "../js/garden.js";

const read = (id) => JSON.parse(byId(id).textContent);
const steps = read("steps");
const words = read("words");
const base = `/nights/${byId("night").dataset.name}`;
const slider = byId("slider");
const pictures = byId("night").dataset.pictures.split(" ").filter(Boolean).map(Number);
const STEP_MS = 900;
let garden = null;
let wanted = 0;
let timer = 0;

async function show(index) {
  slider.value = String(index);
  wanted += 1;
  const mine = wanted;
  const { line, words: said } = steps[index];
  const next = await get(`${base}/step/${line}.json`);
  if (!next || mine !== wanted) return;
  drawGarden(byId("garden"), next, { words, previous: garden });
  garden = next;
  showPicture(line);
  byId("step-words").textContent = said;
  slider.setAttribute("aria-valuetext", said);
}

// The newest picture that was kept up to this line.
function showPicture(line) {
  const image = byId("picture");
  if (!image) return;
  const newest = pictures.filter((each) => each <= line).at(-1);
  image.hidden = newest === undefined;
  if (newest !== undefined) image.src = `${base}/pictures/${newest}.jpg`;
}

function stop() {
  clearInterval(timer);
  timer = 0;
  byId("play").setAttribute("aria-pressed", "false");
  byId("play").textContent = _("Play");
}

const move = (by) => {
  const next = Number(slider.value) + by;
  if (next < 0 || next >= steps.length) return stop();
  return show(next);
};

byId("back").addEventListener("click", () => { stop(); move(-1); });
byId("forward").addEventListener("click", () => { stop(); move(1); });
slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
byId("play").addEventListener("click", () => {
  if (timer) { stop(); return; }
  if (Number(slider.value) >= steps.length - 1) show(0);
  timer = setInterval(() => move(1), STEP_MS);
  byId("play").setAttribute("aria-pressed", "true");
  byId("play").textContent = _("Pause");
});
drawChart(byId("chart"), read("chart-data"));
show(steps.length - 1);
