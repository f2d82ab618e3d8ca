#!/usr/bin/env bash
# Documents as people have them: tables without a header, classic collections whose judgments count, words that one
# document has alone, few documents, ids of all kinds, broken encodings. Wrong answers that nobody was told of.
source "$(dirname "$0")/lib.sh" "$@"

cat > titles.txt <<'END_OF_TITLES'
Human machine interface for Lab ABC computer applications
A survey of user opinion of computer system response time
The EPS user interface management system
System and human system engineering testing of EPS
Relation of user-perceived response time to error measurement
The generation of random, binary, unordered trees
The intersection graph of paths in trees
Graph minors IV: Widths of trees and well-quasi-ordering
Graph minors: A survey
END_OF_TITLES
awk '{ print NR "\t" $0 }' titles.txt > plain.tsv
{ printf 'id\ttext\n'; cat plain.tsv; } > header.tsv
english=(--language english --no-stems -k 2)

# A table without a header keeps its first document and its ids; what was decided is said, and can be settled.
run lsi plain.tsv "${english[@]}" -m plain.fewdim
expect_ok
expect_err_has "plain.tsv: no header, its first line is a document; ids from column 1, text from column 2 (--header if it holds names)"
run lsi header.tsv "${english[@]}" -m header.fewdim
expect_ok
expect_err_has "header.tsv: its first line is a header; ids from column id, text from column text (--no-header if it is a document)"
for model in plain header; do
  run similar "$model.fewdim" 1 -n 9 --match 0 --json
  expect_ok
  cp "$aside/out" "$model.json"
done
pass; [[ $(grep '"hits"' plain.json) == "$(grep '"hits"' header.json)" ]] || fail "with and without a header differ"
run lsi plain.tsv "${english[@]}" --json
expect_ok
expect_json "d['diagnostics']['documents'], d['tables']" "(9.0, [{'file': 'plain.tsv', 'header': False, 'id': '1', 'text': ['2']}])"
run lsi plain.tsv "${english[@]}" --header --json
expect_json "d['diagnostics']['documents']" 8.0
run lsi header.tsv "${english[@]}" --no-header --json
expect_json "d['diagnostics']['documents']" 10.0
run lsi plain.tsv "${english[@]}" --quiet
expect_ok
expect_silence
shell "cat plain.tsv | fewdim lsi - ${english[*]} -o - --quiet | cut -d , -f 1 | tail -n +2 | tr -d '\"' | paste -s -d ' '"
expect_out "1 2 3 4 5 6 7 8 9"
sed 's/\t/,/; s/,\(.*\)/,"\1"/' plain.tsv > plain.csv
run lsi plain.csv "${english[@]}" --json
expect_json "d['diagnostics']['documents'], d['tables'][0]['header']" "(9.0, False)"
run lsi plain.tsv "${english[@]}" --text-field body
expect_error 3 'plain.tsv:1: no column "body", as the first line is taken as a document' "--text-field a number from 1 to 2"
run lsi plain.tsv "${english[@]}" --text-field 2 --id-field 1
expect_ok

# Queries without a header are not shifted by one.
printf '1\thuman computer\n2\tgraph of trees\n' > queries.tsv
printf '1 0 %s 1\n' 1 2 3 4 5 > judged.txt
printf '2 0 %s 1\n' 6 7 8 9 >> judged.txt
run evaluate plain.fewdim --queries queries.tsv --judgments judged.txt --json
expect_ok
expect_err_has "queries.tsv: no header"
expect_json "d['queries'], d['judged_by'], [round(s['average_precision'], 3) for s in d['systems'] if s['system'] == 'LSI 2']" "(2, 'id', [1.0])"

