"""What a fitted estimator shows: the verdict on its certificate, pictures, tables, quality."""

import os
import subprocess

import numpy as np
import pytest
from conftest import name_of, rows_for, small_estimators

import fewdim

KINDS = ["scatter", "density", "pairs", "scree", "cumulative", "biplot", "circle", "shepard", "residual"]


def verifiable(estimator):
    return estimator._card()["verified_by"] not in ("nothing", "counts")


@pytest.mark.parametrize("estimator", small_estimators(), ids=name_of)
def test_verify_holds_for_the_rows_of_the_fit(estimator, rng):
    X = rows_for(estimator, rng, 60, 4)
    estimator.fit(X)
    if not verifiable(estimator):
        with pytest.raises(fewdim.UnsupportedError):
            estimator.verify(X)
        return
    verdict = estimator.verify(X)
    assert verdict.holds, verdict
    assert "residuals" in repr(verdict) and repr(verdict).startswith("the certificate holds")
    assert all(check.holds and check.meaning for check in verdict.checks)
    others = estimator.verify(rows_for(estimator, rng, 60, 4))
    assert not others.holds and "does not hold" in repr(others)
    assert not estimator.verify(X, tolerance=1e-30).holds


def test_verify_takes_weights_batches_and_frames(rng):
    X, weights = rng.normal(size=(90, 4)), rng.uniform(1, 2, size=90)
    pca = fewdim.PCA(n_components=2).fit(X, sample_weight=weights)
    assert pca.verify(X, sample_weight=weights).holds
    with pytest.raises(fewdim.DataError, match="fitted with weights"):
        pca.verify(X)
    whole = fewdim.PCA(n_components=2).fit(X)
    assert whole.verify(fewdim.Batches(lambda: iter(np.split(X, 3)))).holds
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=list("abcd"))
    assert fewdim.PCA(n_components=2).fit(frame).verify(frame).holds


def test_verify_says_what_is_missing(rng):
    X = rng.normal(size=(40, 4))
    pca = fewdim.PCA(n_components=2)
    with pytest.raises(Exception, match="not fitted yet"):
        pca.verify(X)
    pca.fit(X)
    with pytest.raises(fewdim.DataError, match="rows that the model was fitted on"):
        pca.verify()
    with pytest.raises(fewdim.OptionError, match="tolerance=0 must be above 0"):
        pca.verify(X, tolerance=0)
    with pytest.raises(fewdim.DataError):
        pca.verify(X[:, :3])


def test_an_index_of_documents_verifies_itself():
    texts = ["the cat sat on the mat", "a cat and a dog", "dogs chase cats", "stocks fell on the market",
             "the market rose", "market and stocks"]
    lsi = fewdim.LSI(n_components=2, min_documents=1).fit(texts)
    assert lsi.verify().holds
    assert lsi.plot(kind="scatter").data["points"] == 6


@pytest.mark.parametrize("estimator", small_estimators(), ids=name_of)
def test_every_possible_picture_is_drawn_and_others_are_refused(estimator, rng, tmp_path):
    X = rows_for(estimator, rng, 60, 4)
    estimator.fit(X)
    for rows in (X, None):
        possible = estimator.plot_kinds(rows is not None)
        assert set(possible) <= set(KINDS)
        for kind in KINDS:
            if kind not in possible:
                with pytest.raises(fewdim.UnsupportedError, match="needs"):
                    estimator.plot(rows, kind=kind)
                continue
            picture = estimator.plot(rows, kind=kind)
            picture.save(tmp_path / f"{kind}.svg", overwrite=True)
            assert "</svg>" in (tmp_path / f"{kind}.svg").read_text(encoding="utf-8")
            assert picture.data["axes"] and kind in repr(picture)


