"""The loop of a run: chunks of learning, evaluations, checkpoints, snapshots of the weights.

The folder of a run has run.toml, checkpoint.safetensors, curve.csv, curve.svg, snapshots such as
weights/00240s.safetensors, and in the end final.safetensors. The learning depends on run.toml, with
cnn also on the teacher's file: a run that was stopped, even by ``kill -9``, goes on from its
checkpoint and learns the same.
"""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import jax

from training import checkpoint, curve, duration
from training import network as networks
from training.config import Clock, Config, ConfigError
from training.methods import Method, Progress

FIRST_SNAPSHOT = 15.0
"""Seconds of learning before the first snapshot; each later one takes twice as long."""


class DivergedError(RuntimeError):
    """A loss is not a finite number any more."""


@dataclass(frozen=True)
class Folder:
    """The files of a run."""

    path: Path

    @property
    def config(self) -> Path:
        """The run's settings, as they were changed on the command line."""
        return self.path / "run.toml"

    @property
    def checkpoint(self) -> Path:
        """The state."""
        return self.path / "checkpoint.safetensors"

    @property
    def curve(self) -> Path:
        """The evaluations."""
        return self.path / "curve.csv"

    @property
    def final(self) -> Path:
        """The network at the end."""
        return self.path / "final.safetensors"

    def snapshot(self, seconds: float) -> Path:
        """Return the file of the network after so many seconds of learning."""
        return self.path / "weights" / f"{round(seconds):05d}s.safetensors"


@dataclass
class Meter:
    """The time and the work of a run so far; a part of its checkpoints."""

    command: str
    """To learn the same again, to the end of the budget."""
    budget: str = ""
    """Of the command, as in run.toml; earlier versions did not note it."""
    seconds: float = 0.0
    """Of learning, by the clock: without evaluations, checkpoints and pauses."""
    processor: float = 0.0
    """Of learning, by all cores together."""
    steps: int = 0
    games: int = 0
    positions: int = 0
    sums: dict[str, float] = field(default_factory=dict)
    """Of each metric since the last evaluation."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many chunks each metric was in."""

    @classmethod
    def of(cls, notes: dict[str, Any]) -> Meter:
        """Read the notes of a checkpoint; earlier versions had one count for all metrics."""
        chunks = notes.pop("chunks", 0)
        return cls(**{"counts": dict.fromkeys(notes["sums"], chunks)} | notes)

    def add(self, progress: Progress, seconds: float, processor: float) -> None:
        """Count a chunk."""
        self.seconds += seconds
        self.processor += processor
        self.steps, self.games = progress.steps, progress.games
        self.positions = progress.positions
        for name, value in progress.metrics.items():
            self.sums[name] = self.sums.get(name, 0.0) + float(value)
            self.counts[name] = self.counts.get(name, 0) + 1

    def spent(self, clock: Clock) -> float:
        """Return the seconds of learning by one of the clocks."""
        return self.processor if clock == "processor" else self.seconds

    def take_metrics(self) -> dict[str, float]:
        """Return the means of the metrics since the last call, over the chunks that had them."""
        means = {name: total / self.counts[name] for name, total in self.sums.items()}
        self.sums, self.counts = {}, {}
        return means


Report = Callable[[Meter, "curve.Row | None"], None]
"""Told of each chunk, with a row after an evaluation."""


