#!/usr/bin/env bash
# Several programs that change one index at once: each waits for the others, and no document is lost.
source "$(dirname "$0")/lib.sh" "$@"

things=(pump hose soil seed tree lawn rake pond)
for i in 0 1 2 3 4 5 6 7; do
  printf 's%s\tgarden %s and %s\n' $((i + 1)) "${things[i]}" "${things[(i + 1) % 8]}"
done > start.tsv
run lsi start.tsv --language none -k 2 -m index.fewdim --quiet
expect_ok

documents() { run inspect index.fewdim --json; json "int(d['diagnostics']['documents'])"; }

# Twelve additions at once, and two removals.
command_line="12 x fewdim add, 2 x fewdim remove"
pids=()
for i in $(seq 12); do
  printf 'a%s\tpump of garden %s\n' "$i" "$i" > "more$i.tsv"
  "$fewdim" add index.fewdim "more$i.tsv" --quiet 2> "said$i" &
  pids+=($!)
done
for id in s1 s2; do
  "$fewdim" remove index.fewdim "$id" --quiet 2> "said-$id" &
  pids+=($!)
done
for pid in "${pids[@]}"; do
  pass; wait "$pid" || fail "exit code $? of one of them"
done
pass; [[ ! -s $(cat said* > all-said; echo all-said) ]] || fail "something was said: $(head -n 1 all-said)"
if have_python; then
  pass; [[ $(documents) == 18 ]] || fail "$(documents) documents, not 18"
fi
for i in $(seq 12); do
  run similar index.fewdim "a$i" -n 1
  expect_ok
done
run similar index.fewdim s1
expect_code 3
pass; [[ -z $(find . -name '*.part' -o -name '*lock*') ]] || fail "something was left behind"

# Who holds the lock may be slow: the others say that they wait. A holder that is killed leaves no lock.
if command -v flock > /dev/null; then
  printf 'late\tgarden pump\n' > late.tsv
  flock --no-fork index.fewdim sleep 60 &
  holder=$!
  while flock --nonblock index.fewdim true; do sleep 0.05; done
  "$fewdim" add index.fewdim late.tsv 2> waiting &
  waiter=$!
  for _ in $(seq 100); do
    grep -q "index.fewdim: another program is changing it; waiting until that has ended" waiting && break
    sleep 0.1
  done
  pass; grep -q "another program is changing it; waiting" waiting || fail "nobody said that it waits"
  # Reading goes on meanwhile, and Ctrl-C ends a wait.
  run search index.fewdim pump -n 1
  expect_ok
  "$fewdim" remove index.fewdim s3 2> interrupted &
  second=$!
  for _ in $(seq 100); do grep -q waiting interrupted && break; sleep 0.1; done
  kill -TERM "$second"
  wait "$second"
  code=$?
  command_line="fewdim remove, interrupted while it waits"
  expect_code 130
  pass; grep -q "interrupted; nothing was written" interrupted || fail "the interruption is not told"
  kill -KILL "$holder"
  wait "$holder" 2> /dev/null
  pass; wait "$waiter" || fail "exit code $? of the one that waited"
  run similar index.fewdim late -n 1
  expect_ok
  run similar index.fewdim s3 -n 1
  expect_ok
fi

# A copy elsewhere waits for nobody: the index itself is only read.
if command -v flock > /dev/null; then
  shell "flock index.fewdim fewdim add index.fewdim more1.tsv --id-field=none -o copy.fewdim"
  expect_ok
fi
finish
