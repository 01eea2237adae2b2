// Small helpers: build elements, post commands, say something briefly.
import { _ } from "../i18n/i18n.js";

export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const byId = (id) => document.getElementById(id);

// Replace a list only when it changed, so that focus, selection and screen readers are left alone.
export function fill(node, key, children) {
  const mark = JSON.stringify(key);
  if (node.dataset.mark === mark) return false;
  node.dataset.mark = mark;
  const focused = node.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  node.replaceChildren(...children().flat().filter(Boolean));
  if (focused) node.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  return true;
}

let toastTimer = 0;
export function toast(text, bad = false, rule = null) {
  const box = byId("toast");
  box.replaceChildren(text, ...(rule ? [" ", h("a", { href: `/rules#${rule}` }, _("The rule"))] : []));
  box.className = bad ? "toast bad" : "toast";
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { box.hidden = true; }, bad ? 7000 : 3500);
}

let noteSeen = null;
/** Says what the companion tells every page once; a page that has just opened says nothing. */
export function sayNote(note) {
  const number = note?.number ?? 0;
  if (noteSeen !== null && number !== noteSeen && note) toast(note.words, note.bad, note.rule);
  noteSeen = number;
}

/** What a path holds, or null where the companion does not answer: the stream says so and asks again when it is back. */
export async function get(path) {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

export async function post(path, body = {}) {
  const token = document.querySelector('meta[name="csrf-token"]').content;
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify(body),
    });
    const data = await answer.json().catch(() => ({}));
    if (answer.ok) return data;
    toast(data.message ?? _("That did not work (%(status)s).", { status: answer.status }), true, data.rule);
  } catch {
    toast(_("The companion does not answer. Is it running?"), true);
  }
  return null;
}
