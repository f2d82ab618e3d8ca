#!/usr/bin/env bash
# Ctrl-C while reading, fitting and writing: exit 130, one line, nothing half-written.
source "$(dirname "$0")/lib.sh" "$@"

# Long enough for every phase on any machine; each is stopped after a fraction of a second.
"$fewdim" generate low-rank-plus-noise -n 20000 --cols 60 --rank 5 --noise 0.5 -o table.npy --quiet
"$fewdim" generate low-rank-plus-noise -n 1200 --cols 1100 --rank 5 --noise 1 -o square.npy --quiet

# Starts in its own process group's foreground terms: a background job of a script would ignore SIGINT.
interrupt() { # SIGNAL SECONDS ARGUMENTS...
  local signal=$1 seconds=$2
  shift 2
  command_line="fewdim $*"
  timeout --preserve-status -s "$signal" "$seconds" "$fewdim" "$@" > "$aside/out" 2> "$aside/err"
  code=$?
}

expect_nothing_left() {
  expect_no_file "$1"
  pass; ! compgen -G '*.part' > /dev/null || fail "left behind: $(compgen -G '*.part')"
}

# While fitting: power iteration on noise converges late.
for signal in INT TERM HUP; do
  interrupt $signal 0.5 pca square.npy -k 200 --route power -m model.fewdim -o scores.csv
  expect_code 130
  expect_err_has "fewdim: interrupted; nothing was written"
  expect_nothing_left model.fewdim
done

# While reading: a pipe that never ends.
shell "timeout --preserve-status -s INT 0.5 fewdim pca - -k 1 -m model.fewdim < <(echo a,b; sleep 20)"
expect_code 130
expect_nothing_left model.fewdim

# While writing: into a pipe that nobody empties, and into a file.
mkfifo fifo
sleep 20 < fifo &
sleeper=$!
shell "timeout --preserve-status -s INT 0.7 fewdim convert table.npy - > fifo"
expect_code 130
expect_err_has "standard output is not complete"
kill $sleeper
wait $sleeper 2> /dev/null
# The temporary file, which has no name where the file system can do without, is open while a file is written; the
# signal comes as soon as it is.
stopped=no
for _ in 1 2 3 4 5; do
  set -m
  "$fewdim" convert table.npy slow.csv.gz --threads 1 > /dev/null 2> "$aside/err" &
  child=$!
  set +m
  for _ in $(seq 400); do
    compgen -G 'slow.csv.gz.*.part' > /dev/null && break
    find "/proc/$child/fd" -lname '* (deleted)' 2> /dev/null | grep -q . && break
    sleep 0.005
  done
  kill -INT $child 2> /dev/null
  wait $child
  code=$?
  command_line="fewdim convert table.npy slow.csv.gz, interrupted while it writes"
  if [[ $code -eq 130 ]]; then
    stopped=yes
    expect_nothing_left slow.csv.gz
    break
  fi
  rm -f slow.csv.gz
done
pass; [[ $stopped == yes ]] || fail "the writer could not be stopped in five attempts (exit $code)"

# An old file survives an interrupted --force.
echo precious > old.fewdim
interrupt INT 0.5 pca square.npy -k 200 --route power -m old.fewdim --force
expect_code 130
expect_text old.fewdim precious

# Signals that are ignored from outside (nohup, background jobs of scripts) stay ignored.
# The program opens the pipe itself, after its handlers are in place: the signal comes while it waits for rows.
signal_at_pipe() { # COMMANDS BEFORE IT
  rm -f rows && mkfifo rows
  set -m  # a job of its own: else the shell has it ignore SIGINT
  (eval "$1"; exec "$fewdim" pca rows -k 1 --json > "$aside/out" 2> "$aside/err") &
  local child=$!
  set +m
  exec 3> rows
  kill -INT $child
  (trap '' PIPE; printf 'a,b\n1,2\n3,5\n4,4\n' >&3) 2> /dev/null
  exec 3>&-
  wait $child
  code=$?
  command_line="$1; fewdim pca rows -k 1 --json, with SIGINT while it reads"
}
signal_at_pipe "trap '' INT"
expect_ok
expect_json "d['shape']['rows']" 3
signal_at_pipe ":"
expect_code 130
expect_err_has "interrupted"

finish
