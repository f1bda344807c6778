import pytest

from training import vectors


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
