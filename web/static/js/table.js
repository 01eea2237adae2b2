// The big screen: draws the view that the server sends, whole, every time it changes.
import { _, ngettext } from "../i18n/i18n.js";
import { keepAwake } from "./awake.js";
import { drawChart } from "./chart.js";
import { openCell } from "./correct.js";
import { byId, fill, get, h, post, sayNote } from "./dom.js";
import { Entry } from "./entry.js";
import { drawGarden } from "./garden.js";
import { dieFace, sign } from "./icons.js";
import { listen } from "./stream.js";

const words = JSON.parse(byId("words").textContent);
const isHost = document.body.dataset.host === "yes";
const LAMP_SIGNS = { in_step: "✓", looking: "…", asking: "?", disagreement: "!", trouble: "×", by_hand: "✎", offline: "×" };

let view = null;
let drawn = null; // the garden as last drawn, to let what is new grow
let online = true;
let received = 0;
const entry = isHost ? new Entry(words, () => paintGarden()) : null;

function paintLamp() {
  const lamp = online ? view.lamp : { id: "offline", words: _("No connection: trying again") };
  const node = byId("lamp");
  node.dataset.lamp = lamp.id;
  fill(node, lamp, () => [h("i", { "aria-hidden": "true" }, LAMP_SIGNS[lamp.id]), lamp.words]);
}

function paintTrouble() {
  fill(byId("trouble"), view.trouble, () => view.trouble.map((text) => h("p", { class: "notice bad" }, text, " ",
    isHost ? h("button", { type: "button", onclick: () => post("/probe") }, _("Try again")) : null)));
}

function paintGarden() {
  if (!view.garden) return;
  drawGarden(byId("garden"), view.garden, {
    words, previous: drawn, spots: entry?.spots(), marks: view.mismatches.map((m) => m.at),
    onCell: isHost ? (at) => openCell(at, view.garden, words, (changes, reason) => post("/correct", { changes, reason, version: view.version })) : null,
  });
  drawn = view.garden;
}

function paintTurn() {
  const turn = view.turn;
  byId("turn").hidden = !turn;
  if (!turn) return;
  byId("who").textContent = turn.name;
  byId("turn-sub").textContent = turn.words;
  const die = byId("die");
  const shown = [turn.weather, turn.seat, turn.number];
  const isNew = die.dataset.mark !== undefined && die.dataset.mark !== JSON.stringify(shown);
  if (fill(die, shown, () => [dieFace(turn.weather), h("span", {}, turn.weather_words)])) {
    die.classList.remove("rolling");
    if (isNew && turn.weather) requestAnimationFrame(() => die.classList.add("rolling"));
  }
  fill(byId("pips"), [turn.used, turn.left], () => [
    ...turn.used.map((action) => h("li", { class: "used" }, `✓ ${action.words}`)),
    ...Array.from({ length: turn.left }, () => h("li", {}, _("action free")))]);
  byId("actions-left").textContent = ngettext("%(num)s action left", "%(num)s actions left", turn.left);
  fill(byId("banners"), view.banners, () => view.banners.map((text) => h("p", { class: "banner" }, text)));
  fill(byId("seen"), view.seen, () => view.seen.map((text) => h("li", {}, "◉ ", text)));
  fill(byId("pending"), view.pending, () => view.pending.map((told) => h("li", {}, h("span", { class: "grow" }, told.words),
    isHost ? h("button", { type: "button", class: "back", onclick: () => post("/told", { id: told.id, version: view.version }) }, _("Enter now")) : null,
    isHost ? h("button", { type: "button", class: "back quiet", "aria-label": _("Take back: %(event)s", { event: told.words }), onclick: () => post("/told", { id: told.id, drop: true, version: view.version }) }, "✕") : null)));
}

