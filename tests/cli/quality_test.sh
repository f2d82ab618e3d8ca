#!/usr/bin/env bash
# quality: measures of an embedding, its table, document, curve and picture.
source "$(dirname "$0")/lib.sh" "$@"

# Fisher's irises by two components. Trustworthiness by scikit-learn 1.2.1 on the same scores is 0.98292 (10 neighbors), here 0.98298:
# rows at the same distance are taken in another order.
"$fewdim" pca @iris -k 2 -o scores.csv -m iris.fewdim --quiet
run quality @iris scores.csv
expect_ok
expect_silence
for name in trustworthiness continuity neighbors_kept rnx_area residual_variance pearson spearman distance_correlation stress \
  stress_scaled best_scale; do expect_out_has "$name"; done
near trustworthiness "$(awk '$1 == "trustworthiness" { print $2 }' "$aside/out")" 0.983 0.001
run quality @iris scores.csv --json
expect_ok
expect_json "d['rows'], d['sampled'], d['exact'], d['neighbors'], d['metric'], d['dimensions']" "(150, 150, True, 10, 'euclidean', 2)"
expect_json "d['procrustes'], d['curve'][0]['k'], d['curve'][-1]['k'] < 150, len(d['curve']) <= 64" "(None, 1, True, True)"
expect_json "all(m['standard_error'] == 0 for m in d['measures'].values())" True
cp "$aside/out" first.json

# A model does the same as its scores, and so does any number of threads.
run quality @iris -m iris.fewdim --json --threads 1
expect_ok
expect_json "d['measures'] == __import__('json').load(open('first.json'))['measures']" True

# Distances instead of rows: Euclidean ones of the same rows give the same numbers.
if have_python && python3 -c 'import numpy' 2> /dev/null; then
  "$fewdim" generate iris -o iris.csv --quiet
  python3 - << 'END'
import numpy as np
x = np.loadtxt("iris.csv", delimiter=",", skiprows=1, usecols=(0, 1, 2, 3))
np.save("distances.npy", np.sqrt(((x[:, None] - x[None]) ** 2).sum(2)))
END
  # The scores have a column of species, and distances have none of that name.
  run quality distances.npy scores.csv
  expect_error 3 Species "--embedding-columns"
  run quality distances.npy scores.csv --embedding-columns PC1,PC2 --json
  expect_ok
  expect_json "d['metric']" precomputed
  json_near "d['measures']['stress']['value'] - $(python3 -c "import json; print(json.load(open('first.json'))['measures']['stress']['value'])")" 0 1e-12
fi

# A sample states its errors, on standard error that it is one, and depends on nothing but the seed.
"$fewdim" generate swiss-roll -n 1200 -o roll.csv --quiet
"$fewdim" pca roll.csv --label position -k 2 -o map.csv --quiet
run quality roll.csv map.csv --label position --sample 200
expect_ok
expect_err_has "looked at 200 of 1,200 rows"
expect_out_has "std.error"
cp "$aside/out" one.txt
run quality roll.csv map.csv --label position --sample 200 --threads 3 --quiet
cp "$aside/out" two.txt
same_bits one.txt two.txt
run quality roll.csv map.csv --label position --sample 200 --seed 1 --quiet
cp "$aside/out" three.txt
differ one.txt three.txt
run quality roll.csv map.csv --label position --sample all --json
expect_json "d['exact']" True
# The roll unrolled is its true shape: along it, two of its own coordinates keep little, and geodesics tell.
run quality roll.csv map.csv --label position --geodesics 10 --json
expect_ok
expect_json "d['measures']['residual_variance']['value'] > 0.3, d['geodesics']" "(True, 10)"

# The curve as a table and as a picture.
run quality @iris scores.csv -o curve.csv --plot curve.svg --quiet
expect_ok
expect_file curve.svg
pass
[[ $(head -n 1 curve.csv) == k,kept,rnx,rnx_error ]] || fail "the header of the curve is $(head -n 1 curve.csv)"
run quality @iris scores.csv -o -
expect_error 2 "give the curve a file"
run quality @iris scores.csv --plot curve.svg
expect_error 4 "exists already"
run quality @iris scores.csv --plot curve.gif
expect_error 2 ".svg or .png"
run quality @iris scores.csv -o scores.csv --force
expect_error 2 "would replace the input"

# Known coordinates: a copy turned by a right angle and stretched threefold is the same up to that.
awk -F , 'NR == 1 { print "a,b"; next } { printf "%.17g,%.17g\n", -3 * $2 + 7, 3 * $1 }' scores.csv > turned.csv
run quality @iris scores.csv --reference turned.csv --json
expect_ok
json_near "d['procrustes']['disparity']" 0 1e-20
json_near "d['procrustes']['scale']" 3 1e-12
json_near "d['procrustes']['shift'][0]" 7 1e-12
run quality @iris scores.csv --reference turned.csv
expect_out_has procrustes_rms

# What is not defined is said, and null in the document.
{
  echo a,b
  yes 1,2 | head -n 150
} > same.csv
run quality @iris same.csv
expect_ok
expect_err_has "pearson is not defined: all distances of the embedding are equal"
run quality @iris same.csv --json --quiet
expect_json "d['measures']['stress']['value'], 'one place' in d['measures']['stress']['note'], len(d['notes'])" "(None, True, 1)"

# Bad input.
head -n 100 scores.csv > short.csv
run quality @iris short.csv
expect_error 3 "150 rows in the data, and 99 in the embedding" "same order"
run quality @iris scores.csv --neighbors 75
expect_error 2 "below half of the 150 rows" "--neighbors 74"
run quality @iris scores.csv --neighbors 0
expect_error 2 neighbors
run quality @iris scores.csv --metric taxi
expect_error 2 taxi
run quality @iris scores.csv --metric precomputed
expect_error 3 "must be square"
run quality @iris scores.csv --sample 3
expect_error 2 "sample=3"
run quality @iris
expect_error 2 "an embedding is missing" "-m"
run quality @iris scores.csv -m iris.fewdim
expect_error 2 "give one of them"
run quality - -
expect_error 2 "standard input (-) can be read once"
run quality @iris missing.csv
expect_error 4 missing.csv
printf 'a,b\n1,2\n2,1\n' > two.csv
run quality two.csv two.csv
expect_error 3 "at least 3 rows"
sed '5s/.*/NaN,1,setosa/' scores.csv > hole.csv
run quality @iris hole.csv
expect_error 3 "the embedding" "missing"

# Rows by name: another order is no embedding of these rows.
printf 'id,a,b\np,1,2\nq,2,1\nr,5,5\ns,0,1\nt,9,3\n' > named.csv
printf 'id,x\nq,2\np,1\nr,5\ns,0\nt,9\n' > shuffled.csv
run quality named.csv shuffled.csv --neighbors 2
expect_error 3 "row 1 is 'p' in the data, and 'q' in the embedding"

# In a pipe.
shell 'cat scores.csv | cut -d , -f 1-2 | fewdim quality @iris - --json'
expect_ok
expect_json "d['embedding']" -

finish
