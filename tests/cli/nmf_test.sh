#!/usr/bin/env bash
# Non-negative factorization: parts, new rows, the way back, penalties, faces in parts, bad input.
source "$(dirname "$0")/lib.sh" "$@"

run convert @digits -o digits.csv
expect_ok
run nmf @digits -k 10 -m parts.fewdim -o weights.csv --right parts.csv --spectrum spectrum.csv
expect_ok
expect_err_has "explained by all parts"
expect_err_has "projected gradient"
expect_err_has "P8"
pass; [[ $(head -n 1 weights.csv) == *P1,P2,* ]] || fail "weights.csv begins with $(head -n 1 weights.csv)"
pass; ! grep -q -- '-[0-9]' weights.csv || fail "a weight is negative"
pass; [[ $(wc -l < parts.csv) -eq 65 ]] || fail "parts.csv has $(wc -l < parts.csv) lines"

# Training rows go to their own places, by the saved model.
run transform parts.fewdim @digits -o again.csv
expect_ok
same_bits again.csv weights.csv
run inverse parts.fewdim weights.csv -o back.csv
expect_ok
run inspect parts.fewdim --json
expect_ok
expect_json 'd["method"], len(d["explained_variance"])' "('nmf', 10)"

# The same bits at any number of threads.
for threads in 1 2 3; do
  run nmf @digits -k 6 --threads "$threads" -o "y$threads.csv"
  expect_ok
done
same_bits y1.csv y2.csv
same_bits y1.csv y3.csv

# Sparse rows stay sparse, and give the same parts.
run convert digits.csv --sparse -o digits.npz
expect_ok
run nmf digits.npz -k 6 --embedding --right sparse.csv
expect_ok
run nmf digits.csv -k 6 --right dense.csv
expect_ok
near "a part" "$(cell sparse.csv 30 2)" "$(cell dense.csv 30 2)" 1e-4

# Other starts, penalties.
for start in nndsvda random; do
  run nmf @digits -k 4 --start "$start" --seed 3 --json
  expect_ok
done
run nmf @digits -k 4 --lasso 50 --ridge 1 -m penalized.fewdim --json
expect_ok
run transform penalized.fewdim @digits -o p.csv
expect_ok
run plan nmf digits.csv -k 4
expect_ok
expect_out_has hals

# More parts than there are.
printf 'a,b,c\n1,2,3\n2,4,6\n3,6,9\n' > one.csv
run nmf one.csv -k 2
expect_ok
expect_err_has "1 of 2 parts is zero"

# Faces in parts.
run faces @digits --shape 8x8 -k 8 --parts nmf --no-trial -m faces.fewdim --gallery parts.png --quiet
expect_ok
expect_file parts.png
run faces @digits --shape 8x8 -k 5 --parts nmf --split 0.2 --reconstruct 7 -o seven.png --json
expect_ok

# Bad requests.
printf 'a,b,c\n1,2,3\n2,-4,5\n3,6,1\n' > negative.csv
run nmf negative.csv -m never.fewdim
expect_error 3 "-4 at row 2, column 2" "use pca"
expect_no_file never.fewdim
printf 'a,b,c\n1,2,3\n2,,5\n3,6,1\n' > hole.csv
run nmf hole.csv
expect_error 3 "missing value"
printf 'a,b\n0,0\n0,0\n' > zero.csv
run nmf zero.csv
expect_error 3 "all zero"
run nmf @digits -k 0.9
expect_error 2 "use a number"
run nmf @digits -k 65
expect_error 2 "between 1 and 64"
run nmf @digits -k 8 --iterations 2
expect_error 5 "projected gradient" "--iterations"
run nmf @digits --lasso -1
expect_code 2
run nmf @digits --start nowhere
expect_code 2
run verify parts.fewdim @digits
expect_error 2 "eigenvectors"

finish
