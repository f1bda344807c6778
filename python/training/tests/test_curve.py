import csv
from io import StringIO

import numpy as np
import pytest

from training import command, curve
from training.curve import CurveError

RUN = '[run]\nmethod = "td"\nrules = "{}"\nsize = "2x2"\nseed = {}\n'


def rows(values, scale=1.0):
    """Return a curve with those shares after 1, 2, 4, ... steps."""
    return [
        {"steps": 2.0**i, "seconds": scale * 2.0**i, "processor": 2.0**i, "share": v}
        for i, v in enumerate(values)
    ]


def runs(*curves):
    """Return a group of the runs a, b, and so on."""
    return dict(zip("abcdefg", curves, strict=False))


def folder(path, curve_rows, rules="solo", seed=1):
    path.mkdir()
    (path / "run.toml").write_text(RUN.format(rules, seed))
    (path / "curve.csv").write_text(curve.render(curve_rows))
    return str(path)


def test_csv_there_and_back(tmp_path):
    want = [
        {"steps": 0.0, "seconds": 0.0, "share": 0.125},
        {"steps": 10.0, "seconds": 1.5, "share": 0.25, "loss": 3.5},
    ]
    (tmp_path / "c.csv").write_text(curve.render(want))
    assert curve.read(tmp_path / "c.csv") == want
    assert curve.render(want).splitlines()[1] == "0,0,0.125,"


@pytest.mark.parametrize("text", ["steps,share\n1,x\n", "steps\n1,2\n", "1" * 200_000])
def test_wrong_csv(tmp_path, text):
    (tmp_path / "c.csv").write_text(text)
    with pytest.raises(CurveError, match="it is not a table of numbers"):
        curve.read(tmp_path / "c.csv")
    with pytest.raises(CurveError, match="No such file"):
        curve.read(tmp_path / "none.csv")


def test_mean_and_interval():
    """By hand: 0.4, 0.5, 0.9 have mean 0.6, deviation 0.2646; t(0.975, 2) = 4.3027."""
    three = runs(rows([0.4] * 3), rows([0.5] * 3), rows([0.9] * 3))
    got = curve.mean(three, "share", "steps")
    assert got.runs == 3
    assert np.allclose(got.mean, 0.6)
    half = 4.3027 * 0.2645751 / 3**0.5
    assert np.allclose(got.high, 0.6 + half, atol=1e-4)
    assert np.allclose(got.low, 0.6 - half, atol=1e-4)


def test_runs_are_compared_where_all_of_them_were():
    got = curve.mean(runs(rows([0, 1, 2]), rows([0, 1, 2, 3], scale=3)), "share", "seconds")
    assert got.x[0] == pytest.approx(3)
    assert got.x[-1] == pytest.approx(4)
    assert got.mean[0] == pytest.approx((1.5 + 0) / 2)  # 3 s is halfway from 2 s to 4 s


def test_one_run_has_no_interval():
    got = curve.mean(runs(rows([0.1, 0.2])), "share", "steps")
    assert np.array_equal(got.low, got.high)


def test_too_few_values():
    wanted = "leave the run out if it ended before it was evaluated twice, or .* one of share$"
    with pytest.raises(CurveError, match=f"^b: fewer than two values of share: {wanted}"):
        curve.mean(runs(rows([0.1, 0.2]), rows([0.1])), "share", "steps")
    with pytest.raises(CurveError, match="or give --metric one of its columns, which are none yet"):
        curve.mean(runs([]), "share", "steps")


def test_runs_that_were_never_at_one_point():
    apart = runs(rows([0, 1, 2]), rows([0, 1, 2, 3, 4, 5])[3:])
    message = r"^b begins at 8 steps, a of the same group ends at 4, .*: give one .* another name"
    with pytest.raises(CurveError, match=message):
        curve.mean(apart, "share", "steps")


def test_rows_without_an_axis():
    found = [{k: v for k, v in row.items() if k != "processor"} for row in rows([0.1, 0.2])]
    assert curve.mean(runs(found), "share", "steps").runs == 1
    with pytest.raises(CurveError, match="a: rows without processor, as earlier versions wrote"):
        curve.mean(runs(found), "share", "processor")


@pytest.mark.parametrize("column", ["steps", "seconds"])
def test_csv_without_a_column(tmp_path, column):
    (tmp_path / "c.csv").write_text(curve.render(rows([0.1, 0.2])).replace(column, "x"))
    with pytest.raises(CurveError, match=f"it is no curve: a row without {column}"):
        curve.read(tmp_path / "c.csv")


def test_plot(tmp_path):
    """Runs of one method and game are a group; the picture and the table have each group."""
    folders = [
        folder(tmp_path / f"{rules}{seed}", rows([0.1 * seed, 0.5, 0.9]), rules, seed)
        for rules in ("solo", "gpcc2016")
        for seed in (1, 2, 3)
    ]
    picture, table = tmp_path / "f.svg", tmp_path / "f.csv"
    arguments = ["plot", *folders, "--out", str(picture), "--csv", str(table)]
    assert command.main(arguments) == 0
    first = picture.read_bytes()
    assert first.count(b"td, solo 2x2 (3 seeds)") == 1
    assert first.count(b"td, gpcc2016 2x2 (3 seeds)") == 1
    found = list(csv.DictReader(StringIO(table.read_text())))
    assert len(found) == 2 * 3 * curve.POINTS
    assert {row["group"] for row in found} == {"td, solo 2x2", "td, gpcc2016 2x2"}
    assert float(found[0]["share_mean"]) == pytest.approx(0.2)
    assert float(found[0]["low"]) < 0.2 < float(found[0]["high"])
    assert command.main(arguments) == 0
    assert picture.read_bytes() == first


def test_plot_without_the_metric(tmp_path, capsys):
    one = folder(tmp_path / "a", rows([0.1, 0.2]))
    assert command.main(["plot", one, "--out", str(tmp_path / "f.svg"), "--metric", "luck"]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith(f"training: {one}: fewer than two values of luck: ")
    assert errors.endswith(" or give --metric one of share\n") and errors.count("\n") == 1
