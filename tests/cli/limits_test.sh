#!/usr/bin/env bash
# Exit codes 5 and 6: not converged, over the memory limit.
source "$(dirname "$0")/lib.sh" "$@"

# Two eigenvalues that nearly agree: power iteration needs about ln(1e15)/1e-9 steps, and has 20,000.
awk 'BEGIN { print "a,b,c"; for (i = 0; i < 8; ++i) printf "%d,%.12f,%d\n", i % 2 ? 1 : -1, int(i / 2) % 2 ? 1.0000000005 : -1.0000000005, int(i / 4) ? 0.5 : -0.5 }' > ties.csv
run pca ties.csv -k 1 --route power --tolerance 1e-15
expect_error 5 "residual" "--tolerance"
run pca ties.csv -k 1 --route power --tolerance 1e-15 -m ties.fewdim
expect_code 5
expect_no_file ties.fewdim
run pca ties.csv -k 2
expect_ok

# Memory: too little for the program, for the data, for the work.
table 2000 50 > table.csv
run pca table.csv -k 2 --memory-limit 100K
expect_code 6
run pca table.csv -k 2 --memory-limit 16777216
expect_error 6 "--memory-limit"
run pca table.csv -k 2 --memory-limit 17M
expect_code 6
run pca table.csv -k 2 --memory-limit 1G -m table.fewdim
expect_ok
for size in 1G 1GiB 1.5GB 1000MB 2000000000 1t 0.5g; do
  run pca table.csv -k 2 --memory-limit $size --quiet
  expect_ok
done
for size in 0 -1 1X 1GG G 1.5.2G 1e400G "" nan; do
  run pca table.csv -k 2 --memory-limit "$size"
  [[ -z $size ]] || expect_error 2 "--memory-limit"
done

# A file that does not fit is streamed; the model has the same bits as without a limit.
"$fewdim" generate low-rank-plus-noise -n 60000 --cols 200 --rank 3 --noise 0.1 -o large.npy --quiet  # 96 MB
export SOURCE_DATE_EPOCH=0
run pca large.npy -k 3 -m loaded.fewdim --json
expect_ok
run pca large.npy -k 3 -m limited.fewdim --memory-limit 80M --json
expect_ok
if have_python; then
  pass
  peak=$(json "d['peak_bytes']")
  sanitized || ((peak < 80 << 20)) || fail "the peak is $peak bytes"
fi

finish
