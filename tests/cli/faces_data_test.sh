#!/usr/bin/env bash
# Known results on real images. The data are not part of the source; without them this is skipped.
source "$(dirname "$0")/lib.sh" "$@"
mnist=$data_dir/digits_mnist olivetti=$data_dir/faces_olivetti/olivetti_400x4096_u8.raw
[[ -d $mnist && -f $olivetti ]] || skip "no images in $data_dir; set FEWDIM_DATA"
have_python || skip "no python3 to look into documents"
sanitized && skip "too slow under a sanitizer"

# MNIST, values of 0 to 1: 9.705 7.096 6.169 5.389 4.869 %, and 154 components for 95 %.
run faces "$mnist/train-images-idx3-ubyte.gz" -k 154 --no-trial --json
expect_ok
component=0
for share in 0.09705 0.07096 0.06169 0.05389 0.04869; do
  json_near "d['explained_variance_ratio'][$component]" $share 5e-6
  component=$((component + 1))
done
expect_json 'sum(d["explained_variance_ratio"]) >= 0.95 > sum(d["explained_variance_ratio"][:153])' True
expect_json 'd["shape"]["images"]["height"], d["shape"]["images"]["width"]' '(28, 28)'

# Olivetti: 400 faces, one column of pixels after the other: D >> N. A file of bytes with a NumPy header.
python3 - "$olivetti" << 'END'
import sys
header = "{'descr': '|u1', 'fortran_order': False, 'shape': (400, 4096), }"
header += " " * (-(11 + len(header)) % 64) + "\n"
with open("faces.npy", "wb") as out:
    out.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + open(sys.argv[1], "rb").read())
END
run faces faces.npy --shape 64x64 --column-major --white 255 -k 50 --reconstruct 1 -o strip.png --gallery gallery.png --json
expect_ok
expect_json 'd["route"]' gram
expect_json 'd["trial"]["tried"]' 400
expect_file gallery.png
# Compression rises with k.
expect_json '[row["psnr"] for row in d["compression"]] == sorted(row["psnr"] for row in d["compression"])' True

finish
