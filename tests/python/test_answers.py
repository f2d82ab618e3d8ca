"""Answers that were once wrong, or came without a word that they should have had."""

import copy
import os
import pathlib
import pickle
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
from conftest import name_of, rows_for, small_estimators

import fewdim
from fewdim import _core, _words

SOURCE = pathlib.Path(os.environ.get("FEWDIM_SOURCE", pathlib.Path(__file__).parents[2]))


# NumPy 2


def test_numpy_2_is_refused_where_pybind11_would_misread_it():
    """pybind11 below 2.12 reads arrays of NumPy 2 wrongly: score_samples() gave the first row's value for every row."""
    program = ("import numpy\nnumpy.__version__ = '2.1.3'\nimport fewdim\n"
               "print(*fewdim._core.pybind11_version)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    if _core.pybind11_version >= (2, 12):
        assert done.returncode == 0, done.stderr
        return
    assert done.returncode != 0
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: fewdim was built with pybind11 2.") and "NumPy 2.1.3" in last, last
    assert "pybind11 2.12 or later" in last and "numpy<2" in last, last


def test_score_samples_has_a_value_for_each_row(rng):
    X = rng.normal(size=(40, 5))
    model = fewdim.FactorAnalysis(2).fit(X)
    together = model.score_samples(X)
    alone = np.array([model.score_samples(X[i:i + 1])[0] for i in range(len(X))])
    np.testing.assert_allclose(together, alone, rtol=1e-12)
    assert len(set(together.round(6))) > 30


# Factor analysis


def log_likelihood(X, model):
    """Of all rows, from mean and covariance alone."""
    rows, covariance = X - model.mean_, model.get_covariance()
    distances = np.einsum("ij,ij->i", rows, np.linalg.solve(covariance, rows.T).T)
    return -0.5 * (distances.sum() + len(X) * (np.linalg.slogdet(covariance)[1] + X.shape[1] * np.log(2 * np.pi)))


def test_factors_keep_their_rotation_where_they_are_many(rng):
    """Two factors of four features were once PPCA's, and the rotation was gone without a word."""
    X = rng.normal(size=(150, 2)) @ rng.normal(size=(2, 4)) + 0.5 * rng.normal(size=(150, 4))
    with pytest.warns(fewdim.FewdimWarning, match="2 factors of 4 features are more than the correlations determine"):
        plain = fewdim.FactorAnalysis(2).fit(X)
    turned = fewdim.FactorAnalysis(2, rotation="varimax").fit(X)
    assert np.ptp(plain.noise_variance_) > 1e-3  # PPCA has one noise for all
    np.testing.assert_allclose(turned.get_covariance(), plain.get_covariance(), atol=1e-6)
    assert np.abs(turned.components_ - plain.components_).max() > 1e-3
    assert plain.loglike_ == pytest.approx(log_likelihood(X, plain), rel=1e-9)
    assert plain.loglike_ > fewdim.PPCA(2).fit(X).loglike_


def test_factors_say_how_many_starts_agree(rng):
    X = rng.normal(size=(200, 1)) @ np.ones((1, 6)) + rng.normal(size=(200, 6))
    model = fewdim.FactorAnalysis(1).fit(X)
    assert re.search(r"\d+ of 24 starts end at the greatest that was found", model.certificate_.why)
    assert "maximum" not in model.certificate_.why
    one = fewdim.FactorAnalysis(1, n_init=1).fit(X)
    assert "1 of 1 starts" in one.certificate_.why
    with pytest.raises(ValueError, match="n_init=-1"):
        fewdim.FactorAnalysis(1, n_init=-1).fit(X)


# Parts


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))],
                         ids=["copy", "deepcopy", "pickle"])
def test_a_copy_of_a_partial_fit_goes_on(rng, copied):
    X = rng.normal(size=(90, 5)) * np.arange(1, 6) + 10
    first = fewdim.PCA(3).partial_fit(X[:50])
    other = copied(first).partial_fit(X[50:])
    assert other.n_samples_seen_ == 90 and other.n_samples_ == 90
    np.testing.assert_allclose(other.explained_variance_, fewdim.PCA(3).fit(X).explained_variance_, rtol=1e-10)
    # and the two go their own ways
    assert first.n_samples_seen_ == 50
    first.partial_fit(X[50:60])
    assert first.n_samples_seen_ == 60
    np.testing.assert_allclose(first.explained_variance_, fewdim.PCA(3).fit(X[:60]).explained_variance_, rtol=1e-10)


