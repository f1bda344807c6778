import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import DATA
from versus2048 import load_games

ROOT = Path(__file__).parents[2]
PAGES = ("python/README.md", "docs/PARQUET.md")
BLOCKS = [
    pytest.param(code, id=f"{page}:{number}")
    for page in PAGES
    for number, code in enumerate(
        re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.M | re.S), start=1
    )
]


def test_there_are_programs():
    assert len(BLOCKS) >= 6


@pytest.mark.parametrize("code", BLOCKS)
def test_programs_of_the_pages_run(code, tmp_path):
    export = tmp_path / "paper.jsonl.gz"
    shutil.copy(DATA / "gpcc2016-3x2.jsonl.gz", export)
    load_games(export).write(tmp_path / "games")
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=os.environ | {"PYTHONWARNINGS": "error"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["steps", "compare"])
def test_benchmark(name):
    """The benchmark runs; the page has the rows that the comparison prints."""
    done = subprocess.run(
        [sys.executable, ROOT / f"python/bench/{name}.py", "0.001"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    names = [line.split("|")[1] for line in done.stdout.splitlines() if line.startswith("|")]
    page = (ROOT / "python/README.md").read_text()
    assert names and (name == "steps" or all(f"\n|{row}|" in page for row in names))


def test_links_of_the_page():
    """They are headings of the page, addresses, or files, which `make module` gives addresses."""
    page = (ROOT / "python/README.md").read_text()
    headings = {
        "#" + re.sub(r"[^a-z0-9-]", "", title.lower().replace(" ", "-"))
        for title in re.findall(r"^#+ (.+)$", page, re.M)
    }
    files = dict(re.findall(r"^\[(.+)\]: (\S+)$", page, re.M))
    assert files and all((ROOT / "python" / file).exists() for file in files.values()), files
    assert all(page.count(f"[{name}]") > 1 for name in files), files
    links = {link for link in re.findall(r"\]\(([^)]+)\)", page) if not link.startswith("https://")}
    assert links <= headings, links - headings


def test_license():
    """A wheel takes it from its own folder."""
    assert (ROOT / "python/LICENSE").read_text() == (ROOT / "LICENSE").read_text()
