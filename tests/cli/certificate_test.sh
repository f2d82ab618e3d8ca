#!/usr/bin/env bash
# Certificates are true: outliers, sparse data of few rows, what was missed; and fits come to an end.
source "$(dirname "$0")/lib.sh" "$@"

# 4,000×20 float32 about 1e4 with standard deviations from 0.8 to 1.2, and one row far away, which makes the first
# eigenvalue a thousand times the others. Relative to that one, any vector passed for the second.
awk 'BEGIN { srand(7); for (i = 0; i < 4000; ++i) for (j = 0; j < 20; ++j) {
  z = -6; for (u = 0; u < 12; ++u) z += rand()
  printf "%.4f%s", i == 17 ? 9000 : 10000 + z * (0.8 + 0.4 * j / 19), j < 19 ? "," : "\n" } }' > far.csv
run convert far.csv far.npy --no-header --precision float32 --quiet
expect_ok
run pca far.npy -k 3 --route svd --accuracy high -m truth.fewdim --json
expect_ok
second=$(python3 -c "import json; print(json.load(open('$aside/out'))['explained_variance'][1])")
for route in power krylov covariance svd; do
  for tolerance in 0 1e-3 1e-6; do
    run pca far.npy -k 3 --route $route --tolerance $tolerance -m far.fewdim --force --json
    [[ $code -eq 5 ]] && continue  # power iteration may say that it can't
    expect_ok
    expect_json "abs(d['explained_variance'][1] - $second) <= (d['certificate']['value_bounds'][1] + d['certificate']['forming_error']) * d['explained_variance'][0]" True
    expect_json "d['certificate']['outside_probability'] <= 1e-10" True
    run verify far.fewdim far.npy --json
    expect_ok
    expect_json "d['holds'], d['checks']['missed']['found']" "(True, 0.0)"
  done
done

# The summary says what is known of what was left out.
run pca @iris -k 2
expect_err_has "no larger direction was missed (proved)"
expect_err_has "of its eigenvalue"

# Few rows and many sparse columns: by the small matrix, and float32 is no slower than float64.
awk 'BEGIN { srand(3); n = 300; d = 5000; e = 0
  for (i = 1; i <= n; ++i) { split("", seen); for (t = 0; t < 85; ++t) { j = 1 + int(rand() * d); if (j in seen) continue
    seen[j] = 1; lines[e++] = (i > n - 7 ? 1 : i) " " j " " 1 + int(9 * rand()) } }
  for (i = 0; i < e; ++i) { split(lines[i], f); key = f[1] " " f[2]; if (key in taken) continue; taken[key] = 1; kept[m++] = lines[i] }
  print "%%MatrixMarket matrix coordinate real general"; print n, d, m
  for (i = 0; i < m; ++i) print kept[i] }' > few.mtx
for precision in float32 float64; do
  for k in 90 100 200; do
    command_line="fewdim svd few.mtx -k $k --precision $precision"
    timeout 60 "$fewdim" svd few.mtx -k $k --precision $precision --json > "$aside/out" 2> "$aside/err"
    code=$?
    expect_ok
    expect_json "d['route']" gram
    # The other way ends, too, at every tolerance.
    for tolerance in 1e-10 1e-6 1e-3; do
      command_line="fewdim svd few.mtx -k $k --precision $precision --route krylov --tolerance $tolerance"
      timeout 60 "$fewdim" svd few.mtx -k $k --precision $precision --route krylov --tolerance $tolerance --quiet -m k.fewdim --force \
        > "$aside/out" 2> "$aside/err"
      code=$?
      expect_ok
    done
    run verify k.fewdim few.mtx --precision $precision
    expect_ok
  done
done

# A million columns, nearly all of them empty, in little memory.
awk 'BEGIN { srand(5); print "%%MatrixMarket matrix coordinate real general"; print 500, 1000000, 50000
  for (i = 0; i < 50000; ++i) print 1 + i % 500, 1 + (i * 7919) % 1000000, 1 + rand() }' > wide.mtx
if ! sanitized; then
  run svd wide.mtx -k 5 --memory-limit 400M -m wide.fewdim --json
  expect_ok
  expect_json "d['route'], d['peak_bytes'] < 700e6" "('gram', True)"
fi

# Words: the Gram matrix of 4 rows is not the smaller one for 3 columns.
printf 'a,b,c\n1,2,3\n2,1,5\n0,4,4\n3,3,1\n' > four.csv
run pca four.csv -k 2 --json
expect_ok
expect_json "'fewer rows' in d['why']" False

# A model that lacks a larger direction does not pass: the second component of one fit in place of the first.
run pca @iris -k 2 -m iris.fewdim --quiet
expect_ok
run verify iris.fewdim @iris --json
expect_ok
expect_json "sorted(d['checks'])" "['mean', 'missed', 'orthogonality', 'residuals', 'scale', 'variance']"

finish
