#!/usr/bin/env bash
# Kernel PCA of lines of text: outputs, new strings, pipes, compressed files, parts, plans, bad input.
source "$(dirname "$0")/lib.sh" "$@"

printf '%s\n' Schmidt Schmitt Schmid Schmitz Müller Möller Miller Meyer Meier Mayer Maier '' > names.txt
run kernel-pca names.txt --kernel spectrum --length 2 -k 3 -m names.fewdim -o scores.csv --plot names.svg
expect_ok
expect_silent_output
expect_err_has "kernel-pca: 3 components of strings, by substrings of 2 characters"
expect_err_has "1 of 12 strings have fewer than 2 characters"
pass; [[ $(wc -l < scores.csv) -eq 13 && $(head -n 1 scores.csv) == text,KPC1,KPC2,KPC3 ]] || fail "scores.csv begins with $(head -n 1 scores.csv)"
pass; [[ $(sed -n 6p scores.csv | cut -d, -f1) == Müller ]] || fail "row 5 is $(sed -n 6p scores.csv)"
expect_file names.svg

# A training string comes to its place, whatever else comes with it.
run transform names.fewdim names.txt -o again.csv
expect_ok
near "a training string" "$(cell again.csv 3 2)" "$(cell scores.csv 3 2)" 1e-9
shell "printf 'Schmitt\r\n' | fewdim transform names.fewdim - -o alone.csv"
expect_ok
pass; [[ $(sed -n 2p alone.csv) == $(sed -n 3p again.csv) ]] || fail "$(sed -n 2p alone.csv) is not $(sed -n 3p again.csv)"
run inspect names.fewdim --json
expect_ok
if have_python; then
  expect_json "d['shape']['kernel']" spectrum
  expect_json "d['shape']['length']" 2
  expect_json "d['shape']['normalize']" True
  expect_json "d['shape']['precomputed']" False
  expect_json "d['shape']['features']" 0
fi

# Compressed, in parts, in a pipe: the same strings, the same bits.
gzip -k names.txt
run kernel-pca names.txt.gz --kernel spectrum --length 2 -k 3 -o packed.csv
expect_ok
same_bits scores.csv packed.csv
head -n 5 names.txt > first.txt
tail -n +6 names.txt > second.txt
run kernel-pca first.txt second.txt --kernel spectrum --length 2 -k 3 -o parts.csv
expect_ok
same_bits scores.csv parts.csv
shell "cat names.txt | fewdim kernel-pca - --kernel spectrum --length 2 -k 3 -o - --threads 3 --quiet > piped.csv"
expect_ok
same_bits scores.csv piped.csv
run kernel-pca names.txt --kernel spectrum --length 2 --no-normalize -k 3 -o raw.csv
expect_ok
differ scores.csv raw.csv

# Numbers are text here.
printf '1.25,3\n1.35,3\n7.25,4\n7.35,5\n' > numbers.csv
run kernel-pca numbers.csv --kernel spectrum -k 1 -o numbers-scores.csv
expect_ok
pass; [[ $(sed -n 2p numbers-scores.csv) == '"1.25,3",'* ]] || fail "row 1 is $(sed -n 2p numbers-scores.csv)"

# Plans.
run plan kernel-pca names.txt --kernel spectrum --json
expect_ok
if have_python; then expect_json "d['rows']" 12; fi

# Bad input.
run kernel-pca names.txt --kernel spectrum --length 0
expect_error 2 length
run kernel-pca names.txt --kernel spectrum --length 20
expect_error 3 "no string has 20 characters"
: > empty.txt
run kernel-pca empty.txt --kernel spectrum
expect_error 3 "empty.txt: is empty"
printf 'alone\n' > one.txt
run kernel-pca one.txt --kernel spectrum
expect_error 3 "at least 2 objects"
printf 'same\nsame\nsame\n' > same.txt
run kernel-pca same.txt --kernel spectrum
expect_error 3 "all objects are alike"
printf 'fine\nna\xefve\n' > latin.txt
run kernel-pca latin.txt --kernel spectrum
expect_error 3 "latin.txt:2:3: the byte 0xef is not UTF-8"
run kernel-pca names.txt --kernel spectrum --label 1
expect_error 2 "--label is for tables"
run kernel-pca @iris --kernel spectrum
expect_error 2 "@iris is a table of numbers"
run kernel-pca names.txt --kernel spectrum --approximation nystrom
expect_error 3 "no approximation"
run transform names.fewdim latin.txt
expect_error 3 "latin.txt:2:3"
run verify names.fewdim names.txt
expect_error 2 "has no directions"
run quality names.txt -m names.fewdim
expect_error 2 "compares strings"

# A damaged model is refused, not believed.
if have_python; then
  python3 - <<'END'
data = open("names.fewdim", "rb").read()
at = data.rindex("SchmidtSchmitt".encode())
open("damaged.fewdim", "wb").write(data[:at] + b"X" + data[at + 1:])
END
  run transform damaged.fewdim names.txt
  expect_error 3 "damaged"
fi
finish
