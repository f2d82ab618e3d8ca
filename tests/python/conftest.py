"""The package under test is the one in the build folder, which PYTHONPATH names."""

import json
import os
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pytest

import fewdim


@pytest.fixture
def rng():
    return np.random.default_rng(20)


@pytest.fixture(autouse=True)
def quiet():
    """Small random data are seldom connected, and the engine says so."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fewdim.FewdimWarning)
        yield


@pytest.fixture
def program(tmp_path):
    """The command line, in a folder of its own: program("pca", "x.npy", "-k", "2"); with "--json" what it prints."""
    binary = os.environ.get("FEWDIM_PROGRAM")
    if not binary:
        pytest.skip("FEWDIM_PROGRAM is not set")

    def run(*words):
        done = subprocess.run([binary, *map(str, words)], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in words else done.stdout

    return run


@pytest.fixture
def shared():
    """Files of the test data: shared("ir_med", "MED.ALL"); FEWDIM_DATA names their folder."""
    home = os.environ.get("FEWDIM_DATA", str(Path(os.environ.get("FEWDIM_SOURCE", Path(__file__).parents[2])) / "../shared/data"))

    def path(*names):
        found = Path(home, *names)
        if not found.exists():
            pytest.skip(f"{'/'.join(names)} is not there: set FEWDIM_DATA")
        return found

    return path


def small_estimators():
    """One estimator of each class, with parameters that a handful of rows allows."""
    return [
        fewdim.PCA(n_components=2), fewdim.TruncatedSVD(n_components=2), fewdim.NMF(n_components=2),
        fewdim.MatrixCompletion(), fewdim.KernelPCA(n_components=2, kernel="rbf"), fewdim.KernelPCA(),
        fewdim.ClassicalMDS(), fewdim.MDS(), fewdim.Isomap(), fewdim.LocallyLinearEmbedding(),
        fewdim.LocallyLinearEmbedding(method="modified"), fewdim.LocallyLinearEmbedding(method="ltsa"),
        fewdim.LocallyLinearEmbedding(method="hessian", n_neighbors=6), fewdim.LaplacianEigenmaps(),
        fewdim.DiffusionMaps(), fewdim.MaximumVarianceUnfolding(), fewdim.PPCA(n_components=1),
        fewdim.FactorAnalysis(), fewdim.FastICA(n_components=2),
        fewdim.GaussianRandomProjection(n_components=2), fewdim.SparseRandomProjection(n_components=2),
    ]


def name_of(estimator):
    method = getattr(estimator, "method", getattr(estimator, "kernel", ""))
    return type(estimator).__name__ + (f"-{method}" if method else "")


def same_up_to_sign(a, b, tolerance):
    """Columns of a and b, each by its own sign, to `tolerance` of the largest number in b."""
    signs = np.sign(np.einsum("ij,ij->j", a, b))
    assert np.abs(a * signs - b).max() <= tolerance * np.abs(b).max()


def rows_for(estimator, rng, rows, cols):
    """Normal numbers; of methods that take no negative ones, their sizes."""
    X = rng.normal(size=(rows, cols))
    return np.abs(X) if estimator._positive() else X
