#!/usr/bin/env bash
# LLE, modified LLE, LTSA, Hessian LLE, Laplacian eigenmaps, diffusion maps: outputs, models, metrics, given graphs, bad input.
source "$(dirname "$0")/lib.sh" "$@"

methods=(lle modified-lle ltsa hessian-lle laplacian diffusion)
graph_methods=(laplacian diffusion)
declare -A prefix=([lle]=LLE [modified-lle]=MLLE [ltsa]=LTSA [hessian-lle]=HLLE [laplacian]=LE [diffusion]=DM)

# difference A B COLUMNS: the largest between two CSV files with a header, over their first columns.
difference() {
  paste -d , "$1" "$2" | awk -F , -v columns="$3" -v second="$(head -n 1 "$1" | awk -F , '{ print NF }')" '
    NR > 1 { for (i = 1; i <= columns; ++i) { d = $i - $(i + second); if (d < 0) d = -d; if (d > most) most = d } }
    END { if (NR < 2) print "no rows"; else printf "%.3g\n", most }'
}

# correlation FILE A B: of two columns, without its sign.
correlation() {
  awk -F , -v a="$2" -v b="$3" '
    NR > 1 { n++; x += $a; y += $b; xx += $a * $a; yy += $b * $b; xy += $a * $b }
    END { r = (xy - x * y / n) / sqrt((xx - x * x / n) * (yy - y * y / n)); print r < 0 ? -r : r }' "$1"
}

run generate holed-swiss-roll -n 1200 --noise 0 -o hole.csv
expect_ok
run convert hole.csv hole32.npy --drop position --precision float32
expect_ok
head -n 301 hole.csv > half.csv
tail -n +2 half.csv | awk -F , '
  { x[NR] = $1; y[NR] = $2; z[NR] = $3 }
  END { for (i = 1; i <= NR; ++i) for (j = 1; j <= NR; ++j)
    printf "%.17g%s", sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2), j < NR ? "," : "\n" }' > distances.csv

for method in "${methods[@]}"; do
  run "$method" hole.csv --label position --neighbors 10 -m "$method.fewdim" -o "$method.csv" --plot "$method.png"
  expect_ok
  expect_silent_output
  expect_err_has "next eigenvalue"
  expect_err_has "trustworthiness"
  expect_file "$method.png"
  name=${prefix[$method]}
  pass; [[ $(wc -l < "$method.csv") -eq 1201 && $(head -n 1 "$method.csv") == "${name}1,${name}2,label:position" ]] ||
    fail "$method.csv begins with $(head -n 1 "$method.csv")"
  # The first coordinate runs along the roll: waves for the last two, which fall and rise with the place all the same.
  near "$method: order along the roll" "$(correlation "$method.csv" 1 3)" 1 0.06

  # A training row has its place, and that place its row, to the last bit.
  run transform "$method.fewdim" hole.csv --label position -o again.csv --force
  expect_ok
  same_bits "$method.csv" again.csv
  run inverse "$method.fewdim" "$method.csv" --label position -o back.csv --force
  expect_ok
  same_bits hole.csv back.csv

  run inspect "$method.fewdim" --json
  expect_ok
  expect_json "d['method'], d['shape']['kind'], d['shape']['rows'], len(d['eigenvalues'])" "('$method', 'neighbor', 1200, 2)"
  expect_json "0.97 < d['diagnostics']['trustworthiness'] <= 1 and 0.97 < d['diagnostics']['continuity'] <= 1" True
  expect_json "d['diagnostics']['parts'], d['certificate']['converged'], d['precision']" "(1.0, True, 'float64')"
  case $method in
    diffusion)
      expect_json "1 > d['eigenvalues'][0] > d['eigenvalues'][1] > d['diagnostics']['next_eigenvalue']" True
      expect_json "d['extension']" nystrom ;;
    laplacian)
      expect_json "0 < d['eigenvalues'][0] < d['eigenvalues'][1] < d['diagnostics']['next_eigenvalue']" True
      expect_json "d['extension'], d['diagnostics']['zero_eigenvalues']" "('nystrom', 1.0)" ;;
    *)
      expect_json "0 < d['eigenvalues'][0] < d['eigenvalues'][1] < d['diagnostics']['next_eigenvalue']" True
      expect_json "d['extension']" heuristic ;;
  esac
  run "$method" hole.csv --label position --neighbors 10 --json
  expect_ok
  expect_json "'trustworthiness' in d['diagnostics'] and len(d['eigenvalues'])" 2

  # A plan names the route that the fit takes.
  run plan "$method" hole.csv --neighbors 10
  expect_ok
  expect_out_has "factor"

  # The same numbers in float32 give the same map but for their rounding, 1e-7 of them.
  run "$method" hole32.npy --neighbors 10 -m "$method-32.fewdim" -o float32.csv --force
  expect_ok
  near "$method: float32 against float64" "$(difference "$method.csv" float32.csv 2)" 0 1e-4
  run inspect "$method-32.fewdim" --json
  expect_json "d['precision']" float32

  # Distances give what their rows give; coordinates are about 1 and eigenvalues differ by rounding over the gap.
  run "$method" half.csv --label position --neighbors 10 -o rows.csv --force
  expect_ok
  run "$method" distances.csv --metric precomputed --neighbors 10 -m distances.fewdim -o given.csv --force
  expect_ok
  near "$method: distances against rows" "$(difference given.csv rows.csv 2)" 0 1e-6
  run transform distances.fewdim distances.csv -o again.csv --force
  expect_ok
  same_bits given.csv again.csv
  run inverse distances.fewdim given.csv
  expect_error 2 "has no rows to go back to"

  # Other ways to a graph.
  run "$method" hole.csv --label position --radius 5 -o radius.csv --force
  expect_ok
  width=()  # angles to the few rows near the axis are long links
  [[ $method != diffusion ]] || width=(--bandwidth 1e-3)
  run "$method" hole.csv --label position --metric cosine --neighbors 20 "${width[@]}" -o cosine.csv --force
  expect_ok
  pass; ! grep -qi nan cosine.csv radius.csv || fail "NaN"
