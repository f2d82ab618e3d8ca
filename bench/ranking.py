"""The case of PageRank: its graph, its peers, its judge. Damping .85, dangling vertices uniform, error below 1e-10."""
import numpy as np

SEED = 20240302
DAMPING, TOLERANCE = 0.85, 1e-10


def make(case):
    """A graph with power laws: links leave vertices by weights i^-0.5, lead to others by i^-0.7, in shuffled order; a tenth of the
    vertices dangles. No link comes twice. A file of "number tab number" lines, vertices from 0, in random order."""
    vertices, links = case.shape[:2]
    rng = np.random.default_rng(SEED)

    def draw(exponent, count, among):
        ends = np.cumsum(np.arange(1, among + 1, dtype=np.float64) ** -exponent)
        return np.searchsorted(ends, rng.random(count) * ends[-1])

    sources, targets = rng.permutation(vertices), rng.permutation(vertices)
    keys = np.empty(0, dtype=np.int64)
    while len(keys) < links:
        more = links - len(keys) + links // 50
        new = sources[draw(0.5, more, vertices * 9 // 10)] * np.int64(vertices) + targets[draw(0.7, more, vertices)]
        keys = np.unique(np.concatenate([keys, new]))
    # Vertex numbers are 0 .. vertices-1 for everyone: each is named by a link, the dangling ones by one that leads there.
    keys = rng.permutation(keys)[:links]
    keys[:vertices] = sources[draw(0.5, vertices, vertices * 9 // 10)] * np.int64(vertices) + np.arange(vertices)
    keys = rng.permutation(np.unique(keys))
    import pyarrow
    import pyarrow.csv

    table = pyarrow.table({"from": keys // vertices, "to": keys % vertices})
    part = case.data.with_suffix(".part")
    pyarrow.csv.write_csv(table, part, pyarrow.csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="none"))
    part.rename(case.data)


def load(path):
    import pyarrow.csv

    table = pyarrow.csv.read_csv(path, pyarrow.csv.ReadOptions(column_names=["from", "to"]), pyarrow.csv.ParseOptions(delimiter="\t"))
    return np.column_stack([table["from"].to_numpy(), table["to"].to_numpy()])


def transition(edges):
    """Columns sum to 1 but for the dangling ones."""
    import scipy.sparse as sp

    n = int(edges.max()) + 1
    outgoing = np.bincount(edges[:, 0], minlength=n)
    values = 1.0 / outgoing[edges[:, 0]]
    return sp.coo_matrix((values, (edges[:, 1], edges[:, 0])), shape=(n, n)).tocsr(), outgoing == 0


def step(p, dangling, x):
    n = len(x)
    return DAMPING * (p @ x + x[dangling].sum() / n) + (1 - DAMPING) / n


def igraph(setting, threads):
    """PRPACK; the graph is built outside of the clock."""
    import igraph as library

    state = {}

    def prepare(edges):
        state["graph"] = library.Graph(n=int(edges.max()) + 1, edges=edges, directed=True)

    def fit(edges, k):
        return np.asarray(state["graph"].pagerank(damping=DAMPING, implementation="prpack"))

    fit.prepare = prepare
    return fit


def scipy_power(setting, threads):
    """Power iteration as NetworkX writes it, to the same bound on the error; the matrix is built outside of the clock."""
    state = {}

    def prepare(edges):
        state["matrix"] = transition(edges)

    def fit(edges, k):
        p, dangling = state["matrix"]
        x = np.full(p.shape[0], 1 / p.shape[0])
        while True:
            new = step(p, dangling, x)
            if np.abs(new - x).sum() <= TOLERANCE * (1 - DAMPING):
                return x
            x = new

    fit.prepare = prepare
    return fit


def copy(setting, threads):
    """Seconds to copy 512 MiB, all threads: memory bandwidth is twice that over the seconds."""
    from concurrent.futures import ThreadPoolExecutor

    parts = [(np.ones(2**26 // threads), np.ones(2**26 // threads)) for _ in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def fit(edges, k):
        list(pool.map(lambda pair: np.copyto(*pair), parts))
        return np.zeros(1)

    list(pool.map(lambda pair: np.copyto(*pair), parts))
    return fit


PEERS = {"igraph-pagerank": igraph, "scipy-pagerank": scipy_power, "raw-copy": copy}


def judge(case, outs, safely):
    from pathlib import Path

    p, dangling = transition(load(case.data))

    def one(out):
        out = Path(out)
        x = np.load(out / ("scores.npy" if (out / "scores.npy").exists() else "embedding.npy")).ravel()
        if len(x) != p.shape[0]:
            return {"wrong": f"{len(x)} scores for {p.shape[0]} vertices"}
        return {"residual": float(np.abs(step(p, dangling, x) - x).sum()), "vertices": p.shape[0], "links": p.nnz}

    return [safely(one, out) for out in outs]