function paintTimer() {
  if (!view?.turn) return;
  const seconds = Math.max(0, Math.round(view.turn.elapsed_s + (performance.now() - received) / 1000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (byId("timer").textContent !== text) byId("timer").textContent = text;
}

function paintSeats() {
  fill(byId("seats"), view.seats, () => view.seats.map((seat) => h("li", { class: seat.now ? "seat now" : "seat" },
    h("span", { class: "name" }, seat.now ? "▸ " : "", seat.name, seat.emperor ? ` · ${_("Emperor")}` : ""),
    h("span", { class: "points" }, seat.points_words),
    h("span", { class: "has" },
      ...Object.entries(seat.bamboo).map(([colour, n]) => h("span", { class: "tag", title: words.colours[colour] }, sign(colour), `${words.letters[colour]} ${n}`)),
      seat.channels ? h("span", { class: "tag", title: words.channel }, sign("channel"), String(seat.channels)) : null,
      ...Object.entries(seat.chips).filter(([, n]) => n).map(([chip, n]) => h("span", { class: "tag", title: words.improvements[chip] }, sign(chip), String(n))),
      h("span", { class: "tag", title: _("cards in hand") }, sign("card"), String(seat.cards)),
      h("span", { class: "tag" }, seat.claimed_words)),
    seat.shown.length ? h("span", { class: "has" }, _("Shows:"), ...seat.shown.map((card) => h("span", { class: "tag" }, sign("card"), card))) : null)));
}

function paintMet() {
  const list = byId("met");
  fill(list, view.met, () => view.met.length
    ? view.met.map((card) => h("li", {}, h("span", {}, card.words), h("span", { class: "worth" }, card.points),
      isHost ? h("button", { type: "button", class: "quiet back", "data-key": card.id, onclick: () => post("/moves", { do: `claim ${card.id}`, version: view.version }) }, _("Claim")) : null))
    : [h("li", {}, _("none yet"))]);
  if (list.dataset.checks !== undefined && list.dataset.checks !== String(view.checks)) {
    list.classList.remove("flash");
    requestAnimationFrame(() => list.classList.add("flash"));
  }
  list.dataset.checks = view.checks;
}

let earlier = null; // rows before those of the view, once someone asked for them

async function fetchEarlier() {
  earlier = await get("/log.json");
  if (!earlier) return;
  paintLog(true);
}

function paintLog(keepPlace = false) {
  const list = byId("log");
  const first = view.log[0]?.line ?? 1;
  byId("log-more").hidden = first === 1 || earlier !== null;
  const rows = [...(earlier ?? []).filter((row) => row.line < first), ...view.log];
  if (fill(list, rows, () => rows.map((row) => h("li", { class: row.kind, "data-line": row.line },
    h("span", {}, row.words),
    isHost && row.may_return ? h("button", { type: "button", class: "quiet back", "data-key": `line ${row.line}`, title: _("Back to here"), "aria-label": _("Back to: %(event)s", { event: row.words }), onclick: () => undoTo(row) }, "↶") : null)))) {
    list.scrollTop = keepPlace ? 0 : list.scrollHeight;
  }
}

function undoTo(row) {
  if (confirm(_("Take the game back to: %(event)s?", { event: row.words }))) post("/undo", { line: row.line, version: view.version });
}

function paintQuestion() {
  const box = byId("question");
  const question = view.question;
  box.hidden = !question;
  fill(box, question, () => question ? [
    h("h2", {}, question.words),
    h("div", { class: "answers" },
      ...question.choices.map((choice, index) => {
        const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        svg.setAttribute("class", "garden");
        svg.setAttribute("aria-hidden", "true");
        drawGarden(svg, choice.garden, { words, diffs: choice.diffs, isTight: true });
        return h("button", { type: "button", disabled: !isHost || !choice.is_possible, "data-key": `answer ${index}`, onclick: () => post("/answer", { id: question.id, choice: index, version: view.version }) },
          svg, ...choice.words.map((text) => h("span", {}, text)));
      }),
      isHost ? h("button", { type: "button", "data-key": "answer none", onclick: () => post("/answer", { id: question.id, choice: null, version: view.version }) }, _("None of these")) : null),
  ] : []);
}

function paintMismatches() {
  const box = byId("mismatches");
  box.hidden = !view.mismatches.length && !view.notices.length;
  fill(box, [view.mismatches, view.notices], () => [
    ...view.mismatches.map((m) => h("div", {}, h("h2", {}, m.words), h("p", {}, h("span", { class: "remedy" }, m.remedy), " ", m.rule ? h("a", { href: `/rules#${m.rule}` }, m.rule) : null))),
    ...view.notices.map((text) => h("p", {}, text))]);
}

function paintEnd() {
  const box = byId("end");
  box.hidden = !view.result;
  if (!view.result) return;
  fill(box, view.result, () => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "chart");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", _("Points over time"));
    drawChart(svg, view.result.chart);
    return [h("p", { class: "winner" }, view.result.words),
      h("table", {}, h("thead", {}, h("tr", {}, ...view.result.columns.map((c, i) => h("th", { class: i ? "num" : "", scope: "col" }, c)))),
        h("tbody", {}, ...view.result.rows.map((row) => h("tr", {}, ...row.map((cell, i) => h(i ? "td" : "th", i ? { class: "num" } : { scope: "row" }, String(cell))))))),
      svg];
  });
}

