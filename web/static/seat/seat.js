// A seat's page: draws the seat's own view, tells what its player did, and keeps the cards covered where several sit.
import { _ } from "../i18n/i18n.js";
import { byId, fill, h, post, sayNote } from "../js/dom.js";
import { listen } from "../js/stream.js";
import { Speaker } from "../speech.js";

const root = byId("seat");
const seat = root.dataset.seat;
const base = `/seat/${seat}`;
const choices = JSON.parse(byId("choices").textContent);
const hot = root.dataset.hot === "yes";
const title = document.title;
let view = JSON.parse(byId("view").textContent);
let busy = false;

async function send(path, body) {
  if (busy) return;
  busy = true;
  await post(`${base}/${path}`, { version: view.version, ...body });
  busy = false;
}

const tell = (text) => send("moves", { do: text });

// Cards are covered where several people share the device, or where a player wants them covered.
let covered = hot || localStorage.getItem("covered") === "yes";
let peeking = false;

const isShut = () => covered && !peeking;

function cover() {
  const shut = isShut();
  root.classList.toggle("shut", shut);
  byId("hand").classList.toggle("covered", shut);
  byId("hidden-cards").hidden = shut;
  byId("claims").hidden = shut;
  byId("peek").setAttribute("aria-pressed", String(!shut));
  byId("peek").textContent = hot ? _("Hold to see my cards") : covered ? _("Show my cards") : _("Cover my cards");
  byId("peek-help").hidden = !hot;
}

function setUpCover() {
  const button = byId("peek");
  if (!hot) {
    button.addEventListener("click", () => {
      covered = !covered;
      localStorage.setItem("covered", covered ? "yes" : "no");
      cover();
      paintEntries();
    });
    return;
  }
  const show = (on) => () => { peeking = on; cover(); };
  button.addEventListener("pointerdown", (event) => { button.setPointerCapture(event.pointerId); show(true)(); });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) button.addEventListener(name, show(false));
  button.addEventListener("keydown", (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); show(true)(); } });
  button.addEventListener("keyup", show(false));
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  window.addEventListener("pagehide", show(false));
  document.addEventListener("visibilitychange", show(false));
}

const kinds = (deck) => choices.find((each) => each.deck === deck).cards;

// Choosing a card by its picture; what is chosen among is shown to who opened it alone.
function choose(cards, heading, action, mayKeep) {
  const dialog = byId("chooser");
  byId("chooser-title").textContent = heading;
  byId("chooser-none").hidden = cards.length > 0;
  byId("chooser-cards").replaceChildren(...cards.map((card) => h("li", {},
    h("button", { type: "button", onclick: () => { dialog.close(); action(card.id); } },
      h("img", { src: `/cards/${root.dataset.edition}/${card.id}.svg?lang=${document.documentElement.lang}`, alt: "", width: 63, height: 88 }), card.words))));
  const keep = byId("chooser-secret");
  keep.hidden = !mayKeep;
  keep.onclick = () => { dialog.close(); action(null); };
  byId("chooser-cancel").onclick = () => dialog.close();
  dialog.showModal();
}

function entry({ do: text, words }) {
  const [verb, deck] = text.split(" ");
  const action = verb === "draw" && !view.dealt
    ? () => choose(kinds(deck), _("Which card did you draw?"), (card) => tell(card ? `${text} ${card}` : text), true)
    : () => tell(text);
  return h("button", { type: "button", class: text === "end" || text === "roll" ? "primary" : "", "data-key": text, onclick: action }, words);
}

// Where cards are covered no button names one: it is chosen in a dialog that its player opens.
function entries() {
  const back = view.tell.filter((each) => each.do.startsWith("discard "));
  if (!covered) return view.tell.map(entry);
  const button = (key, words, onclick) => h("button", { type: "button", "data-key": key, onclick }, words);
  const listed = view.tell.filter((each) => !back.includes(each)).map(entry);
  if (back.length) {
    listed.push(button("put back", _("Put the drawn card back"), () => (back.length === 1 ? tell(back[0].do)
      : choose(back.map((each) => ({ id: each.do.split(" ")[1], words: each.words })), _("Put the drawn card back"), (card) => tell(`discard ${card}`), false))));
  }
  if (view.mine && !view.over) {
    listed.push(button("fulfil", _("Fulfil one of my cards"), () => choose(view.hand.filter((card) => card.met).map((card) => ({ id: card.card, words: card.words })),
      _("Fulfil one of my cards"), (card) => tell(`claim ${card}`), false)));
  }
  return listed;
}