done

# Seeds and threads change nothing but the road.
run ltsa hole.csv --label position --neighbors 10 --seed 5 --threads 1 -o seed.csv
expect_ok
near "another seed, one thread" "$(difference ltsa.csv seed.csv 2)" 0 1e-6
for solver in dense factor; do
  run ltsa hole.csv --label position --neighbors 10 --solver $solver -o solver.csv --force
  expect_ok
  near "solver $solver" "$(difference ltsa.csv solver.csv 2)" 0 1e-6
done
run laplacian hole.csv --label position --neighbors 10 --solver filter -o solver.csv --force
expect_ok
near "solver filter" "$(difference laplacian.csv solver.csv 2)" 0 1e-6

# True to scale: the sheet is 89 by 30, variances of the two coordinates far apart.
run hessian-lle hole.csv --label position --neighbors 10 --coordinates isometric -o scaled.csv --force
expect_ok
expect_err_has "neighbor distance error"
near "the height of the sheet" "$(awk -F , 'NR > 1 { if ($2 < low) low = $2; if ($2 > high) high = $2 } END { print high - low }' scaled.csv)" 30 2

# Two parts: refused, bridged (the default), cut.
printf 'x,y\n' > two.csv
for i in $(seq 20); do printf '%s,%s\n' "$i" "$((i * i % 7))"; done >> two.csv
for i in $(seq 12); do printf '%s,%s\n' "$((1000 + i))" "$((i * i % 5))"; done >> two.csv
for method in "${methods[@]}"; do
  run "$method" two.csv --neighbors 7 --disconnected error
  expect_error 3 "2 parts (sizes 20, 12)" "--disconnected bridge"
  run "$method" two.csv --neighbors 7 --disconnected largest -o largest.csv -m largest.fewdim --force
  expect_ok
  expect_err_has "12 rows are left out: rows 21, 22, 23, 24, 25 and 7 more"
  pass; [[ $(wc -l < largest.csv) -eq 21 && $(head -n 1 largest.csv) == row,* ]] || fail "largest.csv begins with $(head -n 1 largest.csv)"
  run "$method" two.csv --neighbors 7 -o bridged.csv --force  # the bridge is 980 long
  expect_ok
  expect_err_has "2 parts (sizes 20, 12); joined by 1 link of length"
  expect_err_has "--disconnected largest"
  pass; [[ $(wc -l < bridged.csv) -eq 33 ]] || fail "bridged.csv has $(wc -l < bridged.csv) lines"
done

# A ring of eight as a graph: 1 - cos(2πi/8) twice, a circle; lengths of 1 weigh all the same.
cat > ring.mtx <<END
%%MatrixMarket matrix coordinate real symmetric
8 8 8
2 1 1
3 2 1
4 3 1
5 4 1
6 5 1
7 6 1
8 7 1
8 1 1
END
for weights in given heat binary; do
  run laplacian ring.mtx --graph --weights $weights -o ring.csv -m ring.fewdim --json --force
  expect_ok
  json_near "d['eigenvalues'][0]" 0.29289321881345254 1e-12
  json_near "d['eigenvalues'][1]" 0.29289321881345254 1e-12
  json_near "d['diagnostics']['next_eigenvalue']" 1 1e-12
  near "a circle ($weights)" "$(awk -F , 'NR == 2 { r = $1 * $1 + $2 * $2 } NR == 5 { print ($1 * $1 + $2 * $2) / r }' ring.csv)" 1 1e-9
done
run laplacian ring.mtx --graph --weights given --normalization unnormalized --json
json_near "d['eigenvalues'][0]" 0.5857864376269049 1e-12  # 2 - 2cos(2π/8)
run diffusion ring.mtx --graph --weights given -o ring.csv -m ring.fewdim --json --force
expect_ok
json_near "d['eigenvalues'][0]" 0.7071067811865476 1e-12  # no steps in place: 1 - λ
run transform ring.fewdim ring.mtx -o again.csv --force
expect_ok
near "a vertex by its links" "$(difference ring.csv again.csv 2)" 0 1e-12
run inverse ring.fewdim ring.csv
expect_error 2 "has no rows to go back to"
run diffusion ring.mtx --graph --weights given -k 7
expect_error 3 "only positive ones make coordinates"
run lle ring.mtx --graph
expect_error 2 "there is no option --graph"

