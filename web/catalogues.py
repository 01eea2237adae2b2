"""The catalogues of messages: extract them from the sources, bring the translations up to date, check and compile them.

    python -m web.catalogues update     # after messages changed: then translate what `check` names
    python -m web.catalogues compile    # after a translation changed: writes the .mo and the scripts' .json files
    python -m web.catalogues check      # every message translated, none fuzzy or unused, all compiled

The compiled files are kept with the sources, so that an installed companion needs no step of its own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from companion.reconcile.messages import ENGLISH
from companion.remarks import REMARKS

ROOT = Path(__file__).resolve().parent.parent
TRANSLATIONS = ROOT / "web" / "translations"
SCRIPTS = ROOT / "web" / "static" / "i18n"
CODES = ("ja", "uk")
KEYWORDS: dict[str, Any] = {
    "_": None,
    "N_": None,
    "NP_": (1, 2),
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    # What the rules and the services refuse is said with its reason.
    "Refusal": (2,),
    "IllegalMoveError": (2,),
    "StaleCommandError": (1,),
}


def extract() -> Catalog:
    """All messages of the sources, as an empty catalogue."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    catalogue = Catalog(charset="utf-8", fuzzy=False)
    found = extract_from_dir(ROOT, methods, options, KEYWORDS, ("Translators:",), strip_comment_tags=True)
    for name, _line, text, comments, context in sorted(found, key=lambda each: (each[0], each[1])):
        catalogue.add(text, None, [(name, 0)], auto_comments=comments, context=context)
    for source, texts in (("companion/reconcile/messages.py", ENGLISH), ("companion/remarks.py", REMARKS)):
        for name, english in texts.items():
            if english:
                catalogue.add(english, None, [(source, 0)], context=name)
    return catalogue


def po_path(code: str) -> Path:
    """Where a language's translations are written by people."""
    return TRANSLATIONS / code / "LC_MESSAGES" / "messages.po"


def read(code: str) -> Catalog:
    """A language's translations."""
    path = po_path(code)
    if not path.exists():
        return Catalog(locale=code, fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=code)


def update() -> None:
    """Add new messages to the translations (empty) and drop those that no source has."""
    template = extract()
    for code in CODES:
        catalogue = read(code)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        catalogue.fuzzy = False
        catalogue.project, catalogue.version = "gamenight-companion", "1"
        catalogue.last_translator = catalogue.language_team = "the project"
        catalogue.msgid_bugs_address = "the project"
        catalogue.header_comment = "# The companion's words; the terms stand in docs/glossary.md"
        path = po_path(code)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalogue, width=116, include_lineno=False, omit_header=False)


def compiled(code: str) -> tuple[bytes, bytes]:
    """What `compile` writes for a language: the .mo, and the scripts' messages as JSON."""
    catalogue = read(code)
    machine = BytesIO()
    write_mo(machine, catalogue)
    scripts: dict[str, object] = {}
    for message in extract():
        if message.id and any(name.endswith(".js") for name, _ in message.locations):
            translated = catalogue.get(message.id, message.context)
            key = message.id if isinstance(message.id, str) else message.id[0]
            text = None if translated is None else translated.string
            if text and all(text):
                scripts[key] = list(text) if isinstance(text, tuple) else text
    readable = json.dumps(scripts, ensure_ascii=False, indent=0, sort_keys=True) + "\n"
    return machine.getvalue(), readable.encode()


def compile_all() -> None:
    """Write the compiled files of every language."""
    for code in CODES:
        machine, scripts = compiled(code)
        po_path(code).with_suffix(".mo").write_bytes(machine)
        SCRIPTS.mkdir(parents=True, exist_ok=True)
        (SCRIPTS / f"{code}.json").write_bytes(scripts)


def problems(code: str) -> Iterator[str]:
    """Everything that keeps a language from being complete, one line each."""
    template, catalogue = extract(), read(code)
    for message in template:
        if not message.id:
            continue
        name = message.id if isinstance(message.id, str) else message.id[0]
        kept = catalogue.get(message.id, message.context)
        if kept is None:
            yield f"{code}: missing: {name!r}"
            continue
        texts = kept.string if isinstance(kept.string, tuple) else (kept.string,)
        if not all(texts):
            yield f"{code}: untranslated: {name!r}"
        if kept.fuzzy:
            yield f"{code}: fuzzy: {name!r}"
        for error in kept.check(catalogue):
            yield f"{code}: {error}: {name!r}"
    for message in catalogue:
        if message.id and template.get(message.id, message.context) is None:
            yield f"{code}: unused: {message.id!r}"
    machine, scripts = compiled(code)
    path = po_path(code).with_suffix(".mo")
    # Compared by what they say: the bytes also name Babel's version.
    if not path.exists() or _said(path.read_bytes()) != _said(machine):
        yield f"{code}: not compiled: {path.name} (python -m web.catalogues compile)"
    path = SCRIPTS / f"{code}.json"
    if not path.exists() or path.read_bytes() != scripts:
        yield f"{code}: not compiled: {path.name} (python -m web.catalogues compile)"


def _said(machine: bytes) -> set[str]:
    return {repr((each.id, each.context, each.string)) for each in read_mo(BytesIO(machine)) if each.id}


def main(arguments: list[str]) -> int:
    """Run one of the three commands."""
    match arguments:
        case ["update"]:
            update()
        case ["compile"]:
            compile_all()
        case ["check"]:
            found = [line for code in CODES for line in problems(code)]
            sys.stdout.writelines(line + "\n" for line in found)
            return 1 if found else 0
        case _:
            sys.stderr.write("usage: python -m web.catalogues update|compile|check\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