function handCard(card, index) {
  return h("li", {},
    h("img", { src: `${base}/hand/${index}.svg?v=${card.picture}`, alt: "", width: 63, height: 88 }),
    h("div", {}, h("p", {}, h("strong", {}, card.words), ` · ${card.deck} · ${card.points}`),
      card.met ? h("p", { class: "met" }, card.needs[0]) : h("ul", {}, card.needs.map((need) => h("li", {}, need))),
      card.met && view.mine ? h("button", { type: "button", class: "primary", "data-key": `claim ${card.card}`, onclick: () => tell(`claim ${card.card}`) }, _("Fulfil it")) : null));
}

const paintEntries = () => fill(byId("tell"), [view.tell, view.dealt, view.hand, covered, view.mine], entries);

const speaker = new Speaker(byId("speak"));

function nudge(before) {
  document.title = view.mine && !view.over ? `● ${_("Your turn")} · ${title}` : title;
  if (!before || before.mine || !view.mine || view.over) return;
  navigator.vibrate?.([120, 60, 120]);
  speaker.say(view.turn);
}

function show(next) {
  if (next.gone) { location.href = "/join"; return; }
  const before = view === next ? null : view;
  view = next;
  root.dataset.version = view.version;
  const turn = byId("turn");
  turn.textContent = view.weather && !view.over ? `${view.turn} ${view.weather}` : view.turn;
  turn.classList.toggle("mine", view.mine && !view.over);
  byId("tell-card").hidden = !view.mine && !view.tell.length && !view.undo && !view.pending.length;
  paintEntries();
  byId("undo").hidden = !view.undo;
  byId("undo-what").textContent = view.undo ?? "";
  fill(byId("pending"), view.pending, () => view.pending.map((each) => h("li", {}, each.words, h("span", { class: "secret" }, ` ${each.secret}`))));
  fill(byId("hand"), [view.hand, view.mine], () => view.hand.map(handCard));
  fill(byId("hidden-cards"), view.hidden, () => view.hidden.map((each) => h("p", { class: "row" }, h("span", { class: "grow" }, `${each.words} × ${each.count}`),
    h("button", { type: "button", "data-key": `know ${each.deck}`, onclick: () => choose(kinds(each.deck), _("Which card is it?"), (card) => tell(`know ${card}`), false) }, _("Name it")))));
  fill(byId("claims"), view.claims, () => (view.claims.length ? [h("h3", {}, _("Show a paper card that is met")),
    h("div", { class: "options" }, view.claims.map((each) => h("button", { type: "button", "data-key": `paper ${each.card}`, onclick: () => tell(`claim ${each.card}`) }, each.words)))] : []));
  fill(byId("store"), [view.bamboo, view.channels, view.chips], () => [...view.bamboo.map((each) => h("li", {}, `${each.words} ${each.count}`)),
    h("li", {}, `${_("channels")} ${view.channels}`), ...view.chips.filter((each) => each.count).map((each) => h("li", {}, `${each.words} ${each.count}`))]);
  byId("score").textContent = view.score;
  fill(byId("claimed"), view.claimed, () => view.claimed.map((words) => h("li", {}, words)));
  fill(byId("log"), view.log, () => view.log.map((row) => h("li", { class: row.kind }, row.words)));
  fill(byId("others"), view.others, () => view.others.map((each) => h("li", { "aria-current": each.now ? "true" : null }, `${each.name}: ${each.score}`)));
  byId("auto").checked = view.auto_claim;
  byId("shown").checked = view.shown;
  byId("code").textContent = view.code;
  if (before && before.code !== view.code) byId("qr-place").replaceChildren();
  speaker.log(view.log);
  sayNote(view.note);
  if (before && before.checks !== view.checks) {
    const met = view.hand.filter((card) => card.met).length;
    if (met) navigator.vibrate?.(80);
    root.classList.add("checked");
  }
  nudge(before);
  cover();
}

byId("undo").addEventListener("click", () => send("undo", {}));
byId("auto").addEventListener("change", (event) => send("wish", { auto_claim: event.target.checked }));
byId("shown").addEventListener("change", (event) => send("wish", { shown: event.target.checked }));
byId("show-qr").addEventListener("click", () => byId("qr-place").replaceChildren(
  h("img", { class: "qr", src: `${base}/code.svg?v=${Date.now()}`, alt: _("QR code that takes this seat over"), width: 232, height: 232 })));
setUpCover();
show(view);
listen(`${base}/stream`, { table: show }, (connected) => { byId("offline").hidden = connected; });
