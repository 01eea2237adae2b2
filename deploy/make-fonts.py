"""Make the fonts that the PDFs embed, in web/fonts/, from Debian's fonts-noto-cjk and fonts-dejavu-core.

Not needed to run or test: the made fonts are kept with the sources, so that a PDF looks the same on every machine.
Needs fonttools:  python -m pip install fonttools && python deploy/make-fonts.py
"""

from __future__ import annotations

from pathlib import Path

from fontTools import subset
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont, newTable

OUT = Path(__file__).resolve().parent.parent / "web" / "fonts"
NOTO = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
MOST_ERROR = 1.0
"""Font units by which a quadratic outline may stray from the cubic one."""


def japanese() -> set[int]:
    """Kana, marks, full-width forms and the kanji of JIS X 0208, which cover nearly all names."""
    found = {*range(0x3000, 0x3100), *range(0xFF01, 0xFF9F)}
    for row in range(1, 95):
        for cell in range(1, 95):
            try:
                found.add(ord(bytes((row + 0xA0, cell + 0xA0)).decode("euc_jp")))
            except UnicodeDecodeError:
                continue
    return {code for code in found if code > 0x2FFF}


def european() -> set[int]:
    """Latin with its extensions, Greek, Cyrillic, punctuation, arrows and a few signs."""
    blocks = ((0x20, 0x250), (0x2B0, 0x300), (0x370, 0x530), (0x2010, 0x2060), (0x20A0, 0x20C0), (0x2190, 0x21A0))
    return {code for first, after in blocks for code in range(first, after)} | {0x2116, 0x2212, 0x2605, 0x2713, 0x25CF}


def cut(font: TTFont, codes: set[int]) -> None:
    """Keep the glyphs of these characters, and no layout features: PDFs are set plainly."""
    options = subset.Options(layout_features=[], hinting=False, name_IDs=[0, 1, 2, 4, 6, 13, 14], notdef_outline=True)
    options.drop_tables += ["BASE", "vhea", "vmtx", "VORG", "GSUB", "GPOS", "GDEF", "DSIG", "STAT", "meta"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)


def quadratic(font: TTFont) -> None:
    """Turn PostScript outlines into TrueType ones, which is what PDF writers embed."""
    glyphs = font.getGlyphSet()
    table = newTable("glyf")
    table.glyphOrder, table.glyphs = font.getGlyphOrder(), {}
    for name in table.glyphOrder:
        pen = TTGlyphPen(None)
        glyphs[name].draw(Cu2QuPen(pen, MOST_ERROR, reverse_direction=True))
        table.glyphs[name] = pen.glyph()
    del font["CFF "]
    font["glyf"], font["loca"] = table, newTable("loca")
    table.compile(font)
    maximum = font["maxp"]
    maximum.tableVersion = 0x00010000
    for field in ("maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs",
                  "maxStackElements", "maxSizeOfInstructions", "maxComponentElements", "maxPoints", "maxContours",
                  "maxCompositePoints", "maxCompositeContours", "maxComponentDepth"):  # fmt: skip
        setattr(maximum, field, 1 if field == "maxZones" else 0)
    maximum.recalc(font)
    font["post"].formatType = 3.0
    font["post"].extraNames, font["post"].mapping = [], {}
    for name in table.glyphOrder:
        advance, _ = font["hmtx"][name]
        font["hmtx"][name] = (advance, getattr(table.glyphs[name], "xMin", 0))
    font.sfntVersion = "\000\001\000\000"


def main() -> None:
    """Write both fonts."""
    OUT.mkdir(exist_ok=True)
    noto = TTFont(NOTO, fontNumber=0)
    cut(noto, japanese())
    quadratic(noto)
    noto.save(OUT / "NotoSansJP-subset.ttf")
    dejavu = TTFont(DEJAVU)
    cut(dejavu, european())
    dejavu.save(OUT / "DejaVuSans-subset.ttf")


if __name__ == "__main__":
    main()
