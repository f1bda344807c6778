"""The standings of bots by their matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass
class Standing:
    """The results of a bot in its finished matches, and its mean scores."""

    bot: str
    matches: int = 0
    points: float = 0.0
    """1 for each match that it has won, 1/2 for each draw."""
    margin: int = 0
    """The sum of its scores as a defender minus those of the other bots against it."""
    defends: float = float("nan")
    """The mean score that it has made, over the games that count; NaN without one."""
    attacks: float = float("nan")
    """The mean score that others have made against it, likewise."""


class Standings(list[Standing]):
    """The bots by points, of equal ones by margin, as a league ranks them.

    The winner of a match is that of ``docs/PROTOCOL.md``, "Who won". Matches that strikes exclude
    count here: the tables do not tell them apart.
    """

    @classmethod
    def of(cls, games: Iterable[dict[str, Any]]) -> Standings:
        """Return the standings of rows of the table of games. Games of no match do not count."""
        matches: dict[tuple[str, int], dict[int, dict[str, Any]]] = {}
        bots: dict[str, Standing] = {}
        scores: dict[str, tuple[list[int], list[int]]] = {}
        for row in games:
            if "match" not in row:
                continue
            if row["ending"] != "unfinished":
                matches.setdefault((row["event"], row["match"]), {})[row["leg"]] = row
            if row.get("scored"):
                for role, side in enumerate(("defender", "attacker")):
                    scores.setdefault(row[side], ([], []))[role].append(row["score"])
        for legs in matches.values():
            if len(legs) == 2:
                _count(bots, legs[1], legs[2])
        for bot, standing in bots.items():
            standing.defends, standing.attacks = map(_mean, scores.get(bot, ([], [])))
        return cls(sorted(bots.values(), key=lambda s: (-s.points, -s.margin, s.bot)))

    def _repr_html_(self) -> str:
        names = ("bot", "matches", "points", "margin", "makes", "concedes")
        rows = "".join(
            f"<tr><td>{escape(s.bot)}</td><td>{s.matches}</td><td>{s.points:g}</td>"
            f"<td>{s.margin:,}</td><td>{s.defends:,.0f}</td><td>{s.attacks:,.0f}</td></tr>"
            for s in self
        )
        head = "".join(f"<th>{name}</th>" for name in names)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _count(bots: dict[str, Standing], first: dict[str, Any], second: dict[str, Any]) -> None:
    """Count a match by its legs: a bot that fails or resigns as the attacker has lost it."""
    failed = [leg["winner"] == "defender" for leg in (first, second)]
    margin = 0 if any(failed) else first["score"] - second["score"]
    ahead = failed[0] - failed[1] or (margin > 0) - (margin < 0)
    for bot, sign in ((first["first"], 1), (first["second"], -1)):
        standing = bots.setdefault(bot, Standing(bot))
        standing.matches += 1
        standing.points += (1 + sign * ahead) / 2
        standing.margin += sign * margin


def _mean(scores: list[int]) -> float:
    return sum(scores) / len(scores) if scores else float("nan")
