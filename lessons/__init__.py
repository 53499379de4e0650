"""A folder is a kind of question (_lesson.py says what is in it), told in each of these languages."""

LANGUAGES = ("zh", "en")
