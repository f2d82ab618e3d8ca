"""What is measured: the data, who takes part, and the goals.

`python cases.py SIZE NAME` writes the data of a case under build/bench-data/SIZE. NumPy is loaded only there, so that
the process that starts and measures the others stays small.
"""
import dataclasses
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEED = 20240229


NEIGHBOR_MAPS = ("lle", "modified-lle", "ltsa", "hessian-lle", "laplacian", "mvu")  # see neighbor_maps.py
EMBEDDINGS = ("isomap", "kernel-pca", "kernel-transform", "mds", "neighbors", *NEIGHBOR_MAPS)  # see embedding_cases.py
TEXTS = ("words", "query")  # see text_cases.py
PROJECTIONS = ("ica", "projection", "nmf")  # see projections.py
MISSING = "ppca"  # see missing.py


@dataclasses.dataclass
class Case:
    """One input and everyone who works on it. Contestants are `name` or `name:setting`, see peers.py."""

    name: str
    kind: str  # pca, svd, csv, pagerank (see ranking.py), als (see ratings.py), startup, or one of EMBEDDINGS, TEXTS or PROJECTIONS
    full: tuple = ()  # rows, cols, k; words: bytes of text; query: documents, queries, k
    quick: tuple = ()
    contestants: tuple = ()
    fewdim: tuple = ()  # further arguments of fewdim
    single: bool = False  # float32
    sparse: bool = False
    shares: str = ""  # whose data it takes; its own where empty
    goals: tuple = ()  # names of functions in goals.py
    shape: tuple = dataclasses.field(default=(), init=False)
    size: str = dataclasses.field(default="full", init=False)

    def at(self, size):
        case = dataclasses.replace(self)
        case.size, case.shape = size, getattr(self, size)
        return case

    @property
    def data(self):
        ending = ".tsv" if self.kind == "pagerank" else ".csv" if self.kind in ("csv", "als") else ".txt" if self.kind in TEXTS else ".npz" if self.sparse else ".npy"
        return ROOT / "build" / "bench-data" / self.size / ((self.shares or self.name) + ending)

    @property
    def train(self):
        """What the model of a transform is fitted on."""
        return find("kernel-pca", self.size).data

    @property
    def k(self):
        return self.shape[2]

    def about(self):
        if self.kind == "startup":
            return "`fewdim --help`, 50 times"
        if self.kind in TEXTS:  # what the text is was found out when it was made
            what = f"{self.shape[1]} queries at k = {self.k}" if self.kind == "query" else "words counted and weighted"
            return self.data.with_suffix(".about").read_text().strip() + ", " + what
        rows, cols = self.shape[:2]
        if self.kind == "pagerank":
            return f"{rows:,} vertices, {cols:,} links, damping 0.85, error below 1e-10"
        if self.kind == "als":
            return f"{rows:,} ratings of {cols:,} items, rank {self.k}"
        if self.kind == "csv":
            return f"{rows:,} x {cols} numbers as text"
        kind = "float32" if self.single else "float64"
        if self.kind in PROJECTIONS:
            what = {"ica": "mixed sources, FastICA", "nmf": "counts of words from as many topics as parts, NMF"}.get(self.kind, "random projection")
            return f"{rows:,} x {cols:,} {'sparse ' if self.sparse else ''}{kind}, {what}, k = {self.k}"
        if self.kind == MISSING:
            return f"{rows:,} x {cols:,} {kind}, a fifth of them missing, probabilistic PCA by EM, k = {self.k}"
        if self.kind in EMBEDDINGS:
            what = {"isomap": "Isomap of a swiss roll, 10 neighbors", "kernel-pca": "kernel PCA, Gaussian",
                    "kernel-transform": "new rows placed by that kernel PCA", "mds": "classical MDS of given distances",
                    "neighbors": "exact neighbors", "lle": "LLE of a swiss roll, 12 neighbors", "ltsa": "LTSA of a swiss roll, 12 neighbors",
                    "modified-lle": "modified LLE of a swiss roll, 12 neighbors", "hessian-lle": "Hessian LLE of a swiss roll, 12 neighbors",
                    "laplacian": "Laplacian eigenmaps of a swiss roll, 12 neighbors",
                    "mvu": "maximum variance unfolding of a swiss roll, 6 neighbors"}[self.kind]
            return f"{rows:,} x {cols:,} {kind}, {what}, k = {self.k}"
        what = "PCA" if self.kind == "pca" else "SVD (not centered)"
        return f"{rows:,} x {cols:,} {'sparse ' if self.sparse else ''}{kind}, {what}, k = {self.k}"


