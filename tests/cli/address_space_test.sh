#!/usr/bin/env bash
# Little address space (ulimit -v): a result or exit code 6 with one line, and never a wait without end.
source "$(dirname "$0")/lib.sh" "$@"
! sanitized || skip "a sanitizer maps terabytes of address space"

"$fewdim" generate low-rank-plus-noise -n 3000 --cols 60 --rank 3 --noise 0.1 -o table.npy --quiet
"$fewdim" convert table.npy table.csv --quiet
"$fewdim" generate swiss-roll -n 1500 -o roll.csv --quiet

ended=0
refused=0
limited() { # KILOBYTES ARGUMENTS...
  local limit=$1
  shift
  command_line="ulimit -v $limit; fewdim $*"
  (ulimit -v "$limit"; exec timeout -s KILL 60 "$fewdim" "$@") > "$aside/out" 2> "$aside/err"
  code=$?
  [[ $code -ne 0 ]] || ended=$((ended + 1))
  [[ $code -ne 6 ]] || refused=$((refused + 1))
  pass
  case $code in
    0) ;;
    6)
      [[ $(grep -c '^fewdim: ' "$aside/err") -eq 1 ]] || fail "exit code 6 without its line"
      ;;
    *) fail "exit code $code" ;;
  esac
}

# The program starts where there is room for it alone, and does what needs no matrices.
limited 100000 --version
expect_ok
limited 100000 methods
expect_ok
for limit in 60000 100000 150000 180000 200000 250000 300000 400000 600000 900000; do
  for threads in 1 2 4; do
    limited $limit pca table.npy -k 3 --threads $threads
    limited $limit pca table.csv -k 3 --threads $threads --json
  done
  limited $limit isomap roll.csv -k 2 --threads 2
  limited $limit lle roll.csv -k 2 --threads 2
done
pass; ((ended > 0 && refused > 0)) || fail "$ended results and $refused refusals: the limits try nothing"

# What the refusal says to do helps: fewer threads, or a higher limit.
limited 300000 pca table.npy -k 3 --threads 1
expect_ok
limited 2000000 pca table.npy -k 3
expect_ok

finish
