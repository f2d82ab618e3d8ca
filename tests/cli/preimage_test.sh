#!/usr/bin/env bash
# The ways back from kernel PCA's coordinates: outputs, files, refusals.
source "$(dirname "$0")/lib.sh" "$@"

run generate swiss-roll -n 300 --noise 0 -o roll.csv
expect_ok

# The squared error per row of a table against the first three columns of roll.csv.
error() {
  paste -d , roll.csv "$1" | awk -F , 'NR > 1 { for (i = 1; i <= 3; ++i) sum += ($i - $(4 + i)) ^ 2 } END { print sum / (NR - 1) }'
}

for kind in ridge fixed-point distances; do
  run kernel-pca roll.csv --label position --sigma 4 -k 40 --inverse $kind -m $kind.fewdim -o scores.csv --approximate $kind.csv --force
  expect_ok
  expect_silent_output
  pass; [[ $(head -n 1 $kind.csv) == "$(head -n 1 roll.csv)" ]] || fail "$kind.csv begins with $(head -n 1 $kind.csv)"
  # The roll's extent is about 20: forty components leave less than 2 of it in every direction.
  near "the error of $kind" "$(error $kind.csv)" 0 12
  run inverse $kind.fewdim scores.csv --label position -o again.csv --force
  expect_ok
  same_bits again.csv $kind.csv
  run inverse $kind.fewdim scores.csv --label position -o again.csv --threads 1 --force
  expect_ok
  same_bits again.csv $kind.csv
  run inspect $kind.fewdim --json
  expect_ok
  expect_json "d['shape']['inverse']" $kind
done
run inspect ridge.fewdim
expect_ok
expect_out_has "inverse error"

# The ridge from landmarks.
run kernel-pca roll.csv --label position --sigma 4 -k 20 --approximation nystrom --landmarks 100 --inverse ridge --approximate few.csv
expect_ok
near "the error from landmarks" "$(error few.csv)" 0 12

# Refusals, each with its way out.
run kernel-pca roll.csv --label position -m none.fewdim
expect_ok
head -n 3 scores.csv | cut -d , -f 1,2 > two.csv
run inverse none.fewdim two.csv
expect_error 2 "--inverse ridge, --inverse fixed-point or --inverse distances"
run kernel-pca roll.csv --label position --kernel laplacian --inverse fixed-point
expect_error 2 "gaussian kernel, not for laplacian"
run kernel-pca roll.csv --label position --kernel cosine --inverse distances
expect_error 2 "use --inverse ridge"
run kernel-pca roll.csv --label position --inverse nearest
expect_error 2 "fixed-point"
run kernel-pca roll.csv --label position --inverse ridge --ridge 0
expect_error 3 "ridge=0 must be above 0"
run kernel-pca roll.csv --label position --inverse ridge --ridge -1
expect_error 2 "ridge=-1"
run inverse ridge.fewdim two.csv
expect_error 3 "40 components"
run generate swiss-roll -n 3000 -o large.csv
expect_ok
run plan kernel-pca large.csv --label position --inverse ridge --memory-limit 80M
expect_error 6 "--inverse fixed-point or --inverse distances"
finish
