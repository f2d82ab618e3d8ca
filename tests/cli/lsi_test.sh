#!/usr/bin/env bash
# LSI as a user meets it: index, search, similar, terms, topics, add, remove, evaluate; pipes, JSON, bad and hostile input.
source "$(dirname "$0")/lib.sh" "$@"

# clean WHAT: no byte that a terminal obeys, no C1 control, nothing that turns a line, in what the program has printed.
clean() {
  pass
  ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c' \
    "$aside/out" "$aside/err" || fail "$1: something on the terminal that it would obey"
}
ids() { json "' '.join(h['id'] for h in d['hits'])"; }

cat > titles.tsv <<'END'
id	text
c1	Human machine interface for Lab ABC computer applications
c2	A survey of user opinion of computer system response time
c3	The EPS user interface management system
c4	System and human system engineering testing of EPS
c5	Relation of user-perceived response time to error measurement
m1	The generation of random, binary, unordered trees
m2	The intersection graph of paths in trees
m3	Graph minors IV: Widths of trees and well-quasi-ordering
m4	Graph minors: A survey
END
classic=(--language english --no-stems --weighting counts --no-normalize --min-documents 2 -k 2)

# Index, in words and in JSON.
run lsi titles.tsv "${classic[@]}" -m titles.fewdim
expect_ok
expect_silent_output
expect_err_has "lsi"
expect_file titles.fewdim
run lsi titles.tsv "${classic[@]}" --json
expect_ok
expect_err_has "titles.tsv: its first line is a header"
expect_json "d['method'], d['diagnostics']['documents'], d['diagnostics']['terms'], d['skipped_files']" "('lsi', 9.0, 12.0, 0)"
json_near "d['explained_variance'][0] ** 0.5" 3.340884 1e-5
run lsi titles.tsv "${classic[@]}"
expect_ok
expect_err_has "nothing was kept"
run inspect titles.fewdim --json
expect_ok
expect_json "d['method']" lsi

# Search: all five of its kind, though two share no word with the query.
run search titles.fewdim "human computer" --match 0 -n 5 --json
expect_ok
expect_silence
if have_python; then
  pass; [[ $(json "' '.join(sorted(h['id'] for h in d['hits']))") == "c1 c2 c3 c4 c5" ]] || fail "found $(ids)"
fi
expect_json "d['known'], d['unknown'], d['suggestions']" "(['human', 'computer'], [], {})"
expect_json "[h['rank'] for h in d['hits']]" "[1, 2, 3, 4, 5]"
expect_json "all(h['snippet'].encode()[b:e].decode().isalpha() for h in d['hits'] for b, e in h['marks'])" True
run search titles.fewdim human computer --match 0 -n 5
expect_ok
expect_silence
expect_out_has "*Human* machine *interface* for Lab ABC *computer* applications"
pass; [[ $(grep -cE '^ +[1-5]  [01]\.[0-9]{3}  c[1-5]$' "$aside/out") -eq 5 ]] || fail "not five hits"
run search titles.fewdim human --match 1 --json
expect_json "[(h['id'], round(h['bm25'], 4)) for h in d['hits']]" "[('c1', 1.4265), ('c4', 1.2617)]"
run search titles.fewdim "human computer" --explain -n 1
expect_ok
expect_out_has "terms: "
expect_out_has "concepts: LS"
run search titles.fewdim "human computer" --explain --match 0 --json
expect_ok
expect_json "all(abs(sum(c['part'] for c in h['concepts']) - h['cosine']) < 1e-5 for h in d['hits'])" True
run search titles.fewdim human --snippet 0 --json
expect_json "any('snippet' in h for h in d['hits'])" False

# A query without a known word: said, with near spellings; no error.
run search titles.fewdim "humam grahp"
expect_ok
expect_silent_output
expect_err_has "not in the collection: humam, grahp"
expect_err_has "humam: did you mean human?"
expect_err_has "no word of the query is in the collection"
run search titles.fewdim "humam qqqqq" --json
expect_ok
expect_json "d['hits'], d['unknown'], d['suggestions']" "([], ['humam', 'qqqqq'], {'humam': ['human']})"
run search titles.fewdim ""
expect_ok
expect_silent_output

