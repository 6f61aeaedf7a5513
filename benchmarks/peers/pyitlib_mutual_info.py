"""pyitlib: information_mutual of every column with the class, by its maximum-likelihood estimate."""

from benchmarks.peers._needs import needs

NAME = "pyitlib information_mutual"
TABLES = False


def available() -> str:
    return needs("pyitlib")


def prepare(x, y):
    return x.astype(int), y.astype(int)


def run(x, y):
    from pyitlib.discrete_random_variable import information_mutual

    return [float(information_mutual(x[:, j], y)) for j in range(x.shape[1])]