# TIME: documents are numbered by *TEXT lines with gaps, judgments count from 1.
awk '{ printf "*TEXT %03d 01/04/63 PAGE %03d\n\n%s\n\n", 17 + 3 * NR, 20 + NR, toupper($0) } END { print "*STOP" }' titles.txt > TIME.ALL
printf '*FIND     1\n\nHUMAN COMPUTER\n\n*FIND     2\n\nGRAPH OF TREES\n\n*STOP\n' > TIME.QUE
printf '1  1 2 3 4 5\n\n2  6 7 8 9\n\n' > TIME.REL
run lsi TIME.ALL "${english[@]}" -m time.fewdim --json
expect_ok
expect_json "d['diagnostics']['documents']" 9.0
run evaluate time.fewdim --queries TIME.QUE --judgments TIME.REL
expect_ok
expect_err_has "the judgments give the places of the documents, from 1, instead of their ids; taken so (--judged-by id if they are ids)"
expect_out_has "2 queries, 9 relevant documents"
run evaluate time.fewdim --queries TIME.QUE --judgments TIME.REL --json
expect_json "d['judged_by'], [round(s['average_precision'], 3) for s in d['systems'] if s['system'] == 'LSI 2']" "('position', [1.0])"
run evaluate time.fewdim --queries TIME.QUE --judgments TIME.REL --judged-by position
expect_ok
expect_silence
run evaluate time.fewdim --queries TIME.QUE --judgments TIME.REL --judged-by id
expect_ok
expect_err_has "9 judged documents are not in the collection"
run evaluate time.fewdim --queries TIME.QUE --judgments TIME.REL --judged-by name
expect_error 2 "--judged-by 'name' must be auto, id or position"
# A document that was removed does not turn ids into places.
run lsi plain.tsv "${english[@]}" -m part.fewdim --quiet
run remove part.fewdim 3
run evaluate part.fewdim --queries queries.tsv --judgments judged.txt --judged-by id --json
expect_json "d['judged_by']" id

# What shares no word with the query is not found by words, and adds nothing, as with trec_eval; LSI ranks all.
printf '{"id": "1", "text": "human"}\n' > one.jsonl
printf '1 0 9 1\n' > last.txt
run evaluate plain.fewdim --queries one.jsonl --judgments last.txt --json
expect_ok
expect_json "[s['average_precision'] > 0 for s in d['systems']]" "[False, False, True, True]"

# transform reads what lsi reads, with the same ids, and places documents where they are.
awk '{ printf ".I %d\n.T\n%s\n.A\nNobody\n.W\n%s\n", NR, $0, $0 }' titles.txt > SMALL.ALL
mkdir folder
awk '{ print > ("folder/" NR ".txt") }' titles.txt
awk '{ gsub(/"/, ""); printf "{\"id\": \"j%d\", \"text\": \"%s\"}\n", NR, $0 }' titles.txt > titles.jsonl
for input in SMALL.ALL folder titles.jsonl plain.tsv header.tsv TIME.ALL titles.txt; do
  run lsi "$input" "${english[@]}" -m same.fewdim -o fitted.csv --force --quiet
  expect_ok
  run transform same.fewdim "$input" -o placed.csv --force --quiet
  expect_ok
  pass; [[ $(cut -d , -f 1 fitted.csv) == "$(cut -d , -f 1 placed.csv)" ]] || fail "$input: other ids"
  for row in 1 5 9; do
    near "$input, row $row" "$(cell placed.csv "$row" 2)" "$(cell fitted.csv "$row" 2)" 1e-6
  done
done
run transform same.fewdim SMALL.ALL --format lines -o lines.csv --force
expect_ok
pass; [[ $(wc -l < lines.csv) -eq 64 ]] || fail "lines.csv has $(wc -l < lines.csv) lines"
run transform same.fewdim SMALL.ALL --text-field W --json -o w.csv
expect_ok
expect_json "d['rows']" 9
shell "fewdim transform same.fewdim - --format smart < SMALL.ALL | wc -l"
expect_out 10
run transform same.fewdim SMALL.ALL --delimiter tab
expect_error 2 "--delimiter is for tables of numbers, and the model takes documents"
run transform same.fewdim SMALL.ALL --format npy
expect_error 2 "--format 'npy' must be"
run transform same.fewdim @iris
expect_error 2 "@iris is a table of numbers"
run pca @iris -m iris.fewdim --quiet
run transform iris.fewdim @iris --text-field W
expect_error 2 "--text-field is for documents, and this model takes numbers"
run plan lsi SMALL.ALL --json
expect_ok
expect_json "d['shape']['rows'] if 'shape' in d else d['rows']" 9

