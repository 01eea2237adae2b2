// Reads the log aloud where the player wants it: off at first, remembered for this device.
import { _ } from "./i18n/i18n.js";

export class Speaker {
  constructor(button) {
    this.button = button;
    this.last = null;
    this.on = localStorage.getItem("speak") === "yes";
    button.hidden = !("speechSynthesis" in window);
    button.addEventListener("click", () => {
      this.on = !this.on;
      localStorage.setItem("speak", this.on ? "yes" : "no");
      if (!this.on) window.speechSynthesis?.cancel();
      this.show();
    });
    this.show();
  }

  show() {
    this.button.setAttribute("aria-pressed", String(this.on));
    this.button.textContent = this.on ? _("Stop reading aloud") : _("Read aloud");
  }

  say(words) {
    if (!this.on || !("speechSynthesis" in window)) return;
    const spoken = new SpeechSynthesisUtterance(words);
    spoken.lang = document.documentElement.lang;
    window.speechSynthesis.speak(spoken);
  }

  // Says the rows that came since the last time; a page that has just opened says nothing.
  log(rows) {
    const newest = rows.at(-1)?.line ?? 0;
    if (this.last !== null) {
      for (const row of rows) if (row.line > this.last) this.say(row.words);
    }
    this.last = Math.max(newest, this.last ?? 0);
  }
}
