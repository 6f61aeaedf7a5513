import numpy as np
import pytest

import misieve
from misieve.datasets import make_led24


def test_it_is_public():
    assert misieve.datasets.make_led24 is make_led24


def test_without_noise_the_segments_name_the_digit():
    X, y = make_led24(500, noise=0.0, rng=1)
    assert X.shape == (500, 24)
    patterns = {digit: {tuple(row) for row in X[y == digit, :7]} for digit in range(10)}
    assert all(len(found) == 1 for found in patterns.values())
    assert len(set.union(*patterns.values())) == 10
    assert {digit: sum(next(iter(found))) for digit, found in patterns.items()} == dict(
        zip(range(10), (6, 2, 5, 5, 4, 5, 6, 3, 7, 6), strict=True)
    )


def test_noise_inverts_the_stated_share_of_every_segment():
    clean, y = make_led24(20_000, noise=0.0, rng=5)
    noisy, same = make_led24(20_000, noise=0.1, rng=5)
    assert np.array_equal(y, same)
    assert np.array_equal(clean[:, 7:], noisy[:, 7:])
    # Four standard errors of a share of 0.1 among 20,000.
    np.testing.assert_allclose((clean[:, :7] != noisy[:, :7]).mean(axis=0), 0.1, atol=4 * np.sqrt(0.09 / 20_000))


def test_digits_and_irrelevant_bits_are_uniform_and_unrelated():
    X, y = make_led24(20_000, rng=9)
    assert set(np.unique(X)) == {0, 1}
    np.testing.assert_allclose(np.bincount(y) / len(y), 0.1, atol=4 * np.sqrt(0.09 / 20_000))
    by_digit = np.array([X[y == digit, 7:].mean(axis=0) for digit in range(10)])
    np.testing.assert_allclose(by_digit, 0.5, atol=4.5 * np.sqrt(0.25 / 1_900))


def test_the_seed_decides():
    first, second = make_led24(50, rng=3), make_led24(50, rng=np.random.default_rng(3))
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1], second[1])
    assert not np.array_equal(first[0], make_led24(50, rng=4)[0])
    assert make_led24(0)[0].shape == (0, 24)


@pytest.mark.parametrize(
    ("arguments", "message"), [((-1,), "n must be a whole number"), ((5, 1.5), "noise must be a probability")]
)
def test_nonsense_is_refused(arguments, message):
    with pytest.raises(misieve.OptionError, match=message):
        make_led24(*arguments)
