#!/usr/bin/env bash
# What is decided about a table by looking: header, row names, label, the columns of a model.
source "$(dirname "$0")/lib.sh" "$@"

# expect_table FILE ROWS COLUMNS: what a fit makes of it
expect_table() {
  expect_ok
  expect_json 'd["shape"]["rows"], d["shape"]["features"]' "($2, $3)"
}

# ---- A header of numbers is a header, and that is said ------------------------------------------------------------

printf '0,1,2\n0.5,7.25,-1.5\n3.25,0.125,2.5\n4.5,1.5,0.25\n' > pandas.csv
run pca pandas.csv -k 1 --json
expect_table pandas.csv 3 3
expect_err_has "pandas.csv: the first line is a header (it counts 0, 1, 2); use --no-header if it is data"
expect_json 'd["feature_names"]' "['0', '1', '2']"
expect_json 'd["reading"][0][:48]' "pandas.csv: the first line is a header (it count"
run pca pandas.csv -k 1 --json --no-header
expect_table pandas.csv 4 3
expect_silence
run pca pandas.csv -k 1 --json --quiet
expect_silence
pass; [[ $("$fewdim" pca pandas.csv 2>&1 > /dev/null | grep -c 'first line') -eq 1 ]] || fail "it is not said once"

# As a pipe, as a stream, under a limit, compressed, as TSV and with semicolons: the same decision.
shell "fewdim pca - -k 1 --json < pandas.csv"
expect_table - 3 3
expect_err_has "standard input: the first line is a header (it counts 0, 1, 2)"
run pca pandas.csv -k 1 --json --stream
expect_table pandas.csv 3 3
expect_err_has "it counts 0, 1, 2"
gzip -k pandas.csv
run pca pandas.csv.gz -k 1 --json
expect_table pandas.csv.gz 3 3
tr , '\t' < pandas.csv > pandas.tsv
run pca pandas.tsv -k 1 --json
expect_table pandas.tsv 3 3
tr ,. ';,' < pandas.csv > comma.csv
run pca comma.csv -k 1 --json
expect_table comma.csv 3 3
{ printf '\xef\xbb\xbf'; cat pandas.csv; } > bom.csv
run pca bom.csv -k 1 --json
expect_table bom.csv 3 3
awk 'BEGIN { srand(1); print "0,1,2,3,4,5,6,7"; for (i = 0; i < 60000; i++) { for (j = 0; j < 8; j++) printf "%s%.6f", j ? "," : "", rand(); print "" } }' > large.csv
run pca large.csv -k 1 --json --memory-limit 40M
expect_table large.csv 60000 8
expect_err_has "large.csv: the first line is a header (it counts 0, 1, 2, ...)"

printf 'country,2019,2020\nAustria,1.5,2.5\nBelgium,3.5,4.75\nChile,0.5,1.25\n' > years.csv
run pca years.csv -k 1 --json
expect_table years.csv 3 2
expect_err_has "years.csv: the first line is a header (2019, 2020 follow each other, and the rows below are other numbers)"

# Genes by their numbers, as columns: read as a row, they made nearly all of the variance.
awk 'BEGIN { srand(2); printf "780"; for (j = 1; j < 20; j++) printf ",%d", 780 + int(rand() * 9000) * 3 + j; print ""
  for (i = 0; i < 30; i++) { for (j = 0; j < 20; j++) printf "%s%.3f", j ? "," : "", 4 + 8 * rand(); print "" } }' > genes.csv
run pca genes.csv -k 2 --json
expect_table genes.csv 30 20
expect_json 'd["explained_variance_ratio"][0] < 0.5' True

# Rows stay rows, and that is said as well.
printf '1,2\n3,4\n5,7\n' > rows.csv
run pca rows.csv -k 1 --json
expect_table rows.csv 3 2
expect_err_has "rows.csv: the first line is data, of numbers as the lines below; use --header if it holds names"

# Where it is open it is asked, and both answers are taken.
printf '1,2,3\n4,6,5\n7,8,1\n2,2,9\n' > open.csv
run pca open.csv -k 1
expect_error 3 "open.csv: can't tell whether the first line is a header: it counts 1, 2, 3" "--header" "--no-header"
run pca open.csv -k 1 --json --header
expect_table open.csv 3 3
run pca open.csv -k 1 --json --no-header
expect_table open.csv 4 3

