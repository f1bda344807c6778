import jax
import jax.numpy as jnp
import numpy as np
import pytest

from training.value import Value, inverse, transform

POINTS = np.array([0, 1, 4, 68, 516, 5468, 70_000, -3, -5000], np.float32)


@pytest.mark.parametrize("kind", ["none", "sqrt", "log"])
def test_the_inverse_undoes_the_transform(kind):
    assert np.allclose(inverse(kind, transform(kind, jnp.asarray(POINTS))), POINTS, rtol=1e-4)


@pytest.mark.parametrize(
    ("kind", "points", "value"),
    [
        ("none", 12.0, 12.0),
        ("sqrt", 8.0, 2.008),  # sqrt(9) - 1 + 0.008
        ("sqrt", -8.0, -2.008),
        ("sqrt", 0.0, 0.0),
        ("log", np.e - 1, 1.0),
        ("log", 1 - np.e, -1.0),
    ],
)
def test_transforms(kind, points, value):
    assert transform(kind, jnp.float32(points)) == pytest.approx(value, abs=1e-6)


def test_scalar():
    value = Value("log", scale=2.0)
    output = jnp.array([[0.5], [-1.0]])
    assert value.points(output).tolist() == pytest.approx([np.e - 1, 1 - np.exp(2)])
    assert value.target(jnp.array(np.e - 1)) == pytest.approx(0.5)
    losses = value.loss(output, jnp.array([np.e - 1, 0.0]))
    assert losses.tolist() == pytest.approx([0.0, 0.5], abs=1e-6)


def test_two_hot():
    value = Value("none", bins=5, low=-1, high=1)  # -1, -0.5, 0, 0.5, 1
    weights = value.two_hot(jnp.array([0.0, 0.25, -0.6, 1.0, 9.0, -9.0]))
    want = [
        [0, 0, 1, 0, 0],
        [0, 0, 0.5, 0.5, 0],
        [0.2, 0.8, 0, 0, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 0, 0, 1],
        [1, 0, 0, 0, 0],
    ]
    assert np.allclose(weights, want, atol=1e-6)


def test_bins():
    value = Value("sqrt", scale=3.0, bins=41, low=0, high=40)
    points = jnp.asarray(POINTS[:6])
    logits = jnp.log(value.two_hot(value.target(points)) + 1e-9)
    assert np.allclose(value.points(logits), POINTS[:6], rtol=1e-3, atol=1e-3)
    assert value.outputs == 41
    # The cross-entropy of a distribution with itself is its entropy, the least there is.
    certain = value.loss(logits, points)
    assert (
        certain < value.loss(logits + jax.random.normal(jax.random.key(1), logits.shape), points)
    ).all()


def test_a_network_learns_the_mean_of_what_it_sees():
    """Gradient descent on the loss finds the mean of the transformed targets, in both forms."""
    targets = jnp.array([4.0, 64.0, 500.0])
    for value in (Value("sqrt"), Value("sqrt", bins=30, low=0, high=29)):
        output = jnp.zeros(value.outputs)
        gradient = jax.grad(lambda y, v=value: v.loss(y[None], targets).mean())
        descend = jax.jit(lambda y, g=gradient: y - 0.5 * g(y))
        for _ in range(600):
            output = descend(output)
        want = inverse("sqrt", transform("sqrt", targets).mean())
        assert float(value.points(output)) == pytest.approx(float(want), rel=0.02)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"transform": "cube"}, "transform 'cube'"),
        ({"scale": 0.0}, "scale 0.0: want more than 0"),
        ({"scale": 2e9}, r"scale 2000000000.0: want more than 0, at most 1e\+09"),
        ({"scale": np.inf}, "scale inf: want a finite number"),
        ({"bins": 1, "low": 0, "high": 1}, "bins 1: want 0, or 2 to 4096"),
        ({"bins": 4097, "low": 0, "high": 1}, "bins 4097: want 0, or 2 to 4096"),
        ({"bins": 5, "low": 0, "high": 2e9}, r"to 2000000000.0: want .* within 1e\+09"),
        ({"bins": 5, "low": 1, "high": 1}, "bins 5 from 1 to 1"),
    ],
)
def test_wrong_values(fields, message):
    with pytest.raises(ValueError, match=message):
        Value(**fields)
