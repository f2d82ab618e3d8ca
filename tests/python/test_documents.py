"""Documents from files, those that come and go, and evaluation: the same bits and files as the command line's."""

import json
import os
import subprocess
import time

import numpy as np
import pytest

import fewdim
from fewdim import LSI, Documents

TEXTS = {"a": "the cat sat on the mat with another cat", "b": "a cat and a dog in the house", "c": "dogs chase cats around the house",
         "d": "stocks fell on the market today", "e": "the market rose as stocks rallied", "f": "market news and stocks of today",
         "g": "a mat in the house of the dog"}
QUERIES = {"q1": "cats and dogs", "q2": "stocks on the market", "q3": "unrelated words"}
JUDGED = {"q1": ["a", "b", "c"], "q2": {"d": 2.0, "e": 1.0, "f": 1.0}}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in TEXTS.items()))
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in QUERIES.items()))
    lines = [f"{q} 0 {d} {g:g}" for q, ds in JUDGED.items() for d, g in (ds.items() if isinstance(ds, dict) else ((d, 1) for d in ds))]
    (tmp_path / "judged.qrels").write_text("\n".join(lines) + "\n")
    return tmp_path


def small():
    return LSI(n_components=3, min_documents=1, language="english")


SMALL = ["-k", "3", "--min-documents", "1", "--language", "english"]


def test_fits_of_files_are_the_command_lines(program, files):
    program("lsi", "texts.jsonl", "-m", "theirs.fewdim", *SMALL)
    ours, theirs = small().fit(Documents(files / "texts.jsonl")), fewdim.load(files / "theirs.fewdim")
    assert (ours.components_ == theirs.components_).all() and ours.ids_ == theirs.ids_ == list(TEXTS)
    assert list(ours.terms_) == list(theirs.terms_)
    given = small().fit(Documents.of(TEXTS.values(), TEXTS))
    assert (given.components_ == ours.components_).all() and given.ids_ == ours.ids_
    assert (given.transform(Documents.of(["a cat"])) == given.transform(["a cat"])).all()
    assert small().fit(list(TEXTS.values())).ids_[0] == TEXTS["a"]  # without ids: the beginnings


def test_questions_are_the_command_lines(program, files):
    lsi = small().fit(Documents(files / "texts.jsonl"))
    lsi.save(files / "ours.fewdim")
    told = program("search", "ours.fewdim", "cat in the hause", "-n", "3", "--explain", "--json")
    found = lsi.search("cat in the hause", 3, explain=True)
    assert [(hit.id, hit.score, hit.cosine, hit.snippet) for hit in found] == [
        (hit["id"], hit["score"], hit["cosine"], hit["snippet"]) for hit in told["hits"]]
    for hit, other in zip(found, told["hits"]):
        for name in ("matches", "terms", "concepts"):
            assert getattr(hit, name) == [(one["name"], one["part"]) for one in other.get(name, [])]
    words = lsi.query_words("cat in the hause")
    assert words.known == told["known"] and words.unknown == told["unknown"] and words.suggestions == told["suggestions"]
    told = program("similar", "ours.fewdim", "d", "-n", "2", "--match", "0", "--json")
    assert [hit.id for hit in lsi.similar("d", 2)] == [hit["id"] for hit in told["hits"]] == [hit.id for hit in lsi.similar(3, 2)]
    assert lsi.search("cat", snippet=0)[0].snippet == ""


@pytest.mark.parametrize("update", [False, True])
def test_documents_come_and_go_as_on_the_command_line(program, files, update):
    more = {"h": "a new cat in the house", "i": "today the stocks of the house"}
    (files / "more.jsonl").write_text("".join(json.dumps({"id": i, "text": t}) + "\n" for i, t in more.items()))
    flags = ["--update"] if update else []
    program("lsi", "texts.jsonl", "-m", "m.fewdim", *SMALL)
    lsi = fewdim.load(files / "m.fewdim")
    told = program("add", "m.fewdim", "more.jsonl", "--json", *flags)
    found = lsi.add(Documents(files / "more.jsonl"), update=update)
    assert (found.documents, found.outside, found.unknown_words, found.discarded) == tuple(
        told[name] for name in ("changed", "outside", "unknown_words", "discarded"))
    theirs = fewdim.load(files / "m.fewdim")
    assert lsi.ids_ == theirs.ids_ == [*TEXTS, *more] and (lsi.components_ == theirs.components_).all()
    assert [hit.score for hit in lsi.search("cat")] == [hit.score for hit in theirs.search("cat")]
    program("remove", "m.fewdim", "a", "h", *flags)
    assert lsi.remove(["a", "h"], update=update).documents == 2
    theirs = fewdim.load(files / "m.fewdim")
    assert lsi.ids_ == theirs.ids_ and [hit.score for hit in lsi.search("cat")] == [hit.score for hit in theirs.search("cat")]