# The raw limit with the kernel OpenBLAS picks, and with the one the processor can run: 0.3.21 takes processors newer than
# itself for a Prescott, at a quarter of their speed. The faster one is the limit.
RAW_COVARIANCE = ("raw-covariance", "raw-covariance:SkylakeX")
RAW_GRAM = ("raw-gram", "raw-gram:SkylakeX")
# Settings looked for on the way to equal accuracy: power iterations of the randomized solver, tolerance of ARPACK.
RANDOMIZED = ("sklearn-randomized:7", "sklearn-randomized:20", "sklearn-randomized:60")
ARPACK = ("sklearn-arpack:0", "sklearn-arpack:1e-4")
IRLBA = ("irlba:1e-5", "irlba:1e-9")
TALL = (*RAW_COVARIANCE, "fewdim", "sklearn-covariance_eigh", "sklearn-full", RANDOMIZED[0], ARPACK[0],
        "sklearnex-covariance_eigh", "scipy-eigh", *IRLBA)
WIDE = (*RAW_GRAM, "fewdim", "sklearn-full", *RANDOMIZED[:2], *ARPACK, "sklearnex-full", *IRLBA)
SQUARE = (*RAW_COVARIANCE, "fewdim", "sklearn-covariance_eigh", "sklearn-full", *RANDOMIZED, *ARPACK,
          "sklearnex-covariance_eigh", "scipy-eigh", *IRLBA)
TALL32 = (*RAW_COVARIANCE, "fewdim", "sklearn-covariance_eigh", "sklearnex-covariance_eigh", "faiss")
WIDE32 = (*RAW_GRAM, "fewdim", "sklearn-full", "sklearn-randomized:7", "sklearn-arpack:0", "faiss")
SQUARE32 = (*RAW_COVARIANCE, "fewdim", "sklearn-covariance_eigh", "sklearn-randomized:7", "sklearn-randomized:20",
            "sklearn-arpack:0", "sklearnex-covariance_eigh", "faiss")

