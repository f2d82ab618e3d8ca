#!/usr/bin/env bash
# Scaling by stress: distances in, a map and its diagram out, new objects placed, what it refuses.
source "$(dirname "$0")/lib.sh" "$@"

# A square of side 1 with its diagonals: distances of points, so that no stress is left.
cat > square.csv << 'END'
corner,a,b,c,d
a,0,1,1.4142135623730951,1
b,1,0,1,1.4142135623730951
c,1.4142135623730951,1,0,1
d,1,1.4142135623730951,1,0
END
run smacof square.csv -m square.fewdim -o map.csv --shepard shepard.svg --plot map.png
expect_ok
expect_silent_output
pass; [[ $(head -n 1 map.csv) == corner,D1,D2 ]] || fail "the header is $(head -n 1 map.csv)"
near "a and b are 1 apart" "$(awk -F , 'NR == 2 { x = $2; y = $3 } NR == 3 { print sqrt(($2 - x)^2 + ($3 - y)^2) }' map.csv)" 1 1e-7
pass; grep -q '>distance in the map<' shepard.svg || fail "shepard.svg is no Shepard diagram"
expect_err_has "stress 1"
expect_err_has "one more step would move the map"
expect_err_has "wrote shepard.svg: picture of the pairs"
run transform square.fewdim square.csv -o again.csv --quiet
expect_ok
pass; cmp -s map.csv again.csv || fail "training objects do not map to their places"

# The center of the square, from its distances.
printf 'object,a,b,c,d\nmiddle,0.7071067811865476,0.7071067811865476,0.7071067811865476,0.7071067811865476\n' > middle.csv
run transform square.fewdim middle.csv -o middle-at.csv --quiet
expect_ok
near "the middle is in the middle" "$(cell middle-at.csv 1 2)" 0 1e-7

# Types by either name; ties; rows with a metric; the diagram of classical scaling.
run smacof @iris --type nonmetric --ties strong --metric manhattan --tolerance 1e-4 --json
expect_ok
pass; grep -q '"type":"ordinal"' "$aside/out" || fail "nonmetric is not ordinal"
pass; grep -q '"point_stress"' "$aside/out" || fail "no stress by object"
run smacof @iris --type metric --tolerance 1e-4 --shepard iris.png --quiet
expect_ok
pass; [[ $(head -c 4 iris.png | tail -c 3) == PNG ]] || fail "iris.png is no PNG"
run mds square.csv --metric precomputed --shepard mds.svg --quiet
expect_ok
run smacof square.csv --start random --restarts 3 --seed 4 --quiet
expect_ok
run plan smacof @iris --type ordinal
expect_ok

# What it refuses, each with its own code, and no file left behind.
run pca @iris --shepard never.svg -o never.csv
expect_error 2 "pca has no --shepard; its outputs are --model, --output"
pass; [[ ! -e never.svg && ! -e never.csv ]] || fail "a refused fit left a file"
run smacof @iris --iterations 2 --tolerance 1e-12 -o never.csv
expect_error 5 "raise --iterations or raise --tolerance"
pass; [[ ! -e never.csv ]] || fail "a fit that did not converge left a file"
run smacof square.csv -k 4
expect_error 2 "must be between 1 and 3"
run smacof square.csv -k 95%
expect_error 2 "must be a number"
run smacof square.csv --iterations 0
expect_error 2 "iterations"
sed 's/^b,1,/b,-1,/' square.csv > negative.csv
run smacof negative.csv --metric precomputed
expect_error 3 "smacof"
run transform square.fewdim negative.csv -o never.csv
expect_error 3 "can't be negative"
run smacof @digits --type ordinal --memory-limit 60M
expect_error 6 "the order of 1613706 pairs"

finish
