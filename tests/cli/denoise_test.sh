#!/usr/bin/env bash
# Denoising by shrunken singular values: tables and images, known and unknown noise, the error measured, bad input.
source "$(dirname "$0")/lib.sh" "$@"

# Rank 2 of 60 x 40 with noise from a linear congruential generator, sums of twelve uniform numbers.
awk 'function u() { s = (s * 16807) % 2147483647; return s / 2147483647 }
     function z(  i, t) { t = -6; for (i = 0; i < 12; ++i) t += u(); return t }
     BEGIN { s = 7
       for (j = 0; j < 40; ++j) { a[j] = z(); b[j] = z() }
       for (i = 0; i < 60; ++i) { p = 2 * z(); q = z(); t = ""; n = ""
         for (j = 0; j < 40; ++j) { x = p * a[j] + q * b[j]; c = j ? "," : ""; t = t c x; n = n c (x + 0.5 * z()) }
         print t > "truth.csv"; print n > "noisy.csv" } }'
run denoise noisy.csv --truth truth.csv -o clean.csv --singular-values values.csv --json
expect_ok
expect_file clean.csv
expect_json 'd["ranks"], d["noise_estimated"]' "([2], True)"
expect_json '0.45 < d["noise"][0] < 0.55' True
expect_json 'd["measured"]["rmse_after"] < 0.4 * d["measured"]["rmse_before"]' True
expect_json 'abs(d["expected"]["rmse_after"] / d["measured"]["rmse_after"] - 1) < 0.15' True
pass; [[ $(head -n 1 values.csv) == singular_value,shrunk ]] || fail "values.csv begins with $(head -n 1 values.csv)"
pass; [[ $(wc -l < values.csv) -eq 41 ]] || fail "values.csv has $(wc -l < values.csv) lines"

# Data on standard output, words on standard error.
run denoise noisy.csv --noise 0.5
expect_ok
expect_err_has "noise 0.5, rank 2 of 40"
pass; [[ $(wc -l < "$aside/out") -eq 60 ]] || fail "standard output has $(wc -l < "$aside/out") lines"
for loss in frobenius operator nuclear hard; do
  run denoise noisy.csv --loss "$loss" -o "$loss.npy"
  expect_ok
done

# An image: every channel is a matrix.
awk 'BEGIN { s = 5; print "P2 64 48 255"
  for (i = 0; i < 48; ++i) for (j = 0; j < 64; ++j) print int(128 + 90 * sin(i / 6) * cos(j / 9)) }' > photo.pgm
awk 'BEGIN { s = 5; print "P2 64 48 255"
  for (i = 0; i < 48; ++i) for (j = 0; j < 64; ++j) { t = -6
    for (m = 0; m < 12; ++m) { s = (s * 16807) % 2147483647; t += s / 2147483647 }
    v = int(128 + 90 * sin(i / 6) * cos(j / 9) + 12 * t); print (v < 0 ? 0 : (v > 255 ? 255 : v)) } }' > grain.pgm
run denoise grain.pgm --truth photo.pgm -o clean.png --json
expect_ok
expect_file clean.png
expect_json 'd["measured"]["psnr_after"] > d["measured"]["psnr_before"] + 8' True

# Bad requests.
run denoise grain.pgm
expect_error 2 ".png"
run denoise noisy.csv --loss best
expect_error 2 "frobenius, operator, nuclear or hard"
run denoise noisy.csv --noise 0
expect_error 2 "above 0"
run denoise noisy.csv --json
expect_error 2 "-o"
run denoise noisy.csv -o noisy.csv --force
expect_error 2 "replace the input"
printf '1,2,3\n2,4,6\n3,6,9\n4,8,12\n' > exact.csv
run denoise exact.csv -o never.csv
expect_error 3 "--noise"
expect_no_file never.csv
run denoise noisy.csv --truth exact.csv -o never.csv
expect_error 3 "one size"
expect_no_file never.csv
printf '1,2\n3,\n' > hole.csv
run denoise hole.csv
expect_error 3 "missing value"
run denoise nowhere.csv
expect_code 4

finish
