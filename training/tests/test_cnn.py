import jax
import numpy as np
import pytest

from test_data import TEACHER
from training import config, data
from training.config import ConfigError
from training.layers import Conv, Symmetries
from training.methods.cnn import CNN

RUN = """
[run]
method = "cnn"
rules = "solo"
size = "2x2"
steps = 300

[network]
layers = 2
channels = 24
planes = 8

[cnn]
teacher = "{teacher}"
batch = 100
held = 0.25
chunk = 100
games = 250
"""


@pytest.fixture(scope="module")
def teacher(tmp_path_factory):
    path = tmp_path_factory.mktemp("teacher") / "2x2.safetensors"
    data.save(path, data.read_games(TEACHER, "teacher"))
    return path


def method(teacher, *settings):
    return CNN(config.parse(RUN.format(teacher=teacher), settings))


def learn(made, state, chunks):
    for _ in range(chunks):
        state, progress = made.advance(state)
    return state, progress


@pytest.mark.parametrize("proposal", ["network.symmetries=false", "network.symmetries=true"])
def test_learns_perfect_play_of_2x2(teacher, proposal):
    made = method(teacher, proposal)
    state = made.start(jax.random.key(1))
    before = made.evaluate(state, jax.random.key(2))
    state, progress = learn(made, state, 3)
    after = made.evaluate(state, jax.random.key(2))
    assert progress.steps == 300 and progress.positions == 30_000
    assert before["agreement"] < 0.7
    for boards in ("", "_all"):
        assert after[f"agreement{boards}"] >= 0.9
        # The mean of 250 games has a standard error of about 2 % of the optimum.
        assert after[f"score{boards}"] >= 0.9 * made.description.game.optimum


def test_a_state_that_was_stored_goes_on_the_same(teacher):
    made = method(teacher, "cnn.chunk=3")
    state, _ = learn(made, made.start(jax.random.key(1)), 1)
    stored = [
        np.array(jax.random.key_data(x) if x is state.key else x) for x in jax.tree.leaves(state)
    ]
    straight, _ = learn(made, state, 2)
    again, _ = learn(method(teacher, "cnn.chunk=3"), made.start(jax.random.key(1)), 3)
    assert len(stored) == len(jax.tree.leaves(straight))
    for name, tensor in straight.params.items():
        assert np.array_equal(tensor, again.params[name]), name


def test_the_networks_of_kondo(teacher):
    # Proposal 1 with 5 layers of 222 channels has about 818,000 parameters; here the board is 2x2,
    # so that the dense layer has 4 * 222 inputs instead of 16 * 222.
    made = method(teacher, "network.layers=5", "network.channels=222", "network.planes=16")
    layers = made.description.function("policy").layers
    assert [layer.kind for layer in layers] == ["conv", "relu"] * 5 + ["dense"]
    assert all(c.padding == "after" and c.kernel == (2, 2) for c in layers if isinstance(c, Conv))
    weights = made.start(jax.random.key(1)).params
    dense = 222 * 4 * 4 + 4
    assert sum(w.size for w in weights.values()) == 4 * 16 * 222 + 4 * 4 * 222**2 + 5 * 222 + dense
    kernel = np.asarray(weights["policy.2.weight"])
    assert abs(kernel).max() <= 0.2  # cut off at two deviations of 0.1
    assert kernel.std() == pytest.approx(0.088, abs=0.002)
    joined = method(teacher, "network.symmetries=true").description.function("policy").layers
    assert isinstance(joined[0], Symmetries) and joined[1].inputs == 8 * 4 * 24


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("cnn.teacher=none.safetensors", "none.safetensors: No such file"),
        ("run.size=3x2", r"2x2.safetensors is of solo 2x2"),
        ("run.rules=gpcc2015", "cnn learns solo only"),
        ("network.layers=0", "layers = 0: want 1 or more"),
        ("cnn.held=1.0", "held = 1.0"),
        ("cnn.batch=0", "batch = 0"),
        ("cnn.games=-1", "games = -1"),
    ],
)
def test_wrong_settings(teacher, setting, error):
    with pytest.raises(ConfigError, match=error) as found:
        method(teacher, setting)
    assert "\n" not in str(found.value)
