"""A picture that is chosen, pasted or dropped comes back as text in the box, to be corrected and asked about."""

from __future__ import annotations

import base64

import pytest

from prompts.pictures.place import MOST_BYTES
from prompts.tell.words import word
from tests.pictures.test_reading import NUMBERS, drawn, saved

PATIENCE = 120_000  # milliseconds
# A file of a picture, as the browser hands it to a page with an event.
GIVE = """([event, data]) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0)), files = new DataTransfer();
  files.items.add(new File([bytes], "numbers.png", { type: "image/png" }));
  const box = document.querySelector("#box textarea"), more = { bubbles: true, cancelable: true };
  if (event === "paste") box.dispatchEvent(new ClipboardEvent(event, { clipboardData: files, ...more }));
  else box.dispatchEvent(new DragEvent(event, { dataTransfer: files, ...more }));
}"""


def _read(visitor) -> str:
    visitor.page.wait_for_function("document.querySelector('#box textarea').value.includes('|')", timeout=PATIENCE)
    return visitor.box.input_value()


def _told(visitor, text: str) -> None:
    told = "text => document.querySelector('#picture [role=status]').textContent.includes(text)"
    visitor.page.wait_for_function(told, arg=text, timeout=PATIENCE)


@pytest.mark.parametrize("event", ["paste", "drop"])
def test_a_picture_becomes_text_to_correct(visit, event):
    visitor = visit("zh")
    visitor.box.fill("这些数对吗？")
    visitor.page.evaluate(GIVE, [event, base64.b64encode(saved(drawn(NUMBERS))).decode()])
    text = _read(visitor)
    assert text.startswith("这些数对吗？\n\n| t | reward |") and "| 1 | -1.25 | 0.7 | 0.3 |" in text
    _told(visitor, word("zh", "pictures", "read"))
    visitor.box.press("Enter")
    visitor.answered(1)
    assert "0.085" in visitor.answers.first.inner_text()


def test_a_picture_is_chosen_on_a_phone_and_a_wrong_file_is_refused(visit):
    visitor = visit("en", 390)
    chooser = visitor.page.locator("#picture input")
    chooser.set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"no picture"})
    _told(visitor, word("en", "errors", "bad_picture"))
    chooser.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": bytes(MOST_BYTES + 1)})
    _told(visitor, "4 MB")
    chooser.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": b"\x89PNG"})
    _told(visitor, word("en", "errors", "bad_picture"))
    chooser.set_input_files({"name": "a.png", "mimeType": "image/png", "buffer": saved(drawn(NUMBERS))})
    assert "0.085" in _read(visitor)
    assert max(visitor.overflow()) <= 1
