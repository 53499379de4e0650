"""The words of wording.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

_READ = tomllib.loads(Path(__file__).with_name("wording.toml").read_text("utf-8"))
_Spelt = Mapping[str, tuple[str, ...]]


def _tuples(table: Mapping[str, list[str]]) -> _Spelt:
    return {key: tuple(spelt) for key, spelt in table.items()}


HEADS: Mapping[str, _Spelt] = {name: _tuples(table) for name, table in _READ["heads"].items()}  # by manner
SCALARS: Mapping[str, _Spelt] = {name: _tuples(table) for name, table in _READ["scalars"].items()}  # below a table
KINDS: Mapping[str, _Spelt] = {name: _tuples(table) for name, table in _READ["kinds"].items()}  # said of a sheet
SETTINGS, ONLY_GAMMA = _tuples(_READ["settings"]), _tuples(_READ["only_gamma"])
BETAS, EPSILONS, CLIPRANGES = (_tuples(_READ[name]) for name in ("betas", "epsilons", "clipranges"))
ASKS, OPENINGS = _tuples(_READ["asks"]), _tuples(_READ["openings"])
INDEX, MEMBER, TOKEN, WORDS = (_tuples(_READ[name]) for name in ("index", "member", "token", "words"))
