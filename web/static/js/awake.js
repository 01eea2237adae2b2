// Keeps the screen awake while a game is on. Browsers allow it on this machine's own screen (localhost) and over https;
// they take it back whenever the page is hidden, so it is asked for again when the page is seen.
let wanted = false;
let held = null;

async function hold() {
  if (!wanted || held || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
  try {
    held = await navigator.wakeLock.request("screen");
    held.addEventListener("release", () => { held = null; });
    if (!wanted) await held.release();
  } catch {
    held = null; // a low battery, or a browser that says no: the game goes on all the same
  }
}

export function keepAwake(on) {
  wanted = on;
  if (on) hold();
  else if (held) held.release();
}

document.addEventListener("visibilitychange", hold);