# Near documents, near terms, topics.
run similar titles.fewdim m3 --match 0 -n 3 --json
expect_ok
expect_json "d['document'], sorted(h['id'] for h in d['hits'])" "('m3', ['m1', 'm2', 'm4'])"
run similar titles.fewdim m33
expect_error 3 "there is no document 'm33'; did you mean 'm3'?"
run terms titles.fewdim graph -n 3 --json
expect_ok
expect_json "sorted(t['term'] for t in d['terms']), d['terms'][0]['cosine'] > 0.9" "(['minors', 'survey', 'trees'], True)"
run terms titles.fewdim trees
expect_ok
expect_out_has minors
run terms titles.fewdim humam
expect_error 3 "no word of 'humam' is a term of this collection; near in spelling: human"
run topics titles.fewdim --top 4 --json
expect_ok
expect_json "[t['concept'] for t in d['topics']], len(d['topics'][0]['plus']['terms'])" "([1, 2], 4)"
run topics titles.fewdim --top 12
expect_ok
expect_out_has "concept 1: singular value 3.341"
run topics titles.fewdim --first 3
expect_error 2 "first=3 must be between 1 and 2"

# Every way in gives the same index: a pipe, JSON lines, a folder, lines.
tail -n +2 titles.tsv | cut -f 2 > titles.txt
mkdir notes
while IFS=$'\t' read -r id text; do printf '%s\n' "$text" > "notes/$id.txt"; done < <(tail -n +2 titles.tsv)
awk -F '\t' 'NR > 1 { printf "{\"id\": \"%s\", \"text\": \"%s\"}\n", $1, $2 }' titles.tsv > titles.jsonl
for input in titles.jsonl notes titles.txt; do
  run lsi "$input" "${classic[@]}" -m other.fewdim --force --json
  expect_ok
  json_near "d['explained_variance'][0] ** 0.5" 3.340884 1e-5
  run search other.fewdim "human computer" --match 0 -n 9 --json
  expect_json "round(d['hits'][0]['cosine'], 4) > 0.99, len(d['hits']) >= 5" "(True, True)"
done
shell "cat titles.jsonl | fewdim lsi - ${classic[*]} -m piped.fewdim --quiet"
expect_ok
expect_silence
run search piped.fewdim "human computer" --match 0 -n 5 --json
if have_python; then
  pass; [[ $(json "' '.join(sorted(h['id'] for h in d['hits']))") == "c1 c2 c3 c4 c5" ]] || fail "found $(ids)"
fi
shell "fewdim search titles.fewdim graph --json | head -n 1"
expect_out "{"

# Add: folded in, and measured; by update; remove.
printf '{"id": "m5", "text": "Minors of graph and trees"}\n{"id": "c6", "text": "user interface survey"}\n' > more.jsonl
cp titles.fewdim work.fewdim
run add work.fewdim more.jsonl
expect_ok
expect_silent_output
expect_err_has "2 documents added, 11 in all"
expect_err_has "folded in (approximate)"
run similar work.fewdim m5 -n 1 --match 0 --json
expect_ok
expect_json "d['hits'][0]['id'][0]" m
run add work.fewdim more.jsonl
expect_error 3 "the collection has a document 'm5' already"
shell "printf '{\"id\": \"c7\", \"text\": \"human response time\"}\n' | fewdim add work.fewdim - --update --json"
expect_ok
expect_json "d['changed'], d['documents'], d['folded']" "(1, 12, 0)"
run remove work.fewdim c7 m5 --update
expect_ok
expect_err_has "2 documents removed, 10 in all"
run remove work.fewdim c6 --json
expect_ok
expect_json "d['changed'], d['documents']" "(1, 9)"
run remove work.fewdim c6
expect_error 3 "there is no document 'c6'"
run remove work.fewdim c1 c2 c3 c4 c5 m1 m2 m3 m4
expect_error 3 "no document would be left"
run search work.fewdim "human computer" --match 0 -n 5 --json
expect_ok
cp titles.fewdim before.fewdim
run add titles.fewdim more.jsonl -o grown.fewdim
expect_ok
same_bits titles.fewdim before.fewdim
expect_file grown.fewdim
cp grown.fewdim kept.fewdim
run add titles.fewdim more.jsonl -o grown.fewdim
expect_error 4 "--force"
same_bits grown.fewdim kept.fewdim
run add titles.fewdim more.jsonl -o grown.fewdim --force
expect_ok
run add nowhere.fewdim more.jsonl
expect_error 4 "nowhere.fewdim"
expect_no_file nowhere.fewdim
run add titles.fewdim nowhere.jsonl
expect_error 4 "nowhere.jsonl"
same_bits titles.fewdim before.fewdim

