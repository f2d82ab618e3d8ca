#!/usr/bin/env bash
# Truncated, corrupted and lying files of every format: a clean refusal in no time, never a crash.
source "$(dirname "$0")/lib.sh" "$@"

"$fewdim" generate low-rank-plus-noise -n 12 --cols 3 --rank 2 -o good.csv --quiet
for ending in npy npz mtx svm csv.gz csv.zst tsv; do "$fewdim" convert good.csv "good.$ending" --quiet; done
"$fewdim" convert good.csv sparse.npz --sparse --quiet
"$fewdim" pca good.csv -k 2 -m good.fewdim --quiet

# A code that says "bad data", "I/O" or "usage", or a result of what is left: nothing else.
expect_clean() {
  pass
  case $code in
    0 | 2 | 3 | 4 | 6) ;;
    *) fail "exit code $code" ;;
  esac
  pass
  [[ $code -eq 0 || $(grep -c '^fewdim: ' "$aside/err") -eq 1 ]] || fail "no error line"
}

for file in good.npy good.npz good.mtx good.svm good.csv.gz good.csv.zst good.tsv sparse.npz good.fewdim; do
  size=$(stat -c %s "$file")
  verb=(convert "cut.${file#*.}" -)
  [[ $file != good.fewdim ]] || verb=(inspect cut.fewdim)
  for part in 0 1 7 $((size / 4)) $((size / 2)) $((size - 9)) $((size - 1)); do
    head -c "$part" "$file" > "cut.${file#*.}"
    run "${verb[@]}"
    expect_clean
    # What has a length in its header must notice that something is missing.
    case $file in
      *.npy | *.npz | *.gz | *.zst | *.fewdim)
        pass
        [[ $code -eq 3 || $code -eq 4 ]] || fail "$file, cut to $part of $size bytes, is taken (exit $code)"
        ;;
    esac
  done
  # One byte changed, at several places.
  for at in 0 3 9 $((size / 3)) $((size / 2)) $((size - 3)); do
    cp "$file" "cut.${file#*.}"
    printf '\xff' | dd of="cut.${file#*.}" bs=1 seek="$at" conv=notrunc status=none
    run "${verb[@]}"
    expect_clean
    if [[ $file == good.fewdim ]]; then
      pass
      [[ $code -eq 3 ]] || fail "a model with a changed byte at $at is taken (exit $code)"
    fi
  done
done

# A header that promises 32 GiB in a file of 128 bytes: refused at once, and nothing is allocated.
header="{'descr': '<f8', 'fortran_order': False, 'shape': (65536, 65536), }"
{ printf '\x93NUMPY\x01\x00\x46\x00'; printf '%-69s\n' "$header"; } > liar.npy
begin=$(date +%s%N)
run pca liar.npy -k 2
took=$((($(date +%s%N) - begin) / 1000000))
expect_error 3 "liar.npy"
pass; ((took < 2000)) || fail "refusing takes $took ms"
shell "ulimit -v 4000000; fewdim pca liar.npy -k 2"
sanitized || expect_error 3 "liar.npy"
shell "fewdim pca - --format npy -k 2 < liar.npy"
expect_error 3 "standard input"
run plan pca liar.npy
expect_error 3 "liar.npy"
run pca liar.npy --stream
expect_error 3 "liar.npy"
printf '%%%%MatrixMarket matrix coordinate real general\n4000000000 2000000000 9000000000000\n1 1 1\n' > liar.mtx
run pca liar.mtx -k 2
expect_error 3 "liar.mtx"
printf '%%%%MatrixMarket matrix array real general\n4000000000 4000000000\n1\n' > array.mtx
run pca array.mtx -k 2
expect_error 3 "array.mtx"
printf '\xff\xff\xff\xff\xff\xff\xff\x7f{}' > liar.fewdim
run inspect liar.fewdim
expect_error 3 "liar.fewdim"

# A model's hash covers its metadata, too: one bit in an option, and it is refused. Files of before it have theirs.
if have_python; then
  python3 - << 'END'
whole = bytearray(open('good.fewdim', 'rb').read())
for name, text in (('seed', b'seed'), ('scale', b'"scale'), ('names', b'"PC1')):
    at = whole.find(text.replace(b'"', b'\\"')) + len(text)
    damaged = bytearray(whole)
    damaged[at] ^= 1
    open(f'{name}.fewdim', 'wb').write(damaged)
for name in (b'fewdim-hash', b'xxh3:'):
    at = whole.index(name)
    damaged = bytearray(whole)
    damaged[at] ^= 1
    open('hash-%d.fewdim' % (name == b'xxh3:'), 'wb').write(damaged)
END
  for file in seed scale names hash-0 hash-1; do
    run inspect $file.fewdim
    expect_error 3 "$file.fewdim:"
    run transform $file.fewdim good.csv -o -
    expect_code 3
    expect_silent_output
  done
fi
cp "$source_dir/tests/support/model-format-1.fewdim" old.fewdim
run inspect old.fewdim
expect_ok
shell "fewdim generate ten-points | fewdim transform old.fewdim - -o - --quiet | sed -n 2p"
near "PC1 of the first point" "$(cat "$aside/out")" 0.82797018620108798 1e-14  # a rounding or two
printf 'x' | dd of=old.fewdim bs=1 seek=$(($(stat -c %s old.fewdim) - 1)) conv=notrunc status=none
run inspect old.fewdim
expect_error 3 "old.fewdim: the file is damaged"
cp "$source_dir/tests/support/image-format-1.fewdim" old-image.fewdim
run decompress old-image.fewdim -o old-image.png
expect_ok

# Objects in an .npy file are never unpacked.
{ printf '\x93NUMPY\x01\x00\x46\x00'; printf '%-69s\n' "{'descr': '|O', 'fortran_order': False, 'shape': (2, 2), }"; echo xxxx; } > objects.npy
run pca objects.npy
expect_error 3 "objects.npy"

finish
