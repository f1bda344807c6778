#!/usr/bin/env python3
"""A loop in which an agent makes a bot for versus 2048 stronger, step by step.

    python3 loop.py --agent 'COMMAND' FOLDER

It begins with the bot that `bot new` writes. In each step COMMAND changes a copy of the best
version. The loop checks it (`bot check`), lets it play a reference (`bot try`), and keeps it if it
scores more. At the end the best version, the first one and the reference play a tournament with
fresh openings.
FOLDER gets the versions, v0 and on, and log.jsonl, a line for each.
"""

import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

TASK = """# Make this bot stronger

This folder is {version} of a bot for versus 2048, a copy of {parent}, the best version so far.
Change it so that it wins more matches against {against}. README.md here names the lines to begin
with; change nothing outside this folder. Leave it so that `{run}` starts the bot{build}.

- Check it: `bot check --json -- {run}`
- Try it: `bot try --json {trial} -- {run}`

Matches and their scores so far, of 1; only legal moves in time count:

{log}
"""


class Problem(Exception):
    """Why the loop cannot go on, in a sentence."""


class Parser(argparse.ArgumentParser):
    """A parser that refuses in one sentence."""

    def error(self, message):
        raise Problem(f"{message} (see: python3 loop.py --help)")


def arguments():
    p = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument(
        "folder", metavar="FOLDER", type=Path, help="a new folder for all that the loop writes"
    )
    p.add_argument(
        "--agent",
        required=True,
        metavar="COMMAND",
        help="changes the bot in the folder where it runs; TASK.md there says how",
    )
    p.add_argument(
        "--steps", type=positive, default=8, help="variants to try at most (%(default)s)"
    )
    p.add_argument(
        "--patience",
        type=positive,
        default=3,
        help="stop after so many steps in a row without a better one (%(default)s)",
    )
    p.add_argument(
        "--agent-minutes", type=minutes, default=15, help="then a step is over (%(default)s)"
    )
    p.add_argument(
        "--language", default="python", help="of the first version, as in bot new (%(default)s)"
    )
    p.add_argument(
        "--against", default="greedy", help="the reference, one of bot list (%(default)s)"
    )
    p.add_argument(
        "--matches", type=positive, default=20, help="of each trial, two games each (%(default)s)"
    )
    p.add_argument(
        "--final-matches",
        type=positive,
        default=50,
        help="of each pair in the tournament (%(default)s)",
    )
    p.add_argument("--seed", type=int, default=1, help="of all trials (%(default)s)")
    p.add_argument("--size", default="4x4", help="the board (%(default)s)")
    p.add_argument("--rules", default="gpcc2015", help="gpcc2015 or gpcc2016 (%(default)s)")
    p.add_argument("--time-per-move", default="100ms", help="(%(default)s)")
    p.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="CHECK",
        help="run only this check; may be repeated",
    )
    return p.parse_args()


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"want a whole number from 1, not {text}")
    return int(text)


def minutes(text):
    try:
        if 0 < float(text) < float("inf"):
            return float(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"want a number of minutes above 0, not {text}")


def result(words, folder):
    """Return the JSON that a command of ours prints. It exits with 1 where the bot failed."""
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    except FileNotFoundError:
        raise Problem(
            f"there is no program {words[0]} on the PATH: install it with go install ./cmd/arena ./cmd/bot"
        ) from None
    if done.returncode not in (0, 1) or not done.stdout.strip():
        raise Problem(
            (done.stderr.strip() or f"{words[0]} ended with {done.returncode}").splitlines()[0]
        )
    return json.loads(done.stdout)