# Time scales coordinates by a power of the eigenvalue, and does nothing else.
run diffusion hole.csv --label position --neighbors 10 --time 2 -o later.csv --json
expect_ok
if have_python; then
  near "a coordinate after two steps" "$(awk -v a="$(cell later.csv 9 1)" -v b="$(cell diffusion.csv 9 1)" 'BEGIN { printf "%.12f", a / b }')" \
    "$(json "d['eigenvalues'][0]")" 1e-9
fi

# New rows far away: a place for the random walk, a refusal where the formula has no answer.
printf 'x,y,z\n1000,1000,1000\n' > far.csv
run transform laplacian.fewdim far.csv -o far-map.csv
expect_ok
pass; ! grep -qi nan far-map.csv || fail "NaN"
run laplacian hole.csv --label position --normalization unnormalized -m plain.fewdim
expect_ok
run transform plain.fewdim far.csv
expect_error 3 "row 1 is too far from the training rows"
run laplacian hole.csv --label position --radius 4.5 -m radius.fewdim
expect_ok
run transform radius.fewdim far.csv
expect_error 3 "row 1 has no neighbor within the model's radius of 4.5"

# Bad input; what all six share once for either family.
printf 'x,y,z\n1,2,3\n2,NaN,3\n4,5,6\n5,6,8\n' > missing.csv
printf 'x,y\n1,2\n' > one.csv
{
  echo x,y,z
  for _ in $(seq 15); do echo 1,2,3; done
  tail -n 100 hole.csv | cut -d , -f 1-3
} > copies.csv
for _ in $(seq 30); do echo 7,7; done > constant.csv
for method in lle laplacian; do
  run "$method" missing.csv --neighbors 2
  expect_error 3 "1 missing value (NaN)" "row 2, column 2"
  run "$method" one.csv
  expect_error 3 "at least 2 rows"
  run "$method" hole.csv --label position --neighbors 1200
  expect_error 3 "neighbors=1200 must be between 1 and 1199"
  run "$method" hole.csv --label position --neighbors 0
  expect_error 2 "neighbors=0 must be between 1 and 1199"
  run "$method" hole.csv --label position -k 1200
  expect_error 3 "components=1200 must be below the number of objects, 1200"
  run "$method" hole.csv --label position -k 0
  expect_error 2 "components=0"
  run "$method" hole.csv --label position --radius 0.001 --disconnected error
  expect_error 3 "1200 parts" "--radius"
  run "$method" hole.csv --label position --solver lanczos
  expect_error 2 "filter"
  run "$method" constant.csv
  expect_error 3 "duplicate rows"
  run "$method" hole.csv --label position --memory-limit 1M
  expect_error 6 "--memory-limit"
done
for method in lle modified-lle ltsa hessian-lle; do
  run "$method" copies.csv
  expect_error 3 "the neighbors of row 1 (and of 1" "others) are all identical" "remove duplicate rows"
  run "$method" hole.csv --label position -k 6 --neighbors 6
  expect_error 3 "6 components take at least"
  run "$method" hole.csv --label position --regularization 2
  expect_error 2 "regularization=2"
done
for method in "${graph_methods[@]}"; do
  run "$method" copies.csv -o copies-map.csv --force
  expect_ok
  run "$method" hole.csv --label position --weights given
  expect_error 2 "weights=given" "give --graph"
  run "$method" hole.csv --label position --bandwidth 1e-9
  expect_error 3 "the links of row 1 weigh nothing at a bandwidth of 1e-09" "raise --bandwidth"
  run "$method" hole.csv --graph
  expect_error 3 "a square matrix" "1200x3"
done
run hessian-lle hole.csv --label position -k 2 --neighbors 5
expect_error 3 "2 components take at least 6" "use --neighbors 6 or more"
run hessian-lle hole.csv --label position -k 3
expect_ok
run hessian-lle hole.csv --label position -k 4
expect_error 3 "4 components take at least 15" "use --neighbors 15 or more"
seq 40 | awk '{ print $1 "," 2 * $1 }' > line.csv
for method in modified-lle ltsa hessian-lle; do
  run "$method" line.csv
  expect_error 3 "span 1 dimension, and 2 are asked for; use -k 1"
done
run diffusion hole.csv --label position --alpha 1.5
expect_error 2 "alpha=1.5"
run diffusion hole.csv --label position --time -1
expect_error 2 "time=-1"

# Memory for the eigenvectors is asked for before it is taken.
if ! sanitized; then
  run generate holed-swiss-roll -n 20000 -o large.npy
  for method in lle laplacian; do
    run "$method" large.npy --memory-limit 40M
    expect_error 6 "the limit is"
    run plan "$method" large.npy --memory-limit 40M
    expect_error 6 "the limit is"
  done
fi
finish
