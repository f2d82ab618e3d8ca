#!/usr/bin/env bash
# --json: one document on standard output, for every verb that has something to tell.
source "$(dirname "$0")/lib.sh" "$@"
have_python || skip "python3 is not here to read JSON"

"$fewdim" generate ten-points -o ten.csv --quiet
run pca ten.csv -k 2 --seed 5 --json -m ten.fewdim -o scores.csv --threads 2
expect_ok
expect_silence
expect_json "d['fewdim'] == d['version'], d['format'], d['verb'], d['method']" "(True, 2, 'pca', 'pca')"
expect_json "d['options']['components'], d['options']['ddof'], d['options']['scale'], d['seed']" "('2', 1, False, 5)"
expect_json "d['shape']['rows'], d['shape']['features'], d['shape']['components']" "(10, 2, 2)"
expect_json "d['route'], bool(d['why'])" "('covariance', True)"
json_near "d['explained_variance'][0]" 1.28402771 5e-9
json_near "d['explained_variance'][1]" 0.0490833989 5e-11
json_near "d['explained_variance_ratio'][0]" 0.96318 5e-6
json_near "d['singular_values'][0] ** 2 / 9" 1.28402771 5e-9
expect_json "len(d['residuals']), max(d['residuals']) < 1e-10" "(2, True)"
expect_json "[stage for stage in ('read', 'fit', 'transform', 'write', 'total') if d['seconds'][stage] >= 0]" \
  "['read', 'fit', 'transform', 'write', 'total']"
expect_json "d['peak_bytes'] > 1e6" True
expect_json "d['input'], d['input_hash'].startswith('xxh3:')" "('ten.csv', True)"
expect_json "d['outputs']" "{'model': 'ten.fewdim', 'output': 'scores.csv'}"

# Every verb; the standard parser takes each document.
for command in "svd ten.csv -k 1" "plan pca ten.csv" "choose-k ten.csv" "inspect ten.fewdim" "verify ten.fewdim ten.csv" \
  "transform ten.fewdim ten.csv -o t.csv" "inverse ten.fewdim scores.csv -o i.csv" "generate ten-points -o g.csv" \
  "convert ten.csv c.npy" "methods" "formats" "images ten.csv --shape 1x2 -o p.png"; do
  # shellcheck disable=SC2086  # words on purpose
  run $command --json
  expect_ok
  expect_json "d['verb'], d['format'], d['seconds']['total'] >= 0, d['peak_bytes'] > 0" "('${command%% *}', 2, True, True)"
  pass; [[ $(head -n 1 "$aside/out") == "{" ]] || fail "something stands before the document"
done

# Names that are not UTF-8, and numbers that JSON has no word for.
printf 'caf\xe9,b\n1,2\n3,5\n4,4\n' > latin.csv
run pca latin.csv -k 1 --json
expect_ok
expect_json "len(d['feature_names'])" 2

# Data and the document can't share standard output.
run pca ten.csv --json -o -
expect_error 2 "--output - and --json both want standard output"
run generate ten-points --json
expect_error 2 "--json wants standard output"
run convert ten.csv - --json
expect_error 2 "both want standard output"

# An error is no document.
run pca nowhere.csv --json
expect_error 4 "nowhere.csv"
expect_out_is_empty() { pass; [[ ! -s $aside/out ]] || fail "an error leaves something on standard output"; }
expect_out_is_empty

finish
