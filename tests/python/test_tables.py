"""Tables of every format, generated ones, and those that estimators take with their names."""

import os

import numpy as np
import pytest

import fewdim


def test_every_format_reads_back_to_the_same_bits(rng, tmp_path):
    X = rng.normal(size=(9, 3))
    for name in ["x.csv", "x.tsv", "x.csv.gz", "x.tsv.zst", "x.npy", "x.npz", "x.mtx", "x.wav"]:
        fewdim.write(X, tmp_path / name)
        table = fewdim.read(tmp_path / name, header=False if "sv" in name and name != "x.csv" else None)
        assert table.shape == X.shape
        found = table.numbers.toarray() if table.is_sparse else np.asarray(table)
        assert (found == X).all(), name
    fewdim.write(fewdim.Table(X, labels=range(9)), tmp_path / "x.svm", format="svmlight")
    back = fewdim.read(tmp_path / "x.svm", format="svmlight")
    assert back.is_sparse and (back.numbers.toarray() == X).all() and list(back.labels) == [str(i) for i in range(9)]
    fewdim.write(X.astype(np.float32), tmp_path / "f.npy")
    assert fewdim.read(tmp_path / "f.npy").dtype == np.float32
    assert fewdim.read(tmp_path / "x.npy", dtype="float32").dtype == np.float32


def test_names_and_labels_travel(tmp_path, rng):
    table = fewdim.Table(rng.normal(size=(3, 2)), columns=["a", "b"], index=["x", "y", "z"], labels=["k", "l", "k"],
                         label_name="kind")
    fewdim.write(table, tmp_path / "t.csv")
    back = fewdim.read(tmp_path / "t.csv")
    assert back.columns == ["a", "b"] and back.index == ["x", "y", "z"] and list(back.labels) == ["k", "l", "k"]
    assert back.label_name == "kind" and (back.numbers == table.numbers).all()
    with pytest.raises(fewdim.FileError, match="overwrite=True"):
        fewdim.write(table, tmp_path / "t.csv")
    fewdim.write(table, tmp_path / "t.csv", overwrite=True, header=False, names=False)
    with pytest.raises(ValueError):
        table.numbers[0, 0] = 1.0  # they belong to the table


def test_reading_options(tmp_path):
    (tmp_path / "t.txt").write_text("name|a|b|c\nx|1|-|3\ny|4|5|6\n")
    table = fewdim.read(tmp_path / "t.txt", format="csv", delimiter="|", na=["-"], id="name", columns=["c", "b"])
    assert table.columns == ["c", "b"] and table.index == ["x", "y"] and np.isnan(table.numbers[0, 1])
    assert fewdim.read(tmp_path / "t.txt", format="csv", delimiter="|", na="-", id=0, drop=[1]).columns == ["b", "c"]
    assert fewdim.read(tmp_path / "t.txt", format="csv", delimiter="|", na="-", label=0, drop="b").numbers.tolist() == [
        [1, 3], [4, 6]]
    np.savez(tmp_path / "z.npz", a=np.ones((2, 2)), b=np.zeros((3, 2)))
    assert fewdim.read(tmp_path / "z.npz", array="b").shape == (3, 2)
    sparse = fewdim.read(tmp_path / "z.npz", array="b", sparse=True)
    assert sparse.is_sparse and sparse.numbers.nnz == 0


