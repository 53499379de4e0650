"""Compare lessons/_sources.toml with the real packages: `make sources`.

Each release that the table names is installed apart, without its dependencies, and only read, never imported.
Each place must be where the table says, and match its pattern; then the day is written into lessons/_checked.toml.
"""

from __future__ import annotations

import datetime
import subprocess
import sys
from collections.abc import Iterable

from lessons import _sources
from lessons._sources import Place, Release


def install(release: Release) -> None:
    if not release.apart.is_dir():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--target", str(release.apart), release.requirement], check=True)


def found_wrong(places: Iterable[Place]) -> list[str]:
    """What does not stand in the packages as the table says, a line each."""
    said = [(place, _sources.wrong(place)) for place in places]
    return [f"{place.topic}, {place.release.name}: {wrong}" for place, wrong in said if wrong is not None]


def written(releases: Iterable[Release], day: datetime.date) -> str:
    lines = [f'"{release.name}" = {day.isoformat()}' for release in releases]
    return "\n".join(
        ["# The day on which every place of a release was found in its package. Written by `make sources`.", *lines, ""]
    )


def main() -> int:
    packaged = [release for release in _sources.releases() if release.commit is None]
    for release in packaged:
        install(release)
    places = [place for place in _sources.places() if place.release in packaged]
    wrong = found_wrong(places)
    if wrong:
        print("\n".join(wrong))
        return 1
    _sources.CHECKED.write_text(written(packaged, datetime.date.today()), encoding="utf-8")
    print(f"{len(places)} places in {len(packaged)} packages are as lessons/_sources.toml says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
