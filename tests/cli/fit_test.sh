#!/usr/bin/env bash
# The method verbs: known results, every output, options.
source "$(dirname "$0")/lib.sh" "$@"

# Smith's ten points (2002): eigenvalues 1.28402771 and .0490833989, direction (.677873, .735179), 96.318 %.
run generate ten-points -o ten.csv
expect_ok
run pca ten.csv -k 2 -m ten.fewdim -o scores.csv --spectrum spectrum.csv --right right.csv --left left.csv \
  --loadings loadings.csv --row-stats rows.csv --column-stats columns.csv --approximate back.csv --plot scores.svg --scree scree.png
expect_ok
expect_silent_output  # stdout is for data; nothing asked for any
near "first eigenvalue" "$(cell spectrum.csv 1 3)" 1.28402771 5e-9
near "second eigenvalue" "$(cell spectrum.csv 2 3)" 0.0490833989 5e-11
near "first share" "$(cell spectrum.csv 1 4)" 0.96318 5e-6
near "both shares" "$(cell spectrum.csv 2 5)" 1 1e-12
near "direction x" "$(cell right.csv 1 2)" 0.677873 5e-7
near "direction y" "$(cell right.csv 2 2)" 0.735179 5e-7
near "loading x" "$(cell loadings.csv 1 2)" "$(awk 'BEGIN { print 0.677873399 * sqrt(1.28402771) }')" 1e-6
near "first score" "$(cell scores.csv 1 1)" 0.82797019 5e-9  # Smith's table has -.827970186: the sign is free
pass; [[ $(head -n 1 scores.csv) == PC1,PC2 ]] || fail "the header of the scores is $(head -n 1 scores.csv)"
pass; [[ $(head -n 1 right.csv) == feature,PC1,PC2 ]] || fail "the header of the directions is $(head -n 1 right.csv)"
pass; [[ $(head -n 1 rows.csv) == T2,SPE,contribution_PC1,contribution_PC2,cos2_PC1,cos2_PC2 ]] || fail "header $(head -n 1 rows.csv)"
pass; [[ $(wc -l < rows.csv) -eq 11 ]] || fail "rows.csv has $(wc -l < rows.csv) lines"
near "a row's cos2 sum to 1 when all components are kept" "$(awk -F , 'NR == 5 { print $5 + $6 }' rows.csv)" 1 1e-12
near "U has unit columns" "$(awk -F , 'NR > 1 { s += $1 * $1 } END { print s }' left.csv)" 1 1e-9
near "two components give the data back" "$(cell back.csv 3 1)" 2.2 1e-12
expect_err_has "PC1"
expect_err_has "96.32 %"
expect_err_has "wrote scores.csv: 10 x 2"
expect_err_has "wrote ten.fewdim: model"
pass; head -c 4 scores.svg | grep -q '<' || fail "scores.svg is no SVG"
pass; [[ $(head -c 4 scree.png | tail -c 3) == PNG ]] || fail "scree.png is no PNG"

# Scores on standard output, words on standard error, nothing said with --quiet.
run pca ten.csv -k 1 -o - --quiet
expect_ok
expect_silence
pass; [[ $(wc -l < "$aside/out") -eq 11 && $(head -n 1 "$aside/out") == PC1 ]] || fail "the scores are not what they should be"
cp "$aside/out" piped.csv
run pca ten.csv -k 1 -o file.csv --quiet
same_bits piped.csv file.csv

# With nothing to keep, there is a summary and a hint.
run pca ten.csv
expect_ok
expect_err_has "nothing was kept: -m FILE keeps the model"

# Options as the card has them: ddof, scale, whiten, shares, all; the 1/N of the notes is 9/10 of the 1/(N-1).
run pca ten.csv -k 2 --ddof 0 --spectrum ddof.csv
near "eigenvalue with ddof 0" "$(cell ddof.csv 1 3)" "$(awk 'BEGIN { printf "%.12g", 1.28402771 * 0.9 }')" 1e-6
run pca ten.csv -k all --scale --spectrum scaled.csv
near "correlations' eigenvalues sum to 2" "$(awk -F , 'NR > 1 { s += $3 } END { print s }' scaled.csv)" 2 1e-12
run pca ten.csv -k 95% --spectrum share.csv
pass; [[ $(wc -l < share.csv) -eq 2 ]] || fail "95 % keeps $(($(wc -l < share.csv) - 1)) components, not 1"
run pca ten.csv -k 2 --whiten -o white.csv
near "white scores have unit variance" "$(awk -F , 'NR > 1 { s += $2 * $2 } END { print s / 9 }' white.csv)" 1 1e-9
run pca ten.csv -k 2 --no-scale --spectrum plain.csv
same_bits plain.csv spectrum.csv
for route in covariance gram svd krylov power; do
  run pca ten.csv -k 1 --route $route --spectrum "$route.csv"
  expect_ok
  near "eigenvalue by $route" "$(cell "$route.csv" 1 3)" 1.28402771 5e-9
done