# A word that one document has alone is found, and nobody says that it is not there.
cat > shop.tsv <<'END_OF_SHOP'
p1	pump for garden water, model Zylofix
p2	pump and hose for water
p3	garden hose and water pump Aquadrom
d1	drill for steel and wood, model Kraftix
d2	drill steel bits
d3	wood drill bits Bohrmax
END_OF_SHOP
run lsi shop.tsv --language english -k 2 -m shop.fewdim --quiet
expect_ok
run search shop.fewdim zylofix
expect_ok
expect_out_has "  1  1.000  p1"
expect_out_has "*Zylofix*"
expect_err_has "no part of the concepts, found by matching: zylofix (1 document)"
pass; ! grep -q "not in the collection" "$aside/err" || fail "a word of the collection is said not to be in it"
run search shop.fewdim "pump zylofix" -n 1 --explain
expect_ok
expect_out_has "  p1"
expect_out_has "matches: zylofix"
run search shop.fewdim "bohrmax drill" --json
expect_json "d['hits'][0]['id'], d['outside'], d['unknown'], 0.2 < d['match'] < 1" "('d3', {'bohrmax': 1}, [], True)"
run search shop.fewdim zylofix --match 0
expect_ok
expect_silent_output
expect_err_has "no part of the concepts, and --match 0 matches no words: zylofix (1 document)"
run search shop.fewdim zylofixx
expect_err_has "not in the collection: zylofixx"
expect_err_has "zylofixx: did you mean zylofix?"
run terms shop.fewdim zylofix
expect_error 3 "'zylofix' is in 1 document and has no place among the concepts" "--min-documents 1"
run lsi shop.tsv --language english -k 2 --min-documents 1 -m every.fewdim --quiet
run terms every.fewdim zylofix
expect_ok
printf 'n1\tTurbomat pump\nn2\tgarden drill\n' > more.tsv
run add shop.fewdim more.tsv
expect_ok
run search shop.fewdim turbomat --json
expect_json "[h['id'] for h in d['hits']], d['outside']" "(['n1'], {'turbomat': 1})"
run remove shop.fewdim p1
expect_ok
run search shop.fewdim zylofix
expect_err_has "not in the collection: zylofix"
# By a vocabulary the index knows these words and no others: it does not pretend to.
printf 'pump\ndrill\nwater\nsteel\n' > words.txt
run lsi shop.tsv --language english -k 2 --vocabulary words.txt -m few.fewdim --quiet
expect_ok
run search few.fewdim zylofix
expect_err_has "none of the terms of the index, which does not keep all words: zylofix"

# Five documents and a hundred concepts; documents without text.
head -n 5 plain.tsv > five.tsv
run lsi five.tsv --language english -k 100 -m five.fewdim
expect_ok
expect_err_has "100 concepts were asked for"
run search five.fewdim "user interface" -n 5 --json
expect_ok
expect_json "len(d['hits']) > 1" True
printf '1\thuman computer\n2\t\n3\tcomputer for human users\n4\t   \n5\tusers of a computer\n' > gaps.tsv
run lsi gaps.tsv --language english -m gaps.fewdim
expect_ok
expect_err_has "2 documents without text, kept"
run search gaps.fewdim computer --json
expect_json "sorted(h['id'] for h in d['hits'])" "['1', '3', '5']"

# Ids of other kinds: paths, UUIDs, with blanks, other scripts, long ones, one that is given twice.
printf '7f1c-aa01\tHuman computer\n7f1c-bb02\tcomputer user\n0a2b-cc03\tuser and human\n' > uuid.tsv
printf 'id\ttext\nnotes/a b.txt\tHuman computer\nпривет\tcomputer user\n%s\tuser and human\n' "$(printf 'x%.0s' {1..300})" > odd.tsv
for input in uuid.tsv odd.tsv; do
  run lsi "$input" --language english -k 2 --min-documents 1 -m odd.fewdim --force --quiet
  expect_ok
  run search odd.fewdim human -n 9 --json
  expect_json "len(d['hits'])" 3
