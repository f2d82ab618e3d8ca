#!/usr/bin/env bash
# Random projections: kinds, the way back, the dimension by distortion, bad input.
source "$(dirname "$0")/lib.sh" "$@"

run generate low-rank-plus-noise -n 300 --cols 400 --rank 5 -o x.csv
expect_ok
for kind in gaussian sparse hadamard; do
  run random-projection x.csv -k 50 --kind "$kind" -m "$kind.fewdim" -o "$kind.csv"
  expect_ok
  expect_err_has "distortion most"
  pass; [[ $(wc -l < "$kind.csv") -eq 301 && $(head -n 1 "$kind.csv") == RP1,RP2,* ]] || fail "$kind.csv begins with $(head -n 1 "$kind.csv")"
  pass; [[ $(wc -c < "$kind.fewdim") -lt 30000 ]] || fail "$kind.fewdim has $(wc -c < "$kind.fewdim") bytes: the map is in it"
  run transform "$kind.fewdim" x.csv -o again.csv --force
  expect_ok
  pass; cmp -s again.csv "$kind.csv" || fail "transform gives other numbers than the fit with $kind"
  run inverse "$kind.fewdim" "$kind.csv" -o back.csv --force
  expect_ok
  run transform "$kind.fewdim" back.csv -o image.csv --force
  expect_ok
  near "the way back has the same image ($kind)" "$(cell image.csv 7 3)" "$(cell "$kind.csv" 7 3)" 1e-9
done

# The directions, where they are kept and where they are not.
run random-projection x.csv -k 5 --store --right r.csv
expect_ok
pass; [[ $(wc -l < r.csv) -eq 401 ]] || fail "r.csv has $(wc -l < r.csv) lines"
run random-projection x.csv -k 5 --right none.csv
expect_error 2 "--store"
run random-projection x.csv -k 5 --left none.csv
expect_error 2 "random-projection has no --left; its outputs are"

# Bad requests.
run random-projection x.csv
expect_error 3 "raise --distortion"
run random-projection x.csv -k 401
expect_error 3 "between 1 and 400"
run random-projection x.csv -k 0.9
expect_error 2 "neither a number nor auto"
run random-projection x.csv -k 5 --kind sparse --density 0
expect_error 2 "above 0"

finish