CASES = [
    Case("dense-tall", "pca", (100_000, 512, 50), (4_000, 64, 10), TALL, goals=("raw",)),
    Case("dense-wide", "pca", (1_000, 50_000, 50), (200, 3_000, 10), WIDE, goals=("raw",)),
    Case("dense-square", "pca", (5_000, 5_000, 100), (500, 500, 10), SQUARE, goals=("sklearn",)),
    Case("dense-tall-f32", "pca", (100_000, 512, 50), (4_000, 64, 10), TALL32, single=True, goals=("single",)),
    Case("dense-wide-f32", "pca", (1_000, 50_000, 50), (200, 3_000, 10), WIDE32, single=True, goals=("single",)),
    Case("dense-square-f32", "pca", (5_000, 5_000, 100), (500, 500, 10), SQUARE32, single=True, goals=("single",)),
    Case("sparse", "pca", (50_000, 20_000, 50), (2_000, 1_000, 10),
         ("fewdim", "fewdim:1e-14", "svds-arpack:0", "svds-arpack:1e-4", "svds-arpack:1e-3", "svds-lobpcg:1e-6", "svds-propack:1e-6", *ARPACK, *IRLBA),
         sparse=True, shares="sparse", goals=("svds", "memory")),
    Case("sparse-svd", "svd", (50_000, 20_000, 50), (2_000, 1_000, 10),
         ("fewdim", "truncated-arpack:1e-3", "truncated-randomized:7", "truncated-randomized:20", "gensim:2", "gensim:20"),
         sparse=True, shares="sparse"),
    Case("streaming", "pca", (200_000, 512, 50), (8_000, 64, 10),
         ("fewdim", "incremental:1000", "incremental:2500", "incremental:5000"),
         fewdim=("--memory-limit", "256M"), goals=("incremental", "limit")),
    Case("csv", "csv", (995_000, 20), (20_000, 20), ("fewdim", "fread", "pandas-c", "pandas-round_trip", "pandas-pyarrow"),
         goals=("exact", "fread")),
    Case("isomap-5k", "isomap", (5_000, 3, 2), (500, 3, 2), ("fewdim", "fewdim:float32", "sklearn-isomap:auto"), goals=("isomap",)),
    Case("isomap-10k", "isomap", (10_000, 3, 2), (600, 3, 2), ("fewdim", "fewdim:float32", "sklearn-isomap:auto"), goals=("isomap",)),
    Case("isomap-100k", "isomap", (100_000, 3, 2), (2_000, 3, 2), ("fewdim",), fewdim=("--landmarks", "1000"), goals=("landmarks",)),
    Case("kernel-pca", "kernel-pca", (10_000, 50, 20), (600, 10, 20), ("fewdim", "sklearn-kernel:arpack", "sklearn-kernel:randomized"),
         goals=("kernel",)),
    Case("kernel-transform", "kernel-transform", (10_000, 50, 20), (600, 10, 20), ("fewdim", "sklearn-kernel-transform:arpack"),
         goals=("kernel_transform",)),
    Case("mds", "mds", (5_000, 5_000, 2), (300, 300, 2), ("fewdim", "numpy-mds", "cmdscale"), goals=("mds",)),
    Case("neighbors", "neighbors", (50_000, 50, 10), (2_000, 20, 10),
         ("sgemm", "fewdim", "faiss-neighbors", "sklearn-neighbors"), single=True, goals=("neighbors",)),
    Case("lle", "lle", (10_000, 3, 2), (800, 3, 2), ("fewdim", "sklearn-lle:standard"), goals=("five",)),
    Case("laplacian", "laplacian", (10_000, 3, 2), (800, 3, 2), ("fewdim", "sklearn-laplacian:same", "sklearn-laplacian:own"), goals=("five",)),
    Case("modified-lle", "modified-lle", (10_000, 3, 2), (800, 3, 2), ("fewdim", "sklearn-lle:modified"), goals=("ten",)),
    Case("ltsa", "ltsa", (10_000, 3, 2), (800, 3, 2), ("fewdim", "sklearn-lle:ltsa"), goals=("ten",)),
    Case("hessian-lle", "hessian-lle", (10_000, 3, 2), (800, 3, 2), ("fewdim", "sklearn-lle:hessian"), goals=("hessian",)),
    Case("lle-100k", "lle", (100_000, 3, 2), (2_000, 3, 2), ("fewdim",), goals=("minute",)),
    Case("laplacian-100k", "laplacian", (100_000, 3, 2), (2_000, 3, 2), ("fewdim",), goals=("minute",)),
    Case("mvu-200", "mvu", (200, 3, 2), (200, 3, 2), ("fewdim",), goals=("unfolds",)),
    Case("mvu-1k", "mvu", (1_000, 3, 2), (300, 3, 2), ("fewdim",), goals=("unfolds",)),
    Case("mvu-2k", "mvu", (2_000, 3, 2), (400, 3, 2), ("fewdim",), goals=("unfolds", "two_minutes")),
    Case("mvu-20k", "mvu", (20_000, 3, 2), (500, 3, 2), ("fewdim",), goals=("unfolds",)),
    Case("lsi-svd", "svd", (100_000, 50_000, 200), (3_000, 2_000, 20),
         ("fewdim", "scipy-svds:0", "scipy-svds:1e-2", "truncated-randomized:5", "gensim-chunks:20000", "rspectra:1e-3"),
         sparse=True, fewdim=("--tolerance", "1e-5"), goals=("lsi_svd", "lsi_gensim", "lsi_memory")),
    Case("lsi-words", "words", (100_000_000,), (1_000_000,), ("fewdim", "fewdim:defaults", "sklearn-tfidf", "gensim-words"), goals=("words",)),
    Case("lsi-query", "query", (100_000, 200, 200), (2_000, 50, 20), ("fewdim", "fewdim:cold", "numpy-query", "gensim-query"),
         goals=("latency", "cold")),
    Case("pagerank-1m", "pagerank", (1_000_000, 10_000_000), (2_000, 20_000), ("raw-copy", "fewdim", "igraph-pagerank", "scipy-pagerank"),
         goals=("ranking", "links_read", "bandwidth")),
    Case("ica", "ica", (100_000, 32, 32), (5_000, 6, 6), ("fewdim", "fewdim:picard-o", "sklearn-fastica:1e-4", "sklearn-fastica:1e-7"), goals=("unmixed",)),
    Case("als", "als", (10_000_000, 20_000, 32), (100_000, 1_000, 8), ("gemm-rate", "fewdim"), goals=("sweeps", "ratings_read")),
    Case("projection", "projection", (20_000, 10_000, 500), (400, 300, 20),
         ("numpy-gemm", "fewdim", "fewdim:sparse", "fewdim:hadamard", "sklearn-projection:gaussian", "sklearn-projection:sparse"),
         goals=("bare_product", "sparse_projection", "hadamard_projection")),
    Case("ppca-missing", "ppca", (20_000, 200, 10), (500, 20, 3), ("fewdim", "numpy-em:20"), goals=("em_step",)),
    Case("nmf", "nmf", (20_000, 5_000, 20), (600, 300, 5), ("fewdim", "fewdim:1e-4", "sklearn-nmf:1e-3", "sklearn-nmf:1e-4", "sklearn-nmf:1e-6"), sparse=True, goals=("factored",)),
    Case("startup", "startup", (), (), ("fewdim",), goals=("startup",)),
]


