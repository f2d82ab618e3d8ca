#!/usr/bin/env bash
# Where results go: nothing is replaced unasked, nothing is left half-written, refusals come before the work.
source "$(dirname "$0")/lib.sh" "$@"

"$fewdim" generate ten-points -o ten.csv --quiet

# What exists stays, for every output; --force replaces it. The refusal comes first: the input is not even read.
echo precious > old.csv
for flag in -o --spectrum --right --left --loadings --row-stats --column-stats --approximate; do
  run pca nowhere.csv $flag old.csv
  expect_error 4 "old.csv: exists already; use --force"
  expect_text old.csv precious
done
for flag in -m --plot --scree; do
  echo precious > old.svg
  run pca nowhere.csv $flag old.svg
  expect_error 4 "old.svg: exists already; use --force"
  expect_text old.svg precious
done
run generate ten-points -o old.csv
expect_error 4 "exists already"
run convert ten.csv old.csv
expect_error 4 "exists already"
run pca ten.csv -o old.csv --force
expect_ok
pass; [[ $(head -n 1 old.csv) == PC1,PC2 ]] || fail "--force does not replace"

# The same file twice, a folder, a folder that is not there, one that can't be written.
run pca ten.csv -m same.csv -o ./same.csv
expect_error 2 "--model and --output are the same file"
expect_no_file same.csv
mkdir box
run pca ten.csv -o box
expect_code 2
run pca ten.csv -m box
expect_error 4 "box: is a folder"
run pca ten.csv -o none/scores.csv
expect_error 4 "there is no folder none"
run pca ten.csv -o scores.dat
expect_error 2 "ending"
run pca ten.csv --plot scores.pdf
expect_error 2 ".svg or .png"
if [[ $(id -u) -ne 0 ]]; then
  chmod 500 box
  run pca ten.csv -o box/scores.csv
  expect_error 4 "can't be written"
fi
run pca ten.csv -o ten.csv --force
expect_error 2 "would replace the input"
run pca ten.csv -m -
expect_error 2 "can't go to standard output"

# A full disk: /dev/full takes nothing.
if [[ -w /dev/full ]]; then
  shell "fewdim pca ten.csv -o - --quiet > /dev/full"
  expect_error 4 "standard output" "No space left"
  shell "fewdim pca ten.csv --json > /dev/full"
  expect_error 4 "standard output" "No space left"
  shell "fewdim --help > /dev/full"
  expect_error 4 "No space left"
  shell "fewdim inspect /dev/null > /dev/full"
  expect_code 3
  run pca ten.csv -o /dev/full --to csv --quiet
  expect_error 4 "/dev/full" "No space left"
  run pca ten.csv -m /dev/full --quiet
  expect_error 4 "/dev/full" "No space left"
fi
run pca ten.csv -o /dev/null --to csv --quiet
expect_ok
# A quota that ends in the middle: the program lives, says so, and leaves nothing.
run generate blobs -n 3000 --cols 20 -o blobs.csv --quiet
mkdir quota
shell "ulimit -f 64; trap '' XFSZ; fewdim pca blobs.csv -k 10 -o quota/scores.csv --quiet"
expect_error 4 "quota/scores.csv"
pass; [[ -z $(ls -A quota) ]] || fail "left behind: $(ls -A quota)"

# Closed streams.
shell "fewdim pca ten.csv -o - --quiet >&-"
expect_error 4 "standard output"
shell "fewdim pca ten.csv -o closed.csv 2>&-"
expect_ok
shell "fewdim pca ten.csv -o closed2.csv >&- 2>&- <&-"
expect_ok
same_bits closed.csv closed2.csv
shell "fewdim pca - <&-"
expect_code 3  # a closed input is an empty one

# A failure after the fit leaves no model without its scores: refusals come before the first file.
run pca ten.csv -k 2 -m late.fewdim --plot late.svg --axes 1,5
expect_error 2 "--axes"
expect_no_file late.fewdim
pass; ! compgen -G '*.part' > /dev/null || fail "left behind: $(compgen -G '*.part')"

finish
