#!/usr/bin/env bash
# Isomap: outputs, graphs in parts, given distances and graphs, plans, bad input.
source "$(dirname "$0")/lib.sh" "$@"

run generate swiss-roll -n 1000 --noise 0 -o roll.csv
expect_ok
run isomap roll.csv --label position --neighbors 8 -m roll.fewdim -o map.csv --plot map.png
expect_ok
expect_silent_output
expect_err_has "residual variance by dimension:"
expect_err_has "elbow 2"
pass; [[ $(wc -l < map.csv) -eq 1001 && $(head -n 1 map.csv) == ISO1,ISO2,label:position ]] || fail "map.csv begins with $(head -n 1 map.csv)"
run transform roll.fewdim roll.csv --label position -o again.csv
expect_ok
near "a training row comes to its place" "$(cell again.csv 7 1)" "$(cell map.csv 7 1)" 1e-9
run inspect roll.fewdim --json
expect_ok
if have_python; then
  expect_json "d['shape']['vertices']" 1000
  expect_json "d['shape']['left_out']" "[]"
  expect_json "d['diagnostics']['elbow']" 2.0
fi

# Landmarks.
run isomap roll.csv --label position --neighbors 8 --landmarks 50 --choice random -o few.csv
expect_ok
expect_err_has "paths from 50 landmarks to 1000 objects"

# Two parts: refused, bridged (the default), cut.
printf 'x,y\n' > two.csv
for i in $(seq 20); do printf '%s,%s\n' "$i" "$((i * i % 7))"; done >> two.csv
for i in $(seq 12); do printf '%s,%s\n' "$((1000 + i))" "$((i * i % 5))"; done >> two.csv
run isomap two.csv --neighbors 4 --disconnected error
expect_error 3 "2 parts (sizes 20, 12)"
expect_err_has "--disconnected bridge"
run isomap two.csv --neighbors 4 -o bridged.csv
expect_ok
expect_err_has "2 parts (sizes 20, 12); joined by 1 link of length"
run isomap two.csv --neighbors 4 --disconnected bridge -o same.csv
expect_ok
pass; cmp -s bridged.csv same.csv || fail "--disconnected bridge is not the default"
pass; [[ $(wc -l < bridged.csv) -eq 33 ]] || fail "bridged.csv has $(wc -l < bridged.csv) lines"
pass; ! grep -qi nan bridged.csv || fail "NaN"
run isomap two.csv --neighbors 4 --disconnected largest -o largest.csv
expect_ok
expect_err_has "12 rows are left out: rows 21, 22, 23, 24, 25 and 7 more"
pass; [[ $(wc -l < largest.csv) -eq 21 && $(head -n 1 largest.csv) == row,ISO1,ISO2 ]] || fail "largest.csv begins with $(head -n 1 largest.csv)"

# A graph, as a sparse matrix.
cat > ring.mtx <<END
%%MatrixMarket matrix coordinate real general
8 8 8
1 2 1
2 3 1
3 4 1
4 5 1
5 6 1
6 7 1
7 8 1
8 1 1
END
run isomap ring.mtx --graph -k 2 -o ring.csv
expect_ok
near "a ring of eight is a circle" "$(awk -F , 'NR == 2 { r = $1 * $1 + $2 * $2 } NR == 5 { print ($1 * $1 + $2 * $2) / r }' ring.csv)" 1 1e-9

# Plans and refusals.
run plan isomap roll.csv --landmarks 100
expect_ok
expect_out_has "landmarks"
run isomap roll.csv --neighbors 1000
expect_error 3 "between 1 and 999"
run isomap roll.csv --radius 0.0001 --disconnected error
expect_error 3 "1000 parts"
run isomap roll.csv --landmarks 1001
expect_error 3 "landmarks"
run isomap roll.csv --choice nearest
expect_error 2 "maxmin"
finish
