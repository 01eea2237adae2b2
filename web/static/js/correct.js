// Correct one cell by hand: what lies there, how high the bamboo stands, the figures, the channels around it.
import { _ } from "../i18n/i18n.js";
import { byId, h } from "./dom.js";
import { edgeOf, neighbours } from "./garden.js";

const option = (value, text, chosen) => h("option", { value, selected: value === chosen }, text);

// `save` gets the changes (as in a record's correction) and the reason; a hand at the simulated table gives none.
export function openCell(at, garden, words, save, asksReason = true) {
  const plot = garden.plots.find((p) => p.at === at);
  const cells = new Set(garden.plots.map((p) => p.at));
  const sides = [_("east"), _("north-east"), _("north-west"), _("west"), _("south-west"), _("south-east")];
  const around = at === "0,0" ? [] : neighbours(at).map((n, i) => [n, sides[i]]).filter(([n]) => cells.has(n)).map(([n, side]) => [edgeOf(at, n), side]);
  const isPond = at === "0,0";
  const marking = plot?.improvement ? (plot.chip ? "+" : "/") + plot.improvement : "";
  const improvements = Object.entries(words.improvements);

  const colour = h("select", { name: "colour", id: "c-colour" }, option("", _("no plot"), plot ? null : ""),
    ...Object.entries(words.colours).map(([value, text]) => option(value, text, plot?.colour)));
  const mark = h("select", { name: "mark", id: "c-mark" }, option("", _("none"), marking),
    ...improvements.map(([value, text]) => option(`/${value}`, _("printed: %(what)s", { what: text }), marking)),
    ...improvements.map(([value, text]) => option(`+${value}`, _("chip: %(what)s", { what: text }), marking)));
  const bamboo = h("select", { name: "bamboo", id: "c-bamboo" }, ...(asksReason ? [0, 1, 2, 3, 4] : [0, 1, 2, 3, 4, 5]).map((n) => option(String(n), String(n), String(plot?.bamboo ?? 0))));
  const figures = ["gardener", "panda"].map((figure) =>
    h("label", { class: "choice" }, h("input", { type: "checkbox", name: figure, checked: garden[figure] === at }), words[figure]));
  const channels = around.map(([edge, side]) =>
    h("label", { class: "choice" }, h("input", { type: "checkbox", name: "channel", value: edge, checked: garden.channels.includes(edge) }), side));
  const reason = h("input", { type: "text", id: "c-reason", name: "reason", maxlength: 200, required: true, value: _("seen on the table") });
  const field = (id, label, control) => h("div", { class: "field grow" }, h("label", { for: id }, label), control);

  const dialog = byId("correct");
  const form = h("form", { method: "dialog" },
    h("h2", {}, asksReason ? _("What really lies here?") : _("Move pieces by hand")),
    h("p", { class: "hint" }, asksReason ? _("A correction is shown in the log. Nothing grows by it.") : _("The companion is not told: it has to see it.")),
    isPond ? null : h("div", { class: "row" }, field("c-colour", _("Plot"), colour), field("c-mark", _("Improvement"), mark), field("c-bamboo", _("Sections"), bamboo)),
    h("fieldset", {}, h("legend", {}, _("Standing here")), ...figures),
    channels.length ? h("fieldset", {}, h("legend", {}, _("Channels on its sides")), ...channels) : null,
    asksReason ? field("c-reason", _("Why"), reason) : null,
    h("div", { class: "row" }, h("button", { class: "primary", value: "save" }, asksReason ? _("Correct") : _("Do it")), h("button", { value: "cancel", formnovalidate: true }, _("Cancel"))));

  form.addEventListener("submit", (event) => {
    if (event.submitter?.value !== "save") return;
    const changes = {};
    if (!isPond) {
      const text = colour.value ? `${colour.value}${mark.value} ${bamboo.value}` : null;
      const was = plot ? `${plot.colour}${marking} ${plot.bamboo}` : null;
      if (text !== was) {
        if (plot && text && text.split(" ")[0] === was.split(" ")[0]) changes.bamboo = { [at]: Number(bamboo.value) };
        else changes.plots = { [at]: text };
      }
    }
    for (const figure of ["gardener", "panda"]) {
      const here = form.elements[figure].checked;
      if (here && garden[figure] !== at) changes[figure] = at;
    }
    const wanted = new Set(garden.channels);
    for (const box of form.querySelectorAll('input[name="channel"]')) {
      if (box.checked) wanted.add(box.value);
      else wanted.delete(box.value);
    }
    if (wanted.size !== garden.channels.length || garden.channels.some((edge) => !wanted.has(edge))) changes.channels = [...wanted];
    if (Object.keys(changes).length) save(changes, reason.value);
  });
  dialog.replaceChildren(form);
  dialog.showModal();
}