class Loop:
    def __init__(self, options):
        self.options, self.folder = options, options.folder.resolve()
        if self.folder.exists() and any(self.folder.iterdir()):
            raise Problem(f"{options.folder} is not empty: name a new folder")
        self.folder.mkdir(parents=True, exist_ok=True)
        self.bot = result(["bot", "new", "--json", options.language, "v0"], self.folder)
        self.run, self.build = self.bot["run"], self.bot.get("build", "")
        self.game = ["--size", options.size, "--rules", options.rules]
        self.trial = [
            "--against",
            options.against,
            "--matches",
            str(options.matches),
            "--seed",
            str(options.seed),
            "--time-per-move",
            options.time_per_move,
            *self.game,
        ]
        self.log = []

    def note(self, entry):
        """Add a line to the log."""
        self.log.append(entry)
        with open(self.folder / "log.jsonl", "a") as file:
            file.write(json.dumps(entry) + "\n")

    def tell(self, entry):
        """Print a line about a version."""
        print(
            "{version}: {state}{more}".format(
                **entry,
                more=(
                    f", score {entry['score']:.3f} of {entry['matches']} matches, Elo {interval(entry['elo'])}"
                    if "score" in entry
                    else f" ({entry['problem']})"
                    if "problem" in entry
                    else ""
                ),
            ),
            flush=True,
        )

    def measure(self, version):
        """Build, check and try a version. Return its state, broken or tried, and its results."""
        folder = self.folder / version
        if self.build:
            done = subprocess.run(
                self.build, shell=True, cwd=folder, capture_output=True, text=True
            )
            if done.returncode:
                return {
                    "state": "broken",
                    "codes": ["build"],
                    "problem": (done.stderr or done.stdout).strip()[-500:],
                }
        only = [word for check in self.options.only for word in ("--only", check)]
        checked = result(
            ["bot", "check", "--json", *only, *self.game, "--", *self.run.split()], folder
        )
        if not checked["passed"]:
            failed = [
                c["id"]
                for c in checked["results"]
                if c["state"] == "failed" and c["level"] == "must"
            ]
            return {
                "state": "broken",
                "codes": failed,
                "problem": " ".join(a["text"] for a in checked["advice"]),
            }
        tried = result(
            ["bot", "try", "--quiet", "--json", *self.trial, "--", *self.run.split()], folder
        )
        if not tried["passed"]:
            return {
                "state": "broken",
                "codes": [a["code"] for a in tried["advice"]],
                "problem": tried["advice"][0]["text"],
            }
        met = tried["against"][0]
        return {
            "state": "tried",
            "score": (met["won"] + met["drawn"] / 2) / met["matches"],
            "elo": met["elo"],
            "matches": met["matches"],
            "repeated_games": tried["equal"],
            "seed": self.options.seed,
        }

    def step(self, number, best):
        """Let the agent change a copy of the best version, and measure it. Return its entry for the log."""
        version, folder = f"v{number}", self.folder / f"v{number}"
        shutil.copytree(self.folder / best["version"], folder)
        entry, before = {"version": version, "parent": best["version"]}, contents(folder)
        (folder / "TASK.md").write_text(
            TASK.format(
                **entry,
                against=self.options.against,
                run=self.run,
                trial=" ".join(self.trial),
                build=f" after `{self.build}`" if self.build else "",
                log="\n".join(map(line, self.log)),
            )
        )
        began = time.monotonic()
        problem = self.ask(folder)
        entry["agent_seconds"] = round(time.monotonic() - began, 1)
        if not folder.is_dir():
            return {**entry, "state": "agent failed", "problem": "it has removed its folder"}
        (folder / "TASK.md").unlink(missing_ok=True)
        if problem:
            return {**entry, "state": "agent failed", "problem": problem}
        if contents(folder) == before:
            return {**entry, "state": "unchanged"}
        return {**entry, **self.measure(version)}

    def ask(self, folder):
        """Run the agent in a folder. Return its fault, or None."""
        with open(f"{folder}.agent.txt", "w") as output:
            agent = subprocess.Popen(
                self.options.agent,
                shell=True,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
            try:
                status = agent.wait(self.options.agent_minutes * 60)
            except subprocess.TimeoutExpired:
                return f"it took more than {self.options.agent_minutes:g} minutes"
            finally:
                try:
                    os.killpg(agent.pid, signal.SIGKILL)  # with all that it has started
                except ProcessLookupError:
                    pass
                agent.wait()
        return f"its exit status is {status}: see {output.name}" if status else None

    def search(self):
        """Take steps up to the limits. Return the best version, and the number of variants."""
        best = {"version": "v0", **self.measure("v0")}
        self.note({**best, "kept": True})
        self.tell(best)
        if best["state"] != "tried":
            raise Problem(f"the first version does not play: {best['problem']}")
        vain = 0
        for number in range(1, self.options.steps + 1):
            entry = self.step(number, best)
            entry["kept"] = entry.get("score", -1) > best["score"]
            self.note(entry)
            self.tell(entry)
            best, vain = (entry, 0) if entry["kept"] else (best, vain + 1)
            if vain == self.options.patience:
                break
        return best, number

    def compare(self, best, tried):
        """Let the best version play the first one and the reference, from fresh openings."""
        seed = int.from_bytes(
            hashlib.sha256((self.folder / "log.jsonl").read_bytes()).digest()[:6], "big"
        )
        versions = ["v0"] if best["version"] == "v0" else ["v0", best["version"]]
        bots = [
            word
            for v in versions
            for word in ("--bot", f"{v}=exec:sh -c 'cd {v} && exec {self.run}'")
        ]
        result(
            [
                "arena",
                "event",
                "run",
                "--quiet",
                "--json",
                "--db",
                "final.db",
                "--seed",
                str(seed),
                "--matches",
                str(self.options.final_matches),
                "--openings",
                f"random:plies=8,seed={seed}",
                "--time-per-move",
                self.options.time_per_move,
                *self.game,
                *bots,
                "--bot",
                self.options.against,
            ],
            self.folder,
        )
        stats = result(["arena", "stats", "--json", "--db", "final.db"], self.folder)
        final = {
            "version": best["version"],
            "state": "final",
            "variants": tried,
            "seed": seed,
            "ratings": [
                {"bot": b["name"], "elo": b["elo"]}
                for group in stats["ratings"]["groups"]
                for b in group["bots"]
            ],
        }
        for pair in stats["head_to_heads"]:
            if {pair["first"]["name"], pair["second"]["name"]} == set(versions):
                final["elo"], final["verdict"] = judged(pair, best["version"])
        return final


def judged(pair, best):
    """Return the Elo of the best version above the first one, and the verdict."""
    elo = pair["strength"]["elo"]
    if pair["first"]["name"] != best:
        elo = {
            end: None if elo[of] is None else -elo[of]
            for end, of in (("value", "value"), ("low", "high"), ("high", "low"))
        }
    if elo["low"] is not None and elo["low"] > 0:
        return elo, "stronger"
    return elo, "weaker" if elo["high"] is not None and elo[
        "high"
    ] < 0 else "not shown to be stronger"


def interval(elo):
    value, low, high = (
        "no limit" if elo[end] is None else f"{elo[end]:+.0f}" for end in ("value", "low", "high")
    )
    return f"{value} [{low}, {high}]"


def line(entry):
    """Return a line about a version for the agent."""
    told = f"score {entry['score']:.3f}" if "score" in entry else entry.get("problem", "")
    return f"- {entry['version']}, from {entry.get('parent', 'bot new')}: {entry['state']}, {told}"


def contents(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def main():
    loop = Loop(arguments())
    best, tried = loop.search()
    final = loop.compare(best, tried)
    loop.note(final)
    print(
        f"Variants tried: {tried}. The best of so many looks better in its trial than it is: only the tournament counts."
    )
    if "verdict" in final:
        print(
            f"On openings that it had not seen, {best['version']} is {final['verdict']} than v0: Elo {interval(final['elo'])}."
        )
    else:
        print("None was better than v0.")
    print(
        f"The tournament is in {loop.folder / 'final.db'}: arena stats --db shows it, and arena serve --db its games."
    )


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"loop.py: {problem}")
    except KeyboardInterrupt:
        sys.exit("loop.py: interrupted; the log has the results so far")