# ---- Row numbers are no feature -------------------------------------------------------------------------------------

printf ',a,b\n0,1.5,2.5\n1,3.5,1.25\n2,0.5,4.5\n' > index.csv
run pca index.csv -k 1 --json
expect_table index.csv 3 2
expect_silence
sed '1s/^/Unnamed: 0/' index.csv > saved-again.csv
run pca saved-again.csv -k 1 --json
expect_table saved-again.csv 3 2
expect_err_has "column 1 \"Unnamed: 0\" holds the rows' names; use --id none if it is a feature"
run pca saved-again.csv -k 1 --json --id none
expect_table saved-again.csv 3 3
sed '1s/^/step/' index.csv > steps.csv
run pca steps.csv -k 1 --json
expect_table steps.csv 3 3
expect_err_has "column 1 \"step\" counts the rows and is taken as a feature; use --id step if it holds their names"
run pca steps.csv -k 1 --json --id step
expect_table steps.csv 3 2

# ---- A written table keeps its label --------------------------------------------------------------------------------

run generate swiss-roll -n 300 -o roll.csv
run isomap roll.csv --json
expect_table roll.csv 300 3
expect_err_has "roll.csv: column 4 \"position\" is the label, not a feature; use --label none if it is one"
run isomap roll.csv --json --label position
expect_table roll.csv 300 3
expect_silence
run pca roll.csv --json --label none
expect_table roll.csv 300 4
run generate digits -o digits.csv --quiet
run pca digits.csv -k 2 -o digit-scores.csv --quiet
run pca @digits -k 2 -o builtin-scores.csv --quiet
same_bits digit-scores.csv builtin-scores.csv
pass; [[ $(head -n 1 digit-scores.csv) == PC1,PC2,label:digit ]] || fail "the header is $(head -n 1 digit-scores.csv)"
run plot digit-scores.csv -o digits.svg
expect_ok
expect_err_has "column 3 \"digit\" is the label"
run quality digits.csv digit-scores.csv --json --neighbors 5
expect_ok
expect_json 'd["dimensions"]' 2
for ending in tsv csv.gz csv.zst; do
  run convert digits.csv "digits.$ending" --quiet
  run pca "digits.$ending" --json -k 2
  expect_table "digits.$ending" 1797 64
done
shell "fewdim generate digits | fewdim pca - -k 2 --json"
expect_table - 1797 64
run convert digits.csv digits.svm --quiet
run convert digits.svm from-svm.csv --quiet
run pca from-svm.csv --json -k 2
expect_table from-svm.csv 1797 64
run generate iris -o iris.csv --quiet
run pca iris.csv --json -k 2
expect_table iris.csv 150 4

# ---- A model takes its own training file, and its columns by name --------------------------------------------------

printf 'who,x,city,y,z\nann,1,Bonn,2,5\nbob,3,Bern,5,1\ncid,4,Bonn,4,2\ndan,2,Rome,1,7\n' > people.csv
for method in pca ppca kernel-pca lle; do
  options=(-k 1)
  [[ $method != lle ]] || options+=(--neighbors 2)
  run "$method" people.csv --drop city,z "${options[@]}" -m "$method.fewdim" -o "$method.csv" --quiet
  expect_ok
  run transform "$method.fewdim" people.csv
  expect_ok
  expect_err_has "people.csv: 2 columns that the model does not use were left out: city, z"
done
cp "$aside/out" again.csv
run transform pca.fewdim people.csv -o pca-again.csv --stats pca-stats.csv
same_bits pca-again.csv pca.csv
run verify pca.fewdim people.csv
expect_ok
expect_err_has "2 columns that the model does not use were left out: city, z"
run fill ppca.fewdim people.csv
expect_ok
expect_out_has "who,x,y"
run score ppca.fewdim people.csv
expect_ok
run quality people.csv -m pca.fewdim --neighbors 1
expect_ok
run plot pca.fewdim people.csv -o people.svg
expect_ok
run plot pca.fewdim people.csv -o people-z.svg --color z
expect_ok
run plot pca.fewdim people.csv -o people-x.svg --color x
expect_ok
awk -F , '{ print $4 "," $1 "," $2 "," $3 }' people.csv > mixed.csv
run transform pca.fewdim mixed.csv --id who
cp "$aside/out" mixed-scores.csv
same_bits mixed-scores.csv pca.csv
run verify pca.fewdim mixed.csv --id who
expect_ok
cut -d , -f 1-3 people.csv > lacking.csv
for verb in transform verify; do
  run "$verb" pca.fewdim lacking.csv
  expect_error 3 "lacking.csv: lacks 1 of the model's columns: 'y'"
