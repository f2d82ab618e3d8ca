"""Faces: the models of the command line, both ways, with the same bits."""

import copy
import pickle

import numpy as np
import pytest

import fewdim


def digits():
    return fewdim.Images.of(fewdim.generate("digits"), (8, 8))


@pytest.mark.parametrize("options, flags", [
    ({"n_components": 8}, ["-k", "8"]),
    ({"n_components": 0.9, "trial": "split", "split": 0.25}, ["-k", "0.9", "--split", "0.25"]),
    ({"n_components": 5, "trial": "leave-one-out", "random_state": 4}, ["-k", "5", "--leave-one-out", "--seed", "4"]),
    ({"n_components": 4, "parts": "nmf", "trial": "none"}, ["-k", "4", "--parts", "nmf", "--no-trial"]),
    ({"n_components": 3, "parts": "independent", "trial": "none"}, ["-k", "3", "--parts", "independent", "--no-trial"])], ids=str)
def test_models_are_the_command_lines(program, tmp_path, options, flags):
    told = program("faces", "@digits", "--shape", "8x8", "-m", "theirs.fewdim", "--scores", "scores.npy", "--json", *flags)
    ours = fewdim.Faces(**options).fit(digits())
    theirs = fewdim.load(tmp_path / "theirs.fewdim")
    assert isinstance(theirs, fewdim.Faces) and theirs.parts == ours.parts
    for name in ("components_", "embedding_", "labels_", "image_shape_", "white_", "face_limit_", "names_"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    assert (ours.embedding_ == np.load(tmp_path / "scores.npy")).all()
    trial = ours.trial_
    assert trial.kind == told["trial"]["kind"] and theirs.trial_ is None
    assert (trial.tried, trial.with_label, trial.right, trial.fits) == tuple(
        told["trial"][name] for name in ("tried", "with_label", "right", "fits"))
    assert [(row.components, row.nbytes, row.psnr, row.ssim) for row in ours.compression(digits())] == [
        (row["components"], row["bytes"], row["psnr"], row["ssim"]) for row in told["compression"]]


def test_recognition_is_the_command_lines(program, tmp_path, rng):
    known, new = digits().rows[:1500], digits().rows[1500:]
    labels = digits().labels
    faces = fewdim.Faces(12, shape=(8, 8)).fit(known, labels[:1500])
    faces.save(tmp_path / "ours.fewdim")
    fewdim.write(np.vstack([new, rng.uniform(0, 16, size=(3, 64))]), tmp_path / "new.npy")
    told = program("recognize", "ours.fewdim", "new.npy", "--json")
    found = faces.recognize(np.load(tmp_path / "new.npy"))
    assert found.names == [one["nearest"] for one in told["images"]]
    assert list(found.labels) == [one["label"] for one in told["images"]]
    assert list(found.distance) == [one["distance"] for one in told["images"]]
    assert list(found.face_distance) == [one["face_distance"] for one in told["images"]]
    assert list(found.is_face) == [one["is_face"] for one in told["images"]]
    assert not found.is_face[-3:].any() and found.is_face.mean() > 0.9  # noise is no digit
    assert faces.score(new, labels[1500:]) == np.mean(faces.predict(new) == labels[1500:]) > 0.9


def test_pictures_are_the_command_lines(program, tmp_path):
    program("faces", "@digits", "--shape", "8x8", "-k", "10", "--no-trial", "--gallery", "gallery.png", "--pictures", "6",
            "--reconstruct", "7", "-o", "strip.png")
    faces = fewdim.Faces(10, trial="none").fit(digits())
    faces.gallery(tmp_path / "ours.png", 6)
    assert (tmp_path / "ours.png").read_bytes() == (tmp_path / "gallery.png").read_bytes()
    faces.strip(digits().images[6], tmp_path / "ours-strip.png", name="Image 7")
    assert (tmp_path / "ours-strip.png").read_bytes() == (tmp_path / "strip.png").read_bytes()
    faces.save(tmp_path / "m.fewdim")
    np.save(tmp_path / "new.npy", digits().rows[:9])
    program("recognize", "m.fewdim", "new.npy", "--sheet", "sheet.png")
    faces.sheet(digits().rows[:9], tmp_path / "ours-sheet.png")
    # the nearest images are a product, whose last bits may differ; pixels of 8 bits show none of it
    theirs, ours = fewdim.read_image(tmp_path / "sheet.png"), fewdim.read_image(tmp_path / "ours-sheet.png")
    assert theirs.shape == ours.shape and abs(theirs - ours).max() <= 1 / 255


def test_files_of_images(program, tmp_path, rng):
    people = [rng.uniform(size=(9, 7)) for _ in range(4)]
    for who, face in enumerate(people):
        for shot in range(3):
            (tmp_path / f"faces/p{who}").mkdir(parents=True, exist_ok=True)
            fewdim.write_image(np.clip(face + 0.05 * rng.normal(size=face.shape), 0, 1), tmp_path / f"faces/p{who}/{shot}.png")
    program("faces", "faces", "-k", "4", "-m", "theirs.fewdim")
    theirs = fewdim.load(tmp_path / "theirs.fewdim")
    ours = fewdim.Faces(4).fit(tmp_path / "faces")
    assert (ours.components_ == theirs.components_).all() and ours.face_limit_ == theirs.face_limit_
    assert ours.trial_.accuracy == 1.0 and ours.names_[0] == "p0/0.png"
    assert list(ours.predict(tmp_path / "faces/p2/1.png")) == ["p2"]
    assert list(ours.predict(np.round(255 * people[3]).astype(np.uint8))) == ["p3"]
    fewdim.write_image(fewdim.resize_image(people[1], 18, 14), tmp_path / "large.png")
    with pytest.raises(fewdim.DataError, match="18 x 14, those of the model 9 x 7; use resize=True"):
        ours.recognize(tmp_path / "large.png")
    assert list(ours.recognize(tmp_path / "large.png", resize=True).labels) == ["p1"]


def test_an_estimator_as_others(rng, tmp_path):
    X = rng.uniform(size=(30, 4, 5))
    faces = fewdim.Faces(trial="none")
    assert faces.get_params()["parts"] == "eigenfaces" and "trial='none'" in repr(faces)
    assert faces.fit(X) is faces and faces.n_components_ == 20 and faces.n_features_in_ == 20
    Y = faces.fit_transform(X)
    np.testing.assert_allclose(faces.transform(X), Y, atol=1e-10)
    assert faces.inverse_transform(Y).shape == X.shape
    np.testing.assert_allclose(faces.inverse_transform(Y), X, atol=1e-8)
    np.testing.assert_allclose(faces.reconstruct(X[3])[-1], X[3], atol=1e-8)
    assert faces.reconstruct(X[3], [1, 2]).shape == (2, 4, 5)
    assert faces.certificate_.converged and "eigen" in faces.summary() or faces.summary()
    for other in [pickle.loads(pickle.dumps(faces)), copy.deepcopy(faces)]:
        assert (other.transform(X) == faces.transform(X)).all() and other.image_shape_ == (4, 5)
    bits = {fewdim.Faces(3, n_jobs=n).fit(X, np.arange(30) % 3).embedding_.tobytes() for n in (1, 2, 3)}
    assert len(bits) == 1
    color = fewdim.Faces(2, trial="none").fit(rng.uniform(size=(8, 3, 4, 3)))
    assert color.image_shape_ == (3, 4, 3) and color.reconstruct(rng.uniform(size=(3, 4, 3))).shape == (2, 3, 4, 3)


def test_works_inside_scikit_learn():
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline

    X, y = digits().images[:300], digits().labels[:300].astype(str)
    assert clone(fewdim.Faces(3, shape=(8, 8))).get_params()["shape"] == (8, 8)
    assert cross_val_score(fewdim.Faces(15, trial="none"), X, y, cv=3).mean() > 0.8
    search = GridSearchCV(fewdim.Faces(trial="none"), {"n_components": [1, 12]}, cv=3).fit(X, y)
    assert search.best_params_ == {"n_components": 12}
    assert make_pipeline(fewdim.Faces(10, trial="none"), LogisticRegression(max_iter=2000)).fit(X, y).score(X, y) > 0.9


def test_a_fit_can_be_stopped():
    with pytest.raises(KeyboardInterrupt):
        fewdim.Faces(5).fit(digits(), callback=lambda *_: False)


@pytest.mark.parametrize("call, error, words", [
    (lambda X, d: fewdim.Faces().fit(X.reshape(12, 20)), fewdim.OptionError, r"shape=\(height, width\)"),
    (lambda X, d: fewdim.Faces(shape=(3, 5)).fit(X.reshape(12, 20)), fewdim.DataError, "no images of 3 x 5"),
    (lambda X, d: fewdim.Faces(parts="foo").fit(X), fewdim.OptionError, "parts='foo' must be"),
    (lambda X, d: fewdim.Faces(trial="foo").fit(X), fewdim.OptionError, "trial='foo' must be"),
    (lambda X, d: fewdim.Faces(split=1.0).fit(X), fewdim.OptionError, "split=1.0 must be above 0 and below 1"),
    (lambda X, d: fewdim.Faces(folds=1).fit(X), fewdim.OptionError, "folds=1"),
    (lambda X, d: fewdim.Faces(99).fit(X), ValueError, "n_components=99"),
    (lambda X, d: fewdim.Faces(-1).fit(X), fewdim.OptionError, "n_components=-1"),
    (lambda X, d: fewdim.Faces().fit(np.where(X > 0.9, np.nan, X)), fewdim.DataError, "NaN"),
    (lambda X, d: fewdim.Faces(parts="nmf", trial="none").fit(X - 2, ), ValueError, ""),
    (lambda X, d: fewdim.Faces().fit(X[:1]), fewdim.DataError, "one image"),
    (lambda X, d: fewdim.Faces().fit(X, ["a"]), ValueError, "1 labels were given for 12 images"),
    (lambda X, d: fewdim.Faces().fit(d / "nothing"), fewdim.FileError, "nothing"),
    (lambda X, d: fewdim.Faces().fit(d), fewdim.DataError, ""),
    (lambda X, d: fewdim.Faces().recognize(X), ValueError, "not fitted"),
    (lambda X, d: fewdim.Faces(trial="none").fit(X).predict(X), fewdim.UnsupportedError, "no labels"),
    (lambda X, d: fewdim.Faces(trial="none").fit(X).transform(X[:, :3]), fewdim.DataError, "3 x 5, those of the model 4 x 5"),
    (lambda X, d: fewdim.Faces(trial="none").fit(X).transform(X.reshape(12, 20)[:, :7]), fewdim.DataError, "expecting 20 features"),
    (lambda X, d: fewdim.Faces(trial="none").fit(X).transform(np.full((1, 4, 5), np.nan)), fewdim.DataError, "NaN"),
    (lambda X, d: fewdim.Faces(trial="none").fit(X).reconstruct(X[:2]), fewdim.DataError, "2 images were given"),
    (lambda X, d: fewdim.Faces(trial="none").fit(X).reconstruct(X[0], [99]), fewdim.OptionError, "at most 11"),
    (lambda X, d: fewdim.Faces(trial="none").fit(X).score(X, [1]), ValueError, ""),
], ids=range(22))
def test_refuses_with_words_of_python(rng, tmp_path, call, error, words):
    with pytest.raises(error, match=words) as caught:
        call(rng.uniform(size=(12, 4, 5)), tmp_path)
    assert " --" not in str(caught.value)


def test_olivetti(shared):
    pixels = np.fromfile(shared("faces_olivetti", "olivetti_400x4096_u8.raw"), dtype=np.uint8).reshape(400, 64, 64)
    faces = fewdim.Faces(40).fit(pixels, np.repeat(np.arange(40), 10))
    assert faces.trial_.accuracy > 0.9 and faces.trial_.tried == 400