@pytest.mark.parametrize("scale", [False, True])
def test_partial_fit_goes_on_from_a_fit(rng, scale, tmp_path):
    X = rng.normal(size=(80, 4)) * np.arange(1, 5) + 3
    whole = fewdim.PCA(scale=scale).fit(X)
    fewdim.PCA(scale=scale).fit(X[:50]).save(tmp_path / "first.fewdim")
    for begun in [fewdim.PCA(scale=scale).fit(X[:50]), fewdim.load(tmp_path / "first.fewdim")]:
        begun.partial_fit(X[50:])
        assert begun.n_samples_seen_ == 80
        np.testing.assert_allclose(begun.explained_variance_, whole.explained_variance_, rtol=1e-10)
        np.testing.assert_allclose(begun.mean_, whole.mean_, rtol=1e-12)
    wide = rng.normal(size=(6, 9))  # fewer rows than columns: five directions have all the variance
    begun = fewdim.PCA().fit(wide[:5]).partial_fit(wide[5:])
    np.testing.assert_allclose(begun.set_params(n_components=4).partial_fit(wide).explained_variance_,
                               fewdim.PCA(4).fit(np.vstack([wide, wide])).explained_variance_, rtol=1e-9)


def test_partial_fit_refuses_what_a_fit_left_out(rng):
    X = rng.normal(size=(80, 4))
    for gone in [fewdim.PCA(2).fit(X + 0.0), pickle.loads(pickle.dumps(fewdim.PCA(2).fit(X)))]:
        with pytest.raises(NotImplementedError, match="kept 2 components of 4 features.*gone.*n_components=None"):
            gone.partial_fit(X)
    changed = X[:40].copy()
    model = fewdim.PCA(2).fit(changed)
    changed += 1.0
    with pytest.raises(NotImplementedError, match="gone"):
        model.partial_fit(X[40:])
    first = X[:40].copy()
    there = fewdim.PCA(2).fit(first).partial_fit(X[40:])  # the rows are there to be read again
    assert there.n_samples_seen_ == 80
    np.testing.assert_allclose(there.explained_variance_, fewdim.PCA(2).fit(X).explained_variance_, rtol=1e-10)
    with pytest.raises(NotImplementedError, match="sample_weight"):
        fewdim.PCA().fit(X, sample_weight=np.arange(1, 81)).partial_fit(X)
    again = fewdim.PCA(2).partial_fit(X).fit(X[:30])  # fit begins anew
    assert again.n_samples_ == 30 and not hasattr(again, "n_samples_seen_")


@pytest.mark.parametrize("nonsense", [{"accuracy": "foo"}, {"missing": "foo"}, {"svd_solver": "foo"}, {"missing": "em"},
                                      {"svd_solver": "arpack"}, {"svd_solver": "full"}, {"ddof": 2}, {"tol": -1.0},
                                      {"whiten": "foo"}, {"n_components": "mle"}, {"n_components": -1}, {"embedding": True}],
                         ids=str)
def test_partial_fit_refuses_nonsense(rng, nonsense):
    X = rng.normal(size=(20, 4))
    (name, _), = nonsense.items()
    model = fewdim.PCA(**{"n_components": 2, **nonsense})
    with pytest.raises((ValueError, TypeError), match=name):
        model.partial_fit(X[:1])  # at once, not when there are rows enough
    assert not hasattr(model, "_parts")


def test_partial_fit_heeds_accuracy(rng):
    X = (rng.normal(size=(400, 3)) * 1e-3 + 1).astype(np.float32)
    exact = np.cov(X.astype(np.float64), rowvar=False)
    for svd_solver in ["auto", "covariance_eigh", "covariance"]:
        model = fewdim.PCA(3, accuracy="high", svd_solver=svd_solver).partial_fit(X[:100]).partial_fit(X[100:])
        np.testing.assert_allclose(model.explained_variance_, np.linalg.eigvalsh(exact)[::-1], rtol=1e-6)
    with pytest.raises(ValueError, match="accuracy='?high"):
        fewdim.PCA(3).partial_fit(X).set_params(accuracy="high").partial_fit(X)


# Numbers of components


@pytest.mark.parametrize("estimator", small_estimators() + [fewdim.LSI()], ids=name_of)
@pytest.mark.parametrize("nonsense", [-1, 0, 1.5, -0.5, float("nan"), True, "foo", np.int64(-3), [2], b"2"], ids=str)
def test_nonsense_is_no_number_of_components(rng, estimator, nonsense):
    model = copy.deepcopy(estimator).set_params(n_components=nonsense)
    X = ["a cat", "a dog", "cats and dogs"] * 4 if isinstance(model, fewdim.LSI) else rows_for(model, rng, 30, 5)
    with pytest.raises(ValueError, match="components"):
        model.fit(X)


