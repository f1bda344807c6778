"""The command line: run, resume, plot."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from training import checkpoint, config, curve
from training.checkpoint import CheckpointError
from training.config import Config, ConfigError
from training.curve import CurveError
from training.machine import DeviceError, computing
from training.methods import METHODS, build
from training.network import NetworkError
from training.progress import Progress
from training.run import DivergedError, Folder, Run

if sys.platform != "win32":
    import fcntl

_STOPPED = 130  # the usual status after Ctrl-C
_WRONG_INPUT = (ConfigError, CheckpointError, CurveError, NetworkError)


class UsageError(Exception):
    """An argument that is wrong: one line."""


class _Parser(argparse.ArgumentParser):
    """A parser with errors of one line."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} ({self.prog} --help lists all arguments)")


def main(arguments: Sequence[str], methods: Mapping[str, str] = METHODS) -> int:
    """Run a command and return the exit code: 0, 1 (failed), 2 (wrong input) or 130 (stopped)."""
    try:
        chosen = _parser().parse_args(arguments)
        if chosen.command == "plot":
            return _plot(chosen)
        with computing():
            return (_run if chosen.command == "run" else _resume)(chosen, methods)
    except (UsageError, *_WRONG_INPUT) as error:
        return _fail(error, 2)
    except (DeviceError, DivergedError, MemoryError, OSError) as error:
        return _fail(error, 1)
    except KeyboardInterrupt:
        return _STOPPED


def _fail(error: Exception, code: int) -> int:
    """Print an error as one line."""
    print(f"training: {error}", file=sys.stderr)
    return code


def _parser() -> argparse.ArgumentParser:
    """Describe the arguments."""
    parser = _Parser(prog="python -m training", description="Learning players of 2048.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="learn as a file says")
    run.add_argument("file", type=Path, metavar="FILE.toml", help="the settings")
    run.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    run.add_argument("--seed", type=int, metavar="N", help="the same as --set run.seed=N")
    run.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="TABLE.KEY=VALUE",
        help="change a setting, such as td.rate=0.001; may be given several times",
    )
    resume = commands.add_parser("resume", help="go on with a run from its last checkpoint")
    resume.add_argument("folder", type=Path, metavar="DIR", help="the run's folder")
    for command in (run, resume):
        command.add_argument(
            "--budget", metavar="TIME", help="end after that much learning in all, such as 20m"
        )
    plot = commands.add_parser("plot", help="draw the means of runs with several seeds")
    plot.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="folders of runs")
    plot.add_argument("--out", type=Path, required=True, metavar="FILE.svg", help="or .png, .pdf")
    plot.add_argument("--metric", default="share", help="a column of curve.csv (share)")
    plot.add_argument("--csv", type=Path, metavar="FILE", help="also write the means as a table")
    return parser


def _run(chosen: argparse.Namespace, methods: Mapping[str, str]) -> int:
    """Start a run in a new folder."""
    settings = list(chosen.set)
    if chosen.seed is not None:
        settings.append(f"run.seed={chosen.seed}")
    if chosen.budget is not None:
        settings.append(f'run.budget="{chosen.budget}"')
    loaded = config.load(chosen.file, settings)
    folder = Folder(chosen.out)
    if folder.config.exists():
        raise UsageError(
            f"{folder.path} has a run already: resume it, or give --out another folder"
        )
    run = Run(loaded, build(loaded, methods), folder, _command(chosen.file, settings, folder))
    folder.path.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        checkpoint.write_atomically(folder.config, loaded.text.encode())
        return _learn(run, folder, loaded)


def _command(file: Path, settings: Sequence[str], folder: Folder) -> str:
    """Return the command that learns the same again, for recipes."""
    out = folder.path.resolve().name  # also of a folder that was given as "."
    command = shlex.join(["python", "-m", "training", "run", str(file), "--out", out])
    return _changed(command, settings)


def _changed(command: str, settings: Sequence[str]) -> str:
    """Return the command of a recipe with further settings; of two of one key the last counts."""
    return shlex.join([*shlex.split(command), *(f"--set={setting}" for setting in settings)])


def _resume(chosen: argparse.Namespace, methods: Mapping[str, str]) -> int:
    """Go on with a run; from its beginning, if it was stopped before its first checkpoint."""
    folder = Folder(chosen.folder)
    settings = [] if chosen.budget is None else [f'run.budget="{chosen.budget}"']
    loaded = config.load(folder.config, settings)
    run = Run(loaded, build(loaded, methods), folder, _command(folder.config, [], folder))
    with _alone(folder):
        if folder.checkpoint.exists():
            run.restore()
        if run.meter.budget != loaded.run.budget:  # perhaps since a part that was soon killed
            run.meter.budget = loaded.run.budget
            setting = f'run.budget="{run.meter.budget}"'
            run.meter.command = _changed(run.meter.command, [setting])
        if run.over():
            print(f"{folder.path}: the run is over, after {run.meter.steps:,} steps")
            return 0
        if settings:
            checkpoint.write_atomically(folder.config, loaded.text.encode())
        return _learn(run, folder, loaded)


def _learn(run: Run, folder: Folder, loaded: Config) -> int:
    """Learn to the end, or to Ctrl-C."""
    shown = Progress(loaded, run.budget, sys.stderr)
    try:
        with _interrupts() as stopped:
            over = run.learn(shown, stopped)
    finally:
        shown.end()  # before an error, too
    if over:
        print(folder.final)
        return 0
    again = shlex.join(["python", "-m", "training", "resume", str(folder.path)])
    print(f"stopped; to go on: {again}", file=sys.stderr)
    return _STOPPED


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Note Ctrl-C and SIGTERM instead of ending at once; a second one ends."""
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(number)
        print("\nfinishing this chunk, then writing a checkpoint", file=sys.stderr)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(seen)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _alone(folder: Folder) -> Iterator[None]:
    """Keep other processes out of a run's folder. UsageError if one is in it."""
    if sys.platform == "win32":  # which locks no folders
        yield
    else:
        held = os.open(folder.path, os.O_RDONLY)
        try:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UsageError(f"{folder.path}: another process is learning there") from None
            yield
        finally:
            os.close(held)


def _plot(chosen: argparse.Namespace) -> int:
    """Draw the mean curves of runs that differ in their seeds."""
    if chosen.out.suffix not in (".svg", ".png", ".pdf"):
        raise UsageError(f"--out {chosen.out}: want a name that ends in .svg, .png or .pdf")
    groups = group([Folder(path) for path in chosen.folders])
    curve.plot(groups, chosen.metric, chosen.out)
    if chosen.csv:
        checkpoint.write_atomically(chosen.csv, curve.render_means(groups, chosen.metric).encode())
    return 0


def group(folders: Sequence[Folder]) -> dict[str, dict[str, list[curve.Row]]]:
    """Return the curves of runs in groups: by name, else by method, and by rules and size.

    The curves of a group are by their folders. Rules and size are named if the runs differ in them.
    """
    runs = {folder: config.load(folder.config).run for folder in folders}
    games = {(run.rules, run.size) for run in runs.values()}
    groups: dict[str, dict[str, list[curve.Row]]] = {}
    for folder, run in runs.items():
        where = f", {run.rules} {run.size}" if len(games) > 1 else ""
        curves = groups.setdefault(f"{run.name or run.method}{where}", {})
        curves[str(folder.path)] = curve.read(folder.curve)
    return groups
