#!/usr/bin/env bash
# Maximum variance unfolding: outputs, forms, routes, given graphs, plans, bad input.
source "$(dirname "$0")/lib.sh" "$@"

run generate swiss-roll -n 300 --noise 0 -o roll.csv
expect_ok
run mvu roll.csv --label position --neighbors 5 -m roll.fewdim -o map.csv --plot map.png
expect_ok
expect_silent_output
expect_err_has "certified gap"
expect_err_has "constraint violation"
expect_err_has "route       factored"
expect_err_has "inequality form"
pass; [[ $(wc -l < map.csv) -eq 301 && $(head -n 1 map.csv) == MVU1,MVU2,label:position ]] || fail "map.csv begins with $(head -n 1 map.csv)"
run transform roll.fewdim roll.csv --label position -o again.csv
expect_ok
near "a training row comes to its place" "$(cell again.csv 7 1)" "$(cell map.csv 7 1)" 1e-9
run inverse roll.fewdim map.csv --drop position -o back.csv
expect_ok
run inspect roll.fewdim --json
expect_ok
if have_python; then
  expect_json "d['diagnostics']['constraint_violation'] <= 1e-5" True
  expect_json "d['diagnostics']['certified_gap'] <= 1e-4" True
fi

# A ring of eight, as a graph: an octagon, by interior points.
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
run mvu ring.mtx --graph --form equality -o ring.csv
expect_ok
expect_err_has "CSDP"
expect_err_has "equality form"
near "the octagon's radius" "$(awk -F , 'NR == 2 { print sqrt($1 * $1 + $2 * $2) }' ring.csv)" 1.30656296 1e-4
printf '0,1,3\n1,0,1\n3,1,0\n' > triangle.csv
run mvu triangle.csv --graph --form equality --no-header
expect_error 3 "no points have these distances"
expect_err_has "--form inequality"

# Graphs in parts, plans, refusals.
printf 'x,y\n' > two.csv
for i in $(seq 20); do printf '%s,%s\n' "$i" "$((i * i % 7))"; done >> two.csv
for i in $(seq 12); do printf '%s,%s\n' "$((1000 + i))" "$((i * i % 5))"; done >> two.csv
run mvu two.csv --neighbors 4 --disconnected error
expect_error 3 "2 parts (sizes 20, 12)"
run mvu two.csv --neighbors 4 --disconnected largest -o largest.csv
expect_ok
pass; [[ $(wc -l < largest.csv) -eq 21 ]] || fail "largest.csv has $(wc -l < largest.csv) lines"
run plan mvu roll.csv --solver exact
expect_ok
expect_out_has "exact"
run mvu roll.csv --label position --solver exact --memory-limit 28M
expect_error 6 "use --solver factored"
run mvu roll.csv --label position -k 300
expect_error 3 "below the number of objects"
run mvu roll.csv --label position --metric manhattan --rigid
expect_error 2 "needs the distances between neighbors"
printf 'a,b\n1,1\n1,1\n1,1\n1,1\n' > same.csv
run mvu same.csv --neighbors 2 -k 1
expect_error 3 "all objects are at one place"

finish