# Evaluate.
printf '{"id": "1", "text": "human computer"}\n{"id": "2", "text": "graph of trees"}\n' > queries.jsonl
printf '1 0 c%s 1\n' 1 2 3 4 5 > judged.txt
printf '2 0 m%s 1\n' 1 2 3 4 >> judged.txt
run evaluate titles.fewdim --queries queries.jsonl --judgments judged.txt --match 0.2 --concepts 1 --at 2,4
expect_ok
expect_out_has "2 queries, 9 relevant documents"
expect_out_has "LSI 2"
run evaluate titles.fewdim --queries queries.jsonl --judgments judged.txt --json --per-query each.csv
expect_ok
expect_json "d['queries'], d['relevant']" "(2, 9)"
# c1, c2, c4 share a word with the first query: 3/5; all graphs with the second.
expect_json "[(s['system'], round(s['average_precision'], 3)) for s in d['systems']][:3]" "[('terms', 0.8), ('BM25', 0.8), ('LSI 2', 1.0)]"
pass; [[ $(wc -l < each.csv) -eq 3 ]] || fail "each.csv has $(wc -l < each.csv) lines"
printf '1 0 nobody 1\n9 0 c1 1\n' >> judged.txt
run evaluate titles.fewdim --queries queries.jsonl --judgments judged.txt
expect_ok
expect_err_has "1 judged queries are not among the queries"
expect_err_has "1 judged documents are not in the collection"
printf '7 0 c1 1\n' > strange.txt
run evaluate titles.fewdim --queries queries.jsonl --judgments strange.txt
expect_code 3
printf 'what is this\n\n???\n' > nonsense.txt
run evaluate titles.fewdim --queries queries.jsonl --judgments nonsense.txt
expect_error 3 "nonsense.txt:"
run evaluate titles.fewdim --queries queries.jsonl --judgments nowhere.txt
expect_error 4 "nowhere.txt"

# Slips.
run generate swiss-roll -n 100 -o roll.csv
run pca roll.csv -m roll.fewdim
expect_ok
for verb in "search roll.fewdim human" "similar roll.fewdim c1" "terms roll.fewdim human" "topics roll.fewdim" \
  "add roll.fewdim more.jsonl" "remove roll.fewdim c1" "evaluate roll.fewdim --queries queries.jsonl --judgments judged.txt"; do
  # shellcheck disable=SC2086
  run $verb
  expect_error 2 "the model holds no documents" "make one with lsi"
done
run search titles.tsv human
expect_code 3
run search nowhere.fewdim human
expect_error 4 "nowhere.fewdim"
run search titles.fewdim
expect_error 2 "QUERY"
run search titles.fewdim human -n 0
expect_error 2 "--count '0'"
run search titles.fewdim human --match 2
expect_error 2 "match"
run lsi titles.tsv "${classic[@]}" -m titles.fewdim
expect_error 4 "--force"
run lsi titles.tsv --language klingon
expect_error 2 "klingon"
run lsi titles.tsv --weighting heavy
expect_error 2 "heavy"
run lsi titles.tsv -k 0
expect_error 2 "components=0"

# More concepts than there are.
run lsi titles.tsv "${classic[@]:0:8}" -k 400 -m full.fewdim
expect_ok
expect_err_has "400 concepts were asked for"
run search full.fewdim graph --json
expect_ok
expect_json "len(d['hits']) > 0" True

# Nothing to read.
mkdir empty-folder
run lsi empty-folder
expect_code 3
printf '' > empty.txt
run lsi empty.txt
expect_code 3
run lsi nowhere/
expect_error 4 "nowhere"
printf 'a b c\nd e f\n' > apart.txt
run lsi apart.txt
expect_code 3

# Empty and stop-word-only documents stay, and are never found.
printf 'graph of trees\n\nthe of and\ntrees and graph minors\nminors of a graph\n' > gaps.txt
run lsi gaps.txt --language english -m gaps.fewdim
expect_ok
expect_err_has "2 of 5 documents have no term that is counted; they are kept, and never found"
run search gaps.fewdim "graph minors trees" -n 10 --json
expect_json "sorted(h['id'] for h in d['hits'])" "['1', '4', '5']"
run similar gaps.fewdim 3
expect_ok
expect_silent_output
expect_err_has "the document has no terms"
pass; ! grep -qai nan "$aside/out" || fail "NaN"

