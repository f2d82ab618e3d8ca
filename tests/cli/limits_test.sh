#!/usr/bin/env bash
# Exit codes 5 and 6: not converged, over the memory limit.
source "$(dirname "$0")/lib.sh" "$@"

# Two eigenvalues that nearly agree: power iteration needs about ln(1e15)/1e-9 steps, and has 20,000.
awk 'BEGIN { print "a,b,c"; for (i = 0; i < 8; ++i) printf "%d,%.12f,%d\n", i % 2 ? 1 : -1, int(i / 2) % 2 ? 1.0000000005 : -1.0000000005, int(i / 4) ? 0.5 : -0.5 }' > ties.csv
run pca ties.csv -k 1 --route power --tolerance 1e-15
expect_error 5 "residual" "use --route covariance"
run pca ties.csv -k 1 --route power --tolerance 1e-15 -m ties.fewdim
expect_code 5
expect_no_file ties.fewdim
run pca ties.csv -k 2
expect_ok

# Memory: too little for the program, for the data, for the work.
table 2000 50 > table.csv
run pca table.csv -k 2 --memory-limit 100K
expect_code 6
run pca table.csv -k 2 --memory-limit 16777216
expect_error 6 "--memory-limit"
run pca table.csv -k 2 --memory-limit 17M
expect_code 6
run pca table.csv -k 2 --memory-limit 1G -m table.fewdim
expect_ok
for size in 1G 1GiB 1.5GB 1000MB 2000000000 1t 0.5g; do
  run pca table.csv -k 2 --memory-limit $size --quiet
  expect_ok
done
for size in 0 -1 1X 1GG G 1.5.2G 1e400G "" nan; do
  run pca table.csv -k 2 --memory-limit "$size"
  [[ -z $size ]] || expect_error 2 "--memory-limit"
done

# A file that does not fit is streamed; the model has the same bits as without a limit.
"$fewdim" generate low-rank-plus-noise -n 60000 --cols 200 --rank 3 --noise 0.1 -o large.npy --quiet  # 96 MB
export SOURCE_DATE_EPOCH=0
run pca large.npy -k 3 -m loaded.fewdim --json
expect_ok
run pca large.npy -k 3 -m limited.fewdim --memory-limit 80M --json
expect_ok
if have_python; then
  pass
  peak=$(json "d['peak_bytes']")
  sanitized || ((peak < 80 << 20)) || fail "the peak is $peak bytes"
fi

