"""One game and the standings of the tables, which notebooks show as pages."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from versus2048.drawing import as_svg
from versus2048.position import Position

if TYPE_CHECKING:
    from versus2048.data import Tables


@dataclass(frozen=True)
class Game:
    """A recorded game: its row of the table, its moves, and its positions, one more."""

    row: dict[str, Any]
    moves: list[str]
    positions: list[Position]

    @classmethod
    def of(cls, tables: Tables, number: int) -> Game:
        """Return the game of that number. ValueError if there is none."""
        import pyarrow.compute as pc

        rows = tables.games.filter(pc.equal(tables.games["game"], number)).to_pylist()
        if not rows:
            raise ValueError(f"game {number}: there is none in these tables")
        plies = tables.plies.filter(pc.equal(tables.plies["game"], number)).sort_by("ply")
        positions = [Position.parse(rows[0]["start"], rows[0]["rules"])]
        for move in (moves := plies["move"].to_pylist()):
            positions.append(positions[-1].play(move))
        return cls(rows[0], moves, positions)

    def _repr_html_(self) -> str:
        row = self.row
        facts = (
            f"game {row['game']} of {row['event']}: {row['attacker']} attacks, {row['defender']} "
            f"defends, {row['rules']}, {row['size']}; score {row['score']} in {row['plies']} plies"
            f", {row['ending']}"
        )
        board = as_svg(self.positions[-1])
        return f"<figure>{board}<figcaption>{escape(facts)}</figcaption></figure>"


@dataclass(frozen=True)
class Standing:
    """The mean scores of a bot, over its games whose scores count."""

    bot: str
    games: int
    defends: float
    """The mean score that it has made, NaN if it has not defended."""
    attacks: float
    """The mean score that others have made against it, NaN if it has not attacked."""


class Standings(list[Standing]):
    """The bots by the difference of both means, the best first."""

    @classmethod
    def of(cls, tables: Tables) -> Standings:
        """Return the standings of the games with ``scored``."""
        made: dict[str, tuple[list[int], list[int]]] = {}
        for row in tables.games.to_pylist():
            if row["scored"]:
                for role, side in enumerate(("defender", "attacker")):
                    made.setdefault(row[side], ([], []))[role].append(row["score"])
        standings = [
            Standing(bot, len(own) + len(others), _mean(own), _mean(others))
            for bot, (own, others) in made.items()
        ]
        return cls(sorted(standings, key=lambda s: (-(s.defends - s.attacks), s.bot)))

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(s.bot)}</td><td>{s.games}</td><td>{s.defends:,.0f}</td>"
            f"<td>{s.attacks:,.0f}</td></tr>"
            for s in self
        )
        head = "<tr><th>bot</th><th>games</th><th>makes</th><th>concedes</th></tr>"
        return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _mean(scores: list[int]) -> float:
    return sum(scores) / len(scores) if scores else float("nan")
