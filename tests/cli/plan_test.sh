#!/usr/bin/env bash
# plan: route, reason, bytes, passes, and the table of what was considered.
source "$(dirname "$0")/lib.sh" "$@"

table 300 20 > tall.csv
run plan pca tall.csv -k 5
expect_ok
expect_silence
expect_out_has "route    covariance: 20 columns"
expect_out_has "input    300 x 20, float64, 46.9 KiB in memory"
expect_out_has "passes   1"
expect_out_has "chosen"
for route in covariance gram krylov svd power; do expect_out_has "$route"; done

# Fewer rows than columns: the other route. The fit takes the route of the plan.
"$fewdim" generate low-rank-plus-noise -n 40 --cols 900 --rank 3 -o wide.npy --quiet
run plan pca wide.npy -k 3 --json
expect_ok
expect_json "d['route'], d['rows'], d['cols'], d['stream']" "('gram', 40, 900, False)"
expect_json "[c['route'] for c in d['considered'] if c['verdict'] == 'chosen']" "['gram']"
run pca wide.npy -k 3 --json
expect_json "d['route']" gram

# Only the header of an .npy file is read: one of 8 GB takes no time. The file has holes, no blocks.
header="{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000), }"
{ printf '\x93NUMPY\x01\x00\x76\x00'; printf '%-117s\n' "$header"; } > big.npy
truncate -s $((128 + 8 * 1000000 * 1000)) big.npy
run plan pca big.npy -k 50 --memory-limit 4G
expect_ok
expect_out_has "1,000,000 x 1,000"
expect_out_has "streamed"
run plan svd big.npy -k 50 --memory-limit 64G
expect_ok
expect_out_has "7.5 GiB in memory"

# Sparse data: from the header of a Matrix Market file.
printf '%%%%MatrixMarket matrix coordinate real general\n%% a comment\n1000 400 3\n1 1 1.5\n5 2 2\n1000 400 3\n' > small.mtx
run plan pca small.mtx -k 2 --json
expect_json "d['nonzeros'], d['rows'], d['cols']" "(3, 1000, 400)"

# Rows from a pipe, built-in tables, refusals.
shell "fewdim plan pca - -k 2 < tall.csv"
expect_ok
expect_out_has "300 x 20"
run plan pca @digits -k 16
expect_ok
expect_out_has "1,797 x 64"
run plan pac tall.csv
expect_error 2 "did you mean pca?"
run plan svd tall.csv --scale
expect_error 2 "scale"
run plan pca tall.csv -k 5 --memory-limit 17M
expect_code 6

finish