class Run:
    """A run in its folder."""

    def __init__(self, config: Config, method: Method[Any], folder: Folder, command: str) -> None:
        """Begin a run; nothing is written yet. ConfigError if a duration is wrong."""
        self.config, self.method, self.folder = config, method, folder
        self.meter = Meter(command, config.run.budget)
        self.rows: list[curve.Row] = []
        self.budget = budget_of(config)
        self.checkpoint_every = _seconds("checkpoint", config.run.checkpoint)
        every = config.run.evaluate
        self.evaluate_steps = every if isinstance(every, int) else 0
        self.evaluate_seconds = 0.0 if isinstance(every, int) else _seconds("evaluate", every)
        self.key = jax.random.key(config.run.seed)
        self.state: Any = method.start(jax.random.fold_in(self.key, 0))

    def restore(self) -> None:
        """Go on from the folder's checkpoint. CheckpointError if it is not of this run."""
        path = self.folder.checkpoint
        self.state, notes = checkpoint.load(path, self.state)
        was = notes.pop("recipe", {})  # which earlier versions did not note
        for name, now in self.method.network(self.state).recipe.items():
            if was.get(name, now) != now:
                raise checkpoint.CheckpointError(
                    f"{path}: it is of another {name}: {was[name]}, now {now}; "
                    "bring that back, or begin a new run"
                )
        self.meter = Meter.of(notes)
        rows = curve.read(self.folder.curve) if self.folder.curve.exists() else []
        self.rows = [row for row in rows if row["steps"] <= self.meter.steps]

    @property
    def spent(self) -> float:
        """The seconds of learning so far, by the clock that the run's times count."""
        return self.meter.spent(self.config.run.clock)

    def ended(self) -> bool:
        """Tell whether the steps or the budget are used up."""
        steps = self.config.run.steps
        return bool(steps and self.meter.steps >= steps) or self.spent >= self.budget

    def over(self) -> bool:
        """Tell whether the run has ended and its last network is written.

        If a larger budget let an ended run go on, the network of the earlier end may be there.
        """
        return self.ended() and self._written() == self.meter.steps

    def _written(self) -> object:
        """Return after how many steps the folder's last network was written; None without one."""
        try:
            return networks.load(self.folder.final).recipe.get("steps")
        except networks.NetworkError:
            return None  # or it is damaged, and will be written anew

    def learn(self, report: Report, stopped: Callable[[], bool]) -> bool:
        """Learn to the end, or until stopped says so after a chunk; return whether it is the end.

        In both cases there is a checkpoint. DivergedError if a loss becomes infinite or no number.
        """
        (self.folder.path / "weights").mkdir(parents=True, exist_ok=True)
        if not self.rows:
            self._evaluate(report)
            self._checkpoint()
        saved = time.monotonic()
        while not self.ended() and not stopped():
            before = self.spent
            self._chunk()
            self._snapshot(before)
            if self._due():
                self._evaluate(report)
            else:
                report(self.meter, None)
            if time.monotonic() - saved >= self.checkpoint_every:
                self._checkpoint()
                saved = time.monotonic()
        if self.ended():
            self._finish(report)
        self._checkpoint()
        return self.ended()

    def _chunk(self) -> None:
        """Advance once."""
        began, used = time.monotonic(), time.process_time()
        self.state, progress = self.method.advance(self.state)
        jax.block_until_ready(self.state)  # type: ignore[no-untyped-call]
        self.meter.add(progress, time.monotonic() - began, time.process_time() - used)
        for name, value in progress.metrics.items():
            if "loss" in name and not math.isfinite(value):
                raise DivergedError(
                    f"{name} is {value} after {progress.steps} steps: the learning has diverged; "
                    "begin anew with a smaller rate or another seed, as resume would end here again"
                )

    def _due(self) -> bool:
        """Tell whether it is time for an evaluation."""
        last = self.rows[-1]
        if self.evaluate_steps:
            return self.meter.steps // self.evaluate_steps > last["steps"] // self.evaluate_steps
        column = "processor" if self.config.run.clock == "processor" else "seconds"
        # The rows of earlier versions have no processor time.
        return self.spent - last.get(column, 0.0) >= self.evaluate_seconds

    def _evaluate(self, report: Report) -> None:
        """Evaluate, and write the curve. The random choices depend on the seed and the steps."""
        key = jax.random.fold_in(jax.random.fold_in(self.key, 1), self.meter.steps)
        meter = self.meter
        row: curve.Row = {
            "steps": meter.steps,
            "seconds": meter.seconds,
            "processor": meter.processor,
            "games": meter.games,
            "positions": meter.positions,
        }
        row |= self.method.evaluate(self.state, key) | meter.take_metrics()
        self.rows.append(row)
        checkpoint.write_atomically(self.folder.curve, curve.render(self.rows).encode())
        report(meter, row)

    def _snapshot(self, before: float) -> None:
        """Write the weights if a snapshot's time has come during the last chunk."""
        time_of = last_snapshot(self.spent)
        if time_of > before:
            self._save(self.folder.snapshot(time_of))

    def _checkpoint(self) -> None:
        """Write the state, and the facts that the method learns from besides the settings."""
        notes = asdict(self.meter) | {"recipe": dict(self.method.network(self.state).recipe)}
        checkpoint.save(self.folder.checkpoint, self.state, notes)

    def _finish(self, report: Report) -> None:
        """Evaluate once more, and write the network and the plot."""
        if self.rows[-1]["steps"] < self.meter.steps:
            self._evaluate(report)
        self._save(self.folder.final)
        if "share" in self.rows[-1] and len(self.rows) > 2:
            name = self.config.run.name or self.config.method
            runs = {str(self.folder.path): self.rows}
            curve.plot({name: runs}, "share", self.folder.path / "curve.svg")

    def _save(self, path: Path) -> None:
        """Write the network with its recipe."""
        made = self.method.network(self.state)
        recipe = {**self._recipe(), **made.recipe}
        networks.save(path, replace(made, recipe=recipe), self.config.run.half)

    def _recipe(self) -> dict[str, Any]:
        """Return how the network was learned, so that it can be learned again."""
        meter = self.meter
        return {
            "command": meter.command,
            "config": self.config.text,
            "seed": self.config.run.seed,
            "steps": meter.steps,
            "games": meter.games,
            "seconds": round(meter.seconds, 1),
            "processor": round(meter.processor, 1),
            "versions": {"python": platform.python_version(), "jax": jax.__version__},
        }


def last_snapshot(seconds: float) -> float:
    """Return the time of the last snapshot up to so many seconds of learning; 0 if none."""
    if seconds < FIRST_SNAPSHOT:
        return 0.0
    return FIRST_SNAPSHOT * 2.0 ** math.floor(math.log2(seconds / FIRST_SNAPSHOT))


def budget_of(config: Config) -> float:
    """Return the seconds of learning until a run ends. ConfigError if nothing ends it."""
    if not config.run.steps and not config.run.budget:
        raise ConfigError("[run] neither steps nor a budget would end the run")
    if not config.run.budget:
        return math.inf
    seconds = _seconds("budget", config.run.budget)
    if not seconds:
        raise ConfigError(f"[run] budget = {config.run.budget!r}: want more than no time")
    return seconds


def _seconds(key: str, text: str) -> float:
    """Read a duration of the table [run]."""
    try:
        return duration.parse(text)
    except ValueError as error:
        raise ConfigError(f"[run] {key}: {error}") from None
