// Words of the scripts in the page's language: `_("%(who)s is next", {who: name})`, `ngettext("%(num)s card", "%(num)s cards", n)`.
// English stands in the sources; the other languages lie beside this file, made by `python -m web.catalogues compile`.

const language = document.documentElement.lang || "en";
const catalogue = language === "en" ? {} : await load(language);
const plurals = new Intl.PluralRules(language);
// Gettext numbers the forms in this order; languages without plurals have only the first.
const ORDER = ["one", "few", "many", "other"];

async function load(code) {
  try {
    const answer = await fetch(new URL(`./${code}.json`, import.meta.url));
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

function filled(text, params) {
  return text.replace(/%\((\w+)\)s|%%/g, (whole, name) => (whole === "%%" ? "%" : String(params[name] ?? "–")));
}

export function gettext(text, params = {}) {
  return filled(catalogue[text] ?? text, params);
}

export function ngettext(singular, plural, num, params = {}) {
  const forms = catalogue[singular];
  const text = Array.isArray(forms)
    ? forms[Math.min(ORDER.indexOf(plurals.select(num)), forms.length - 1)]
    : num === 1 ? singular : plural;
  return filled(text, { num, ...params });
}

export { gettext as _ };