function paintTools() {
  if (!isHost) return;
  const turn = view.turn;
  byId("roll").hidden = !(turn && turn.awaits_roll) || view.face_asked || view.die === "real";
  byId("faces").hidden = !(turn && turn.awaits_roll && (view.die === "real" || view.face_asked));
  fill(byId("faces"), "faces", () => [h("span", {}, _("The die shows:")), ...Object.entries(words.weather).map(([face, name]) =>
    h("button", { type: "button", "data-face": face, onclick: () => post("/roll", { face, version: view.version }) }, dieFace(face), name))]);
  byId("next").disabled = !turn || turn.awaits_roll;
  byId("check").disabled = !turn;
  entry.refresh(view.version);
}

function speak(before) {
  // What just happened, for screen readers.
  if (!before || !view.log.length) return;
  const last = before.log.at(-1)?.line ?? 0;
  const news = view.log.filter((row) => row.line > last).map((row) => row.words);
  if (before.lamp.id !== view.lamp.id) news.push(view.lamp.words);
  if (news.length) byId("live").textContent = news.join(" ");
}

// A view may have waited in the server's cache: within one turn the clock never runs back.
function keepTime(before) {
  const now = performance.now();
  if (before?.turn && view.turn && before.turn.seat === view.turn.seat && before.turn.number === view.turn.number) {
    view.turn.elapsed_s = Math.max(view.turn.elapsed_s, before.turn.elapsed_s + (now - received) / 1000);
  }
  received = now;
}

function show(fresh) {
  const before = view;
  view = fresh;
  keepTime(before);
  byId("no-game").hidden = Boolean(view.garden);
  byId("game").hidden = !view.garden;
  paintLamp();
  paintTrouble();
  sayNote(view.note);
  keepAwake(Boolean(view.garden) && !view.result);
  document.body.dataset.version = view.version ?? "";
  if (!view.garden) return;
  if (before?.name !== view.name) drawn = null;
  // An undo or a correction may have changed what the earlier rows say.
  if (earlier && before?.version !== view.version && view.log.at(-1)?.kind === "note") earlier = null;
  for (const paint of [paintTurn, paintTimer, paintSeats, paintMet, () => paintLog(), paintQuestion, paintMismatches, paintEnd, paintGarden, paintTools]) paint();
  document.title = view.turn ? `${view.turn.name} · ${document.body.dataset.title}` : document.body.dataset.title;
  speak(before);
}

if (isHost) {
  byId("roll").addEventListener("click", () => post("/roll", { version: view.version }));
  byId("check").addEventListener("click", () => post("/check"));
  byId("next").addEventListener("click", () => post("/moves", { do: "end", version: view.version }));
  byId("undo").addEventListener("click", () => post("/undo", { version: view.version }));
}
byId("log-more").addEventListener("click", fetchEarlier);
show(JSON.parse(byId("view").textContent));
setInterval(paintTimer, 500);
listen("/stream", { table: show }, (state) => {
  online = state;
  document.body.dataset.online = state ? "yes" : "no";
  paintLamp();
});
