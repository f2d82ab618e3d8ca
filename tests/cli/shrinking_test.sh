#!/usr/bin/env bash
# An input that another program makes shorter while it is read: one line and exit code 4, not a crash.
source "$(dirname "$0")/lib.sh" "$@"

"$fewdim" generate low-rank-plus-noise -n 20000 --cols 20 --rank 3 -o whole.npy --quiet

# The table is mapped, then the program waits for its second part; the first is cut meanwhile.
shrink() { # ARGUMENTS...
  cp whole.npy part.npy
  rm -f rest.csv
  mkfifo rest.csv
  command_line="fewdim $*, with part.npy cut in the middle"
  timeout 60 "$fewdim" "$@" > "$aside/out" 2> "$aside/err" &
  local child=$!
  exec 3> rest.csv
  sleep 0.3
  truncate -s 5000 part.npy
  (trap '' PIPE; sed -n 1,200p rest.rows >&3) 2> /dev/null
  exec 3>&-
  wait $child
  code=$?
}
"$fewdim" convert whole.npy rest.rows --to csv --quiet
for threads in 1 2; do
  shrink pca part.npy rest.csv -k 2 -o scores.csv --threads $threads
  expect_error 4 "part.npy: became shorter, or its disk failed, while it was read"
  expect_no_file scores.csv
  pass; ! compgen -G '*.part' > /dev/null || fail "left behind: $(compgen -G '*.part')"
done
shrink pca part.npy rest.csv -k 2 --json
expect_error 4 "part.npy: became shorter"
expect_silent_output

finish
