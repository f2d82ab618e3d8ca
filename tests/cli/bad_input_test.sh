#!/usr/bin/env bash
# Data that are not what they should be: one line, with what was found, where, and what to do.
source "$(dirname "$0")/lib.sh" "$@"

# Missing and infinite values: how many, where the first.
printf 'a,b\n1,2\n3,NA\n5,6\n7,\n' > missing.csv
for method in pca svd; do
  run $method missing.csv -k 1
  expect_error 3 "2 missing" "row 2" '("b")'
done
printf 'a,b\n1,2\n3,inf\n5,6\n7,1\n' > infinite.csv
run pca infinite.csv -k 1
expect_error 3 "infinite" "row 2" '("b")'
run svd infinite.csv -k 1
expect_error 3 "infinite"
run choose-k missing.csv
expect_error 3 "row 2"

# Too little data.
: > empty.csv
run pca empty.csv
expect_error 3 "empty.csv" "empty"
printf '\n\n\n' > blank.csv
run pca blank.csv
expect_error 3 "blank.csv"
printf 'a,b,c\n' > header.csv
run pca header.csv
expect_error 3 "header.csv"
printf 'a,b\n1,2\n' > row.csv
run pca row.csv -k 1
expect_error 3 "one row has no variance"
run svd row.csv -k 1
expect_ok
printf 'a\n1\n2\n4\n' > column.csv
run pca column.csv -k 1 --json
expect_ok
json_near "d['explained_variance'][0]" 2.3333333333333335 1e-12  # var(c(1, 2, 4)) = 7/3
run pca column.csv -k 2
expect_error 2 "components=2" "between 1 and 1"
printf 'a,b\n3,4\n3,4\n3,4\n' > constant.csv
run pca constant.csv -k 1
expect_error 3 "no variance"
printf 'a,b,c\n1,7,1\n2,7,3\n3,7,2\n' > partly.csv
run pca partly.csv -k 1 --scale
expect_error 3 "1 constant column" '"b"' "--drop b"
run pca partly.csv -k 1 --scale --drop b
expect_ok
run pca partly.csv -k 1
expect_ok
printf '0,0\n0,0\n' > zero.csv
run svd zero.csv -k 1 --no-header
expect_error 3 "all zero"

# k out of range, and words for it that are none.
printf 'a,b,c\n1,2,0\n3,5,1\n4,4,2\n9,1,5\n' > good.csv
for k in 0 -1 4 99999999999999999999 1.5 -0.5 150% two auto: ""; do
  run pca good.csv -k "$k"
  expect_error 2 "components="
done
run pca good.csv -k 3
expect_ok

# Text where a number should be: file, line, column.
printf 'a,b\n1,2\n3,abc\n5,6\n' > text.csv
run pca text.csv -k 1
expect_error 3 "text.csv:3" '"abc"'
printf 'a,b\n1,2\n3\n5,6\n' > ragged.csv
run pca ragged.csv -k 1
expect_error 3 "ragged.csv:3"
printf 'a,b\n1,2\n3,4,5\n' > long.csv
run pca long.csv -k 1
expect_error 3 "long.csv:3"
printf 'a,b\n1,"2\n3,4\n' > quote.csv
run pca quote.csv -k 1
expect_error 3 "quote.csv"
head -c 3000 /dev/urandom > noise.csv
run pca noise.csv -k 1
expect_code 3

# Columns that are not there.
run pca good.csv --drop q
expect_error 2 "q"
run pca good.csv --label q
expect_error 2 "q"
run pca good.csv --weights-column q
expect_error 2 "q"

# No such file, a folder, no right to read.
run pca nowhere.csv
expect_error 4 "nowhere.csv" "No such file"
mkdir box
run pca box
expect_error 4 "box"
if [[ $(id -u) -ne 0 ]]; then
  cp good.csv secret.csv && chmod 000 secret.csv
  run pca secret.csv
  expect_error 4 "secret.csv"
fi

finish
