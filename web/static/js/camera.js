// The camera page: one picture after another, as fast as they are shown, and what to do about the camera.
import { _ } from "../i18n/i18n.js";
import { byId, fill, h, post } from "./dom.js";
import { listen } from "./stream.js";

const picture = byId("picture");
let serial = 0;
let waiting = false;

function next(delay) {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    if (document.hidden) return;
    serial += 1;
    picture.src = `/camera/picture.jpg?overlay=${byId("overlay").checked ? 1 : 0}&n=${serial}`;
  }, delay);
}

picture.addEventListener("load", () => { picture.hidden = false; byId("no-picture").hidden = true; next(500); });
picture.addEventListener("error", () => next(2000));
document.addEventListener("visibilitychange", () => { if (!document.hidden) next(0); });
byId("overlay").addEventListener("change", () => next(0));
byId("recalibrate").addEventListener("click", () => post("/camera/recalibrate"));

function show(camera) {
  const advice = camera.advice ?? [];
  fill(byId("advice"), advice, () => advice.length ? advice.map((text) => h("li", {}, text)) : [h("li", { class: "good" }, _("The camera sees all that it needs."))]);
  const facts = [[_("Source"), camera.source], [_("Problem"), camera.error], [_("Marker cards found"), camera.cards?.join(", ")],
    [_("Fit of the cards (pixels)"), camera.reprojection_px], [_("How sure the last look was"), camera.confidence]];
  fill(byId("facts"), facts, () => facts.filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))]));
}

show(JSON.parse(byId("camera-data").textContent));
listen("/stream?topics=camera", { camera: show }, () => {});
next(0);