# What a file declares, or how long its lines are, is held against the limit before memory is taken.
have_python || { finish; exit; }
# Runs fewdim, and keeps the most memory that it took, in MiB; that of the shell around it is no part of it.
run_peak() {
  run "$@"
  peak=$(python3 -c '
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$fewdim" "$@")
}
expect_peak_below() { # MEBIBYTES
  sanitized && return
  pass
  ((peak < $1)) || fail "it takes $peak MiB"
}
python3 - << 'END'
import struct, zlib, gzip
def chunk(kind, data): return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
def png(name, width, height, color, bits, interlace):
    head = struct.pack('>IIBBBBB', width, height, bits, color, 0, 0, interlace)
    open(name, 'wb').write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', head) + chunk(b'IDAT', zlib.compress(b'')) + chunk(b'IEND', b''))
png('wide.png', 600_000_000, 1, 6, 8, 0)
png('deep.png', 2**31 - 1, 1, 6, 16, 1)
png('large.png', 9_999, 9_999, 2, 8, 1)
open('small.pgm', 'wb').write(b'P5 2 2 255\n' + bytes(4))
open('large.pgm', 'wb').write(b'P5 9000 9000 255\n' + bytes(81_000_000))
head = b'BM' + struct.pack('<IHHI', 0, 0, 0, 62) + struct.pack('<IiiHHIIiiII', 40, 30_000, 3_000, 1, 1, 0, 0, 0, 0, 2, 2)
open('bits.bmp', 'wb').write(head + b'\0\0\0\0\xff\xff\xff\0' + bytes(30_016 // 8 * 3_000))
with gzip.open('images.idx.gz', 'wb') as out: out.write(b'\0\0\x08\3' + struct.pack('>III', 100, 1_000, 1_000) + bytes(100_000_000))
open('line.csv', 'w').write(','.join(['1.5'] * 20_000_000))
open('lines.csv', 'w').write('a,b\n1,2\n' + '3' * 90_000_000 + ',4\n')
open('text.txt', 'w').write('short\n' + 'word ' * 12_000_000)
with gzip.open('bomb.csv.gz', 'wb') as out:
    for i in range(100): out.write(b'1,2,3,4\n' * 500_000)
with gzip.open('edges.gz', 'wb') as out:
    for i in range(30): out.write(b''.join(b'%d %d\n' % (j % 1000, (j * 7 + i) % 1000) for j in range(200_000)))
with gzip.open('line.csv.gz', 'wb') as out:
    for i in range(100): out.write(b'1,' * 2_000_000)
END
for file in wide.png deep.png; do
  run_peak compress $file --memory-limit 200M
  expect_error 3 "$file: declares" "--max-pixels"
  expect_peak_below 100
  run_peak compress $file --memory-limit 200M --max-pixels 5000000000
  expect_error 6 "$file: decoding 1x" "the limit is 200.0 MiB" "--memory-limit"
  expect_peak_below 100
done
for file in large.png large.pgm bits.bmp; do
  run_peak compress $file --memory-limit 200M --gray
  expect_error 6 "$file: decoding" "the limit is 200.0 MiB"
  expect_peak_below 200
done
run_peak faces images.idx.gz -k 2 --memory-limit 200M
expect_error 6 "the limit is 200.0 MiB"
expect_peak_below 220
run_peak faces small.pgm small.pgm -k 1 --memory-limit 100M --resize 20000x20000
expect_error 6 "small.pgm: bringing it to 20000x20000" "the limit is 100.0 MiB" "--resize"
expect_peak_below 100
for limit in 60 200; do
  run_peak pca line.csv -k 1 --memory-limit ${limit}M
  expect_error 6 "line.csv:1: a record of" "--memory-limit"
  expect_peak_below $limit
done
run_peak pca lines.csv -k 1 --memory-limit 60M
expect_error 6 "lines.csv:3: a record of more than 30.0 MiB" "--memory-limit"
expect_peak_below 60
run_peak lsi text.txt --format lines -k 2 --memory-limit 100M
expect_error 6 "text.txt:2: a document of more than 25.0 MiB" "--memory-limit"
expect_peak_below 100
run_peak isomap bomb.csv.gz -k 1 --memory-limit 100M
expect_error 6 "bomb.csv.gz" "--memory-limit"
expect_peak_below 130
run_peak pagerank edges.gz --format edges --memory-limit 80M
expect_error 6 "edges.gz" "the limit is"
expect_peak_below 110
printf 'a,b\n1,%s\n' "$(head -c 100000 /dev/zero | tr '\0' x)" > wide-text.csv
run pca wide-text.csv
expect_error 3 "column 2 \"b\" (\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" ...)"
run_peak svd bomb.csv.gz -k 1 --memory-limit 100M --stream
expect_ok
expect_peak_below 100
run_peak pca line.csv.gz -k 1 --memory-limit 60M --stream
expect_error 6 "line.csv.gz:1: a record of more than 30.0 MiB"
expect_peak_below 60

# The peak that is told is the program's own, however large the one was that started it.
pass
peak=$(python3 -c '
import json, subprocess, sys
large = bytearray(400 << 20)
print(json.loads(subprocess.run(sys.argv[1:], stdout=subprocess.PIPE).stdout)["peak_bytes"] >> 20)' "$fewdim" pca ties.csv -k 2 --json)
command_line="fewdim pca ties.csv -k 2 --json, started by a program of 400 MiB"
sanitized || ((peak > 5 && peak < 200)) || fail "the peak is told as $peak MiB"

finish
