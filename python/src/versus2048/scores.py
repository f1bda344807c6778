"""Which scores of an event are in the statistics of ``arena stats``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]

_NOT_LEFT = -1
_FAULTS = ("illegal-move", "time", "disconnect")


@dataclass(eq=False)
class Event:
    """The games of an event, as rows."""

    settings: dict[str, Any]
    """The settings as in ``docs/API.md``."""
    stays: Iterable[tuple[str, int]] = ()
    """The last match, or -1 for none, of each bot that joined or left during the event."""
    matches: dict[int, list[Row]] = field(default_factory=dict)
    """The finished games of each match."""

    def add(self, row: Row) -> None:
        """Add a game, if it is finished."""
        if row["ending"] != "unfinished":
            self.matches.setdefault(row["match"], []).append(row)

    def scored(self) -> set[int]:
        """Return the numbers of the games with a score that counts in the statistics."""
        aside = self._set_aside()
        early = self.settings.get("adjudication", {}).get("early_decision", False)
        return {
            row["game"]
            for _, legs in self._decided()
            if not self._left_out(aside, legs[0])
            for row in legs
            if row["winner"] != "defender"  # the attacker has failed or resigned
            and row["ending"] != "decided"
            and not (early and row["leg"] == 2)  # it might have been decided
        }

    def _decided(self) -> Iterator[tuple[int, list[Row]]]:
        """Yield the matches with two finished games, by number."""
        return ((match, legs) for match, legs in sorted(self.matches.items()) if len(legs) == 2)

    def _left_out(self, aside: dict[str, int], row: Row) -> bool:
        """Return whether strikes, or a bot that has left, keep a match out of the statistics."""
        void = self.settings.get("strikes", {}).get("games") == "void"
        return _excluded(aside, row) or (void and any(bot in aside for bot in _bots(row)))

    def _set_aside(self) -> dict[str, int]:
        """Return the bots that strikes have set aside, with the matches of their last faults.

        If the event is no ladder, the bots that have left it are included, with their last matches.
        """
        most = self.settings.get("strikes", {}).get("faults", 0)
        plan = self.settings.get("plan", {})
        ladder = plan.get("kind") == "ladder"
        aside = {bot: last for bot, last in self.stays if last != _NOT_LEFT and not ladder}
        if not most or plan.get("open"):
            return aside
        faults: dict[str, int] = {}
        for match, legs in self._decided():
            if _excluded(aside, legs[0]):
                continue
            for bot in (_faulty(row) for row in legs):
                if bot:
                    faults[bot] = faults.get(bot, 0) + 1
            aside |= {bot: match for bot in _bots(legs[0]) if faults.get(bot, 0) >= most}
        return aside


def _bots(row: Row) -> tuple[str, str]:
    return row["first"], row["second"]


def _excluded(aside: dict[str, int], row: Row) -> bool:
    """Return whether a bot was set aside before the match."""
    return any(aside.get(bot, row["match"]) < row["match"] for bot in _bots(row))


def _faulty(row: Row) -> str | None:
    """Return the bot that has ended a game by a fault."""
    if row["ending"] not in _FAULTS:
        return None
    defends, attacks = _bots(row) if row["leg"] == 1 else reversed(_bots(row))
    return attacks if row["winner"] == "defender" else defends
