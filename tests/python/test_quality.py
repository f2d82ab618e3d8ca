"""Measures of embeddings and denoising: the same bits as the command line's."""

import numpy as np
import pytest

import fewdim


def test_the_whole_report_is_the_command_lines(program, tmp_path):
    iris = fewdim.generate("iris")
    Y = fewdim.PCA(2).fit_transform(iris)
    np.save(tmp_path / "x.npy", np.asarray(iris))
    np.save(tmp_path / "y.npy", Y)
    np.save(tmp_path / "r.npy", np.asarray(iris)[:, :2])
    for flags, options in [([], {}), (["--neighbors", "7", "--metric", "manhattan"], {"n_neighbors": 7, "metric": "manhattan"}),
                           (["--sample", "60", "--seed", "5"], {"sample": 60, "random_state": 5}),
                           (["--geodesics", "12", "--sample", "all"], {"geodesics": 12, "sample": "all"})]:
        told = program("quality", "x.npy", "y.npy", "--reference", "r.npy", "--json", *flags)
        found = fewdim.quality(iris, Y, reference=np.asarray(iris)[:, :2], **options)
        assert {name: (one.value, one.standard_error) for name, one in found.measures.items()} == {
            name: (one["value"], one["standard_error"]) for name, one in told["measures"].items()}
        assert [tuple(point) for point in found.curve.tolist()] == [
            (p["k"], p["kept"], p["rnx"], p["standard_error"]) for p in told["curve"]]
        assert (found.rows, found.sampled, found.exact, found.n_neighbors, found.metric) == tuple(
            told[name] for name in ("rows", "sampled", "exact", "neighbors", "metric"))
        assert found.procrustes.disparity == told["procrustes"]["disparity"]
        assert found.procrustes.rms_error == told["procrustes"]["rms_error"]


def test_reports_read_well():
    iris = fewdim.generate("iris")
    report = fewdim.quality(iris, fewdim.PCA(2).fit_transform(iris))
    assert report["trustworthiness"] == report.measures["trustworthiness"].value
    assert "trustworthiness" in repr(report) and "150 rows" in repr(report) and report.procrustes is None
    assert report["trustworthiness"] == fewdim.trustworthiness(iris, fewdim.PCA(2).fit_transform(iris), n_neighbors=10)
    with pytest.raises(KeyError):
        report["foo"]


def test_the_curve_is_the_command_lines(program, tmp_path):
    iris = fewdim.generate("iris")
    np.save(tmp_path / "x.npy", np.asarray(iris))
    np.save(tmp_path / "y.npy", fewdim.PCA(2).fit_transform(iris))
    program("quality", "x.npy", "y.npy", "--plot", "theirs.svg")
    report = fewdim.quality(iris, np.load(tmp_path / "y.npy"))
    report.plot(tmp_path / "ours.svg", title=f"Neighbors kept by y.npy: area {report['rnx_area']:.3f}")
    assert (tmp_path / "ours.svg").read_bytes() == (tmp_path / "theirs.svg").read_bytes()
    with pytest.raises(fewdim.OptionError, match="svg"):
        report.plot(tmp_path / "ours.jpg")


def test_plans_are_the_command_lines(program, tmp_path, rng):
    X = rng.normal(size=(300, 20))
    np.save(tmp_path / "x.npy", X)
    for estimator, words in [(fewdim.PCA(3), ["pca", "x.npy", "-k", "3"]), (fewdim.TruncatedSVD(4), ["svd", "x.npy", "-k", "4"]),
                             (fewdim.ClassicalMDS(2), ["mds", "x.npy", "-k", "2"])]:
        told = program("plan", *words, "--json")
        for found in [fewdim.plan(estimator, X), fewdim.plan(estimator, (300, 20)), estimator.fit(X).plan_]:
            assert (found.route, found.passes, found.bytes) == (told["route"], told["passes"], told["bytes"])
            assert [(one["route"], one["bytes"]) for one in found.considered] == [
                (one["route"], one["bytes"]) for one in told["considered"]]
    fresh = fewdim.PCA(3)
    fewdim.plan(fresh, X)
    assert not hasattr(fresh, "n_features_in_") and not hasattr(fresh, "plan_")


def test_given_distances(rng):
    X = rng.normal(size=(40, 3))
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    given, own = fewdim.quality(D, X[:, :2], metric="precomputed"), fewdim.quality(X, X[:, :2])
    for name in ("trustworthiness", "stress", "spearman"):
        np.testing.assert_allclose(given[name], own[name], rtol=1e-9)


@pytest.mark.parametrize("loss", ["frobenius", "operator", "nuclear", "hard"])
@pytest.mark.parametrize("noise", [None, 0.4])
def test_denoised_tables_are_the_command_lines(program, tmp_path, rng, loss, noise):
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 25)) + 0.4 * rng.normal(size=(60, 25))
    np.save(tmp_path / "x.npy", X)
    told = program("denoise", "x.npy", "-o", "clean.npy", "--loss", loss, "--json", *([] if noise is None else ["--noise", noise]))
    found = fewdim.denoise(X, loss=loss, noise=noise)
    assert (found.rows == np.load(tmp_path / "clean.npy")).all()
    assert [found.noise] == told["noise"] and [found.rank] == told["ranks"]
    assert found.expected_error == told["expected"]["rmse_after"]
    assert list(found.shrunk[:found.rank]) == told["shrunk"]
    assert len(found.singular_values) == 25


