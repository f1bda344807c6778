import jax
import jax.numpy as jnp
import numpy as np
import pytest

from training import config as configs
from training.config import ConfigError
from training.methods.alphazero import AlphaZero
from training.methods.alphazero.position import legal
from training.network import load, save

TEXT = """
[run]
method = "az"
rules = "gpcc2015"
size = "2x2"
steps = 400

[network]
planes = 5
hidden = 48

[az]
games = 64
plies = 8
updates = 10
batch = 256
window = 128
simulations = 12
opening = 6
rate = 0.003
trace = 0.5
evaluation_games = 8
evaluation_positions = 128
"""


def method(*settings: str) -> AlphaZero:
    return AlphaZero(configs.parse(TEXT, settings))


@pytest.fixture(scope="module")
def learned():
    """A method on 2x2, its state after 400 updates, and the last progress."""
    made = method()
    state = made.start(jax.random.key(1))
    while True:
        state, progress = made.advance(state)
        if progress.steps >= 400:
            return made, state, progress


def test_2x2_is_learned(learned):
    made, state, _ = learned
    measured = made.evaluate(state, jax.random.key(2))
    assert measured["share"] >= 0.99 and measured["conceded"] <= 1.01
    assert measured["optimal"] >= 0.95
    assert measured["policy_optimal"] >= 0.8


def test_evaluations_may_search_less_than_self_play():
    made, alone = method(), method("az.evaluation_simulations=1")
    state = made.start(jax.random.key(1))
    searched, chosen = (each.evaluate(state, jax.random.key(2)) for each in (made, alone))
    assert chosen["loss"] == chosen["policy_loss"] == searched["policy_loss"] != searched["loss"]


def test_progress(learned):
    _, _, progress = learned
    assert progress.positions == 64 * 8 * 40 and progress.games > 100
    assert 4 <= progress.metrics["selfplay"] <= 68
    assert np.isfinite(progress.metrics["loss_policy"])


def test_rows_follow_one_another(learned):
    made, state, _ = learned
    row = state.window.row
    going = ~np.asarray(row.ended[:-1])
    points = np.asarray(row.position.points)
    assert (points[:-1] + np.asarray(row.gain[:-1]) == points[1:])[going].all()
    attacker = np.asarray(row.position.attacker)
    assert (attacker[:-1] != attacker[1:])[going].all()
    flat = jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), row)
    allowed = np.asarray(legal(made.game, flat.position))
    assert allowed.any(-1).all()
    policy = np.asarray(flat.policy, np.float32)
    assert not policy[~allowed].any()
    assert policy.sum(-1) == pytest.approx(np.ones(len(policy)), abs=2e-3)


def test_the_network_is_one_that_files_keep(learned, tmp_path):
    made, state, _ = learned
    network = made.network(state)
    save(tmp_path / "az.safetensors", network)
    read = load(tmp_path / "az.safetensors")
    board = jnp.asarray(np.random.default_rng(1).integers(0, 5, (20, 2, 2)), jnp.int8)
    for attacker in (False, True):
        want = network.description.apply_boards(network.params, "policy", board, attacker)
        got = read.description.apply_boards(read.params, "policy", board, attacker)
        assert got.shape == (20, 4 + 2 * 4) and np.allclose(got, want, atol=1e-6)
        assert np.allclose(read.points("value", board), network.points("value", board), rtol=1e-5)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("run.rules=solo", "a game for two"),
        ("az.window=100", "multiple of plies"),
        ("az.plies=0", "plies = 0: want 1 or more"),
        ("az.updates=0", "updates = 0: want 1 or more"),
        ("az.simulations=0", "simulations = 0: want 1 or more"),
        ("az.evaluation_games=0", "evaluation_games = 0: want 1 to 100000"),
        ("az.noise=1.5", "noise = 1.5: want 0 to 1"),
        ("az.temperature=0", "temperature = 0.0: want more than 0"),
        ("az.opening=-1", "opening = -1: want 0 or more"),
        ("az.evaluation_simulations=-1", "evaluation_simulations = -1: want 0 or more"),
        ("az.simulation=3", "unknown"),
        ("network.value=rank", "value"),
        ("network.planes=1", r"\[network\] planes = 1: want 2 to 18"),
        ("network.planes=20", r"\[network\] planes = 20: want 2 to 18"),
        ("network.hidden=0", r"\[network\] hidden = 0: want 1 or more"),
        ("network.layers=0", r"\[network\] layers = 0: want 1 or more"),
        ("network.most=-5", r"\[network\] most = -5.0: want 0 to 1e\+09"),
        ("network.most=inf", r"\[network\] most = inf: want 0 to 1e\+09"),
    ],
)
def test_wrong_settings(setting, message):
    with pytest.raises(ConfigError, match=message):
        method(setting)


@pytest.mark.parametrize(
    ("bins", "message"),
    [(0, "want 2 or more"), (1, "want 2 or more"), (5000, "want 0, or 2 to 4096")],
)
def test_wrong_bins(bins, message):
    assert method(f"network.bins={bins}")  # the value is one number: they do not matter
    with pytest.raises(ConfigError, match=rf"\[network\] bins.* {bins}: {message}"):
        method("network.value=bins", f"network.bins={bins}")


@pytest.mark.parametrize("settings", [["network.value=bins"], ["network.transform=log"]])
def test_other_values(settings):
    made = method(*settings)
    network = made.network(made.start(jax.random.key(1)))
    assert network.description.value.to_json() != method().description.value.to_json()
    points = network.points("value", jnp.zeros((1, 2, 2), jnp.int8), True)
    assert points.shape == (1,) and np.isfinite(points).all()