def test_two_programs_lose_no_change(program, files):
    small().fit(Documents(files / "texts.jsonl")).save(files / "m.fewdim")
    binary = os.environ["FEWDIM_PROGRAM"]
    with fewdim.file_lock(files / "m.fewdim"):
        lsi = fewdim.load(files / "m.fewdim")
        other = subprocess.Popen([binary, "remove", "m.fewdim", "a", "-q"], cwd=files)
        time.sleep(0.5)
        assert other.poll() is None  # it waits
        lsi.remove("b")
        lsi.save(files / "m.fewdim", overwrite=True)
    assert other.wait(timeout=30) == 0
    assert fewdim.load(files / "m.fewdim").ids_ == [name for name in TEXTS if name not in "ab"]
    with pytest.raises(fewdim.FileError, match="nothing"):
        with fewdim.file_lock(files / "nothing"):
            pass


def test_evaluation_is_the_command_lines(program, files):
    program("lsi", "texts.jsonl", "-m", "m.fewdim", *SMALL)
    told = program("evaluate", "m.fewdim", "--queries", "queries.jsonl", "--judgments", "judged.qrels", "--concepts", "1,2",
                   "--at", "2,4", "--json")
    lsi = fewdim.load(files / "m.fewdim")
    for queries, judgments in [(files / "queries.jsonl", files / "judged.qrels"), (QUERIES, JUDGED)]:
        found = lsi.evaluate(queries, judgments, concepts=[2, 1], at=[2, 4])
        assert list(found.systems) == [one["system"] for one in told["systems"]] and found.relevant == told["relevant"]
        for one in told["systems"]:
            mean = found[one["system"]].mean
            for name in ("average_precision", "nine_points", "eleven_points", "r_precision", "reciprocal_rank"):
                assert getattr(mean, name) == one[name]
            assert list(mean.precision.values()) == one["precision"] and list(mean.ndcg.values()) == one["ndcg"]
            if "against_terms" in one:
                against = found[one["system"]].against_terms
                assert (against.difference, against.p_value) == (one["against_terms"]["difference"], one["against_terms"]["p"])
        assert list(found["BM25"].queries) == ["q1", "q2"] and found["terms"].against_terms is None
        assert "MAP" in repr(found) and "2 queries" in repr(found)


def test_judgments_and_rankings(files):
    assert fewdim.read_judgments(files / "judged.qrels") == {"q1": {"a": 1, "b": 1, "c": 1}, "q2": {"d": 2, "e": 1, "f": 1}}
    perfect = fewdim.judge_rankings({"q1": list("abcd"), "q2": list("def")}, JUDGED, at=[3])
    assert perfect.mean.average_precision == 1.0 and perfect.mean.ndcg == {3: 1.0}
    worse = fewdim.judge_rankings({"q1": list("dabc"), "q2": list("abc")}, files / "judged.qrels")
    assert worse.queries["q2"].average_precision == 0.0
    compared = fewdim.compare_paired([0.2, 0.3], [0.1, 0.1])
    assert compared.worse == 2 and compared.difference == pytest.approx(-0.15)


@pytest.mark.parametrize("name, text, options", [
    ("lines.txt", "first text\nsecond text\n", {"format": "lines"}),
    ("t.csv", "id,text\n1,first text\n2,second text\n", {}),
    ("t.tsv", "id\ttext\n1\tfirst text\n2\tsecond text\n", {"id_field": "id", "text_field": "text"}),
    ("smart.all", ".I 1\n.W\nfirst text\n.I 2\n.W\nsecond text\n", {"format": "smart"}),
    ("trec.txt", "<DOC>\n<DOCNO>1</DOCNO>\nfirst text\n</DOC>\n<DOC>\n<DOCNO>2</DOCNO>\nsecond text\n</DOC>\n", {"format": "trec"}),
    ("records.txt", "Package: 1\nDescription: first text\n\nPackage: 2\nDescription: second text\n",
     {"format": "records", "text_field": ["Description"]}),
    ("html.jsonl", '{"id": 1, "text": "<b>first</b> text"}\n{"id": 2, "text": "second <i>text</i>"}\n', {"strip": "html"})], ids=str)
def test_formats(tmp_path, name, text, options):
    (tmp_path / name).write_text(text)
    found = fewdim.read_documents(tmp_path / name, **options)
    assert [one.id for one in found] == ["1", "2"]
    assert [" ".join(one.text.split()) for one in found] == ["first text", "second text"]


def test_folders(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "one.txt").write_text("a text")
    (tmp_path / "notes" / "two.bin").write_bytes(bytes(range(256)) * 4)
    with pytest.warns(fewdim.FewdimWarning, match="1 file skipped: not text"):
        found = list(Documents(tmp_path / "notes"))
    assert [(one.id, one.text) for one in found] == [("one.txt", "a text")]


