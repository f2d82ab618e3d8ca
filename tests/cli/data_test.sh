#!/usr/bin/env bash
# generate, convert and images.
source "$(dirname "$0")/lib.sh" "$@"

# The built-in tables, as they are known.
run generate ten-points
expect_ok
expect_silence
expect_out "x,y
2.5,2.4
0.5,0.7
2.2,2.9
1.9,2.2
3.1,3
2.3,2.7
2,1.6
1,1.1
1.5,1.6
1.1,0.9"
run generate iris -o iris.csv
expect_ok
expect_err_has "wrote iris.csv: 150 x 4"
pass; [[ $(sed -n 2p iris.csv) == 5.1,3.5,1.4,0.2,setosa ]] || fail "the first iris is $(sed -n 2p iris.csv)"
run generate digits -o digits.csv
pass; [[ $(wc -l < digits.csv) -eq 1798 && $(head -n 1 digits.csv) == pixel_0_0,*,label:digit ]] || fail "digits.csv is not the digits"

# Synthetic tables: every one there is, the same at the same seed, another at another.
for name in swiss-roll broken-swiss-roll s-curve helix twin-peaks blobs circles low-rank-plus-noise; do
  run generate $name -n 20 --seed 3 -o a.csv --force
  expect_ok
  run generate $name -n 20 --seed 3 -o b.csv --force --threads 1
  same_bits a.csv b.csv
  run generate $name -n 20 --seed 4 -o b.csv --force
  differ a.csv b.csv
  pass; [[ $(wc -l < a.csv) -eq 21 ]] || fail "$name has $(wc -l < a.csv) lines"
done
run generate blobs -n 6 --cols 2 --clusters 2 --noise 0
pass; [[ $(sed -n 2p "$aside/out") == "$(sed -n 4p "$aside/out")" ]] || fail "without noise a cluster is one point"
run generate swis-roll
expect_error 2 "did you mean swiss-roll?"
run generate
expect_error 2 "NAME is missing"
run generate digits -n 5
expect_error 2 "a table as it is"
run generate blobs -n 0
expect_error 2 "--rows '0' must be a whole number, 1 or more"
run generate blobs --noise -1
expect_error 2 "noise"
run generate blobs -n 5 --clusters 9
expect_error 2 "clusters"
run generate blobs -n 5 --json -o blobs.csv
expect_json "d['rows'], d['cols'], d['outputs']" "(5, 10, {'output': 'blobs.csv'})"

# Any format to any, and back to the same numbers.
run generate low-rank-plus-noise -n 30 --cols 4 --rank 2 -o first.csv --quiet
for ending in csv tsv npy npz mtx svm csv.gz csv.zst; do
  run convert first.csv "other.$ending" --quiet
  expect_ok
  run convert "other.$ending" "back-$ending.csv" --quiet --force
  expect_ok
  # Formats without names give none back: compare the numbers.
  tail -n +2 first.csv > numbers.csv
  grep -v x1 "back-$ending.csv" > again.csv
  same_bits numbers.csv again.csv
done
run convert first.csv out.npy --json
expect_ok
expect_json "d['rows'], d['cols'], d['precision'], d['sparse'], sorted(d['seconds'])" "(30, 4, 'float64', False, ['read', 'total', 'write'])"
run convert first.csv half.npy --precision float32
pass; [[ $(stat -c %s half.npy) -eq $((128 + 30 * 4 * 4)) ]] || fail "half.npy has $(stat -c %s half.npy) bytes"
expect_err_has "wrote half.npy: 30 x 4, float32"
run convert first.csv -o option.csv
same_bits first.csv option.csv
run convert first.csv -
cp "$aside/out" piped.csv
same_bits first.csv piped.csv
run convert first.csv sparse.npz --sparse
expect_err_has "sparse, 120 entries"
run convert first.csv target
expect_error 2 "ending"
run convert first.csv target --to tsv
expect_ok
run convert first.csv
expect_error 2 "--output is missing"
run convert first.csv first.csv --force
expect_error 2 "would replace the input"

# Reading options.
printf '# made by hand\nname;a;b;c\nr;1,5;2;NA\ns;2;3;4\n' > european.csv
run convert european.csv - --drop c
expect_ok
run convert first.csv - --columns x3,x1
expect_ok
pass; [[ $(head -n 1 "$aside/out") == x3,x1 ]] || fail "the header is $(head -n 1 "$aside/out")"
run convert first.csv - --columns x9
expect_error 2 "x9"
run convert first.csv - --precision half
expect_error 2 "--precision 'half' must be float32 or float64"
run convert first.csv - --format xls
expect_error 2 "--format 'xls' must be one of csv"
run convert first.csv - --delimiter ab
expect_error 2 "one character"
printf '1 2\n3 4\n' > blanks.txt
run convert blanks.txt - --no-header --delimiter space
expect_ok
expect_out "1,2
3,4"

# Pictures.
run images digits.csv --label digit --shape 8x8 --columns 50 -o digits.png
expect_ok
expect_err_has "wrote digits.png: 1797 pictures"
head -n 3 digits.csv > two.csv
run images two.csv --label digit --shape 8x8 --columns 2 --low 0 --high 16 --titles first -o two.svg --quiet
expect_ok
expect_file two.svg
run images digits.csv --label none --shape 8x8 -o more.png
expect_error 3 "rows of 65 numbers" "--label"
run images digits.csv --label digit --shape 8 -o more.png
expect_error 2 "--shape '8'"
run images digits.csv --label digit --shape 8x8 -o more.jpg
expect_error 2 ".svg or .png"
run images digits.csv --label digit --shape 8x8 -o more.png --low 1
expect_error 2 "--low and --high"
run images digits.csv --label digit --shape 8x8 -o more.png --low 16 --high 0
expect_error 2 "--low 16 must be below --high 0"
run images digits.csv --label digit -o more.png
expect_error 2 "--shape is missing"

finish