def test_parts_are_one_table(tmp_path):
    (tmp_path / "a.csv").write_text("x,y,label:kind\n1,2,k\n3,4,l\n")
    (tmp_path / "b.csv").write_text("y,x,label:kind\n6,5,k\n")
    table = fewdim.read([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert table.numbers.tolist() == [[1, 2], [3, 4], [5, 6]] and list(table.labels) == ["k", "l", "k"]
    assert table.columns == ["x", "y"]
    (tmp_path / "c.csv").write_text("x,z\n1,2\n")
    with pytest.raises(fewdim.DataError, match="y"):
        fewdim.read([tmp_path / "a.csv", tmp_path / "c.csv"])


def test_what_was_decided_by_looking_is_told(tmp_path):
    (tmp_path / "plain.csv").write_text("1.5,2.5\n2.5,1.5\n7.25,1.5\n")
    with pytest.warns(fewdim.FewdimWarning, match=r"plain.csv: the first line is data"):
        table = fewdim.read(tmp_path / "plain.csv")
    assert table.shape == (3, 2) and table.decisions and not any("--" in note for note in table.decisions)
    assert fewdim.read(tmp_path / "plain.csv", header=True).columns == ["1.5", "2.5"]
    (tmp_path / "years.csv").write_text("2019,2020,2021\n1.5,2.5,3.5\n2.5,1.5,0.5\n7.25,1.5,2.5\n")
    with pytest.raises(fewdim.DataError, match="can't tell whether the first line is a header.*header=False"):
        fewdim.read(tmp_path / "years.csv")


def test_tables_have_the_bits_of_the_command_line(program, tmp_path):
    for name, flags, options in [("swiss-roll", ["-n", "50", "--noise", "0.2", "--seed", "3"],
                                  {"rows": 50, "noise": 0.2, "random_state": 3}),
                                 ("blobs", ["-n", "40", "--cols", "4", "--clusters", "5"], {"rows": 40, "cols": 4, "clusters": 5}),
                                 ("iris", [], {}), ("digits", [], {})]:
        program("generate", name, "-o", f"{name}.csv", *flags)
        made, written = fewdim.generate(name, **options), fewdim.read(tmp_path / f"{name}.csv")
        assert (made.numbers == written.numbers).all() and list(made.labels) == list(written.labels)
    fewdim.write(fewdim.generate("iris"), tmp_path / "ours.csv")
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "iris.csv").read_bytes()
    assert {"iris", "digits", "swiss-roll"} <= set(fewdim.tables())


def test_estimators_take_tables_with_their_names(program, tmp_path):
    iris = fewdim.generate("iris")
    pca = fewdim.PCA(2).fit(iris)
    assert list(pca.feature_names_in_) == iris.columns
    program("pca", "@iris", "-k", "2", "-m", "iris.fewdim", "-q")
    assert (fewdim.load(tmp_path / "iris.fewdim").components_ == pca.components_).all()
    assert (pca.transform(iris) == pca.transform(np.asarray(iris))).all()
    turned = iris[iris.columns[::-1]]
    pca.save(tmp_path / "again.fewdim")
    assert (fewdim.load(tmp_path / "again.fewdim").transform(turned) == pca.transform(iris)).all()
    pca.fit(iris, sample_weight=np.arange(1, 151))
    assert (fewdim.PCA(2).fit(iris).components_ != pca.components_).any()  # weights stay with the fit that had them
    assert pca._repr_html_()


def test_streams_and_sparse_tables_are_taken_as_they_are(rng, tmp_path):
    X = rng.normal(size=(300, 4))
    fewdim.write(X, tmp_path / "x.csv")
    stream = fewdim.read(tmp_path / "x.csv", stream=True)
    assert stream.is_stream
    np.testing.assert_allclose(fewdim.PCA(2).fit(stream).explained_variance_, fewdim.PCA(2).fit(X).explained_variance_)
    with pytest.raises(TypeError, match="without stream=True"):
        fewdim.Isomap().fit(stream)
    with pytest.raises(TypeError, match="stream"):
        stream.numbers
    assert fewdim.choose_k(stream, criteria="minka")["minka"].k == fewdim.choose_k(X, criteria="minka")["minka"].k
    sparse = pytest.importorskip("scipy.sparse")
    S = sparse.random(60, 20, density=0.3, random_state=0, format="csr")
    fewdim.write(S, tmp_path / "s.mtx")
    table = fewdim.read(tmp_path / "s.mtx")
    assert table.is_sparse and (table.numbers != S).nnz == 0
    np.testing.assert_array_equal(fewdim.TruncatedSVD(3).fit(table).components_, fewdim.TruncatedSVD(3).fit(S).components_)
    with pytest.raises(TypeError, match="dense data is required"):
        fewdim.MDS().fit(table)


def test_data_frames(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = fewdim.generate("iris").to_frame()
    assert list(frame.columns[-1:]) == ["Species"] and len(frame) == 150
    fewdim.write(frame.drop(columns="Species"), tmp_path / "f.csv")
    assert fewdim.read(tmp_path / "f.csv").columns == list(frame.columns[:-1])
    named = pandas.DataFrame([[1.0, 2.0]], index=["r"], columns=["a", "b"])
    assert fewdim.Table(named).index == ["r"]


def test_sound(tmp_path):
    fewdim.write(np.sin(np.arange(80.0))[:, None], tmp_path / "s.wav", wav_bits=16, sample_rate=4000)
    assert fewdim.sample_rate(tmp_path / "s.wav") == 4000
    assert abs(fewdim.read(tmp_path / "s.wav").numbers[:, 0] - np.sin(np.arange(80.0))).max() < 1e-4


@pytest.mark.parametrize("call, error, words", [
    (lambda d: fewdim.read(d / "nothing.csv"), fewdim.FileError, "nothing.csv"),
    (lambda d: fewdim.read(d / "t.csv", format="foo"), fewdim.OptionError, "format='foo'"),
    (lambda d: fewdim.read(d / "t.csv", delimiter="::"), fewdim.OptionError, "delimiter='::'"),
    (lambda d: fewdim.read(d / "t.csv", dtype="int8"), fewdim.OptionError, "dtype='int8'"),
    (lambda d: fewdim.read(d / "t.csv", drop=["zz"]), ValueError, "zz"),
    (lambda d: fewdim.read(d / "t.csv", drop=[-1]), fewdim.OptionError, "a column=-1"),
    (lambda d: fewdim.read(d / "bad.csv"), fewdim.DataError, "bad.csv:3"),
    (lambda d: fewdim.generate("foo"), fewdim.OptionError, "no table 'foo'.*iris"),
    (lambda d: fewdim.generate("iris", rows=3), fewdim.OptionError, "iris is a table as it is"),
    (lambda d: fewdim.generate("blobs", rows=0), fewdim.OptionError, "rows=0"),
    (lambda d: fewdim.Table([[1.0, 2.0]], columns=["a"]), ValueError, "1 names were given for 2 columns"),
    (lambda d: fewdim.Table([[1.0, 2.0]], labels=["a", "b"]), ValueError, "2 labels were given for 1 rows"),
    (lambda d: fewdim.Table([[1.0, 2.0]])[["a"]], fewdim.DataError, "no names"),
    (lambda d: fewdim.generate("iris")["zz"], fewdim.DataError, "no column 'zz'; there are Sepal.Length"),
    (lambda d: fewdim.write([[1.0]], d / "x.csv", wav_bits=7), fewdim.OptionError, "wav_bits=7"),
    (lambda d: fewdim.write([[1.0]], d / "x.unknown"), ValueError, ""),
    (lambda d: fewdim.write([[1.0]], d / "no" / "x.csv"), fewdim.FileError, ""),
], ids=range(17))
def test_refuses_with_words_of_python(tmp_path, call, error, words):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,4\n")
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n3,four\n")
    with pytest.raises(error, match=words) as caught:
        call(tmp_path)
    assert " --" not in str(caught.value)


def test_classic_tables(shared, program, tmp_path):
    path = shared("tables_classic", "USArrests.csv")
    program("convert", path, "x.npy")
    assert (fewdim.read(path).numbers == np.load(tmp_path / "x.npy")).all()
    assert fewdim.read(path).index[0] == "Alabama" and os.fspath(path) == fewdim.read(path).source
