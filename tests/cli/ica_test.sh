#!/usr/bin/env bash
# Independent components: unmixing sound, the way back, algorithms, warnings, bad input; .wav in and out.
source "$(dirname "$0")/lib.sh" "$@"

# Two seconds of sound, four sources.
run generate signals -n 16000 --cols 4 -o true.wav
expect_ok
run generate mixed-signals -n 16000 --cols 4 --noise 0 -o mix.wav
expect_ok
run ica mix.wav -m ica.fewdim -o sources.wav
expect_ok
expect_err_has "relative gradient"
expect_err_has "IC4"
run transform ica.fewdim mix.wav -o again.wav
expect_ok
same_bits again.wav sources.wav
run inverse ica.fewdim sources.wav -o back.wav
expect_ok
run convert back.wav back.csv
expect_ok
run convert mix.wav mix.csv
expect_ok
near "the way back" "$(cell back.csv 7 3)" "$(cell mix.csv 7 3)" 1e-9

# Sound as players take it, and its pace.
run convert sources.wav loud.wav --wav-bits 16 --sample-rate 11025
expect_ok
pass; [[ $(od -An -tu4 -j24 -N4 loud.wav | tr -d ' ') -eq 11025 ]] || fail "loud.wav has another rate"
pass; [[ $(od -An -tu2 -j34 -N2 loud.wav | tr -d ' ') -eq 16 ]] || fail "loud.wav has no 16 bits"
run convert loud.wav quiet.wav
expect_ok
pass; [[ $(od -An -tu4 -j24 -N4 quiet.wav | tr -d ' ') -eq 11025 ]] || fail "quiet.wav has another pace than its input"
run convert sources.wav bad.wav --wav-bits 12
expect_error 2 "8, 16, 24 or 32"
head -c 1000 mix.wav > cut.wav
run ica cut.wav
expect_error 3 "cut off"
expect_no_file bad.wav

# The same bits at any number of threads, by every algorithm.
for algorithm in auto fastica deflation picard picard-o jade; do
  for threads in 1 2 3; do
    run ica mix.csv --algorithm "$algorithm" --threads "$threads" -o "y$threads.csv" --force
    expect_ok
  done
  same_bits y1.csv y2.csv
  same_bits y1.csv y3.csv
done

# What is kept beside the sources.
run ica mix.csv -k 3 --spectrum spectrum.csv --right unmixing.csv --embedding --json
expect_ok
expect_out_has '"method": "ica"'
pass; [[ $(head -n 1 spectrum.csv) == component,explained_variance,explained_variance_ratio,cumulative_ratio,residual ]] || fail "spectrum.csv begins with $(head -n 1 spectrum.csv)"
pass; [[ $(wc -l < unmixing.csv) -eq 5 ]] || fail "unmixing.csv has $(wc -l < unmixing.csv) lines"

# Gaussian sources are told.
run generate blobs -n 3000 --cols 3 --clusters 1 --noise 1 -o normal.csv
run ica normal.csv --iterations 5000
expect_ok
expect_err_has "look Gaussian"

# Bad requests.
run ica mix.csv --iterations 1
expect_error 5 "relative gradient" "--iterations"
run ica mix.csv --left left.csv
expect_error 2 "ica has no --left; its outputs are"
run ica mix.csv --algorithm picard --contrast cube
expect_error 2 "logcosh"
run ica mix.csv -k 9
expect_code 2
run verify ica.fewdim mix.wav
expect_error 2 "eigenvectors"
printf 'a,b,c\n1,2,3\n2,4,5\n3,6,1\n5,10,2\n' > rank.csv
run ica rank.csv -k 3
expect_error 3 "use -k 2"
printf 'a,b\n1,2\n' > one.csv
run ica one.csv
expect_error 3 "one row has no variance"
run plan ica mix.csv
expect_ok

finish
