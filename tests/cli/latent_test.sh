#!/usr/bin/env bash
# Probabilistic PCA, factor analysis and PCA with missing values: fit, fill, score, sample, bad input.
source "$(dirname "$0")/lib.sh" "$@"

run generate low-rank-plus-noise -n 300 --cols 8 --rank 2 --noise 0.1 -o whole.csv
expect_ok
awk -F, -v OFS=, 'NR > 1 { $(1 + NR % 8) = "NA" } { print }' whole.csv > holes.csv

# Refused unless asked for, with a way out.
run pca holes.csv -k 2
expect_error 3 "300 missing values" "--missing em"
run svd holes.csv -k 2
expect_error 3 "missing" "ppca"

run pca holes.csv -k 2 --missing em -m pca.fewdim -o scores.csv
expect_ok
expect_err_has "route       em"
expect_err_has "missing values 300"
run transform pca.fewdim holes.csv -o again.csv
expect_ok
same_bits again.csv scores.csv
run fill pca.fewdim holes.csv -o filled.csv --errors errors.csv
expect_ok
expect_err_has "filled 300 of 2400 values"
pass; ! grep -q NA filled.csv || fail "filled.csv has gaps"
near "a filled value" "$(cell filled.csv 2 3)" "$(cell whole.csv 2 3)" 0.5
near "what is there has no error" "$(cell errors.csv 2 1)" 0 0
run verify pca.fewdim holes.csv
expect_error 2 "EM"

run ppca holes.csv -k 2 -m ppca.fewdim --json -o z.csv
expect_ok
expect_out_has '"log_likelihood"'
run score ppca.fewdim holes.csv -o logs.csv --posterior posterior.csv --json
expect_ok
expect_out_has '"per_row"'
pass; [[ $(head -n 1 posterior.csv) == Z1,Z1_sd,Z2,Z2_sd ]] || fail "posterior.csv has other columns: $(head -n 1 posterior.csv)"
run sample ppca.fewdim -n 5 --seed 3 -o drawn.csv
expect_ok
pass; [[ $(wc -l < drawn.csv) -eq 6 ]] || fail "drawn.csv has other rows"
run sample ppca.fewdim -n 5 --seed 3
expect_ok
pass; diff -q "$aside/out" drawn.csv > /dev/null || fail "the same seed draws other rows"
run ppca whole.csv -k 8 --relevance
expect_error 3 "between 1 and 7"
run ppca whole.csv -k 6 --relevance -m relevant.fewdim
expect_ok
expect_err_has "ppca: 2 components"
run verify ppca.fewdim whole.csv
expect_error 2 "EM"
run ppca whole.csv -k 2 -m plain.fewdim --quiet
expect_ok
run verify plain.fewdim whole.csv
expect_ok

# The same bits at any number of threads.
for threads in 1 2 3; do
  run ppca holes.csv -k 2 --threads $threads -o t$threads.csv
  expect_ok
  run factor-analysis holes.csv -k 2 --threads $threads -o f$threads.csv
  expect_ok
done
same_bits t1.csv t2.csv
same_bits t1.csv t3.csv
same_bits f1.csv f2.csv
same_bits f1.csv f3.csv

run factor-analysis whole.csv -k 2 --rotation promax --loadings loadings.csv -m fa.fewdim -o factors.csv
expect_ok
expect_err_has "chi squared"
pass; [[ $(head -n 1 loadings.csv) == feature,F1,F2,uniqueness ]] || fail "loadings.csv: $(head -n 1 loadings.csv)"
run inverse fa.fewdim factors.csv -o back.csv
expect_ok
run fill fa.fewdim holes.csv -o filled2.csv
expect_ok
near "a value filled by factors" "$(cell filled2.csv 2 3)" "$(cell whole.csv 2 3)" 0.5

# Bad input.
run factor-analysis whole.csv -k 8
expect_error 3 "too many" "use -k"
run factor-analysis whole.csv -k 0.9
expect_error 2 "number of factors"
run fill pca.fewdim drawn.csv --errors
expect_code 2
run pca whole.csv -k 2 -m nonoise.fewdim --quiet
expect_ok
run fill nonoise.fewdim holes.csv
expect_error 2 "needs a model with a noise"
run sample nonoise.fewdim
expect_error 2 "needs a model with a noise"
awk -F, -v OFS=, 'NR > 1 { $3 = "NA" } { print }' whole.csv > empty_column.csv
run ppca empty_column.csv -k 2
expect_error 3 "no value at all" "--drop"
awk -F, -v OFS=, 'NR == 5 { for (i = 1; i <= NF; ++i) $i = "NA" } { print }' holes.csv > empty_row.csv
run ppca empty_row.csv -k 2
expect_ok
expect_err_has "no value at all"
awk -F, -v OFS=, 'NR == 5 { $2 = "inf" } { print }' holes.csv > infinite.csv
run ppca infinite.csv -k 2
expect_error 3 "infinite" "row 4"
run pca holes.csv -k 0.9 --missing em
expect_error 2 "give a number"
run ppca holes.csv -k 2 --iterations 3
expect_error 5 "raise --iterations"

finish
