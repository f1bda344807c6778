import json
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from versus2048.jax.game import SLIDES, Game, Played

from training import network, policy
from training.layers import Dense
from training.network import Description, Function, Network

GAME = Game("solo", 2, 2)
N, S, W, E = range(4)


def images_say(*wishes):
    """Return logits (1, 8, 4): image i gives slides of the board, as they are on it, logits."""
    logits = np.zeros((1, 8, 4), np.float32)
    for i, wish in enumerate(wishes):
        for slide, value in wish.items():
            logits[0, i, GAME.symmetric_slides[i, slide]] = value
    return jnp.asarray(logits)


def elected(logits, legal="NSWE", images=8):
    mask = jnp.array([[slide in legal for slide in SLIDES]])
    return int(policy.vote(logits[:, :images], mask, GAME.symmetric_slides[:images])[0])


def test_the_majority_decides():
    logits = images_say(*[{W: 1}] * 5, *[{E: 9}] * 3)  # E has the larger sum: 3.6 against 2.4
    assert elected(logits) == W
    assert elected(logits[:, ::-1][:, :1], images=1) != W  # the images have different directions


def test_a_tie_goes_to_the_larger_sum():
    # Each of four images gives its slide e / (e + 3) = 0.475, or e^2 / (e^2 + 3) = 0.711.
    assert elected(images_say(*[{N: 1}] * 4, *[{S: 2}] * 4)) == S
    assert elected(images_say(*[{N: 2}] * 4, *[{S: 1}] * 4)) == N
    # Three votes each for W and E, two for N. W has 3 * 0.711 + 5 * small, and so has E, but those
    # who vote for N like E better than W.
    assert elected(images_say(*[{W: 2}] * 3, *[{E: 2}] * 3, *[{N: 3, E: 2}] * 2)) == E
    assert elected(images_say(*[{W: 2}] * 3, *[{E: 2}] * 3, *[{N: 3, W: 2}] * 2)) == W


def test_only_legal_slides_count():
    logits = images_say(*[{N: 5, E: 1}] * 6, *[{S: 9}] * 2)
    assert elected(logits) == N
    assert elected(logits, "SE") == E  # six images vote for their second wish
    assert elected(logits, "S") == S
    assert elected(logits, "W") == W


def test_one_board_plays_its_best():
    logits = images_say({E: 3, S: 2}, *[{W: 9}] * 7)
    assert elected(logits, images=1) == E
    assert elected(logits, "NSW", images=1) == S


def constant(logits):
    """Return a network of 2x2 whose policy is the same on every board."""
    description = Description(GAME, 8, (("policy", Function("board", (Dense(32, 4),))),))
    params = {"policy.0.weight": jnp.zeros((32, 4)), "policy.0.bias": jnp.asarray(logits)}
    return Network("cnn", description, params)


@pytest.mark.parametrize("games", [1, 333])
def test_games_are_those_of_one_player(games):
    made = constant([3.0, 1.0, 2.0, 0.0])
    played = policy.play(made.description, made.params, jax.random.key(1), games, False)
    assert {x.shape for x in played} == {(games,)}
    again = policy.play(made.description, made.params, jax.random.key(1), games, False)
    assert all(np.array_equal(a, b) for a, b in zip(played, again, strict=True))
    # A mated board of 2x2 has four tiles, and a tile 2^k was worth at most (k-1) 2^k points.
    largest = np.asarray(played.largest)
    assert (largest >= 2).all() and (largest <= 5).all()
    assert (np.asarray(played.score) >= (largest - 2) * 2**largest - 4).all()
    assert (np.asarray(played.slides) > 0).all()


def test_scores_agree_with_games_in_lockstep():
    made = constant([3.0, 1.0, 2.0, 0.0])
    order = jnp.array([3.0, 1.0, 2.0, 0.0])

    def choose(key, boards, slides):
        return jnp.where(slides.legal, order, -jnp.inf).argmax(-1)

    plain = GAME.play(jax.random.key(2), choose, 2000)
    thinned = policy.play(made.description, made.params, jax.random.key(3), 2000, False)
    for name in ("score", "slides", "largest"):
        one, two = (np.asarray(getattr(p, name), np.float64) for p in (plain, thinned))
        error = np.hypot(one.std(), two.std()) / 2000**0.5
        assert abs(one.mean() - two.mean()) < 4 * error, name


def test_summary():
    found = policy.summary(
        Played(jnp.array([10, 20, 30, 40]), jnp.array([1, 2, 3, 6]), jnp.array([10, 11, 12, 3]))
    )
    assert found["score"] == 25 and found["highest"] == 40 and found["slides"] == 3
    # 1.96 times the deviation of a mean of four: sqrt(500 / 3) / 2.
    assert found["score_error"] == pytest.approx(1.96 * (500 / 3) ** 0.5 / 2, rel=1e-4)
    # Wilson's interval of 2 of 4.
    assert found["with_2048"] == 0.5
    assert found["with_2048_low"] == pytest.approx(0.15, abs=1e-3)
    assert found["with_2048_high"] == pytest.approx(0.85, abs=1e-3)


def test_command(tmp_path, capsys):
    path = tmp_path / "n.safetensors"
    network.save(path, constant([3.0, 1.0, 2.0, 0.0]))
    for boards in ("1", "all"):
        assert policy.main([str(path), "--games", "40", "--boards", boards, "--seed", "7"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["games"] == 40 and found["boards"] == boards and found["seed"] == 7
        assert 20 < found["score"] < 70
    assert policy.main([str(path), "--games", "1"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert found["games"] == 1 and found["score_error"] is None
    network.save(path, replace(constant([3.0, 1.0, 2.0, 0.0]), method="td"))
    begin = "python -m training.policy"
    assert policy.main([str(path)]) == 2
    want = f"{begin}: {path}: a network of td, solo: want cnn, solo\n"
    assert capsys.readouterr().err == want
    assert policy.main([str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"{begin}: {tmp_path / 'none'}: No such file or directory\n"


def test_too_little_memory_is_one_line(tmp_path, monkeypatch, capsys):
    path = tmp_path / "n.safetensors"
    network.save(path, constant([3.0, 1.0, 2.0, 0.0]))
    monkeypatch.setattr(policy, "play", lambda *_: jnp.zeros((2**31, 2**20)))
    assert policy.main([str(path), "--games", "2000000000"]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith(f"python -m training.policy: {path}: not enough memory for ")
    assert errors.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value", "wanted"),
    [
        ("--games", "0", "1 to 2147483647"),
        ("--games", "1000000000000", "1 to 2147483647"),
        ("--seed", "-1", "0 to 4294967295"),
        ("--seed", "4294967296", "0 to 4294967295"),  # to JAX it is 0
    ],
)
def test_wrong_numbers_are_one_line(option, value, wanted, capsys):
    with pytest.raises(SystemExit) as ended:
        policy.main(["none.safetensors", option, value])
    assert ended.value.code == 2
    want = f"python -m training.policy: {option} {value}: want {wanted}\n"
    assert capsys.readouterr().err == want
