"""Learning curves: the table of one run, the means over several seeds, and plots."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Row = dict[str, float]
"""An evaluation by its columns: steps, seconds, processor, games, positions, measurements."""
Runs = Mapping[str, Sequence[Row]]
"""The curves of a group of runs, by their folders, which errors name."""
Axis = Literal["steps", "seconds", "processor"]
POINTS = 100
"""Of a mean curve."""
CONFIDENCE = 0.95

_LABELS = {
    "steps": "steps",
    "seconds": "seconds of learning",
    "processor": "processor seconds",
    "share": "share of the optimum",
    "score": "mean score",
}


class CurveError(ValueError):
    """A file that is no curve, or curves without the wanted column."""


def render(rows: Sequence[Row]) -> str:
    """Return rows as CSV; a column that a row does not have is empty in it."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: f"{value:.10g}" for name, value in row.items()} for row in rows)
    return out.getvalue()


def read(path: Path) -> list[Row]:
    """Read a file of render. CurveError if the file is something else."""
    try:
        with path.open(newline="") as file:
            rows = [{k: float(v) for k, v in row.items() if v} for row in csv.DictReader(file)]
    except (OSError, ValueError, TypeError, AttributeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a table of numbers"
        raise CurveError(f"{path}: {reason}") from None
    for column in ("steps", "seconds"):  # older curves have no time of the processor
        if not all(column in row for row in rows):
            raise CurveError(f"{path}: it is no curve: a row without {column}")
    return rows


@dataclass(frozen=True)
class Mean:
    """The mean of several runs with a t-interval for it; without one where there is one run."""

    x: NDArray[np.float64]
    mean: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    runs: int


def mean(runs: Runs, metric: str, axis: Axis) -> Mean:
    """Return the mean of a metric over runs, between the points that all of them have reached.

    Each run is interpolated linearly at the same points, which are spaced evenly on a logarithmic
    axis. CurveError if a run has fewer than two values, or no point is common to all.
    """
    curves = {name: _points(name, rows, metric, axis) for name, rows in runs.items()}
    late = max(curves, key=lambda name: curves[name][0, 0])
    early = min(curves, key=lambda name: curves[name][0, -1])
    first, last = curves[late][0, 0], curves[early][0, -1]
    if last < first:
        raise CurveError(
            f"{late} begins at {first:g} {axis}, {early} of the same group ends at {last:g}, so "
            "that they have no points in common: give one of them another name in its run.toml"
        )
    x = np.geomspace(first, last, POINTS)
    values = np.stack([np.interp(x, c[0], c[1]) for c in curves.values()])
    centre = values.mean(0)
    half = np.zeros_like(centre)
    if len(runs) > 1:
        error = values.std(0, ddof=1) / len(runs) ** 0.5
        half = error * float(stats.t.ppf((1 + CONFIDENCE) / 2, len(runs) - 1))
    return Mean(x, centre, centre - half, centre + half, len(runs))


def _points(name: str, rows: Sequence[Row], metric: str, axis: Axis) -> NDArray[np.float64]:
    """Return a run's places on an axis and its values. CurveError if they are fewer than two."""
    if not all(axis in row for row in rows):
        wanted = "leave the run out, or --csv"
        raise CurveError(f"{name}: rows without {axis}, as earlier versions wrote: {wanted}")
    found = [(row[axis], row[metric]) for row in rows if metric in row and row[axis] > 0]
    if len(found) >= 2:
        return np.array(found).T
    columns = ", ".join(sorted({column for row in rows for column in row} - {*get_args(Axis)}))
    raise CurveError(
        f"{name}: fewer than two values of {metric}: leave the run out if it ended before it was "
        f"evaluated twice, or give --metric one of {columns or 'its columns, which are none yet'}"
    )


def plot(groups: Mapping[str, Runs], metric: str, path: Path) -> None:
    """Draw the mean of each group of runs, by steps and by seconds, as SVG, PNG or PDF."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "versus2048"  # the same curves make the same file
    from matplotlib import pyplot

    axes: tuple[Axis, ...] = ("steps", "seconds")
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    for panel, axis in zip(panels, axes, strict=True):
        for name, runs in groups.items():
            _draw(panel, name, mean(runs, metric, axis))
        panel.set(xscale="log", xlabel=_LABELS[axis])
        panel.grid(alpha=0.3)
    panels[0].set_ylabel(_LABELS.get(metric, metric))
    panels[0].legend()
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, metadata=metadata)
    pyplot.close(figure)


def _draw(panel: Any, name: str, curve: Mean) -> None:
    """Draw one mean with its interval."""
    label = name if curve.runs == 1 else f"{name} ({curve.runs} seeds)"
    (line,) = panel.plot(curve.x, curve.mean, label=label)
    panel.fill_between(curve.x, curve.low, curve.high, alpha=0.2, color=line.get_color())


def render_means(groups: Mapping[str, Runs], metric: str) -> str:
    """Return the means of each group, by each axis, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["runs", "group", "axis", "x", f"{metric}_mean", "low", "high"])
    for name, runs in groups.items():
        for axis in get_args(Axis):
            curve = mean(runs, metric, axis)
            for values in zip(curve.x, curve.mean, curve.low, curve.high, strict=True):
                writer.writerow([curve.runs, name, axis, *(f"{v:.6g}" for v in values)])
    return out.getvalue()
