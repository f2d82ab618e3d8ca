#!/usr/bin/env bash
# transform and inverse.
source "$(dirname "$0")/lib.sh" "$@"

"$fewdim" generate ten-points -o ten.csv --quiet
run pca ten.csv -k 2 -m two.fewdim -o scores.csv --quiet
expect_ok
run pca ten.csv -k 1 -m one.fewdim --quiet
expect_ok

# The training rows land where the fit put them, to the bit; all components give the data back.
run transform two.fewdim ten.csv
expect_ok
expect_silence
cp "$aside/out" again.csv
same_bits again.csv scores.csv
run inverse two.fewdim scores.csv -o back.csv
expect_ok
expect_err_has "wrote back.csv: 10 x 2"
near "there and back" "$(cell back.csv 1 2)" 2.4 1e-12
pass; [[ $(head -n 1 back.csv) == x,y ]] || fail "the header is $(head -n 1 back.csv)"

# Back from one component: mean + score · direction; Smith's first score is .827970 from the mean (1.81, 1.91).
run transform one.fewdim ten.csv -o one.csv --quiet
run inverse one.fewdim one.csv -o flat.csv --quiet
near "the nearest point of the line, x" "$(cell flat.csv 1 1)" "$(awk 'BEGIN { print 1.81 + 0.82797019 * 0.67787340 }')" 1e-5
near "the nearest point of the line, y" "$(cell flat.csv 1 2)" "$(awk 'BEGIN { print 1.91 + 0.82797019 * 0.73517866 }')" 1e-5

# A pipe on both ends.
shell "fewdim transform one.fewdim - < ten.csv | fewdim inverse one.fewdim -"
expect_ok
cp "$aside/out" piped.csv
same_bits piped.csv flat.csv

# How far rows are off the plane, against the model's limits.
printf 'x,y\n2,2\n40,-40\n' > new.csv
run transform one.fewdim new.csv -o new-scores.csv --stats stats.csv
expect_ok
pass; [[ $(head -n 1 stats.csv) == T2,SPE,T2_above_95,SPE_above_95* ]] || fail "the header is $(head -n 1 stats.csv)"
pass; [[ $(cell stats.csv 1 4) == 0 && $(cell stats.csv 2 4) == 1 ]] || fail "SPE flags are $(cell stats.csv 1 4) and $(cell stats.csv 2 4)"

# Other formats by the ending, or by --to.
run transform two.fewdim ten.csv -o scores.npy
expect_ok
run convert scores.npy from-npy.csv
near "through .npy" "$(awk -F , 'NR == 2 || NR == 1 && $1 + 0 == $1 { print $1; exit }' from-npy.csv)" "$(cell scores.csv 1 1)" 0
run transform two.fewdim ten.csv --to npy
cp "$aside/out" stdout.npy
same_bits stdout.npy scores.npy

# Labels beside the scores are found by the components' names.
printf 'a,b,kind\n1,2,0\n3,5,1\n4,4,0\n' > labeled.csv
run pca labeled.csv --label kind -k 2 -m labeled.fewdim -o labeled-scores.csv --quiet
expect_ok
run inverse labeled.fewdim labeled-scores.csv
expect_ok
pass; [[ $(head -n 1 "$aside/out") == a,b,label:kind ]] || fail "the header is $(head -n 1 "$aside/out")"

# Columns go by name: another order and columns that the model does not know do not matter.
printf 'x\n1\n2\n' > narrow.csv
run transform two.fewdim narrow.csv
expect_error 3 "narrow.csv: lacks 1 of the model's columns: 'y'"
printf 'x,y\n1,2\n' > plain.csv
run transform two.fewdim plain.csv -o plain-scores.csv --quiet
printf 'y,z,x\n2,3,1\n' > mixed.csv
run transform two.fewdim mixed.csv
expect_ok
expect_err_has "mixed.csv: 1 column that the model does not use was left out: z"
cp "$aside/out" mixed-scores.csv
same_bits mixed-scores.csv plain-scores.csv
shell "fewdim transform two.fewdim - < mixed.csv"
expect_err_has "standard input: 1 column that the model does not use was left out: z"
cp "$aside/out" piped-mixed.csv
same_bits piped-mixed.csv plain-scores.csv
run transform two.fewdim mixed.csv --stream
cp "$aside/out" streamed-mixed.csv
same_bits streamed-mixed.csv plain-scores.csv
run transform two.fewdim mixed.csv --columns y,x
cp "$aside/out" chosen-mixed.csv
same_bits chosen-mixed.csv plain-scores.csv
run transform two.fewdim mixed.csv --drop z --stats mixed-stats.csv
expect_ok
printf 'PC2,kind,PC1\n' > mixed-scores.csv
awk -F , 'NR > 1 { print $2 ",a," $1 }' scores.csv >> mixed-scores.csv
run inverse two.fewdim mixed-scores.csv
expect_ok
expect_err_has "1 column that the model does not use was left out: kind"
cp "$aside/out" mixed-back.csv
same_bits mixed-back.csv back.csv
printf 'x,q\n1,2\n' > other.csv
run transform two.fewdim other.csv
expect_error 3 "'q'" "'y'"
printf '1,2,3\n4,5,6\n' > nameless.csv
run transform two.fewdim nameless.csv
expect_error 3 "2 features"
run inverse two.fewdim nameless.csv
expect_error 3 "2 components"
printf 'x,y\n1,NA\n' > missing.csv
run transform two.fewdim missing.csv
expect_error 3 "NaN"

# Not a model, no model, one word too many.
run transform ten.csv ten.csv
expect_error 3 "ten.csv"
run transform none.fewdim ten.csv
expect_error 4 "none.fewdim"
run transform two.fewdim
expect_error 2 "DATA is missing" "try: fewdim transform --help"
run transform two.fewdim ten.csv more.csv
expect_error 2 "one word too many"
run transform two.fewdim ten.csv --json
expect_error 2 "-o"
run transform two.fewdim ten.csv -o two.fewdim --to csv --force
expect_error 2 "would replace the input"

finish
