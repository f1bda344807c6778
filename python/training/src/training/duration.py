"""Durations as text, as Go writes them: 90s, 20m, 1h30m."""

from __future__ import annotations

import re

_SECONDS = {"h": 3600, "m": 60, "s": 1}


def parse(text: str) -> float:
    """Return the seconds of a duration such as 90s, 20m or 1h30m. ValueError for other texts."""
    if not re.fullmatch(r"(\d+(\.\d+)?[hms])+", text):
        raise ValueError(
            f"duration {text!r}: want a number and its unit, such as 90s, 20m or 1h30m"
        )
    return sum(
        float(n) * _SECONDS[unit] for n, _, unit in re.findall(r"(\d+(\.\d+)?)([hms])", text)
    )


def render(seconds: float) -> str:
    """Return a duration in whole seconds as text."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(hours, "h"), (minutes, "m"), (rest, "s")]
    return "".join(f"{n}{unit}" for n, unit in parts if n) or "0s"
