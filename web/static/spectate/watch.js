// The spectators' page: draws the public view, says what happens, changes nothing.
import { _ } from "../i18n/i18n.js";
import { byId, fill, h } from "../js/dom.js";
import { drawGarden } from "../js/garden.js";
import { listen } from "../js/stream.js";
import { Speaker } from "../speech.js";

const words = JSON.parse(byId("words").textContent);
const speaker = new Speaker(byId("speak"));
const ROWS = 8;
let garden = null;

function show(view) {
  if (!view.garden) {
    byId("now").textContent = _("No game is running");
    return;
  }
  const changed = JSON.stringify(view.garden) !== JSON.stringify(garden);
  if (changed) drawGarden(byId("garden"), view.garden, { words, previous: garden });
  garden = view.garden;
  byId("now").textContent = view.turn ? `${view.turn.name} · ${view.turn.weather_words}` : _("The game is over");
  fill(byId("seats"), view.seats, () => view.seats.map((seat) => h("li", { class: seat.now ? "now" : "" }, `${seat.name}: ${seat.points_words}, ${seat.claimed_words}`)));
  const rows = view.log.slice(-ROWS);
  fill(byId("log"), rows, () => rows.map((row) => h("li", { class: row.kind }, row.words)));
  speaker.log(view.log);
}

show(JSON.parse(byId("view").textContent));
listen("/stream", { table: show }, () => {});