def test_float32_finds_as_many_components_as_float64(rng):
    """Eigenvalues of a kernel in float32 have the rounding of float32: 3 columns make 3 components, not 16."""
    for rows in [16, 60, 300]:
        X = rng.normal(size=(rows, 3)) * [3, 2, 1]
        wide, narrow = fewdim.KernelPCA().fit(X), fewdim.KernelPCA().fit(X.astype(np.float32))
        assert wide.n_components_ == narrow.n_components_ == 3, rows
        np.testing.assert_allclose(narrow.eigenvalues_, wide.eigenvalues_, rtol=1e-4)
        with pytest.raises(ValueError, match="only 3 eigenvalues are positive"):
            fewdim.KernelPCA(5).fit(X.astype(np.float32))
        assert fewdim.ClassicalMDS(None).fit(X.astype(np.float32)).n_components_ == 3, rows
    # what is there is kept: the least eigenvalue has 1e-5 of the variance
    thin = rng.normal(size=(200, 3)) * [1, 1, 3e-3]
    assert fewdim.KernelPCA().fit(thin.astype(np.float32)).n_components_ == 3


def test_a_map_without_stress_converges_from_random_points(rng):
    """Plateaus on the way to a stress of 0 may take more than a thousand steps."""
    X = np.round(rng.normal(size=(150, 3)) * [0.8, 0.4, 1.7] + [5.8, 3, 3.7], 1)
    for dtype in [np.float64, np.float32]:
        for seed in range(4):
            model = fewdim.MDS(3, init="random", random_state=seed).fit(X.astype(dtype))
            assert model.certificate_.converged


# Graphs in parts


NEIGHBORS = [fewdim.Isomap, fewdim.LocallyLinearEmbedding, fewdim.LaplacianEigenmaps, fewdim.DiffusionMaps,
             fewdim.MaximumVarianceUnfolding]


def two_parts():
    """Twenty rows, and twelve a hundred away."""
    near = [(i, i * i % 7) for i in range(1, 21)]
    return np.array(near + [(100 + i, i * i % 5) for i in range(1, 13)], dtype=float)


@pytest.mark.parametrize("cls", NEIGHBORS)
def test_a_graph_in_parts_is_bridged_with_a_warning(cls):
    model = cls(n_neighbors=4)
    fallback = {field["name"]: field["default"] for field in model._card()["options"]}["disconnected"]
    assert model.disconnected == fallback == "bridge"  # one rule for all fronts
    with pytest.warns(fewdim.FewdimWarning, match=r"2 parts \(sizes 20, 12\); joined by 1 link of.* between rows \d+ and \d+"
                                                  r".*n_neighbors.*disconnected='largest'"):
        Y = model.fit_transform(two_parts())
    assert np.isfinite(Y).all()
    with pytest.raises(ValueError, match="disconnected='bridge'"):
        cls(n_neighbors=4, disconnected="error").fit(two_parts())