def test_denoised_images_are_the_command_lines(program, tmp_path, rng):
    x, y = np.meshgrid(np.linspace(0, 1, 40), np.linspace(0, 1, 50))
    truth = np.stack([0.5 + 0.4 * np.sin(5 * x) * y, 0.3 + 0.4 * x * y, np.full_like(x, 0.5)], axis=2)
    for name, image in [("color", truth), ("gray", truth[:, :, 0])]:
        fewdim.write_image(image + 0.1 * rng.normal(size=image.shape), tmp_path / f"{name}.png")
        told = program("denoise", f"{name}.png", "-o", f"{name}-clean.png", "--json")
        found = fewdim.denoise_image(tmp_path / f"{name}.png")
        assert found.ranks == told["ranks"] and [one.noise for one in found.channels] == told["noise"]
        fewdim.write_image(found.image, tmp_path / "ours.png", overwrite=True)
        assert (tmp_path / "ours.png").read_bytes() == (tmp_path / f"{name}-clean.png").read_bytes()
        assert fewdim.psnr(image, found.image) > fewdim.psnr(image, tmp_path / f"{name}.png")


def test_float32_stays_and_threads_change_nothing(rng):
    X = rng.normal(size=(80, 2)) @ rng.normal(size=(2, 30)) + 0.1 * rng.normal(size=(80, 30))
    assert fewdim.denoise(X.astype(np.float32)).rows.dtype == np.float32
    assert len({fewdim.denoise(X, n_jobs=n).rows.tobytes() for n in (1, 2, 3)}) == 1


@pytest.mark.parametrize("call, error, words", [
    (lambda X: fewdim.quality(X, X[:5]), fewdim.DataError, "30 rows and X_embedded 5"),
    (lambda X: fewdim.quality(X, X[:, :2], n_neighbors=20), ValueError, "n_neighbors=20"),
    (lambda X: fewdim.quality(X, X[:, :2], n_neighbors=0), fewdim.OptionError, "n_neighbors=0"),
    (lambda X: fewdim.quality(X, X[:, :2], metric="foo"), ValueError, "metric"),
    (lambda X: fewdim.quality(X, X[:, :2], sample="foo"), fewdim.OptionError, "sample='foo'"),
    (lambda X: fewdim.quality(np.where(X > 2, np.nan, X), X[:, :2]), ValueError, "NaN"),
    (lambda X: fewdim.quality(X, X[:, :2], reference=X[:4]), ValueError, ""),
    (lambda X: fewdim.denoise(X, loss="foo"), fewdim.OptionError, "loss='foo' must be"),
    (lambda X: fewdim.denoise(X, noise=-1.0), fewdim.OptionError, "noise=-1.0"),
    (lambda X: fewdim.denoise(X, noise=float("nan")), fewdim.OptionError, "noise=nan"),
    (lambda X: fewdim.denoise(np.where(X > 2, np.nan, X)), fewdim.DataError, "NaN"),
    (lambda X: fewdim.denoise(X[0]), fewdim.DataError, "Expected 2D array"),
    (lambda X: fewdim.denoise(np.zeros((9, 4))), fewdim.DataError, "noise"),
    (lambda X: fewdim.denoise_image(np.ones((3, 3, 2))), fewdim.DataError, r"shape \(3, 3, 2\)"),
    (lambda X: fewdim.denoise_image("nothing.png"), fewdim.FileError, "nothing"),
    (lambda X: fewdim.plan(fewdim.PCA(-1), X), ValueError, "n_components=-1"),
    (lambda X: fewdim.plan(fewdim.PCA(2), (0, 5)), fewdim.DataError, "0 x 5"),
    (lambda X: fewdim.plan(fewdim.ClassicalMDS(2, memory_limit=1000), (5000, 9)), MemoryError, ""),
    (lambda X: fewdim.plan(fewdim.LSI(), ["a text"]), fewdim.UnsupportedError, "words"),
    (lambda X: fewdim.choose_k(X, ddof=3), fewdim.OptionError, "ddof=3"),
], ids=range(20))
def test_refuses_with_words_of_python(rng, call, error, words):
    X = rng.normal(size=(30, 4))
    X[3, 2] = 2.5
    with pytest.raises(error, match=words) as caught:
        call(X)
    assert " --" not in str(caught.value)


def test_deviations_of_components(program, tmp_path, rng):
    X = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 5)) + 0.3 * rng.normal(size=(60, 5))
    ppca = fewdim.PPCA(2).fit(X)
    ppca.save(tmp_path / "m.fewdim")
    np.save(tmp_path / "x.npy", X)
    program("score", "m.fewdim", "x.npy", "-o", "s.npy", "--posterior", "p.npy")
    means, deviations = ppca.transform(X, return_std=True)
    both = np.load(tmp_path / "p.npy")
    assert (both[:, ::2] == means).all() and (both[:, 1::2] == deviations).all()
    assert (ppca.score_samples(X) == np.load(tmp_path / "s.npy")[:, 0]).all()
