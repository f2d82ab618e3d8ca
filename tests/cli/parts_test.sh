#!/usr/bin/env bash
# Several files are parts of one table, row after row.
source "$(dirname "$0")/lib.sh" "$@"

table 900 12 > whole.csv
head -n 1 whole.csv > header
for part in 1 2 3; do
  { cat header; tail -n +2 whole.csv | sed -n "$((part * 300 - 299)),$((part * 300))p"; } > part$part.csv
done
run pca whole.csv -k 3 -m whole.fewdim -o whole-scores.csv --quiet
expect_ok

# The same bits as from the whole file, scores and model alike.
spectrum() { run inspect "$1" --json && json "d['explained_variance'], d['residuals'], d['shape']['rows']"; }
run pca part1.csv part2.csv part3.csv -k 3 -m parts.fewdim -o parts-scores.csv --quiet
expect_ok
same_bits whole-scores.csv parts-scores.csv
if have_python; then
  pass; [[ $(spectrum whole.fewdim) == "$(spectrum parts.fewdim)" ]] || fail "parts have another spectrum than the whole"
fi
run svd part1.csv part2.csv part3.csv -k 3 -o parts-svd.csv --quiet
expect_ok
run svd whole.csv -k 3 -o whole-svd.csv --quiet
same_bits whole-svd.csv parts-svd.csv
run inspect parts.fewdim
expect_out_has "part1.csv and 2 more: 900 rows"

# Streamed: the blocks are cut as those of the whole are, so the bits are the same again.
run pca whole.csv -k 3 --stream -o whole-streamed.csv --quiet
expect_ok
run pca part1.csv part2.csv part3.csv -k 3 --stream -o parts-streamed.csv --quiet
expect_ok
same_bits whole-streamed.csv parts-streamed.csv

# The other verbs that take a table to be fitted.
run verify parts.fewdim part1.csv part2.csv part3.csv
expect_ok
expect_out_has "the certificate holds"
expect_silence
run verify parts.fewdim part1.csv part2.csv
expect_error 3 "fitted on 900 rows"
run choose-k part1.csv part2.csv --criteria elbow --json
expect_json "d['rows']" 600
run plan pca part1.csv part2.csv -k 2 --json
expect_json "d['rows'], d['input']" "(600, 'part1.csv and 1 more')"

# A header is in the first file only, as `split` leaves it; other formats; one part from a pipe.
tail -n +2 part2.csv > headless.csv
"$fewdim" convert part3.csv part3.npy --quiet
run pca part1.csv headless.csv part3.npy -k 3 -o mixed-scores.csv --quiet
expect_ok
same_bits whole-scores.csv mixed-scores.csv
shell "cat part2.csv | fewdim pca part1.csv - part3.csv -k 3 -o piped-scores.csv --quiet"
expect_ok
same_bits whole-scores.csv piped-scores.csv

# Sparse parts stay sparse.
"$fewdim" convert part1.csv part1.mtx --sparse --quiet
"$fewdim" convert part2.csv part2.mtx --sparse --quiet
run pca part1.mtx part2.mtx -k 2 --json
expect_json "d['shape']['rows'], d['shape']['features']" "(600, 12)"
run pca part1.mtx part2.csv -k 2
expect_error 3 "part2.csv: is dense, and part1.mtx is not"

# Names of rows, labels and weights travel with their rows.
printf 'id,x,y,kind\na,1,2,u\nb,2,1,v\n' > named1.csv
printf 'id,x,y,kind\nc,4,4,u\nd,5,7,v\n' > named2.csv
run pca named1.csv named2.csv --label kind -k 1 -o named-scores.csv --quiet
expect_ok
pass; [[ $(cut -d , -f 1 named-scores.csv | tr '\n' ' ') == "id a b c d " ]] || fail "the rows' names are lost"
run pca named1.csv named2.csv --label kind -k 1 --stream -o streamed-scores.csv --quiet
expect_ok
same_bits named-scores.csv streamed-scores.csv
printf 'x,y,w\n1,2,1\n2,1,2\n' > w1.csv
printf 'x,y,w\n4,4,1\n5,7,3\n' > w2.csv
{ cat w1.csv; tail -n +2 w2.csv; } > w.csv
run pca w.csv -k 1 --weights-column w -o w-scores.csv --quiet
run pca w1.csv w2.csv -k 1 --weights-column w -o w12-scores.csv --quiet
expect_ok
same_bits w-scores.csv w12-scores.csv

# What is no part of the same table is refused before anything is computed.
printf 'x,y\n1,2\n2,1\n' > xy.csv
printf 'y,x\n1,2\n2,1\n' > yx.csv
printf 'x,y,z\n1,2,3\n2,1,4\n' > xyz.csv
printf 'x,q\n1,2\n2,1\n' > xq.csv
run pca xy.csv yx.csv -k 1
expect_ok  # by name
run pca xy.csv xq.csv -k 1
expect_error 3 "xq.csv: column 2 is 'q', and in xy.csv it is 'y'; take those that both have with --columns x"
run pca xy.csv xyz.csv -k 1
expect_error 3 "xyz.csv: has 3 columns, and xy.csv has 2"
run pca xy.csv nowhere.csv -k 1
expect_error 4 "nowhere.csv"
run pca xy.csv @iris -k 1
expect_error 2 "@iris is a built-in table"
run pca @iris xy.csv -k 1
expect_error 2 "@iris is a built-in table"
run pca - - -k 1 < xy.csv
expect_error 2 "name it once"
run pca xy.csv xyz.csv -k 1 -o xyz.csv --force
expect_error 2 "would replace the input xyz.csv"

finish
