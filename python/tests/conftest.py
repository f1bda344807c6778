import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
EXPORTS = sorted(DATA.glob("*.jsonl.gz"))


def pytest_addoption(parser):
    parser.addoption("--no-skip", action="store_true", help="a test that would be skipped fails")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.skipped and item.config.getoption("--no-skip"):
        report.outcome, report.longrepr = "failed", f"skipped: {report.longrepr[2]}"
    return report


def program(name: str) -> str:
    """Return the path of a program of the project, from the environment; skip without it."""
    path = os.environ.get(f"VERSUS2048_{name.upper()}")
    if path is None:
        pytest.skip(f"set VERSUS2048_{name.upper()} to the program {name}: go build ./cmd/{name}")
    return path


@pytest.fixture
def arena() -> Callable[..., str]:
    """Run the arena with arguments; return what it prints."""
    path = program("arena")

    def run(*arguments: object) -> str:
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