def test_a_picture_has_what_was_asked_for(rng):
    X = rng.normal(size=(30, 4)) * [4, 3, 2, 1]
    pca = fewdim.PCA(n_components=3).fit(X)
    scores = pca.transform(X)
    data = pca.plot(X, kind="scatter", axes=(2, 0), labels=np.arange(30) % 3, title="Mine", equal=True).data
    np.testing.assert_array_equal(data["x"], scores[:, 2])
    np.testing.assert_array_equal(data["y"], scores[:, 0])
    assert data["labels"][:4] == ["0", "1", "2", "0"] and data["title"] == "Mine" and data["equal"]
    colored = pca.plot(X, kind="pairs", values=X[:, 0]).data
    assert colored["values"] == X[:, 0].tolist() and len(colored["columns"]) == 3
    assert pca.plot(X, kind="biplot", alpha=0).data["alpha"] == 0.0
    assert pca.plot(kind="scree", title="").data["title"] == ""
    assert 'width="500"' in pca.plot(kind="scree", size=(500, 400))._repr_svg_()
    with pytest.raises(fewdim.OptionError, match="between 0 and 2"):
        pca.plot(X, kind="scatter", axes=(0, 3))
    with pytest.raises(fewdim.OptionError, match="give their kind too"):
        pca.plot(X, axes=(0, 1))
    with pytest.raises(fewdim.OptionError, match="kind=.?scater"):
        pca.plot(X, kind="scater")
    with pytest.raises(fewdim.FileError):
        pca.plot(kind="scree").save("/nowhere/picture.svg")


def test_new_rows_of_the_same_number_are_not_taken_for_the_training_rows(rng):
    X, others = rng.normal(size=(40, 4)), rng.normal(size=(40, 4))
    isomap = fewdim.Isomap().fit(X)
    np.testing.assert_array_equal(isomap.plot(others, kind="scatter").data["x"], isomap.transform(others)[:, 0])


def test_tables_are_columns_by_name(rng):
    X = rng.normal(size=(30, 4))
    pca = fewdim.PCA(n_components=2).fit(X)
    spectrum = pca.spectrum_table()
    np.testing.assert_allclose(spectrum["explained_variance"], pca.explained_variance_)
    assert spectrum["component"].tolist() == ["PC1", "PC2"]
    rows = pca.row_statistics(X)
    np.testing.assert_allclose(rows["T2"], (pca.transform(X) ** 2 / pca.explained_variance_).sum(axis=1))
    np.testing.assert_allclose(rows["contribution_PC1"].sum(), 1.0)
    columns = pca.column_statistics()
    np.testing.assert_allclose(columns["loading_PC1"], pca.components_[0] * np.sqrt(pca.explained_variance_[0]))
    assert "uniqueness" in fewdim.FactorAnalysis(1).fit(X).loadings_table()
    with pytest.raises(fewdim.UnsupportedError):
        fewdim.Isomap().fit(X).row_statistics(X)


def test_quality_takes_the_metric_of_the_model(rng):
    X = rng.normal(size=(60, 5))
    mds = fewdim.ClassicalMDS(2, metric="manhattan").fit(X)
    own, euclidean = mds.quality(X), mds.quality(X, metric="euclidean")
    assert own["stress"] != euclidean["stress"] and own == mds.quality(X, metric="manhattan")
    trust = fewdim.trustworthiness(X, mds.transform(X), n_neighbors=10, metric="manhattan")
    assert own["trustworthiness"] == pytest.approx(trust, abs=1e-12)


@pytest.mark.skipif("FEWDIM_PROGRAM" not in os.environ, reason="the command line was not built")
def test_the_command_line_draws_the_same(rng, tmp_path):
    X = rng.normal(size=(50, 4))
    np.save(tmp_path / "x.npy", X)
    program = os.environ["FEWDIM_PROGRAM"]
    subprocess.run([program, "mds", "x.npy", "-m", "m.fewdim", "-q"], cwd=tmp_path, check=True)
    for kind in ("scatter", "pairs", "scree", "shepard", "residual"):
        subprocess.run([program, "plot", "m.fewdim", "x.npy", "--kind", kind, "-o", "cli.svg", "--force", "-q"],
                       cwd=tmp_path, check=True)
        fewdim.load(tmp_path / "m.fewdim").plot(X, kind=kind).save(tmp_path / "python.svg", overwrite=True)
        assert (tmp_path / "cli.svg").read_bytes() == (tmp_path / "python.svg").read_bytes(), kind