def find(name, size):
    return next(case for case in CASES if case.name == name).at(size)


def dense(case):
    """Factors with variances 1/i (singular values as i^-1/2), i = 1..2k, in orthonormal directions, on a noise floor.

    The noise is white; the edge of its sample spectrum, s²(1 + sqrt(D/N))², is a quarter of the k-th factor's
    variance. Each column has a mean of about three of its standard deviations: centering matters. So the k-th
    eigenvalue is followed closely by the next (about 1 : 1 - 1/k), and an iterative solver has to work for it.
    """
    import numpy as np

    rows, cols, k = case.shape
    rng = np.random.default_rng(SEED)
    factors = min(2 * k, cols, rows)
    variance = 1.0 / np.arange(1, factors + 1)
    directions = np.linalg.qr(rng.standard_normal((cols, factors)))[0].T
    loadings = np.sqrt(variance)[:, None] * directions
    noise = np.sqrt(0.25 / k) / (1 + np.sqrt(cols / rows))
    mean = 3 * np.sqrt(variance.sum() / cols + noise**2) * rng.standard_normal(cols)
    out = np.lib.format.open_memmap(case.data.with_suffix(".part"), "w+", np.float32 if case.single else np.float64,
                                    (rows, cols))
    tile = max(1, 4_000_000 // cols)
    for start in range(0, rows, tile):
        stop = min(rows, start + tile)
        out[start:stop] = rng.standard_normal((stop - start, factors)) @ loadings + mean
        out[start:stop] += noise * rng.standard_normal((stop - start, cols))
    out.flush()
    case.data.with_suffix(".part").rename(case.data)


def sparse(case):
    """Word counts of documents from a topic model with 60 topics, about 5 % of the entries not zero.

    A topic is a distribution over terms: gamma(0.2) weights times the term's own frequency, a power law. A document has
    a length (log-normal), a mix of topics (Dirichlet, popular topics first), and words drawn from it: the counts
    vary by the sampling as well, which is the noise.
    """
    import numpy as np
    import scipy.sparse as sp

    rows, cols, k = case.shape
    rng = np.random.default_rng(SEED + 1)
    topics = 60
    frequency = (np.arange(cols) + 0.05 * cols) ** -0.6
    weights = rng.gamma(0.2, size=(topics, cols)) * rng.permutation(frequency)
    ends = np.cumsum(weights / weights.sum(1, keepdims=True), axis=1)
    popularity = np.arange(1, topics + 1) ** -0.7
    words = 0.0515 * cols  # gives 5 % of distinct terms
    parts = []
    for start in range(0, rows, 1000):
        count = min(1000, rows - start)
        lengths = rng.lognormal(np.log(words), 0.3, count).astype(int) + 1
        mix = rng.dirichlet(6 * popularity / popularity.sum(), count)
        per_topic = rng.multinomial(lengths, mix)
        documents, terms = [], []
        for topic in range(topics):
            documents.append(np.repeat(np.arange(count, dtype=np.int32), per_topic[:, topic]))
            draws = rng.random(len(documents[-1])) * ends[topic, -1]
            terms.append(np.searchsorted(ends[topic], draws, side="right").astype(np.int32))
        d, t = np.concatenate(documents), np.minimum(np.concatenate(terms), cols - 1)
        part = sp.coo_matrix((np.ones(len(d)), (d, t)), shape=(count, cols)).tocsr()  # adds up equal places
        part.sort_indices()
        parts.append(part)
    matrix = sp.vstack(parts, format="csr")
    print(f"bench: sparse data: {matrix.nnz:,} entries, {100 * matrix.nnz / rows / cols:.2f} %")
    sp.save_npz(case.data.with_suffix(".part.npz"), matrix, compressed=False)
    case.data.with_suffix(".part.npz").rename(case.data)


def csv(case):
    """Half of the columns with 17 significant digits (the shortest text that gives the value back), half with 6 decimals."""
    import numpy as np
    import pyarrow
    import pyarrow.csv

    rows, cols = case.shape
    rng = np.random.default_rng(SEED)
    values = rng.standard_normal((rows, cols)) * 10.0 ** rng.integers(-3, 4, cols)
    values[:, 1::2] = np.round(values[:, 1::2], 6)
    table = pyarrow.table({f"x{j + 1}": values[:, j] for j in range(cols)})
    part = case.data.with_suffix(".part")
    pyarrow.csv.write_csv(table, part, pyarrow.csv.WriteOptions(quoting_style="none"))
    # The truth is NumPy's own reading of the text.
    np.save(case.data.with_suffix(".truth.npy"), np.loadtxt(part, delimiter=",", skiprows=1))
    part.rename(case.data)


def generate(case):
    case.data.parent.mkdir(parents=True, exist_ok=True)
    if case.kind == "pagerank":
        import ranking

        ranking.make(case)
        return
    if case.kind == "als":
        import ratings

        ratings.make(case)
        return
    if case.kind in PROJECTIONS:
        import projections

        projections.make(case)
        return
    if case.kind == MISSING:
        import missing

        missing.make(case)
        return
    if case.kind in EMBEDDINGS:
        import embedding_cases

        embedding_cases.make(case)
        return
    if case.kind in TEXTS or case.name == "lsi-svd":
        import text_cases

        text_cases.make(case)
        return
    (csv if case.kind == "csv" else sparse if case.sparse else dense)(case)


if __name__ == "__main__":
    generate(find(sys.argv[2], sys.argv[1]))