# A folder with what is no text, and what can't be read.
mkdir mixed
cp notes/*.txt mixed/
head -c 3000 /dev/zero > mixed/zeros.bin
printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR' > mixed/picture.png
run lsi mixed "${classic[@]}" -m mixed.fewdim
expect_ok
expect_err_has "2 files skipped: not text"
if [[ $(id -u) -ne 0 ]]; then
  printf 'secret' > mixed/secret.txt
  chmod 000 mixed/secret.txt
  run lsi mixed "${classic[@]}" -m mixed.fewdim --force
  expect_ok
  expect_err_has "1 file skipped: can't be read; the first is"
  expect_err_has "secret.txt"
  chmod 600 mixed/secret.txt
fi

# Encodings: where the byte is, or a sign in its place.
printf 'graph of trees\ngraph na\xefve trees\nminors of trees\n' > latin.txt
run lsi latin.txt --language english
expect_error 3 "latin.txt:2:9: the byte 0xef is not UTF-8" "--encoding-errors"
run lsi latin.txt --language english --encoding-errors replace -m latin.fewdim
expect_ok
expect_err_has "1 byte not UTF-8, replaced by U+FFFD"

# One id twice; one document too long.
printf '{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}\n{"id": "a", "text": "three"}\n' > twice.jsonl
run lsi twice.jsonl
expect_error 3 "twice.jsonl:3" 'the id "a"'
{ echo "graph of trees"; head -c 200000 /dev/zero | tr '\0' 'x'; echo; echo "graph minors trees"; } > long.txt
run lsi long.txt --language english --longest 100K
expect_error 3 "long.txt:2" "--longest"
run lsi long.txt --language english --longest 1M -m long.fewdim
expect_ok

# Hostile ids and texts: a terminal, a right-to-left turn, a C1 control, a second line.
printf '{"id": "\\u001b]0;owned\\u0007\\u001b[31mred", "text": "graph of \\u001b[2J trees \\u009b31m minors \\u202egnp.exe"}\n' > hostile.jsonl
printf '{"id": "two\\nlines\\u2028three\\u0085", "text": "graph\\u202e of\\u2066 trees\\u200f minors\\u007f"}\n' >> hostile.jsonl
printf '{"id": "plain", "text": "graph minors and trees, gr\\u202eaph evil\\u202eword"}\n{"id": "plain2", "text": "evil\\u202eword graph"}\n' >> hostile.jsonl
run lsi hostile.jsonl --language english -m hostile.fewdim
expect_ok
clean "the fit"
for options in "" --json; do
  # shellcheck disable=SC2086
  for words in "search hostile.fewdim graph trees minors --explain" "similar hostile.fewdim plain --explain" \
    "terms hostile.fewdim graph" "topics hostile.fewdim" "search hostile.fewdim evilwor graf" \
    "inspect hostile.fewdim"; do
    run $words $options
    expect_ok
    clean "$words $options"
    [[ -z $options ]] || expect_json "len(d) > 3" True
  done
  run search hostile.fewdim $'gr\xc2\x9b31maph \e[31m trees\xe2\x80\xae x' $options
  expect_ok
  clean "a hostile query"
  run similar hostile.fewdim $'\e[31mnobody' $options
  expect_code 3
  clean "an id that is not there"
  run similar hostile.fewdim $'\e]0;owned\a\e[31mre' $options
  expect_code 3
  clean "an id that is nearly there"
done
run search hostile.fewdim "graph trees" --json
expect_json "sorted(h['id'] for h in d['hits'])[0] == '\x1b]0;owned\x07\x1b[31mred'" True
run add hostile.fewdim hostile.jsonl
expect_code 3
clean "an id that is there"
run remove hostile.fewdim $'two\nlines\xe2\x80\xa8three\xc2\x85'
expect_ok
clean "a removal"

# The same file at any number of threads.
for threads in 1 2 3; do
  SOURCE_DATE_EPOCH=1700000000 run lsi titles.jsonl --language english --threads "$threads" -m "threads$threads.fewdim"
  expect_ok
done
same_bits threads1.fewdim threads2.fewdim
same_bits threads1.fewdim threads3.fewdim

# Debian's packages, where there are any.
if command -v apt-cache > /dev/null && [[ -n $(apt-cache dumpavail 2> /dev/null | head -n 1) ]] && ! sanitized; then
  apt-cache dumpavail 2> /dev/null | head -n 60000 > packages.txt
  shell "fewdim lsi --format=records -k 50 -m packages.fewdim --quiet - < packages.txt"
  expect_ok
  run search packages.fewdim "draw graphs from the command line" -n 10 --json
  expect_ok
  expect_json "len(d['hits'])" 10
  name=$(json "d['hits'][0]['id']")
  run similar packages.fewdim "$name" -n 3
  expect_ok
  run topics packages.fewdim --top 12
  expect_ok
fi
finish