done
run similar odd.fewdim "notes/a b.txt" -n 1 --json
expect_ok
run similar odd.fewdim привет -n 1
expect_ok
printf 'a\tone word\nb\ttwo word\na\tthree word\n' > twice.tsv
run lsi twice.tsv --id-field 1
expect_error 3 'twice.tsv:3: the id "a" is that of twice.tsv:1, too' "--id-field none"
run lsi twice.tsv --id-field=none --min-documents 1 -o - --quiet
expect_ok
pass; [[ $(wc -l < "$aside/out") -eq 4 ]] || fail "not three documents"

# Broken encodings: the remedies that the errors name work.
printf '1\tcaf\351 human\n2\tcaf\351 computer\n' > latin.tsv
run lsi latin.tsv -k 1 --min-documents 1
expect_error 3 "latin.tsv:1:6: the byte 0xe9 is not UTF-8" "iconv -f latin1 -t utf-8" "--encoding-errors replace"
run lsi latin.tsv -k 1 --min-documents 1 --encoding-errors=replace
expect_ok
expect_err_has "2 bytes not UTF-8, replaced by U+FFFD"
run lsi titles.txt "${english[@]}" -m utf.fewdim --quiet
run transform utf.fewdim latin.tsv
expect_error 3 "latin.tsv:1:6: the byte 0xe9 is not UTF-8"
run transform utf.fewdim latin.tsv --encoding-errors=replace
expect_ok
if command -v iconv > /dev/null; then
  iconv -f latin1 -t utf-8 latin.tsv > fixed.tsv
  run lsi fixed.tsv -k 1 --min-documents 1
  expect_ok
  iconv -f utf-8 -t utf-16 titles.txt > wide.txt
  run lsi wide.txt
  expect_error 3 "wide.txt: is UTF-16; convert it, as with iconv -f utf-16 -t utf-8"
  iconv -f utf-16 -t utf-8 wide.txt > narrow.txt
  run lsi narrow.txt "${english[@]}"
  expect_ok
fi
printf '\xef\xbb\xbfid\ttext\n1\thuman computer\n2\tcomputer graph\n' > bom.tsv
run lsi bom.tsv -k 1 --min-documents 1 --json
expect_json "d['tables'][0]['id'], d['diagnostics']['documents']" "('id', 2.0)"

# The classic collections as tables, where they are at hand: every document, the same figures as from their own format.
if [[ -d $data_dir/ir_med ]] && have_python; then
  python3 - "$data_dir" <<'END_OF_PROGRAM'
import sys
for name in ("med/MED.ALL", "med/MED.QRY"):
    documents, chosen = [], False
    for line in open(f"{sys.argv[1]}/ir_{name}", encoding="utf-8"):
        if line.startswith(".I "):
            documents.append([line[3:].strip(), []])
        elif line[:1] == "." and line[1:2].isupper() and not line[2:].strip():
            chosen = line[1] in "TW"
        elif chosen:
            documents[-1][1].append(line.strip())
    with open(name.split(".")[1] + ".tsv", "w") as out:
        for number, lines in documents:
            out.write(f"{number}\t{' '.join(lines)}\n")
END_OF_PROGRAM
  run lsi ALL.tsv -k 50 -m table.fewdim --json
  expect_json "d['diagnostics']['documents']" 1033.0
  run lsi "$data_dir/ir_med/MED.ALL" -k 50 -m smart.fewdim --json
  expect_json "d['diagnostics']['documents']" 1033.0
  run evaluate table.fewdim --queries QRY.tsv --judgments "$data_dir/ir_med/MED.REL" --json
  expect_ok
  json "[s['average_precision'] for s in d['systems']]" > from-table
  run evaluate smart.fewdim --queries "$data_dir/ir_med/MED.QRY" --judgments "$data_dir/ir_med/MED.REL" --json
  expect_ok
  json "[s['average_precision'] for s in d['systems']]" > from-smart
  same_bits from-table from-smart
  run transform smart.fewdim "$data_dir/ir_med/MED.ALL" --json -o med.csv
  expect_json "d['rows']" 1033
fi
finish
