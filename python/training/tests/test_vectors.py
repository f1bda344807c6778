from pathlib import Path

import numpy as np
import pytest
from safetensors import numpy as safetensors

from training import vectors

STORED = Path(__file__).parents[3] / "players/neural/testdata"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [([], "the following arguments are required: folder"), (["none/there"], "none/there: want a")],
)
def test_without_a_folder(arguments, message, capsys):
    with pytest.raises(SystemExit) as ended:
        vectors.main(arguments)
    assert ended.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("python -m training.vectors: ") and message in last


def test_a_folder(tmp_path, monkeypatch):
    written = []
    monkeypatch.setattr(vectors, "write", written.append)
    assert vectors.main([str(tmp_path)]) == 0
    assert written == [tmp_path]


def test_what_is_stored_is_written_again(tmp_path, monkeypatch):
    """Networks to the byte, and the positions; what JAX computes with them is Go's to compare."""
    monkeypatch.setattr(vectors, "_outputs", lambda *_: {})
    vectors.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in STORED.iterdir()}
    for path in tmp_path.glob("*.vectors.safetensors"):
        network = path.name.replace(".vectors", "")
        assert (tmp_path / network).read_bytes() == (STORED / network).read_bytes(), network
        stored = safetensors.load_file(STORED / path.name)
        for name, tensor in safetensors.load_file(path).items():
            assert np.array_equal(tensor, stored[name]), (path.name, name)
