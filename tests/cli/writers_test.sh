#!/usr/bin/env bash
# Files that are written: by two at a time, through links, over others, on a full disk, by a program that is killed.
source "$(dirname "$0")/lib.sh" "$@"

"$fewdim" generate ten-points -o ten.csv --quiet

# Two writers without --force: both find nothing there when they begin to write, and wait for the rest of their rows.
# One file, one refusal.
"$fewdim" generate low-rank-plus-noise -n 60000 --cols 10 --rank 2 -o many.csv --quiet
mkfifo first.csv second.csv
"$fewdim" convert first.csv both.csv --stream > /dev/null 2> first.err &
one=$!
"$fewdim" convert second.csv both.csv --stream > /dev/null 2> second.err &
other=$!
exec 3> first.csv 4> second.csv
(trap '' PIPE; cat many.csv >&3; cat many.csv >&4) 2> /dev/null
exec 3>&-
wait $one
first=$?
pass; [[ $first -eq 0 ]] || fail "the first writer ends with $first"
cp both.csv kept.csv
exec 4>&-
wait $other
code=$?
cp second.err "$aside/err"
command_line="fewdim convert second.csv both.csv --stream, while another writes both.csv"
expect_error 4 "both.csv: exists already: it was made while this one was written; use --force"
same_bits both.csv kept.csv
rm -f first.csv second.csv first.err second.err both.csv kept.csv many.csv
expect_files ten.csv

# A link stays, and the file that it names is made or replaced, whether it is there or not.
mkdir box
ln -s box/model.fewdim link.fewdim
run pca ten.csv -k 1 -m link.fewdim --quiet
expect_ok
pass; [[ -L link.fewdim && -f box/model.fewdim && ! -L box/model.fewdim ]] || fail "a link to nothing is not followed"
run pca ten.csv -k 2 -m link.fewdim --quiet
expect_error 4 "link.fewdim: exists already; use --force"
run pca ten.csv -k 2 -m link.fewdim --quiet --force
expect_ok
pass; [[ -L link.fewdim ]] || fail "--force replaces the link"
run inspect box/model.fewdim --json
expect_json "d['shape']['components']" 2
ln -s nowhere/model.fewdim lost.fewdim
run pca nothing.csv -m lost.fewdim
expect_error 4 "there is no folder nowhere"
ln -s circle circle
run pca ten.csv -m circle
expect_error 4 "circle"
ln -s ten.csv alias.csv
run pca ten.csv -o alias.csv --force
expect_error 2 "would replace the input"
ln -s scores.csv twice.csv
run pca ten.csv -o scores.csv --spectrum twice.csv
expect_error 2 "are the same file"
rm -f lost.fewdim circle alias.csv twice.csv

# A file that is replaced keeps its mode; a new one has that of the umask.
for mode in 600 640 444 755; do
  rm -f kept.csv
  touch kept.csv
  chmod $mode kept.csv
  run pca ten.csv -o kept.csv --force --quiet
  expect_ok
  pass; [[ $(stat -c %a kept.csv) == "$mode" && -s kept.csv ]] || fail "mode $mode became $(stat -c %a kept.csv)"
done
shell "umask 027; fewdim pca ten.csv -o fresh.csv --quiet"
expect_ok
pass; [[ $(stat -c %a fresh.csv) == 640 ]] || fail "a new file has mode $(stat -c %a fresh.csv)"
if [[ $(id -u) -eq 0 ]]; then
  chown 1234:2345 kept.csv
  run pca ten.csv -o kept.csv --force --quiet
  expect_ok
  pass; [[ $(stat -c %u:%g kept.csv) == 1234:2345 ]] || fail "the owner became $(stat -c %u:%g kept.csv)"
fi

# Killed while it writes: a pipe keeps it there. Nothing is left, and the old file is whole.
unnamed() { python3 -c "import os; os.close(os.open('.', os.O_TMPFILE | os.O_WRONLY))" 2> /dev/null; }
if have_python && unnamed; then
  mkdir here
  echo precious > here/old.csv
  mkfifo rows.csv
  "$fewdim" convert rows.csv here/new.csv --stream > /dev/null 2>&1 &
  child=$!
  exec 3> rows.csv
  (trap '' PIPE; table 3000 20 >&3) 2> /dev/null
  sleep 0.3
  kill -KILL $child
  wait $child 2> /dev/null
  exec 3>&-
  "$fewdim" convert rows.csv here/old.csv --stream --force > /dev/null 2>&1 &
  child=$!
  exec 3> rows.csv
  (trap '' PIPE; table 3000 20 >&3) 2> /dev/null
  sleep 0.3
  kill -KILL $child
  wait $child 2> /dev/null
  exec 3>&-
  command_line="fewdim convert rows.csv here/..., killed"
  pass; [[ $(ls -A here) == old.csv ]] || fail "left behind: $(ls -A here)"
  expect_text here/old.csv precious
fi

# A full disk: the words say so, the old file is whole, and nothing is left.
"$fewdim" generate blobs -n 3000 --cols 20 -o blobs.npy --quiet
mkdir small
if [[ $(id -u) -eq 0 ]] && mount -t tmpfs -o size=128k none small 2> /dev/null; then
  echo precious > small/old.csv
  for target in new.csv old.csv new.npy new.csv.gz new.fewdim; do
    verb=(convert blobs.npy "small/$target" --force)
    [[ $target != new.fewdim ]] || verb=(pca blobs.npy -k 20 -m "small/$target" --embedding)
    run "${verb[@]}"
    expect_error 4 "small/$target" "No space left"
  done
  pass; [[ $(ls -A small) == old.csv ]] || fail "left behind: $(ls -A small)"
  expect_text small/old.csv precious
  umount small
else
  echo "no tmpfs can be mounted here: a full disk is tried by a limit on file sizes alone"
fi
# A limit on file sizes is a signal to most programs; to this one it is an error.
shell "ulimit -f 64; fewdim convert blobs.npy small/new.csv"
expect_error 4 "small/new.csv" "File too large"
pass; [[ -z $(ls -A small) ]] || fail "left behind: $(ls -A small)"

finish