@pytest.mark.skipif("FEWDIM_PROGRAM" not in os.environ, reason="no command line here")
@pytest.mark.parametrize("method, cls", [("isomap", fewdim.Isomap), ("laplacian", fewdim.LaplacianEigenmaps)])
def test_the_command_line_bridges_as_python_does(tmp_path, method, cls):
    np.save(tmp_path / "x.npy", two_parts())
    done = subprocess.run([os.environ["FEWDIM_PROGRAM"], method, "x.npy", "--neighbors", "4", "-m", "model.fewdim"],
                          cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "2 parts (sizes 20, 12); joined by 1 link of length" in done.stderr
    theirs = fewdim.load(tmp_path / "model.fewdim")
    ours = cls(n_neighbors=4, **({"affinity": "heat"} if method == "laplacian" else {})).fit(two_parts())
    np.testing.assert_allclose(ours.embedding_, theirs.embedding_, atol=1e-12)


# Words


FLAG = re.compile(r"(?<![\w-])--?[a-z][a-z-]*|`fewdim")


def errors_of_many_kinds(rng, folder):
    X = rng.normal(size=(500, 6))
    hole = X.copy()
    hole[3, 2] = np.nan
    yield lambda: fewdim.KernelPCA(2, kernel="rbf", memory_limit=1000).fit(X), "limit"
    yield lambda: fewdim.PCA(2, memory_limit=1000).fit(X), "memory_limit"
    yield lambda: fewdim.MDS(2, memory_limit=1000).fit(X), "limit"
    yield lambda: fewdim.Isomap(memory_limit=1000).fit(X), "limit"
    yield lambda: fewdim.PPCA(2, memory_limit=1000).fit(hole), "n_components|memory_limit"
    yield lambda: fewdim.FactorAnalysis(2, memory_limit=1000).fit(X), "memory_limit"
    yield lambda: fewdim.FactorAnalysis(2, memory_limit=1000).fit(hole), "n_components.*memory_limit"
    yield lambda: fewdim.PCA(2, memory_limit=1000).partial_fit(X), ""
    yield lambda: fewdim.PCA(9).fit(X), "n_components"
    yield lambda: fewdim.PCA(2, svd_solver="foo").fit(X), "svd_solver"
    yield lambda: fewdim.TruncatedSVD(2, algorithm="foo").fit(X), "algorithm"
    yield lambda: fewdim.MDS(2, max_iter=2).fit(X), "raise max_iter or raise eps"
    yield lambda: fewdim.NMF(2, max_iter=1).fit(np.abs(X)), "max_iter"
    yield lambda: fewdim.FactorAnalysis(2, max_iter=1, n_init=1).fit(X), "raise max_iter or raise tol"
    yield lambda: fewdim.FactorAnalysis(2).fit(np.hstack([X, X[:, :1]])), ""
    yield lambda: fewdim.FactorAnalysis(2).fit(np.hstack([X, np.ones((500, 1))])), ""
    yield lambda: fewdim.FactorAnalysis(0.5).fit(X), "n_components.*choose_k"
    yield lambda: fewdim.FastICA(2, max_iter=1).fit(X), ""
    yield lambda: fewdim.Isomap(n_neighbors=4, disconnected="error").fit(two_parts()), "disconnected='bridge'"
    yield lambda: fewdim.Isomap(n_neighbors=None, radius=3, disconnected="error").fit(two_parts()), "radius"
    yield lambda: fewdim.KernelPCA(2, kernel="precomputed").fit(-np.eye(5)), ""
    yield lambda: fewdim.ClassicalMDS(400).fit(X), "n_components"
    yield lambda: fewdim.PCA(2).fit(X).save(folder / "there.fewdim"), "overwrite=True"
    yield lambda: fewdim.load(folder / "nothing.fewdim"), ""
    yield lambda: fewdim.LSI(5).fit(["a cat", "a dog"]), ""
    yield lambda: fewdim.pagerank([("a", "b")], alpha=1.5), "alpha"
    yield lambda: fewdim.pagerank([("a", "b")], dangling="error"), ""
    yield lambda: fewdim.trustworthiness(X, X[:, :2], metric="foo"), "metric"
    yield lambda: fewdim.choose_k(X, criteria="foo"), ""
    yield lambda: fewdim.PCA(2).fit(hole), r"numpy.delete\(X, 2, axis=1\).*missing='em'"
    yield lambda: fewdim.KernelPCA(2).fit(hole), r"fewdim.PCA with missing='em', and fewdim.PPCA"
    yield lambda: fewdim.PCA(2, scale=True).fit(np.hstack([X, np.ones((500, 1))])), r"numpy.delete\(X, 6, axis=1\), or leave scale out"
    yield lambda: fewdim.LaplacianEigenmaps(affinity="heat", bandwidth=1e-12).fit(X), "affinity='nearest_neighbors'"
    yield lambda: fewdim.PCA(2, svd_solver="gram").fit(fewdim.Batches(lambda: iter([X]))), "svd_solver='auto'"


def test_no_exception_names_a_flag(rng, tmp_path):
    fewdim.PCA(2).fit(rng.normal(size=(9, 3))).save(tmp_path / "there.fewdim")
    seen = set()
    for number, (call, named) in enumerate(errors_of_many_kinds(rng, tmp_path)):
        try:
            call()
        except Exception as error:  # noqa: BLE001
            text = str(error)
            assert not FLAG.search(text) and " --" not in text and " -k" not in text, f"{number}: {type(error).__name__}: {text}"
            assert text.isprintable() or "\n" in text, f"{number}: {text!r}"  # no marks are left
            assert re.search(named, text), f"{number}: {named!r} is not in {text!r}"
            seen.add(type(error))
        else:
            pytest.fail(f"{number}: no error")
    assert {fewdim.MemoryLimitError, fewdim.ConvergenceError, fewdim.OptionError, fewdim.DataError,
            fewdim.FileError} <= seen


def test_warnings_name_no_flag_either():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = fewdim.Isomap(n_neighbors=4).fit(two_parts())
    said = [str(one.message) for one in caught] + list(model.certificate_.warnings)
    plan = fewdim.PCA(2).fit(two_parts()).plan_
    assert any("svd_solver" in route["verdict"] for route in plan.considered), plan
    said += [plan.why] + [route["verdict"] for route in plan.considered]
    said += model.summary().splitlines() + model.to_json().splitlines()
    assert any("disconnected='largest'" in text for text in said), said
    assert all(text.isprintable() for text in said), said
    assert said and not any(FLAG.search(text) for text in said), said
