#!/usr/bin/env python3
"""Plot how the defenders' scores grow: the mean score at each ply, by defender.

    score_by_ply.py GAMES PICTURE

GAMES is an export (``arena export 1 paper.jsonl.gz``), a database, or a folder of Parquet files.
A game that is over keeps its last score, so that each mean is over all games with a score that
counts in the statistics of ``arena stats``.
"""

import sys

import matplotlib

matplotlib.use("Agg")  # a file, no window
import matplotlib.pyplot as plt
import pandas as pd

from versus2048 import load_games

path, picture = sys.argv[1:]
tables = load_games(path)
games = tables.games.to_pandas().set_index("game").query("scored")
plies = tables.plies.to_pandas().query("game in @games.index")

# A row for each ply, a column for each game: the score after the ply. A game without a ply has its
# score from the start.
plies["after"] = plies.score + plies.gained
scores = plies.pivot(index="ply", columns="game", values="after").ffill()
scores = scores.reindex(columns=games.index).fillna(games.score)

figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
for defender, numbers in games.groupby("defender").groups.items():
    mean = scores[numbers].mean(axis="columns")
    axes.plot(mean.index, mean, label=f"{defender} ({len(numbers)} games)")
axes.set(xlabel="ply", ylabel="mean score", title=", ".join(pd.unique(games.event)))
axes.legend()
figure.savefig(picture)
print(games.groupby("defender").score.describe().to_string(float_format="%.0f"))
