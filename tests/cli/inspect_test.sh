#!/usr/bin/env bash
# inspect and verify.
source "$(dirname "$0")/lib.sh" "$@"

"$fewdim" generate ten-points -o ten.csv --quiet
SOURCE_DATE_EPOCH=86400 run pca ten.csv -k 2 --seed 7 -m ten.fewdim --quiet
expect_ok

# What it is, its spectrum, its certificate and where it comes from.
run inspect ten.fewdim
expect_ok
expect_silence
for words in "pca: 2 components of 2 features" "ten.csv" "10 rows" "PC1" "96.32 %" "residual" "orthonormal" "limits" "1970-01-02" "seed 7" \
  "x, y" "xxh3:"; do
  expect_out_has "$words"
done
run inspect ten.fewdim --json
expect_ok
expect_json "d['method']" pca
expect_json "d['verb'], d['format']" "('inspect', 2)"
expect_json "d['seed'], d['shape']['rows'], d['feature_names']" "(7, 10, ['x', 'y'])"
json_near "d['explained_variance'][0]" 1.28402771 5e-9
run inspect ten.csv
expect_error 3 "ten.csv"
run inspect nowhere.fewdim
expect_error 4 "nowhere.fewdim"

# The certificate holds for the data it was made from, whatever the route and the precision.
run verify ten.fewdim ten.csv
expect_ok
expect_out_has "the certificate holds"
expect_silence
"$fewdim" generate low-rank-plus-noise -n 500 --cols 30 --rank 3 --noise 0.1 -o table.npy --quiet
for precision in float32 float64; do
  for method in "pca --scale" "pca --whiten" "pca --ddof 0" "svd" "svd --scores unit"; do
    read -ra words <<< "$method"
    for route in covariance gram svd krylov; do
      run "${words[@]}" table.npy -k 3 --route $route --precision $precision -m table.fewdim --force --quiet
      expect_ok
      run verify table.fewdim table.npy --precision $precision
      expect_ok
    done
  done
done
run verify ten.fewdim ten.csv --json
expect_json "d['holds'], d['same_input'], sorted(d['checks'])" "(True, True, ['mean', 'missed', 'orthogonality', 'residuals', 'scale', 'variance'])"

# A tolerance that nothing meets; other numbers of the same shape; another shape.
run verify ten.fewdim ten.csv --tolerance 1e-30
expect_code 5
expect_out_has "does not hold"
sed 's/^2.5,/9.5,/' ten.csv > changed.csv
run verify ten.fewdim changed.csv
expect_code 5
expect_err_has "warning: changed.csv is not the input the model names"
expect_out_has "FAILS"
cp ten.csv renamed.csv && echo >> renamed.csv  # another hash, the same numbers
run verify ten.fewdim renamed.csv
expect_ok
expect_err_has "warning"
head -n 6 ten.csv > short.csv
run verify ten.fewdim short.csv
expect_error 3 "fitted on 10 rows, the data have 5"
printf '1,2,3\n4,5,7\n' > wide.csv
run verify ten.fewdim wide.csv
expect_error 3 "2 features, the data 3"

# Weights belong to the fit.
{ echo 2; for _ in 1 2 3 4 5 6 7 8 9; do echo 1; done; } > weights.csv
run pca ten.csv -k 1 --weights weights.csv -m weighted.fewdim --quiet
run verify weighted.fewdim ten.csv --weights weights.csv
expect_ok
run verify weighted.fewdim ten.csv
expect_error 3 "this model was fitted with weights; give the same ones with --weights"
run verify ten.fewdim ten.csv --weights weights.csv
expect_error 3 "fitted without weights"
run inspect weighted.fewdim
expect_out_has "weights xxh3:"
{ echo 3; for _ in 1 2 3 4 5 6 7 8 9; do echo 1; done; } > others.csv
run verify weighted.fewdim ten.csv --weights others.csv
expect_code 5
run verify ten.fewdim ten.csv --tolerance=-1
expect_error 2 "--tolerance '-1' must be above 0"

finish