# SVD: U S V' gives the data back; Deerwester's sum of squares is the number's own.
run svd ten.csv -k 2 --left u.csv --right v.csv --spectrum s.csv --approximate again.csv
expect_ok
near "the singular values carry the sum of squares" "$(awk -F , 'NR > 1 { s += $2 * $2 } END { print s }' s.csv)" \
  "$(awk -F , 'NR > 1 { s += $1 * $1 + $2 * $2 } END { print s }' ten.csv)" 1e-9
near "rank 2 gives the data back" "$(cell again.csv 7 2)" 1.6 1e-12
run svd ten.csv -k 1 --scores unit -o unit.csv
near "unit scores are U" "$(cell unit.csv 1 1)" "$(cell u.csv 1 1)" 1e-12
# The same by hand: the first entry of A v1 / s1.
near "U = A V / S" "$(cell u.csv 1 1)" \
  "$(awk -F , 'FNR == 2 { if (FILENAME == "ten.csv") { x = $1; y = $2 } else if (FILENAME == "s.csv") s = $2; else a = $2 }
     FNR == 3 && FILENAME == "v.csv" { b = $2 } END { print (x * a + y * b) / s }' ten.csv s.csv v.csv)" 1e-5

# Noise taken off a table of rank 3: the criterion finds the rank, and the approximation is nearer to the truth.
run generate low-rank-plus-noise -n 200 --cols 40 --rank 3 --noise 0.2 --seed 4 -o noisy.csv
run generate low-rank-plus-noise -n 200 --cols 40 --rank 3 --noise 0 --seed 4 -o clean.csv
run svd noisy.csv -k auto:gavish-donoho --approximate denoised.csv --spectrum found.csv
expect_ok
pass; [[ $(wc -l < found.csv) -eq 4 ]] || fail "the rank found is $(($(wc -l < found.csv) - 1)), not 3"
distance() { paste -d , "$1" clean.csv | awk -F , 'NR > 1 { for (j = 1; j <= 40; ++j) s += ($j - $(j + 40)) ^ 2 } END { print s }'; }
pass
awk -v after="$(distance denoised.csv)" -v before="$(distance noisy.csv)" 'BEGIN { exit !(after < before / 5) }' ||
  fail "denoising leaves $(distance denoised.csv) of $(distance noisy.csv)"

# Weights: a row that counts twice is a row that is there twice (the directions are; ddof counts rows).
{ cat ten.csv; sed -n 2p ten.csv; } > twice.csv
{ echo w; echo 2; for _ in 1 2 3 4 5 6 7 8 9; do echo 1; done; } > weights.csv
run pca twice.csv -k 1 --ddof 0 --spectrum twice-spectrum.csv --right twice-right.csv
run pca ten.csv -k 1 --ddof 0 --weights weights.csv --spectrum weighted-spectrum.csv --right weighted-right.csv
expect_ok
near "weighted direction" "$(cell weighted-right.csv 1 2)" "$(cell twice-right.csv 1 2)" 1e-12
near "weighted eigenvalue" "$(cell weighted-spectrum.csv 1 3)" "$(cell twice-spectrum.csv 1 3)" 1e-12
paste -d , ten.csv weights.csv > with-weights.csv
run pca with-weights.csv -k 1 --ddof 0 --weights-column w --right column-right.csv
expect_ok
same_bits column-right.csv weighted-right.csv
run svd ten.csv -k 1 --weights weights.csv
expect_error 2 "there is no option --weights"
run pca ten.csv -k 1 --weights weights.csv -o weights.csv --force
expect_error 2 "would replace the input weights.csv"
head -n 5 weights.csv > few.csv
run pca ten.csv -k 1 --weights few.csv
expect_error 3 "4 weights for 10 rows"

# Names and labels travel: to the scores, and into the colors of a picture.
printf 'id,a,b,kind\nr1,1,2,x\nr2,3,5,y\nr3,4,4,x\nr4,9,1,y\n' > named.csv
run pca named.csv --label kind -k 2 -o named-scores.csv --plot named.svg --axes 2,1
expect_ok
pass; [[ $(head -n 1 named-scores.csv) == id,PC1,PC2,label:kind ]] || fail "the header is $(head -n 1 named-scores.csv)"
pass; [[ $(cell named-scores.csv 2 1) == r2 && $(cell named-scores.csv 2 4) == y ]] || fail "row 2 is $(sed -n 3p named-scores.csv)"
run pca named.csv --label kind -k 2 --plot axes.svg --axes 1,3
expect_error 2 "--axes 1,3"
expect_no_file axes.svg
run pca named.csv --label kind -k 1 --plot one.svg
expect_ok
expect_file one.svg

# Built-in tables need no file.
run pca @iris -k 4 --spectrum iris.csv
expect_ok
near "iris, first eigenvalue (R: prcomp(iris[1:4]))" "$(cell iris.csv 1 3)" 4.228241706 5e-9
near "iris, last eigenvalue" "$(cell iris.csv 4 3)" 0.023835093 5e-9
run pca @iris --drop 1
expect_error 2 "built-in table"
run pca @irsi
expect_error 2 "iris"

finish
