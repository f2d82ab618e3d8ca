"""Alternating least squares: ratings of a power law, and what the arithmetic alone would take."""
import numpy as np

SEED = 20240511


def make(case):
    """Lines of user, item and rating from 1 to 5; a hundred ratings a user, items by weights i^-0.7, none twice."""
    ratings, items = case.shape[:2]
    rng = np.random.default_rng(SEED)
    users = max(1, ratings // 100)
    ends = np.cumsum(np.arange(1, items + 1, dtype=np.float64) ** -0.7)
    keys = np.empty(0, dtype=np.int64)
    while len(keys) < ratings:
        more = ratings - len(keys) + ratings // 20
        new = rng.integers(0, users, more) * np.int64(items) + np.searchsorted(ends, rng.random(more) * ends[-1])
        keys = np.unique(np.concatenate([keys, new]))
    keys = rng.permutation(keys)[:ratings]
    user, item = keys // items, keys % items
    p, q = rng.standard_normal((users, 8)) * 0.5, rng.standard_normal((items, 8)) * 0.5
    effects = 3.5 + 0.4 * rng.standard_normal(users)[user] + 0.5 * rng.standard_normal(items)[item]
    value = effects + np.einsum("ij,ij->i", p[user], q[item]) + 0.8 * rng.standard_normal(ratings)
    import pyarrow
    import pyarrow.csv

    table = pyarrow.table({"user": user, "item": item, "rating": np.clip(np.rint(value), 1, 5).astype(np.int64)})
    part = case.data.with_suffix(".part")
    pyarrow.csv.write_csv(table, part, pyarrow.csv.WriteOptions(include_header=False, quoting_style="none"))
    part.rename(case.data)


def flops(case, users):
    """Of one sweep: k(k+1) an entry for the users' normal equations and again for the items', k^3/3 a Cholesky factor."""
    ratings, items, k = case.shape
    return 2.0 * ratings * k * (k + 1) + (users + items) * k**3 / 3


def product_rate(setting, threads):
    """Seconds of a product of 3,000 x 3,000 matrices by NumPy, all threads: 5.4e10 operations."""
    a, b = np.ones((3000, 3000)), np.ones((3000, 3000))

    def fit(ratings, k):
        a @ b
        return np.zeros(1)

    a @ b
    return fit


PEERS = {"gemm-rate": product_rate}
