"""Pictures are read one to one: drawn here with Pillow's own font, so that no other is needed."""

from __future__ import annotations

import base64
import io
import json
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from engine.errors import EngineError
from prompts.pictures.decoding import MOST_PIXELS, decoded
from prompts.pictures.pieces import Stroke
from prompts.pictures.place import MOST_BYTES
from prompts.pictures.reading import MARK, read
from prompts.pictures.sent import on_picture
from prompts.pictures.stacked import stacked
from prompts.tell.words import word
from tests.pictures.measure import Score, score
from tests.pictures.scenes import KINDS, scene

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = [["t", "reward", "value", "advantage"], ["0", "0", "0.4", "0.085"], ["1", "-1.25", "0.7", "0.3"]]


def drawn(rows: list[list[str]], ground: str = "white", ink: str = "black", size: int = 18) -> Image.Image:
    font = ImageFont.load_default(size)
    picture = Image.new("RGB", (60 + 7 * size * max(map(len, rows)), 40 + 2 * size * len(rows)), ground)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            ImageDraw.Draw(picture).text((20 + 7 * size * j, 20 + 2 * size * i), cell, ink, font)
    return picture


def saved(picture: Image.Image, kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **({} if kind == "PNG" else {"quality": 80}))
    return file.getvalue()


@pytest.mark.parametrize("ground, ink", [("white", "black"), ("#0f172a", "#e2e8f0")])
def test_columns_become_a_table(ground, ink):
    found = read(saved(drawn(NUMBERS, ground, ink)), "en")
    told = [[cell.strip() for cell in line.split("|")[1:-1]] for line in found.text.split("\n")]
    assert [told[0], *told[2:]] == NUMBERS
    assert (found.unsure, found.unread) == (0, 0)


@pytest.mark.parametrize("kind", ["JPEG", "WEBP"])
def test_numbers_are_read_digit_by_digit(kind):
    rng = random.Random(kind)
    lines = [[f"A = {rng.uniform(-9, 9):.4f}, {rng.uniform(-1, 1):+.3f}"] for _ in range(3)]
    found = read(saved(drawn(lines), kind), "en").text
    assert score("\n".join(line for (line,) in lines), found).wrong == 0
    assert score("\n".join(line for (line,) in lines), found).marked <= 1


def test_what_cannot_be_seen_is_marked_and_not_guessed():
    picture = drawn([["V = 0.4581"]], size=24)
    left = 20 + round(ImageFont.load_default(24).getlength("V = 0.4"))
    pixels = np.asarray(picture).copy()
    noise = np.random.default_rng(0).integers(0, 2, (26, 13, 1))
    pixels[22:48, left : left + 13] = 255 * noise
    found = read(saved(Image.fromarray(pixels)), "en")
    assert MARK in found.text and found.unsure >= 1 and "0.4581" not in found.text


def test_a_picture_without_text_says_so():
    assert read(saved(Image.new("RGB", (80, 60), "white")), "en").text == ""


# ------------------------------------------------------------ formulas that stand above one another


def _fraction() -> list[Stroke]:
    above, below = Stroke(1, 40, 0, 50, 12), Stroke(2, 38, 22, 52, 36)
    return [above, Stroke(3, 34, 16, 56, 18), below, Stroke(4, 0, 10, 10, 24)]


def test_a_fraction_is_one_formula_beside_its_line():
    apart, formulas = stacked(_fraction(), np.zeros((40, 80), np.uint8), 10)
    assert [one.label for one in apart] == [4]
    assert [one.is_formula for one in formulas] == [True] and formulas[0].middle == 17


@pytest.mark.parametrize("missing", [1, 2])
def test_a_dash_with_text_on_one_side_is_a_dash(missing):
    strokes = [one for one in _fraction() if one.label != missing]
    assert stacked(strokes, np.zeros((40, 80), np.uint8), 10) == (strokes, [])


def _formula() -> bytes:
    picture = Image.new("RGB", (560, 140), "white")
    font, draw = ImageFont.load_default(24), ImageDraw.Draw(picture)
    for at, text in ((75, 66), "ratio ="), ((162, 48), "3 + a"), ((162, 88), "1 + b"), ((300, 66), "+ 0.25 and more"):
        draw.text(at, text, "black", font, anchor="mm")
    draw.line((132, 66, 192, 66), "black", 2)
    return saved(picture)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_stacked_formula_is_marked(language):
    found = read(_formula(), language)
    assert found.unread == 1 and word(language, "pictures", "formula") in found.text
    assert "ratio" in found.text and "0.25" in found.text