done
run score ppca.fewdim lacking.csv
expect_error 3 "lacks 1 of the model's columns: 'y'"
tail -n +2 people.csv | cut -d , -f 2,4 > nameless.csv
run transform pca.fewdim nameless.csv --no-header -o nameless-scores.csv
expect_ok
near "without names by place" "$(awk 'NR == 2' nameless-scores.csv)" "$(cell pca.csv 1 2)" 0
run transform pca.fewdim @iris
expect_error 3 "lacks 2 of the model's columns"
run pca @iris -k 2 -m iris.fewdim --quiet
run transform iris.fewdim iris.csv -o iris-scores.csv
expect_ok
# A model that was given a header of numbers knows it again.
run pca open.csv --header -k 1 -m open.fewdim --quiet
run transform open.fewdim open.csv
expect_ok
pass; [[ $(wc -l < "$aside/out") -eq 4 ]] || fail "$(wc -l < "$aside/out") lines"

# Parts in another order of columns are one table.
printf 'x,y\n1,2\n3,5\n' > part1.csv
printf 'y,x\n4,4\n1,2\n' > part2.csv
printf 'x,y\n1,2\n3,5\n4,4\n2,1\n' > joined.csv
run pca part1.csv part2.csv -k 1 -o parts.csv --quiet
run pca joined.csv -k 1 -o whole.csv --quiet
same_bits parts.csv whole.csv
printf 'x,q\n4,4\n1,2\n' > part3.csv
run pca part1.csv part3.csv -k 1
expect_error 3 "take those that both have with --columns x"
run pca part1.csv part3.csv -k 1 --columns x
expect_ok

# ---- Remedies work as they stand --------------------------------------------------------------------------------------

# follow WORDS: runs pca on text.csv again with the options after "use" up to a comma or an "or", each of them
printf 'date,x,city,y\nMay,1,Bonn,2\nMay,3,Bern,5\nJune,2,Bonn,1\n' > text.csv
run pca text.csv -k 1
expect_error 3 "use --id date --drop city, --label date --drop city or --drop date,city"
for remedy in "--id date --drop city" "--label date --drop city" "--drop date,city"; do
  # shellcheck disable=SC2086 # words
  run pca text.csv -k 1 $remedy
  expect_ok
done
printf 'a,b\n1,2\n3,oops\n4,1\n2,NA\n' > bad.csv
run pca bad.csv -k 1
expect_error 3 "use --drop b, --label b, --id b, or add it to the NA words with --na oops"
for remedy in "--drop b" "--label b" "--id b" "--missing em --na oops"; do
  # shellcheck disable=SC2086
  run pca bad.csv -k 1 $remedy
  expect_ok
done
printf 'a,b\n1,2\n3,-\n4,1\n2,NA\n7,?\n' > dash.csv
run ppca dash.csv -k 1
expect_error 3 "--na -"
run ppca dash.csv -k 1 --na -
expect_ok
run ppca dash.csv -k 1 --na=-,oops
expect_ok
run pca dash.csv -k 1 --na -
expect_error 3 "missing"
printf '"a","b c"\n1,x\n2,y\n' > blank.csv
run pca blank.csv -k 1
expect_error 3 "--label 'b c' or --drop 'b c'"
run pca blank.csv -k 1 --drop 'b c'
expect_ok
printf 'x,label:a,label:b\n1,2,0\n3,4,1\n' > two-labels.csv
run pca two-labels.csv -k 1
expect_error 3 "choose one with --label a"
run pca two-labels.csv -k 1 --label a
expect_ok
printf 'key,5,9\n7,1,2\n8,3,1\n' > key.csv
run pca key.csv -k 1
expect_error 3 "use --header if it holds names, or make \"key\" a missing value with --na key"
run pca key.csv -k 1 --header
expect_ok
run pca key.csv -k 1 --missing em --na key
expect_ok

finish