def test_what_was_taken_of_a_table_is_told(tmp_path):
    (tmp_path / "t.csv").write_text("id,text\n1,first text\n2,second text\n")
    with pytest.warns(fewdim.FewdimWarning, match="first line is a header; ids from column id, text from text"):
        fewdim.read_documents(tmp_path / "t.csv")


@pytest.mark.parametrize("call, error, words", [
    (lambda m, d: Documents(7), TypeError, "paths=7"),
    (lambda m, d: Documents(d, format="foo"), fewdim.OptionError, "format='foo'"),
    (lambda m, d: Documents(d, strip="foo"), fewdim.OptionError, "strip='foo'"),
    (lambda m, d: list(Documents(d / "nothing.txt")), fewdim.FileError, "nothing.txt"),
    (lambda m, d: list(Documents(d / "empty")), fewdim.DataError, "empty"),
    (lambda m, d: list(Documents(d / "latin.txt", format="lines")), fewdim.DataError, "UTF-8"),
    (lambda m, d: Documents.of("text"), fewdim.DataError, "string object received"),
    (lambda m, d: Documents.of(["a"], ["x", "y"]), fewdim.DataError, "2 ids were given for 1 documents"),
    (lambda m, d: Documents.of(["a", "b"], ["x", "x"]), fewdim.DataError, "two documents have the id 'x'"),
    (lambda m, d: m.add(Documents.of(["again"], ["a"])), fewdim.DataError, "a"),
    (lambda m, d: m.remove("zz"), fewdim.DataError, "zz"),
    (lambda m, d: m.remove(list(TEXTS)), fewdim.DataError, ""),
    (lambda m, d: LSI().add(["a"]), ValueError, "not fitted"),
    (lambda m, d: m.search(7), fewdim.OptionError, "type int"),
    (lambda m, d: m.search("cat", match=2.0), ValueError, "match"),
    (lambda m, d: m.search("cat", 0), ValueError, "count"),
    (lambda m, d: m.similar("zz"), fewdim.DataError, "zz"),
    (lambda m, d: m.similar(99), fewdim.OptionError, "document=99"),
    (lambda m, d: m.similar(1.5), fewdim.OptionError, "document=1.5"),
    (lambda m, d: m.evaluate(QUERIES, JUDGED, match=2.0), fewdim.OptionError, "match=2.0"),
    (lambda m, d: m.evaluate(QUERIES, JUDGED, judged_by="foo"), fewdim.OptionError, "judged_by='foo'"),
    (lambda m, d: m.evaluate(QUERIES, JUDGED, at=[0]), fewdim.OptionError, "at=0"),
    (lambda m, d: m.evaluate(QUERIES, {"zz": ["a"]}), fewdim.DataError, ""),
    (lambda m, d: m.evaluate(QUERIES, 7), TypeError, "judgments"),
    (lambda m, d: m.evaluate(QUERIES, {"q1": "abc"}), fewdim.DataError, "'q1' are a string"),
    (lambda m, d: fewdim.judge_rankings({"q1": ["a", "a"]}, JUDGED), fewdim.DataError, ""),
    (lambda m, d: fewdim.compare_paired([1.0], [1.0, 2.0]), fewdim.DataError, "shape"),
    (lambda m, d: fewdim.compare_paired([np.nan], [1.0]), fewdim.DataError, "NaN"),
    (lambda m, d: fewdim.read_judgments(d / "nothing"), fewdim.FileError, "nothing"),
], ids=range(29))
def test_refuses_with_words_of_python(tmp_path, call, error, words):
    (tmp_path / "empty").mkdir()
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9\n")
    model = small().fit(Documents.of(TEXTS.values(), TEXTS))
    with pytest.raises(error, match=words) as caught:
        call(model, tmp_path)
    assert " --" not in str(caught.value)
    assert model.ids_ == list(TEXTS)  # what is refused changes nothing


def test_medicine(shared, program, tmp_path):
    program("lsi", shared("ir_med", "MED.ALL"), "-k", "60", "-m", "med.fewdim")
    told = program("evaluate", "med.fewdim", "--queries", shared("ir_med", "MED.QRY"), "--judgments", shared("ir_med", "MED.REL"), "--json")
    lsi = LSI(60).fit(Documents(shared("ir_med", "MED.ALL")))
    found = lsi.evaluate(shared("ir_med", "MED.QRY"), shared("ir_med", "MED.REL"))
    assert [one.mean.average_precision for one in found.systems.values()] == [one["average_precision"] for one in told["systems"]]
    assert found["LSI 60"].mean.average_precision > found["terms"].mean.average_precision
