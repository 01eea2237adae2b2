// Entering a move by hand: the rules offer what is legal; each tap narrows it down until one move is left.
import { _ } from "../i18n/i18n.js";
import { byId, get, h, post } from "./dom.js";
import { dieFace, sign } from "./icons.js";

const STORE = "store";

// What has to be chosen for a move, in the order in which people think of it.
function steps(text) {
  const [verb, ...rest] = text.split(" ");
  switch (verb) {
    case "plot": return [["at", rest[1]], ["kind", rest[0]], ["chip", rest[2] ?? ""]];
    case "channel": return [["at", rest[0] ?? STORE]];
    case "chip": return [["improvement", rest[0]], ["at", rest[1] ?? STORE]];
    case "improve": return [["improvement", rest[1]], ["at", rest[0]]];
    case "draw": return [["deck", rest[0]]];
    case "weather": case "roll": return [["weather", rest[0]]];
    case "claim": return [["card", rest[0]]];
    case "discard": return rest[0].includes("-") ? [["secret", rest[0]]] : [["deck", rest[0]]];
    default: return rest.length ? [["at", rest[0]]] : [];
  }
}

export class Entry {
  constructor(words, redraw) {
    this.words = words;
    this.redraw = redraw; // called when the spots on the garden change
    this.moves = [];
    this.version = null;
    this.chosen = null; // {verb, values}
    document.addEventListener("keydown", (event) => { if (event.key === "Escape" && this.chosen) this.cancel(); });
  }

  async refresh(version) {
    if (version === this.version) return;
    this.version = version;
    const data = await get("/moves");
    if (!data) {
      this.version = null; // the next view asks again
      return;
    }
    this.version = data.version;
    this.moves = data.moves.map((text) => ({ text, verb: text.split(" ")[0], steps: steps(text) }));
    if (this.chosen && !this.left().length) this.chosen = null;
    this.show();
    this.redraw();
  }

  left() {
    if (!this.chosen) return [];
    return this.moves.filter((move) => move.verb === this.chosen.verb && this.chosen.values.every((value, i) => move.steps[i]?.[1] === value));
  }

  choose(verb) {
    this.chosen = this.chosen?.verb === verb ? null : { verb, values: [] };
    this.advance();
  }

  cancel() {
    this.chosen = null;
    this.show();
    this.redraw();
  }

  pick(value) {
    this.chosen.values.push(value);
    this.advance();
  }

  async advance() {
    let left = this.left();
    while (this.chosen && left.length) {
      const depth = this.chosen.values.length;
      const options = [...new Set(left.map((move) => move.steps[depth]?.[1]))];
      if (left.length === 1 && options[0] === undefined) {
        const [{ text, verb }] = left;
        this.cancel();
        if (verb === "stop" && !confirm(_("Does the whole table agree to stop the game now?"))) return;
        await post("/moves", { do: text, version: this.version });
        return;
      }
      // A single option needs no question, unless it is a place: people want to see where.
      const kind = left[0].steps[depth][0];
      if (kind === "secret") {
        this.cancel();
        this.chooseCovered(options);
        return;
      }
      if (options.length === 1 && kind !== "at") {
        this.chosen.values.push(options[0]);
        left = this.left();
      } else break;
    }
    this.show();
    this.redraw();
  }

  // Which card was drawn is its player's secret: the others look away, and nothing on the screen tells afterwards.
  chooseCovered(cards) {
    const dialog = byId("covered");
    const close = () => dialog.close();
    const put = (card) => () => { close(); post("/moves", { do: `discard ${card}`, version: this.version }); };
    const list = h("div", { class: "options", hidden: true }, ...cards.map((card) => h("button", { type: "button", "data-value": card, onclick: put(card) }, this.words.cards[card] ?? card)));
    const open = h("button", { type: "button", class: "primary", onclick: () => { list.hidden = false; open.hidden = true; list.firstChild.focus(); } }, _("I drew it: show the choice"));
    dialog.replaceChildren(
      h("h2", { id: "covered-title" }, _("Put the drawn card back unseen")),
      h("p", {}, _("Only the player who drew the card looks at the screen now. It goes under its deck, and nobody else is told which it is.")),
      open, list, h("p", {}, h("button", { type: "button", class: "quiet", onclick: close }, _("Cancel"))));
    dialog.showModal();
  }

  question() {
    const left = this.left();
    if (!left.length) return null;
    const depth = this.chosen.values.length;
    const kind = left[0].steps[depth][0];
    return { kind, options: [...new Set(left.map((move) => move.steps[depth][1]))] };
  }

  spots() {
    const question = this.question();
    if (question?.kind !== "at") return null;
    const places = question.options.filter((at) => at !== STORE);
    return { cells: places.filter((at) => !at.includes("|")), edges: places.filter((at) => at.includes("|")), onPick: (at) => this.pick(at) };
  }

  label(kind, value) {
    const w = this.words;
    switch (kind) {
      case "kind": {
        const [colour, improvement] = value.split("/");
        return [sign(colour), improvement ? `${w.colours[colour]} · ${w.improvements[improvement]}` : w.colours[colour], improvement ? sign(improvement) : null];
      }
      case "chip": return value ? [sign(value.slice(1)), _("with the stored chip: %(chip)s", { chip: w.improvements[value.slice(1)] })] : [_("without a chip")];
      case "improvement": return [sign(value), w.improvements[value]];
      case "deck": return [sign("card"), w.decks[value]];
      case "weather": return [dieFace(value), w.weather[value]];
      case "card": return [w.cards[value] ?? value];
      default: return [value === STORE ? _("Store it") : value];
    }
  }

  show() {
    const verbs = [...new Set(this.moves.map((move) => move.verb))];
    const names = this.words.verbs;
    const row = byId("verbs");
    row.dataset.version = this.version;
    row.replaceChildren(...Object.keys(names).filter((verb) => verbs.includes(verb)).map((verb) =>
      h("button", { type: "button", class: verb === "stop" ? "quiet" : null, "aria-pressed": String(this.chosen?.verb === verb), "data-verb": verb, onclick: () => this.choose(verb) }, names[verb])));
    const box = byId("options");
    const question = this.question();
    box.hidden = !question;
    if (!question) return;
    const help = question.kind === "at" ? _("Tap the place in the garden.") : _("Choose:");
    const listed = question.kind === "at" ? question.options.filter((at) => at === STORE) : question.options;
    byId("options-help").textContent = help;
    byId("options-list").replaceChildren(
      ...listed.map((value) => h("button", { type: "button", "data-value": value, onclick: () => this.pick(value) }, this.label(question.kind, value))),
      h("button", { type: "button", class: "quiet", onclick: () => this.cancel() }, _("Cancel")));
  }
}
