#!/usr/bin/env bash
# choose-k: criteria, their words, and -k auto.
source "$(dirname "$0")/lib.sh" "$@"

# A table of rank 3 with little noise: the criteria that estimate a rank from the noise say 3. Parallel analysis compares
# with the mean variance of a column, and the second axis here has a tenth of the first: it says 1.
"$fewdim" generate low-rank-plus-noise -n 400 --cols 20 --rank 3 --noise 0.05 -o table.csv --quiet
run choose-k table.csv
expect_ok
expect_silence
for criterion in parallel gavish-donoho minka cross-validation broken-stick kaiser elbow; do expect_out_has "$criterion"; done
for criterion in cross-validation gavish-donoho minka; do
  pass
  [[ $(awk -v name=$criterion '$1 == name { print $2 }' "$aside/out") == 3 ]] || fail "$criterion does not say 3"
done
run choose-k table.csv --scale --criteria minka,elbow --json
expect_ok
expect_json "[a['criterion'] for a in d['advice']], d['scale']" "(['minka', 'elbow'], True)"
run choose-k table.csv --criteria mink
expect_error 2 "mink" "minka"
run choose-k table.csv --ddof 2
expect_error 2 "--ddof '2' must be 0 or 1"

# A fit asks a criterion by its name.
run pca table.csv -k auto:minka --json
expect_ok
expect_json "d['shape']['components']" 3
run pca table.csv -k auto --json
expect_json "d['shape']['components']" 1
run pca table.csv -k auto:magic
expect_error 2 "magic" "minka"

# Same seed, same advice.
run choose-k table.csv --seed 5 --threads 1
cp "$aside/out" first.txt
run choose-k table.csv --seed 5 --threads 3
cp "$aside/out" second.txt
same_bits first.txt second.txt

printf 'a,b\n1,2\n' > one.csv
run choose-k one.csv
expect_error 3 "rows"

finish
