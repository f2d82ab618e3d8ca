#!/usr/bin/env bash
# - is a pipe, on both ends; a reader that leaves early is no error.
source "$(dirname "$0")/lib.sh" "$@"

shell "fewdim generate swiss-roll -n 500 -o - | fewdim pca - --label position -k 2 -o - | head -n 3"
expect_code 0
pass; [[ $(head -n 1 "$aside/out") == PC1,PC2,label:position && $(wc -l < "$aside/out") -eq 3 ]] || fail "the pipe gives $(head -n 1 "$aside/out")"

# A reader that leaves: no words about it, no file of ours left, at most SIGPIPE's code.
shell "fewdim generate blobs -n 100000 -o - | head -n 1"
expect_silence
pass; [[ $code -eq 0 || $code -eq 141 ]] || fail "exit code $code"
shell "fewdim --help | true"
expect_silence
shell "fewdim man | head -n 1"
expect_silence
shell "fewdim pca @digits -k 2 -o - --quiet | head -n 1"
expect_silence
expect_out "PC1,PC2,label:digit"

# The same bits from a pipe as from a file, in every format.
"$fewdim" generate low-rank-plus-noise -n 50 --cols 5 --rank 2 -o table.csv --quiet
run pca table.csv -k 2 -o from-file.csv --quiet
for format in csv tsv npy npz mtx svmlight; do
  shell "fewdim convert table.csv - --to $format | fewdim pca - -k 2 -o - --quiet --format $format"
  expect_ok
  # Formats without names keep the numbers.
  tail -n +2 "$aside/out" > piped.csv
  tail -n +2 from-file.csv > expected.csv
  [[ $format == svmlight ]] || same_bits piped.csv expected.csv  # svmlight is sparse: summed in another order
done
# Found by content, without --format; compressed too.
for ending in npy npz mtx csv.gz csv.zst; do
  "$fewdim" convert table.csv "table.$ending" --quiet
  shell "fewdim pca - -k 2 -o - --quiet < table.$ending"
  expect_ok
  tail -n +2 "$aside/out" > piped.csv
  same_bits piped.csv expected.csv
done

# A model through a pipe's file name.
"$fewdim" pca table.csv -k 2 -m table.fewdim --quiet
shell "fewdim transform table.fewdim - < table.csv | fewdim inverse table.fewdim - | fewdim transform table.fewdim -"
expect_ok
near "scores of the approximation are the scores" "$(sed -n 2p "$aside/out" | cut -d , -f 1)" "$(cell from-file.csv 1 1)" 1e-9

# Rows of a pipe are placed as they come: the same scores, and no second pass that a pipe does not have.
run transform table.fewdim table.csv
cp "$aside/out" placed.csv
shell "fewdim transform table.fewdim - --stream < <(cat table.csv)"
expect_ok
cp "$aside/out" streamed.csv
same_bits placed.csv streamed.csv
shell "fewdim transform table.fewdim - --stream --stats stats.csv < <(cat table.csv)"
expect_error 2 "--stats needs a second pass"

# A pipe in one pass: a model yes, scores no.
shell "fewdim pca - -k 2 --stream -m streamed.fewdim --quiet < <(cat table.csv)"
expect_ok
shell "fewdim pca - -k 2 --stream -o - < <(cat table.csv)"
expect_error 2 "--output needs a second pass over the rows, and a pipe has one"
shell "fewdim pca - -k 2 --stream --route krylov < <(cat table.csv)"
expect_error 2 "krylov"

finish
