"""Ratings as lines, and trials of predictions: the same bits as the command line's."""

import numpy as np
import pytest

import fewdim
from fewdim import MatrixCompletion


@pytest.fixture
def lines(tmp_path, rng):
    """Ratings of 30 items by 40 users, a line each; some are held out."""
    full = np.clip(np.round(3 + rng.normal(size=(40, 2)) @ rng.normal(size=(2, 30))), 1, 5)
    kept, held = ["user,item,value"], []
    for u, i in np.argwhere(rng.uniform(size=full.shape) < 0.6):
        line = f"u{u},i{i},{full[u, i]:g}"
        (held if rng.uniform() < 0.1 else kept).append(line)
    (tmp_path / "ratings.csv").write_text("\n".join(kept) + "\n")
    (tmp_path / "held.csv").write_text("\n".join(["user,item,value", *held, "stranger,i1,4"]) + "\n")
    return tmp_path


def options():
    return MatrixCompletion(2, ridge=0.1)


FLAGS = ["-k", "2", "--ridge", "0.1"]


def same(found, told):
    def numbers(one):
        return [None if np.isnan(x) else x for x in (one.rmse, one.mae, one.nmae, one.precision, one.recall)]

    assert [(one.name, *numbers(one)) for one in found.predictors] == [
        (one["name"], *(one[key] for key in ("rmse", "mae", "nmae", "precision", "recall"))) for one in told["predictors"]]
    assert all(getattr(found, name) == told[name] for name in ("kind", "fits", "ratings", "unknown", "lists", "length"))


def test_lines_are_fitted_as_on_the_command_line(program, lines):
    ratings = fewdim.read_ratings(lines / "ratings.csv")
    assert ratings.is_sparse and ratings.index[0].startswith("u") and ratings.columns[0].startswith("i")
    model = options().fit(ratings)
    program("complete", "ratings.csv", "-m", "m.fewdim", *FLAGS)
    theirs = fewdim.load(lines / "m.fewdim")
    assert (model.components_ == theirs.components_).all() and (model.embedding_ == theirs.embedding_).all()
    assert [one.name for one in model.recommend("u3")] == [one.name for one in theirs.recommend("u3")]
    assert model.predict_ratings("u3", "i5") == theirs.predict_ratings("u3", "i5")


def test_trials_are_the_command_lines(program, lines):
    ratings = fewdim.read_ratings(lines / "ratings.csv")
    told = program("complete", "ratings.csv", "--folds", "4", "--length", "5", "--json", *FLAGS)["trial"]
    found = options().trial(ratings, folds=4, length=5)
    same(found, told)
    assert found.best.name == "biased" and "RMSE" in repr(found) and not hasattr(options(), "components_")
    told = program("complete", "ratings.csv", "--test", "held.csv", "--relevant", "4", "--json", *FLAGS)["trial"]
    same(options().trial(ratings, test=lines / "held.csv", relevant=4.0), told)
    same(options().trial(ratings, test=fewdim.read_rated_pairs(lines / "held.csv"), relevant=4.0), told)
    assert told["unknown"] == 1


def test_numbers_stand_for_users_without_names(rng):
    X = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 12))
    gaps = X.copy()
    gaps[3, 4] = gaps[5, 0] = np.nan
    found = options().trial(gaps, test=[(3, 4, X[3, 4]), (5, 0, X[5, 0])])
    assert found.ratings == 2 and found.unknown == 0 and found.best.rmse < 1.0
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(gaps, index=[f"u{i}" for i in range(30)], columns=[f"i{j}" for j in range(12)])
    named = options().trial(frame, test=[("u3", "i4", X[3, 4]), (5, "i0", X[5, 0])])
    assert [one.rmse for one in named.predictors] == pytest.approx([one.rmse for one in found.predictors], nan_ok=True)


def test_pairs_with_strangers(program, lines):
    model = options().fit(fewdim.read_ratings(lines / "ratings.csv"))
    model.save(lines / "m.fewdim")
    program("predict", "m.fewdim", "held.csv", "-o", "p.csv")
    pairs = fewdim.read_rated_pairs(lines / "held.csv")
    values, by = model.predict_pairs([pair[:2] for pair in pairs])
    assert (values == fewdim.read(lines / "p.csv", id="user", label="item")["prediction"]).all()
    assert by[-1] == "item" and set(by[:-1]) == {"both"}


def test_factors_are_the_command_lines(program, lines):
    model = options().fit(fewdim.read_ratings(lines / "ratings.csv"))
    model.save(lines / "m.fewdim")
    assert len(model.factors()) == 2 and len(model.factors(1, top=3)) == 1
    one = model.factors(1, top=3)[0]
    assert 1 <= len(one.plus) <= 3 and one.strength > 0 and all(name.startswith("i") for name, _ in one.plus)
    assert one.plus[0][0] in program("topics", "m.fewdim", "--top", "3")


@pytest.mark.parametrize("call, error, words", [
    (lambda X, d: options().trial(X, folds=1), fewdim.OptionError, "folds=1"),
    (lambda X, d: options().trial(X, length=0), fewdim.OptionError, "length=0"),
    (lambda X, d: options().trial(X, test=[(0, 99, 1.0)]), fewdim.DataError, "item 99 is none of the 6"),
    (lambda X, d: options().trial(X, test=[(0, 1, float("nan"))]), fewdim.DataError, "no value"),
    (lambda X, d: options().trial(X, test=d / "nothing.csv"), fewdim.FileError, "nothing"),
    (lambda X, d: MatrixCompletion(99).trial(X), ValueError, "n_components"),
    (lambda X, d: MatrixCompletion(kind="foo").trial(X), ValueError, "kind"),
    (lambda X, d: options().trial(np.full((4, 4), np.nan)), ValueError, ""),
    (lambda X, d: options().factors(), ValueError, "not fitted"),
    (lambda X, d: fewdim.read_ratings(d / "nothing.csv"), fewdim.FileError, "nothing"),
    (lambda X, d: fewdim.read_ratings(d / "twice.csv"), fewdim.DataError, "twice.csv:3"),
    (lambda X, d: fewdim.read_ratings(d / "twice.csv", repeated="foo"), fewdim.OptionError, "repeated='foo'"),
], ids=range(12))
def test_refuses_with_words_of_python(rng, tmp_path, call, error, words):
    (tmp_path / "twice.csv").write_text("user,item,value\na,x,1\na,x,2\n")
    with pytest.raises(error, match=words) as caught:
        call(rng.normal(size=(9, 6)), tmp_path)
    assert " --" not in str(caught.value)


def test_repeated_ratings(tmp_path):
    (tmp_path / "twice.csv").write_text("user,item,value\na,x,1\na,x,2\nb,y,3\n")
    for repeated, value in [("mean", 1.5), ("first", 1.0), ("last", 2.0)]:
        assert fewdim.read_ratings(tmp_path / "twice.csv", repeated=repeated).numbers[0, 0] == value
    assert fewdim.read_ratings(tmp_path / "twice.csv", repeated="last", user_column=1, item_column=0).index == ["x", "y"]
