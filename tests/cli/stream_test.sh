#!/usr/bin/env bash
# Rows as they come: the same bits as from memory, for text and .npy, to models and scores.
source "$(dirname "$0")/lib.sh" "$@"
export SOURCE_DATE_EPOCH=0

"$fewdim" generate low-rank-plus-noise -n 9000 --cols 12 --rank 3 --noise 0.2 -o table.csv --quiet
"$fewdim" convert table.csv table.npy --quiet
"$fewdim" convert table.csv table.csv.gz --quiet

for method in pca svd; do
  for file in table.csv table.npy table.csv.gz; do
    for route in covariance krylov; do
      run $method $file -k 3 --route $route --spectrum loaded.csv --right loaded-v.csv -o loaded-scores.csv --approximate loaded-back.csv --force --quiet
      expect_ok
      run $method $file -k 3 --route $route --spectrum streamed.csv --right streamed-v.csv -o streamed-scores.csv --approximate streamed-back.csv --stream --force --quiet
      expect_ok
      same_bits loaded.csv streamed.csv
      same_bits loaded-v.csv streamed-v.csv
      same_bits loaded-scores.csv streamed-scores.csv
      same_bits loaded-back.csv streamed-back.csv
    done
  done
done

# transform and inverse of streams, to the formats there are.
run pca table.npy -k 3 -m model.fewdim --quiet
run transform model.fewdim table.csv -o loaded.csv --force --quiet
run transform model.fewdim table.csv -o streamed.csv --stream --force --quiet
expect_ok
same_bits loaded.csv streamed.csv
run transform model.fewdim table.npy --stream -o streamed.npy --quiet
expect_ok
run transform model.fewdim table.npy -o loaded.npy --quiet
same_bits loaded.npy streamed.npy
run inverse model.fewdim loaded.npy -o back.npy --quiet
run inverse model.fewdim loaded.npy -o back2.npy --stream --quiet
same_bits back.npy back2.npy
shell "cat table.csv | fewdim transform model.fewdim - --stream"
expect_ok
cp "$aside/out" piped.csv
same_bits piped.csv loaded.csv
run verify model.fewdim table.npy --stream
expect_ok
run convert table.csv copy.npy --stream --quiet
expect_ok
same_bits copy.npy table.npy

# What can't be streamed says so; what is wrong far inside is named by its row.
"$fewdim" convert table.csv table.mtx --quiet
run pca table.mtx --stream
expect_error 2 "can't be streamed"
run pca table.npy --stream --route gram
expect_error 2 "gram"
run pca table.npy --stream -k auto:minka
expect_error 2 "memory"
{ head -n 8500 table.csv; echo "1,2,3,4,5,6,7,8,9,NA,11,12"; tail -n 500 table.csv; } > hole.csv
run transform model.fewdim hole.csv --stream -o hole-scores.csv
expect_error 3 "row 8500" "'x10'"
expect_no_file hole-scores.csv
run pca hole.csv --stream -k 2
expect_error 3 "8500"
{ head -n 8500 table.csv; echo "1,2,3,oops,5,6,7,8,9,10,11,12"; } > word.csv
run pca word.csv --stream -k 2
expect_error 3 "word.csv:8501" "oops"

# Weights go with the rows: too few or too many are noticed.
awk 'BEGIN { print "w"; for (i = 0; i < 9000; ++i) print 1 + i % 3 }' > weights.csv
run pca table.csv -k 2 --weights weights.csv --spectrum loaded-w.csv --quiet
run pca table.csv -k 2 --weights weights.csv --stream --spectrum streamed-w.csv --quiet
expect_ok
same_bits loaded-w.csv streamed-w.csv
head -n 8000 weights.csv > few.csv
run pca table.csv -k 2 --weights few.csv --stream
expect_error 3 "7999 weights"
{ cat weights.csv; echo 1; } > many.csv
run pca table.csv -k 2 --weights many.csv --stream
expect_error 3 "9001 weights"

finish
