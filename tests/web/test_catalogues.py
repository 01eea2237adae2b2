"""Every message is translated, none is fuzzy or unused, and what is compiled says what was written."""

import gettext
import json
import re

import pytest

from web import catalogues
from web.catalogues import CODES, SCRIPTS, po_path, problems

JAPANESE = re.compile(r"[぀-ヿ一-鿿]")
CYRILLIC = re.compile(r"[Ѐ-ӿ]")


@pytest.mark.parametrize("code", CODES)
def test_the_catalogue_is_complete(code):
    assert list(problems(code)) == []


@pytest.mark.parametrize(("code", "script"), [("ja", JAPANESE), ("uk", CYRILLIC)])
def test_translations_are_written_in_their_own_script(code, script):
    """A text that was copied from English instead of translated has no letter of the language."""
    for message in catalogues.read(code):
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        for text in texts if message.id else ():
            words = re.sub(r"%\(\w+\)s", "", text)
            if re.search(r"[A-Za-z]{3,}", words):
                assert script.search(words), f"{code}: {message.id!r} -> {text!r}"


def test_ukrainian_has_all_its_plural_forms():
    with po_path("uk").with_suffix(".mo").open("rb") as file:
        words = gettext.GNUTranslations(file)
    said = [words.ngettext("%(num)s step east", "%(num)s steps east", n) for n in (1, 3, 5, 11, 21, 22)]
    assert [text.split()[1] for text in said] == ["крок", "кроки", "кроків", "кроків", "крок", "кроки"]


@pytest.mark.parametrize("code", CODES)
def test_scripts_get_exactly_their_own_messages(code):
    served = json.loads((SCRIPTS / f"{code}.json").read_text(encoding="utf-8"))
    used = {
        message.id if isinstance(message.id, str) else message.id[0]
        for message in catalogues.extract()
        if any(name.endswith(".js") for name, _ in message.locations)
    }
    assert set(served) == used


def test_the_check_names_what_is_wrong(tmp_path, monkeypatch):
    """A missing, an untranslated and an unused message, and a parameter that got lost, are each found."""
    monkeypatch.setattr(catalogues, "TRANSLATIONS", tmp_path)
    monkeypatch.setattr(catalogues, "SCRIPTS", tmp_path)
    path = po_path("uk")
    path.parent.mkdir(parents=True)
    catalogues.update()
    text = path.read_text(encoding="utf-8")
    text = text.replace('msgid "The pattern cannot be completed any more."\nmsgstr ""', "")
    text = text.replace('msgid "%(who)s ends the turn."\nmsgstr ""', 'msgid "%(who)s ends the turn."\nmsgstr "%(wh)s"')
    path.write_text(text + '\nmsgid "Nobody says this."\nmsgstr "Ніхто"\n', encoding="utf-8")
    found = list(problems("uk"))
    assert "uk: missing: 'The pattern cannot be completed any more.'" in found
    assert "uk: untranslated: 'Two to four people play.'" in found
    assert "uk: unused: 'Nobody says this.'" in found
    assert any("'%(who)s ends the turn.'" in line and "untranslated" not in line for line in found)
    assert any("not compiled" in line for line in found)
