"""The progress of a run: one line on a terminal, elsewhere a line for each evaluation."""

from __future__ import annotations

import math
import time
from typing import TextIO

from training import duration
from training.config import Config
from training.curve import Row
from training.run import Meter

_HEADLINES = ("share", "score")


class Progress:
    """The progress of one run, on a terminal or in a log."""

    def __init__(self, config: Config, budget: float, out: TextIO) -> None:
        self._config = config
        self._budget = budget
        self._out = out
        self._terminal = out.isatty()
        self._shown = -math.inf
        self._headline = ""

    def __call__(self, meter: Meter, row: Row | None) -> None:
        """Show a chunk, at most five times a second on a terminal, and each evaluation."""
        if row is not None:
            found = [f"{name} {row[name]:.4g}" for name in _HEADLINES if name in row]
            self._headline = "  ".join(found)
        if self._terminal:
            if row is not None or time.monotonic() - self._shown > 0.2:
                self._out.write(f"\r{self.line(meter)}\x1b[K")
                self._shown = time.monotonic()
        elif row is not None:
            self._out.write(self.line(meter) + "\n")
        self._out.flush()

    def end(self) -> None:
        """End the line."""
        if self._terminal:
            self._out.write("\n")

    def line(self, meter: Meter) -> str:
        """Return the run, steps, games, the last evaluation and the time left."""
        run = self._config.run
        spent = meter.spent(run.clock)
        rate = meter.steps / spent if spent else 0.0
        parts = [
            f"{run.name or run.method} {run.rules} {run.size}",
            f"{meter.steps:,} steps ({rate:,.0f}/s)",
            f"{meter.games:,} games",
            self._headline,
            f"{duration.render(spent)}{self._left(meter, rate)}",
        ]
        return "  ".join(part for part in parts if part)

    def _left(self, meter: Meter, rate: float) -> str:
        """Return the time that is left, if that is known."""
        left = self._budget - meter.spent(self._config.run.clock)
        if self._config.run.steps and rate:
            left = min(left, (self._config.run.steps - meter.steps) / rate)
        return "" if math.isinf(left) else f", {duration.render(max(0.0, left))} left"
