"""The engine under Python: no copies, no lock, the same bits, the same files."""

import copy
import inspect
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import name_of, rows_for, small_estimators

import fewdim
from fewdim import _core


def memory_peak():
    """Of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmHWM")


# Data


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_arrays_are_not_copied(order, dtype, tmp_path):
    # A fresh process, so that its peak is this fit's, after a small fit that starts threads. The bound is 5 % of an X of
    # 1 GB. Working memory does not grow with X, so an X of 256 MB shows as well that nothing of it is copied;
    # FEWDIM_TEST_BYTES sets another size.
    size = int(os.environ.get("FEWDIM_TEST_BYTES", 256 << 20))
    code = f"""
import sys, numpy as np, fewdim
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_core import memory_peak
cols = 128
rows = {size} // cols // np.dtype({dtype.__name__!r}).itemsize
X = np.zeros((rows, cols), dtype={dtype.__name__!r}, order={order!r})
for j in range(cols): X[:, j] = np.sin(np.arange(rows, dtype=np.float32) * (j + 1))
X[::7, 3] += 5
fewdim.PCA(5).fit(X[:5000])
fewdim.PCA(5).fit_transform(X[:5000])
before = memory_peak()
pca = fewdim.PCA(5).fit(X)
assert pca.certificate_.converged
print(memory_peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 0.05 * max(size, 1 << 30)


def test_views_and_orders_agree(rng):
    X = rng.normal(size=(60, 8))
    want = fewdim.PCA(2).fit(X).components_
    spread = np.zeros((120, 16))
    spread[::2, ::2] = X
    backward = X[::-1].copy()[::-1]
    for view in [np.asfortranarray(X), spread[::2, ::2], backward, X.tolist(), X.astype(">f8"), X.astype(object)]:
        np.testing.assert_allclose(fewdim.PCA(2).fit(view).components_, want, atol=1e-12)


def test_reads_memory_maps(rng, tmp_path):
    np.save(tmp_path / "x.npy", rng.normal(size=(50, 4)))
    X = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert fewdim.PCA(2).fit_transform(X).shape == (50, 2)


def test_takes_integers_and_arrays_of_other_libraries():
    class Foreign:
        def __array__(self, dtype=None, copy=None):
            return np.arange(20.0).reshape(5, 4) ** 2

    assert fewdim.PCA(1).fit(Foreign()).n_features_in_ == 4
    assert fewdim.PCA(1).fit(np.arange(20).reshape(5, 4) ** 2).n_features_in_ == 4


@pytest.mark.parametrize("kind", ["csr_matrix", "csc_matrix", "coo_matrix"])
@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_takes_sparse_matrices(rng, kind, index):
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.random(80, 30, density=0.2, random_state=1)
    given = getattr(sparse, kind)(X)
    if hasattr(given, "indptr"):
        given.indptr, given.indices = given.indptr.astype(index), given.indices.astype(index)
    for estimator in [fewdim.PCA(3), fewdim.TruncatedSVD(3)]:
        want = copy.deepcopy(estimator).fit(X.toarray())
        np.testing.assert_allclose(estimator.fit(given).explained_variance_, want.explained_variance_, atol=1e-10)
        np.testing.assert_allclose(np.abs(estimator.transform(given)), np.abs(want.transform(X.toarray())), atol=1e-8)


def test_sums_repeated_entries():
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.csr_matrix((np.ones(6), ([0, 0, 1, 2, 2, 3], [1, 1, 0, 2, 0, 2])), shape=(4, 3))
    twice = sparse.coo_matrix((np.ones(6), ([0, 0, 1, 2, 2, 3], [1, 1, 0, 2, 0, 2])), shape=(4, 3))
    np.testing.assert_allclose(fewdim.TruncatedSVD(2).fit(twice).singular_values_,
                               fewdim.TruncatedSVD(2).fit(X.toarray()).singular_values_, rtol=1e-10)


def test_refuses_broken_sparse_matrices():
    good = (np.array([0, 1, 2]), np.array([0, 1], dtype=np.int32), np.ones(2))
    assert _core.Data.csr(2, 2, *good).cols == 2
    for offsets, columns in [([0, 1, 3], [0, 1]), ([0, 2, 1], [0, 1]), ([0, 1, 2], [0, 2]), ([0, 1, 2], [0, -1]),
                             ([1, 1, 2], [0, 1]), ([0, 2, 2], [1, 0]), ([0, 1], [0, 1])]:
        with pytest.raises(ValueError, match="sparse matrix"):
            _core.Data.csr(2, 2, np.array(offsets), np.array(columns, dtype=np.int32), np.ones(2))


@pytest.mark.parametrize("rows", [1, 3, 401])
def test_means_of_sparse_columns_do_not_depend_on_threads(rng, rows):
    sparse = pytest.importorskip("scipy.sparse")
    X = sparse.csr_matrix(np.where(rng.random((rows, 20)) < 0.5, rng.normal(size=(rows, 20)), 0.0))
    data = _core.Data.csr(rows, 20, X.indptr, X.indices, X.data)
    means = data.sparse_column_means(1)
    np.testing.assert_allclose(means, X.toarray().mean(axis=0), rtol=0, atol=1e-15)
    for threads in [0, 2, 5]:
        np.testing.assert_array_equal(data.sparse_column_means(threads), means)
    with pytest.raises(TypeError, match="sparse"):
        _core.Data.dense(np.ones((2, 2))).sparse_column_means()


# Streams


def test_fits_batches_as_the_whole(rng):
    X = rng.normal(size=(1000, 12)) * np.arange(1, 13)
    want = fewdim.PCA(3).fit(X)
    parts = np.array_split(X, 7)
    for source in [iter(parts), fewdim.Batches(parts), fewdim.Batches(lambda: iter(parts), rows=1000)]:
        got = fewdim.PCA(3).fit(source)
        np.testing.assert_allclose(got.explained_variance_, want.explained_variance_, rtol=1e-10)
    np.testing.assert_allclose(got.transform(fewdim.Batches(parts)), got.transform(X), atol=1e-12)


def test_partial_fit_is_one_fit(rng):
    X = rng.normal(size=(300, 6)) * np.arange(1, 7) + 100
    whole, parts = fewdim.PCA(3).fit(X), fewdim.PCA(3)
    for part in [X[:1], X[1:2], X[2:100], X[100:]]:
        parts.partial_fit(part)
    np.testing.assert_allclose(parts.explained_variance_, whole.explained_variance_, rtol=1e-9)
    np.testing.assert_allclose(np.abs(parts.components_), np.abs(whole.components_), atol=1e-9)
    with pytest.raises(ValueError, match="X has 5 features, but PCA is expecting 6 features as input"):
        parts.partial_fit(X[:, :5])


def test_errors_of_an_iterator_come_out_as_they_are():
    def broken():
        yield np.ones((3, 2))
        raise LookupError("the disk is gone")

    with pytest.raises(LookupError, match="the disk is gone"):
        fewdim.PCA(1).fit(broken())
    with pytest.raises(ValueError, match="a batch has 3 features, but the first had 2"):
        fewdim.PCA(1).fit(iter([np.ones((3, 2)), np.ones((3, 3))]))
    with pytest.raises(ValueError, match="0 sample"):
        fewdim.PCA(1).fit(iter([]))
    with pytest.raises(TypeError, match="takes no iterator"):
        fewdim.Isomap().fit(iter([np.ones((3, 2))]))


# Errors


def test_says_what_is_wrong(rng):
    X = rng.normal(size=(20, 4))
    hole, far = X.copy(), X.copy()
    hole[3, 1], far[2, 2] = np.nan, np.inf
    with pytest.raises(ValueError, match=r"^Input X contains NaN\.\npca: 1 missing value .* row 4, column 2.*missing='em'"):
        fewdim.PCA(2).fit(hole)
    with pytest.raises(ValueError, match=r"^Input X contains infinity or a value too large for dtype\('float64'\)"):
        fewdim.PCA(2).fit(far)
    with pytest.raises(ValueError, match="Input X contains NaN"):
        fewdim.PCA(2).fit(X).transform(hole)
    with pytest.raises(ValueError, match="X has 3 features, but PCA is expecting 4 features as input"):
        fewdim.PCA(2).fit(X).transform(X[:, :3])
    with pytest.raises(ValueError, match="Expected 2D array, got 1D array instead"):
        fewdim.PCA(2).fit(X[0])
    with pytest.raises(ValueError, match="n_components=9"):
        fewdim.PCA(9).fit(X)
    with pytest.raises(ValueError, match="iterated_power=7 has no meaning here"):
        fewdim.PCA(2, iterated_power=7).fit(X)
    with pytest.raises(ValueError, match="random_state=-1"):
        fewdim.PCA(2, random_state=-1).fit(X)
    with pytest.raises(ValueError, match="not fitted yet"):
        fewdim.PCA(2).transform(X)
    with pytest.raises(NotImplementedError, match="fit_inverse_transform"):
        fewdim.KernelPCA(2, kernel="rbf").fit(X).inverse_transform(X[:, :2])
    with pytest.raises(OSError, match="nothing-here"):
        fewdim.load("nothing-here.fewdim")
    with pytest.raises(MemoryError):
        fewdim.KernelPCA(2, kernel="rbf", memory_limit=1000).fit(rng.normal(size=(500, 4)))


@pytest.mark.parametrize("action, option, value, words", [
    ("name", "components", "", "n_components"), ("is", "components", "9", "n_components=9"),
    ("set", "tolerance", "1e-06", "tolerance=1e-06"), ("set", "missing", "em", "missing='em'"),
    ("set", "center", "false", "center=False"), ("set", "gamma", "", "gamma"),
    ("raise", "iterations", "", "raise max_iter"), ("lower", "components", "", "lower n_components"),
    ("leave_out", "scale", "", "leave scale out"),
    ("set", "stream", "true", "Batches(...)"), ("leave_out", "stream", "", "give an array"),
    ("set", "drop", "3", "numpy.delete(X, 2, axis=1)"), ("set", "drop", "1,4", "numpy.delete(X, [0, 3], axis=1)"),
    ("set", "drop", "age,my height", "X.drop(columns=['age', 'my height'])"),
    ("command", "choose-k", "", "fewdim.choose_k()"), ("command", "faces", "", "the command line's faces"),
    ("method", "ppca", "", "fewdim.PPCA"), ("set", "weights", "binary", "affinity='nearest_neighbors'"),
])
def test_a_remedy_is_said_in_the_words_of_python(action, option, value, words):
    names = {"components": "n_components", "iterations": "max_iter"}
    with fewdim._words.speaking_to(names, values={("weights", "binary"): "affinity='nearest_neighbors'"}):
        assert fewdim._words.remedy(action, option, value) == words


def test_commands_and_classes_that_messages_name_are_there():
    for name in [*fewdim._words.COMMANDS.values(), *fewdim._words.classes().values()]:
        if name.startswith("fewdim."):
            assert callable(getattr(fewdim, name.removeprefix("fewdim.").removesuffix("()"))), name


# Threads, interruption


@pytest.mark.parametrize("estimator", small_estimators(), ids=name_of)
def test_threads_give_the_same_bits(estimator, rng):
    X = rows_for(estimator, rng, 150, 6)
    bits = set()
    for n_jobs in (1, 2, 3):
        fitted = copy.deepcopy(estimator).set_params(n_jobs=n_jobs)
        bits.add(fitted.fit_transform(X).tobytes() + fitted.transform(X[:20]).tobytes())
    assert len(bits) == 1


def test_fits_in_many_threads_at_once(rng):
    X = rng.normal(size=(400, 20))
    want, found = fewdim.PCA(4).fit(X).components_, [None] * 6

    def fit(at):
        found[at] = fewdim.PCA(4).fit(X).components_

    workers = [threading.Thread(target=fit, args=(at,)) for at in range(len(found))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all((one == want).all() for one in found)


def test_a_second_fit_forgets_the_first(rng):
    pca = fewdim.PCA(2, embedding=True, scale=True).fit(rng.normal(size=(30, 4)))
    assert pca.embedding_.shape == (30, 2) and pca.scale_.shape == (4,)
    X = rng.normal(size=(20, 3))
    Y = pca.set_params(embedding=False, scale=False).fit_transform(X)
    assert Y.shape == (20, 2) and not hasattr(pca, "embedding_") and not hasattr(pca, "scale_")
    pca = fewdim.PCA(2).partial_fit(X)
    assert pca.fit(X[:5]).n_samples_ == 5 and not hasattr(pca, "n_samples_seen_")


def test_other_threads_run_during_a_fit(rng):
    X = rng.normal(size=(20000, 300))
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    worker = threading.Thread(target=tick)
    worker.start()
    start = time.monotonic()
    fewdim.PCA(4).fit(X)
    end = time.monotonic()
    done.set()
    worker.join()
    inside = sum(start < t < end for t in ticks)
    assert inside >= 0.1 * (end - start) / 0.005


def test_callback_hears_and_cancels(rng):
    X = rng.normal(size=(4000, 60))
    heard = []
    fewdim.PCA(2).fit(X, callback=lambda stage, done, total: heard.append((stage, done, total)))
    assert heard and all(isinstance(stage, str) for stage, _, _ in heard)
    with pytest.raises(KeyboardInterrupt):
        fewdim.PCA(2).fit(X, callback=lambda *_: False)

    def fails(*_):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        fewdim.PCA(2).fit(X, callback=fails)


def test_shows_progress(rng, capsys):
    fewdim.PCA(2).fit(rng.normal(size=(4000, 60)), progress=True)
    assert "PCA" in capsys.readouterr().err


def test_ctrl_c_stops_within_half_a_second():
    # Isomap of 6,000 rows takes seconds; the signal comes after 0.5 s of it.
    code = """
import os, signal, threading, time, numpy as np, fewdim
X = np.random.default_rng(0).normal(size=(6000, 30))
sent = []
def send():
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)
timer = threading.Timer(0.5, send)
timer.start()
try:
    fewdim.MaximumVarianceUnfolding().fit(X)
    print("finished")
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.5


def test_numpy_keeps_its_threads():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    np.ones((50, 50)) @ np.ones((50, 50))
    before = threadpoolctl.threadpool_info()
    fewdim.PCA(2).fit(np.random.default_rng(0).normal(size=(500, 50)))
    assert threadpoolctl.threadpool_info() == before


# Files


@pytest.mark.parametrize("estimator", small_estimators(), ids=name_of)
def test_pickles_and_files_keep_the_model(estimator, rng, tmp_path):
    X = rows_for(estimator, rng, 60, 5)
    estimator.fit(X)
    want = estimator.transform(X[:7])
    estimator.save(tmp_path / "model")
    with pytest.raises(OSError):
        estimator.save(tmp_path / "model")
    loaded = fewdim.load(tmp_path / "model")
    assert type(loaded) is type(estimator)
    assert estimator._model.to_bytes() == (tmp_path / "model").read_bytes()
    for other in [loaded, pickle.loads(pickle.dumps(estimator)), copy.deepcopy(estimator)]:
        assert (other.transform(X[:7]) == want).all()
        assert other.n_features_in_ == 5


def test_refuses_broken_bytes(rng):
    whole = fewdim.PCA(2).fit(rng.normal(size=(10, 3)))._model.to_bytes()
    for end in range(0, len(whole), 37):
        with pytest.raises(ValueError):
            _core.Model.from_bytes(whole[:end])


def test_command_line_reads_and_writes_the_same_files(rng, tmp_path):
    program = os.environ.get("FEWDIM_PROGRAM")
    if not program:
        pytest.skip("FEWDIM_PROGRAM is not set")
    X = rng.normal(size=(40, 5))
    np.save(tmp_path / "x.npy", X)
    subprocess.run([program, "pca", "x.npy", "-k", "2", "--model", "a.fewdim", "-q"], cwd=tmp_path, check=True)
    loaded = fewdim.load(tmp_path / "a.fewdim")
    ours = fewdim.PCA(2).fit(X)
    assert isinstance(loaded, fewdim.PCA) and (loaded.components_ == ours.components_).all()
    ours.save(tmp_path / "b.fewdim")
    subprocess.run([program, "transform", "b.fewdim", "x.npy", "-o", "y.npy", "-q"], cwd=tmp_path, check=True)
    assert (np.load(tmp_path / "y.npy") == ours.transform(X)).all()


def test_works_without_scikit_learn(tmp_path):
    code = """
import sys
sys.modules["sklearn"] = None
import numpy as np, fewdim
pca = fewdim.PCA(n_components=2)
assert "n_components=2" in repr(pca), repr(pca)
assert pca.fit_transform(np.random.default_rng(0).normal(size=(20, 4))).shape == (20, 2)
assert list(pca.get_feature_names_out()) == ["pca0", "pca1"]
assert pca.set_params(whiten=True).get_params()["whiten"] is True
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_asks_for_numpy():
    code = """
import sys
sys.modules["numpy"] = None
try:
    import fewdim
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("fewdim needs NumPy")


# Functions, and the table of classes


def test_cards_say_what_a_format_reads_and_writes():
    rows = {card["name"]: card for card in fewdim.formats() if card["kind"] == "rows"}
    assert rows["npy"]["endings"] == [".npy"] and rows["npy"]["streams"] and not rows["npz"]["streams"]
    assert rows["csv"]["keeps"] == ["row names", "column names", "labels"] and rows["svmlight"]["reads"] == ["sparse"]
    assert [option["name"] for option in rows["npz"]["read_options"]] == ["array"]
    assert {card["kind"] for card in fewdim.formats()} == {"rows", "documents", "links", "images"}
    assert all(card["about"] and card["reads"] for card in fewdim.formats())


def test_cards_say_what_a_method_takes_and_gives():
    cards = {card["name"]: card for card in fewdim.methods()}
    assert cards["isomap"]["takes"]["kinds"] == ["rows", "distances", "graph"]
    assert cards["pca"]["takes"]["missing"] == "on request" and cards["pca"]["gives"]["inverse"] == "yes"
    assert cards["svd"]["verified_by"] == "decomposition" and cards["svd"]["gives"]["squares"]
    for name, card in cards.items():
        assert fewdim._CLASSES[name].__name__ == card["python_class"] in fewdim.__all__
        assert card["use_when"].startswith("Use it when ") and card["task"] and card["page"].endswith(".md")


def test_every_method_and_option_is_reachable():
    for card in fewdim.methods():
        cls = fewdim._CLASSES[card["name"]]
        reachable = set(cls._parameter_names()) | {"components", "seed", "embedding", "kind", "density", "rotation",
                                                   "metric"}
        missing = {option["name"] for option in card["options"]} - reachable
        assert not missing, f"{cls.__name__} has no parameter for {missing}"


def test_pagerank_has_the_walk():
    links = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "c")]
    ranks = fewdim.pagerank(links)
    P = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0], [0, 0, 1, 0.0]])
    want = np.linalg.solve(np.eye(4) - 0.85 * P.T, np.full(4, 0.15 / 4))
    np.testing.assert_allclose(ranks.scores, want, atol=1e-10)
    np.testing.assert_allclose(fewdim.pagerank(P).scores, want, atol=1e-10)
    assert ranks.names == ["a", "b", "c", "d"] and ranks.error_bound < 1e-10
    alone = fewdim.pagerank(links, personalization={"d": 1.0})
    assert alone.scores[3] == pytest.approx(0.15)


def test_hits_are_singular_vectors(rng):
    A = (rng.uniform(size=(12, 12)) < 0.4).astype(float)
    found = fewdim.hits(A, norm="unit")
    u, s, vt = np.linalg.svd(A)
    np.testing.assert_allclose(found.hubs, np.abs(u[:, 0]), atol=1e-8)
    np.testing.assert_allclose(found.authorities, np.abs(vt[0]), atol=1e-8)
    assert found.singular_value == pytest.approx(s[0])


def test_procrustes_is_scipys(rng):
    spatial = pytest.importorskip("scipy.spatial")
    X, Y = rng.normal(size=(20, 3)), rng.normal(size=(20, 3))
    assert fewdim.procrustes(X, Y).disparity == pytest.approx(spatial.procrustes(X, Y)[2])


def test_lsi_searches():
    texts = ["cats and dogs are pets", "dogs chase cats", "a cat sleeps", "stocks and bonds", "the stock market fell",
             "bonds rose as stocks fell"] * 2
    lsi = fewdim.LSI(n_components=2).fit(texts)
    assert lsi.transform(["my dog"]).shape == (1, 2)
    assert {hit.document % 6 for hit in lsi.search("dog", 4)} <= {0, 1, 2}
    assert lsi.near_terms("stock", 3)[0][1] > 0.9
    first, second = lsi.topics(top=3)
    assert first.singular_value == pytest.approx(lsi.singular_values_[0]) and first.share > second.share
    # The weights of a topic are entries of its direction, and its end has the largest.
    entries = dict(zip(lsi.terms_, lsi.components_[0]))
    assert [weight for _, weight in first.terms] == pytest.approx(sorted(entries.values(), reverse=True)[:3], abs=1e-6)
    assert len(lsi.topics(1)) == 1 and len(first.documents) == 3
    with pytest.raises(ValueError, match="top=0"):
        lsi.topics(top=0)
    with pytest.raises(ValueError, match="string object received"):
        lsi.transform("my dog")
    again = pickle.loads(pickle.dumps(lsi))
    assert (again.transform(["my dog"]) == lsi.transform(["my dog"])).all()


def test_ppca_fills():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 1)) @ rng.normal(size=(1, 5)) + 0.01 * rng.normal(size=(200, 5))
    holes = X.copy()
    holes[::4, 2] = np.nan
    filled = fewdim.PPCA(n_components=1).fit(holes).fill(holes)
    # The noise has a standard deviation of 0.01: four of them.
    assert np.abs(filled - X)[::4, 2].max() < 0.05
    assert (filled[1] == X[1]).all()


def test_plots(rng):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    pca = fewdim.PCA(n_components=2).fit(rng.normal(size=(30, 4)))
    with pytest.raises(ValueError, match="give the rows to draw"):
        pca.plot()
    assert "PC1" in pca.plot(rng.normal(size=(30, 4)), labels=np.arange(30) % 3).get_xlabel()


# Defaults

def test_a_few_rows_have_fewer_neighbors(rng):
    assert fewdim.DiffusionMaps().fit(rng.normal(size=(9, 2))).embedding_.shape == (9, 2)


def test_defaults_are_the_engine_s():
    cards = {card["name"]: {option["name"].replace("-", "_"): option for option in card["options"]}
             for card in fewdim.methods()}
    for name in fewdim.__all__:
        cls = getattr(fewdim, name)
        if not (isinstance(cls, type) and issubclass(cls, fewdim.Estimator)) or cls is fewdim.Estimator:
            continue
        for parameter, option in cls._same.items():
            ours = inspect.signature(cls).parameters[parameter].default
            theirs = cards[cls._method][option]["default"]
            if isinstance(ours, (int, float)) and not isinstance(ours, bool):
                assert float(ours) == float(theirs), (name, parameter)
            else:
                assert str(ours).lower() == str(theirs).lower(), (name, parameter)


# Weights

def test_a_weight_of_two_is_the_row_twice(rng):
    X = rng.normal(size=(30, 4))
    fresh = rng.normal(size=(7, 4))
    counts = rng.integers(0, 4, size=30)

    def places(rows, *weights):
        return fewdim.PCA(2).fit(rows, None, *weights).transform(fresh)

    np.testing.assert_allclose(places(X, counts), places(np.repeat(X, counts, axis=0)), atol=1e-10)
    np.testing.assert_allclose(places(X, 5.0), places(X), atol=1e-10)
    np.testing.assert_allclose(fewdim.PCA(2).fit_transform(X, sample_weight=counts),
                               fewdim.PCA(2).fit(X, sample_weight=counts).transform(X), atol=1e-12)
    for wrong, words in [(counts[:4], "expected \\(30,\\)"), (np.ones((30, 1)), "1D array"), (-counts, "weight")]:
        with pytest.raises(ValueError, match=words):
            fewdim.PCA(2).fit(X, sample_weight=wrong)
    with pytest.raises(ValueError, match="how many rows"):
        fewdim.PCA(2).fit(iter([X]), sample_weight=counts)


def test_warnings_point_at_the_caller(rng):
    X = np.concatenate([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 1000])
    with pytest.warns(fewdim.FewdimWarning, match="joined by") as heard:
        fewdim.Isomap(n_neighbors=5).fit(X)
    assert heard[0].filename == __file__


# Noise

def test_fills_in_with_errors_that_hold(rng):
    truth = rng.normal(size=(400, 2)) @ rng.normal(size=(2, 8)) + 0.1 * rng.normal(size=(400, 8))
    gaps = rng.uniform(size=truth.shape) < 0.1
    X = np.where(gaps, np.nan, truth)
    for model in [fewdim.PPCA(2), fewdim.FactorAnalysis(2), fewdim.PCA(2, missing="em")]:
        rows, errors = model.fit(X).fill(X, return_std=True)
        np.testing.assert_array_equal(rows[~gaps], X[~gaps])
        assert (errors[~gaps] == 0).all() and (errors[gaps] > 0).all()
        # 298 values: their mean square, in standard errors, is 1 to about 4 * sqrt(2/298).
        assert abs(np.mean(((rows - truth)[gaps] / errors[gaps])**2) - 1) < 0.33
        np.testing.assert_array_equal(model.fill(X), rows)
    with pytest.raises(ValueError, match="missing"):
        fewdim.PCA(2).fit(truth).fill(X)


def test_draws_rows_like_those_it_was_fitted_on(rng):
    X = rng.normal(size=(2000, 2)) @ rng.normal(size=(2, 5)) + rng.normal(size=(2000, 5)) * 0.3 + 7
    for model in [fewdim.PPCA(2).fit(X), fewdim.FactorAnalysis(2).fit(X)]:
        drawn = model.sample(20000, random_state=3)
        assert drawn.shape == (20000, 5)
        np.testing.assert_array_equal(drawn, model.sample(20000, random_state=3))
        spread = np.sqrt(np.diag(model.get_covariance()))
        np.testing.assert_allclose(drawn.mean(axis=0), model.mean_, atol=0.05 * spread.max())
        np.testing.assert_allclose(np.cov(drawn.T), model.get_covariance(), atol=0.05 * spread.max()**2)
        assert model.score_samples(np.where(rng.uniform(size=X.shape) < 0.1, np.nan, X)).shape == (2000,)
        with pytest.raises(ValueError, match="n_samples=0"):
            model.sample(0)


# Ratings

@pytest.fixture
def ratings(rng):
    X = np.clip(np.round(3 + rng.normal(size=(60, 3)) @ rng.normal(size=(3, 25))), 1, 5)
    return np.where(rng.uniform(size=X.shape) < 0.4, np.nan, X)


def test_predicts_what_it_would_fill_in(ratings):
    model = fewdim.MatrixCompletion(3).fit(ratings)
    whole = np.clip(model.complete(ratings), np.nanmin(ratings), np.nanmax(ratings))
    users, items = np.nonzero(np.isnan(ratings))
    np.testing.assert_allclose(model.predict_ratings(users, items), whole[users, items], atol=1e-10)
    assert model.predict_ratings(4, 7).shape == (1,)
    with pytest.raises(ValueError, match="as many of both"):
        model.predict_ratings([1, 2], [3])
    with pytest.raises(IndexError, match="user 60 is none of the model's 60"):
        model.predict_ratings([60], [0])
    with pytest.raises(IndexError, match="item -1"):
        model.predict_ratings([0], [-1])
    with pytest.raises(TypeError):
        model.predict_ratings([0.5], [0])


def test_recommends_the_highest_predictions(ratings):
    model = fewdim.MatrixCompletion(3).fit(ratings)
    missing = np.flatnonzero(np.isnan(ratings[5]))
    found = model.recommend(5, count=4)
    values = model.predict_ratings(np.full(len(missing), 5), missing)
    assert {one.item for one in found} <= set(missing)
    assert found[0].value == values.max() and found[0].name is None
    assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)
    assert len(model.recommend(5, count=100, rated=True)) == 25
    assert len(model.recommend(5, count=100)) == len(missing)
    # Somebody new with the ratings of user 5 is where user 5 is.
    same = {item: value for item, value in enumerate(ratings[5]) if not np.isnan(value)}
    placed = model.recommend(ratings=same, count=4)
    np.testing.assert_allclose([one.value for one in placed], [one.value for one in found], atol=0.05)
    for bad in [dict(), dict(user=1, ratings={2: 3.0})]:
        with pytest.raises(ValueError, match="give a user of the fit, or the ratings"):
            model.recommend(**bad)
    with pytest.raises(ValueError, match="count=0"):
        model.recommend(1, count=0)
    with pytest.raises(ValueError, match="embedding=True"):
        fewdim.MatrixCompletion(3, embedding=False).fit(ratings).recommend(1)


def test_knows_users_and_items_by_name(ratings):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ratings, index=[f"user{i}" for i in range(60)], columns=[f"item{j}" for j in range(25)])
    model, plain = fewdim.MatrixCompletion(3).fit(frame), fewdim.MatrixCompletion(3).fit(ratings)
    assert [one.item for one in model.recommend("user5")] == [one.item for one in plain.recommend(5)]
    assert model.recommend("user5", count=1)[0].name.startswith("item")
    assert model.similar_items("item3", count=2)[0].name == f"item{plain.similar_items(3, count=1)[0].item}"
    assert model.similar_items(3)[0].value <= 1.0 + 1e-12
    with pytest.raises(ValueError, match="did you mean 'user5'"):
        model.recommend("usr5")
    with pytest.raises(ValueError, match="rated twice"):
        model.recommend(ratings={"item1": 3.0, 1: 2.0})
    loaded = pickle.loads(pickle.dumps(model))
    assert loaded.recommend("user5") == model.recommend("user5")


def test_eigenvalues_are_those_of_the_methods_own_matrix():
    X = np.random.default_rng(3).normal(size=(40, 3))
    centering = np.eye(40) - 1 / 40
    squares = ((X[:, None] - X) ** 2).sum(axis=2)

    def spectrum(matrix):
        return np.linalg.eigvalsh(centering @ matrix @ centering)[::-1]

    kernel = fewdim.KernelPCA(n_components=4, kernel="rbf", gamma=0.2).fit(X)
    np.testing.assert_allclose(kernel.eigenvalues_, spectrum(np.exp(-0.2 * squares))[:4], rtol=1e-10)
    scaled = fewdim.ClassicalMDS(n_components=2).fit(X)
    np.testing.assert_allclose(scaled.eigenvalues_, spectrum(-squares / 2)[:2], rtol=1e-10)
    cities = np.sqrt(squares) ** 1.5  # not Euclidean
    scaled = fewdim.ClassicalMDS(n_components=2, metric="precomputed").fit(cities)
    truth = spectrum(-(cities**2) / 2)
    assert scaled.all_eigenvalues_.shape == (40,) and scaled.all_eigenvalues_[-1] < 0
    np.testing.assert_allclose(scaled.all_eigenvalues_, truth, atol=1e-10 * truth[0])