def test_a_named_recogniser_reads_it():
    seen = []

    def recogniser(part):
        seen.append(part.shape)
        return r"\frac{3 + a}{1 + b}"

    found = read(_formula(), "en", recogniser)
    assert len(seen) == 1 and r"$\frac{3 + a}{1 + b}$" in found.text and found.unread == 0
    assert read(_formula(), "en", lambda _: "").unread == 1


# ------------------------------------------------------------ files that are none


def _code(data: bytes) -> str:
    with pytest.raises(EngineError) as error:
        decoded(data)
    return error.value.code


def test_broken_files_are_refused():
    whole = saved(drawn(NUMBERS))
    broken = [whole[:n] for n in (0, 4, 20, len(whole) // 2, len(whole) - 400)]
    assert {_code(data) for data in [*broken, b"<svg/>", b"GIF89a" + whole]} == {"bad_picture"}
    assert _code(saved(drawn(NUMBERS), "JPEG")[:-400]) == "bad_picture"


def test_large_files_are_refused_before_they_are_unpacked():
    assert _code(b"\x89PNG" + bytes(MOST_BYTES)) == "picture_too_large"
    bomb = saved(Image.new("1", (20_000, MOST_PIXELS // 20_000 + 1)))
    assert len(bomb) < 100_000 and _code(bomb) == "picture_too_many_pixels"


def test_transparent_ground_is_the_one_that_shows_the_ink():
    for ink, ground in (("black", 255), ("white", 0)):
        picture = Image.new("RGBA", (60, 40))
        ImageDraw.Draw(picture).rectangle((20, 10, 40, 30), ink)
        assert decoded(saved(picture))[0, 0].tolist() == [ground] * 3


# ------------------------------------------------------------ how the page and the terminal ask for it


def test_the_page_is_told_the_text_and_what_to_look_at():
    address = "data:image/png;base64," + base64.b64encode(saved(drawn(NUMBERS))).decode()
    told = json.loads(on_picture(address, "zh"))
    assert "0.085" in told["text"] and told["said"] == word("zh", "pictures", "read")


@pytest.mark.parametrize("sent", [None, 3, "", "data:,", "data:image/png;base64,@@@", "x" * (2 * MOST_BYTES)])
def test_whatever_is_sent_the_page_is_told_what_is_wrong(sent):
    told = json.loads(on_picture(sent, "en"))
    assert told["text"] == "" and told["said"]


def test_in_a_terminal(tmp_path):
    file = tmp_path / "numbers.png"
    file.write_bytes(saved(drawn(NUMBERS)))
    done = subprocess.run([sys.executable, "app.py", "ask", "--picture", file], capture_output=True, cwd=ROOT)
    assert done.returncode == 0 and "| 1 | -1.25 | 0.7 | 0.3 |" in done.stdout.decode()
    file.write_bytes(b"no picture")
    done = subprocess.run([sys.executable, "app.py", "ask", "--picture", file, "?"], capture_output=True, cwd=ROOT)
    assert done.returncode == 1 and b"png, jpeg and webp" in done.stderr


def test_without_the_package_the_page_says_how_to_get_it():
    program = (
        "import sys\nsys.modules['rapidocr'] = None\nimport app\nfrom prompts.pictures.sent import on_picture\n"
        "for language in ('zh', 'en'): print(on_picture('data:image/png;base64,', language))\n"
        "assert not {'cv2', 'onnxruntime', 'rapidocr.main'} & {*sys.modules}\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=ROOT, check=True)
    assert [".[pictures]" in line for line in done.stdout.decode().splitlines()] == [True, True]


# ------------------------------------------------------------ the measure


def test_the_measure_can_fail():
    assert score("A = -0.25, 1.5", "A = −0.25, 1.5") == Score(8 + 1, 8 + 1)
    assert score("0.25", "0.35") == Score(4, 3, 0, 1)
    assert score("0.25", f"0.{MARK}5") == Score(4, 3, 1, 0)
    assert score("-0.25", "0.25").wrong == 1 and score("0.25", "10.25").wrong == 1


def test_scenes_are_of_every_kind():
    scenes = [scene(kind, seed) for kind in KINDS for seed in range(24)]
    for part in ("font", "dark", "scale", "jpeg"):
        assert {getattr(one, part) for one in scenes if one.kind == "log"} == {getattr(one, part) for one in scenes}
    assert scene("sheet", 3).html == scene("sheet", 3).html
