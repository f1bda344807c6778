"""An agent for examples/agent-loop: it makes a broken bot, a worse one, a better one."""

import sys
from pathlib import Path

version, bot = Path.cwd().name, Path("bot.py")
source = bot.read_text()
if "best version so far" not in Path("TASK.md").read_text():
    sys.exit("TASK.md does not say what to do")
EDITS = {
    "v1": ("import sys\n", "import sys sys\n"),
    "v2": ("return max(((score", "return min(((score"),
    "v3": (
        "        return best_slide(board)[1]\n",
        "        return max((score + min(best_slide(b)[0] for _, b in placements(after, rules)), move)\n"
        "                   for move, after, score in slides(board))[1]\n",
    ),
}
if version == "v4":
    sys.exit("it has no idea")
if version in EDITS:
    before, after = EDITS[version]
    if source.count(before) != 1:
        sys.exit(f"bot.py of bot new has changed: there is no {before!r}")
    bot.write_text(source.replace(before, after))
