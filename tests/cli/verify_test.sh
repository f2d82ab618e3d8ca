#!/usr/bin/env bash
# verify for models that are not linear: maps from neighborhoods, kernel PCA, MDS.
source "$(dirname "$0")/lib.sh" "$@"

"$fewdim" generate swiss-roll -n 600 --noise 0 -o roll.csv --quiet
"$fewdim" generate swiss-roll -n 600 --noise 0 --seed 4 -o other.csv --quiet
"$fewdim" convert roll.csv roll32.npy --drop position --precision float32 --quiet

for method in lle modified-lle ltsa hessian-lle laplacian diffusion; do
  run "$method" roll.csv --label position --neighbors 10 -m "$method.fewdim" --quiet
  expect_ok
  run verify "$method.fewdim" roll.csv --label position
  expect_ok
  expect_silence
  expect_out_has "the certificate holds"
  expect_out_has "missing"
  run verify "$method.fewdim" roll.csv --label position --json
  expect_ok
  expect_json "d['holds'], d['missing'], sorted(d['checks'])" "(True, 0, ['missing', 'orthogonality', 'placement', 'residuals'])"
  expect_json "d['checks']['missing']['holds'], len(d['residuals']), max(d['residuals']) < 1e-10" "(True, 2, True)"

  # Other rows, a tolerance that nothing meets, another shape, another precision.
  run verify "$method.fewdim" other.csv --label position
  expect_code 5
  expect_err_has "warning: other.csv is not the input the model names"
  expect_out_has "FAILS"
  run verify "$method.fewdim" roll.csv --label position --tolerance 1e-30
  expect_code 5
  run verify "$method.fewdim" roll.csv  # its label is known by its name
  expect_ok
  tail -n +2 roll.csv > nameless.csv
  run verify "$method.fewdim" nameless.csv
  expect_error 3 "fitted on 600x3 numbers, the data are 600x4"
  run verify "$method.fewdim" roll32.npy
  expect_error 3 "fitted in float64, the data are float32"
  run "$method" roll32.npy --neighbors 10 -m single.fewdim --force --quiet
  run verify single.fewdim roll32.npy
  expect_ok
  run verify "$method.fewdim" roll.csv --weights-column position
  expect_error 3 "fitted without weights"
done

# Distances, a graph, rows that were left out.
tail -n +2 roll.csv | head -n 200 | awk -F , '
  { x[NR] = $1; y[NR] = $2; z[NR] = $3 }
  END { for (i = 2; i <= NR; ++i) for (j = 1; j < i; ++j)
    printf "%.17g%s", sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2), j < i - 1 ? "," : "\n" }' > triangle.csv
run lle triangle.csv --metric precomputed -m triangle.fewdim --quiet
expect_ok
run verify triangle.fewdim triangle.csv
expect_ok
cat > ring.mtx <<END
%%MatrixMarket matrix coordinate real symmetric
6 6 6
2 1 1
3 2 1
4 3 1
5 4 1
6 5 1
6 1 1
END
for method in laplacian diffusion; do
  run "$method" ring.mtx --graph --weights given -k 2 -m ring.fewdim --force --quiet
  expect_ok
  run verify ring.fewdim ring.mtx
  expect_ok
  expect_silence
  # One of two equal eigenvalues is kept: not a miss, but worth a word.
  run "$method" ring.mtx --graph --weights given -k 1 -m ring.fewdim --force --quiet
  run verify ring.fewdim ring.mtx
  expect_ok
  expect_err_has "warning: 1 more eigenvalue is the last one kept"
  sed 's/^6 1 1$/6 1 1.01/' ring.mtx > bent.mtx
  run verify ring.fewdim bent.mtx
  expect_code 5
done
printf 'x,y\n' > two.csv
for i in $(seq 20); do printf '%s,%s\n' "$i" "$((i * i % 7))"; done >> two.csv
for i in $(seq 12); do printf '%s,%s\n' "$((1000 + i))" "$((i * i % 5))"; done >> two.csv
run ltsa two.csv --neighbors 7 --disconnected largest -m largest.fewdim --quiet
expect_ok
run verify largest.fewdim two.csv
expect_ok
head -n 21 two.csv > one.csv
run verify largest.fewdim one.csv
expect_error 3 "fitted on 32x2 numbers, the data are 20x2"

# Kernel PCA and MDS; those that have nothing to recompute say so.
for method in kernel-pca mds; do
  run "$method" roll.csv --label position -m similar.fewdim --force --quiet
  run verify similar.fewdim roll.csv --label position
  expect_ok
  run verify similar.fewdim other.csv --label position
  expect_code 5
done
head -n 101 roll.csv > few.csv
run mvu few.csv --label position --disconnected bridge -m mvu.fewdim --quiet
expect_ok
run verify mvu.fewdim few.csv --label position
expect_error 2 "tensions of its links, which a model does not keep" "fewdim quality"
run isomap few.csv --label position --disconnected bridge -m isomap.fewdim --quiet
run verify isomap.fewdim few.csv --label position
expect_error 2 "paths are found anew by a fit only"
run smacof few.csv --label position -m smacof.fewdim --quiet
run verify smacof.fewdim nowhere.csv --label position  # the data are not asked for
expect_error 2 "how far a map by stress may still move"
finish
