#!/usr/bin/env bash
# faces, recognize, compress and decompress: folders, IDX, tables, pictures, and words about bad input.
source "$(dirname "$0")/lib.sh" "$@"

# picture FILE A B: 6 rows of 8 pixels, a wave whose bytes depend on A and B.
picture() {
  mkdir -p "$(dirname "$1")"
  {
    printf 'P2\n8 6\n255\n'
    awk -v a="$2" -v b="$3" 'BEGIN { for (i = 0; i < 48; ++i) printf "%d\n", 128 + 60 * sin(a * i) + 6 * sin(b * i * i) }'
  } > "$1"
}
for person in 1 2 3; do
  for shot in 1 2 3 4; do picture "people/s$person/$shot.pgm" "0.$person" "1.$shot"; done
done
echo 'not an image' > people/s1/notes.txt

run faces people -k 5 -m faces.fewdim --gallery gallery.png --reconstruct s2/3.pgm -o strip.svg --scores scores.csv \
  --compression table.csv
expect_ok
expect_err_has 'passed over 1 files'
expect_err_has 'pca: 5 components of 48 features'
expect_err_has '6 x 8, gray; 3 labels'
expect_err_has '100.0 % of 12 images are nearest to one with their label'
expect_err_has 'neither the components nor the known images have seen'
for file in faces.fewdim gallery.png strip.svg scores.csv table.csv; do expect_file "$file"; done
pass
[[ $(grep -c '<image' strip.svg) -eq 4 ]] || fail 'the strip has not k = 1, 2, 5 and the original'
pass
grep -q 'k = 5<' strip.svg || fail 'the strip has no caption of k = 5'
pass
[[ $(head -n 1 table.csv) == components,bytes,psnr,ssim ]] || fail 'the table has another header'
near 'bytes of k = 2' "$(cell table.csv 2 2)" $(((3 * 48 + 12 * 2) * 4)) 0
pass
awk -F , 'NR > 2 && $3 <= last { exit 1 } { last = $3 }' table.csv || fail 'the PSNR does not rise with k'
run faces people -k 5 -m faces.fewdim
expect_error 4 'exists already' '--force'
run faces people -k 5 -m one.fewdim --threads 1 --quiet
run faces people -k 5 -m three.fewdim --threads 3 --quiet
pass
diff <("$fewdim" inspect one.fewdim --json | grep -v 'date\|seconds\|peak\|"file"\|input') \
  <("$fewdim" inspect three.fewdim --json | grep -v 'date\|seconds\|peak\|"file"\|input') > /dev/null ||
  fail 'one and three threads give other models'

# What the model knows of its own images, and what it is no image of.
run recognize faces.fewdim people/s2/3.pgm
expect_ok
expect_out_has 's2/3.pgm'
expect_out_has 'counts as a face (99 % of'
run recognize faces.fewdim people --json
expect_ok
expect_json 'd["right"], d["with_label"]' '(12, 12)'
expect_json 'd["images"][6]["nearest"], d["images"][6]["label"]' "('s2/3.pgm', 's2')"
picture stranger.pgm 2.9 0.3
run recognize faces.fewdim stranger.pgm --sheet sheet.png -o found.csv
expect_ok
expect_file sheet.png
near 'whether a stranger is a face' "$(cell found.csv 1 6)" 0 0
printf 'P5 2 2 255\nabcd' > small.pgm
run recognize faces.fewdim small.pgm
expect_error 3 'is 2x2' '--resize'
run recognize faces.fewdim small.pgm --resize
expect_ok
run pca @iris -m iris.fewdim --quiet
run recognize iris.fewdim small.pgm
expect_error 2 'holds no images'

# Other ways to try.
run faces @digits --shape 8x8 -k 8 --parts independent --no-trial -m parts.fewdim --gallery parts.png --quiet
expect_ok
expect_file parts.png
run recognize parts.fewdim people/s2/3.pgm --resize --json
expect_ok
run faces people -k 3 --parts spread
expect_error 2 "eigenfaces, independent or nmf"
run faces people -k 3 --split 0.25 --seed 4 --json
expect_ok
expect_json 'd["trial"]["kind"], d["trial"]["tried"], d["trial"]["fits"]' "('split', 3, 1)"
run faces people -k 3 --leave-one-out
expect_err_has 'the components have seen it'
run faces people -k 3 --no-trial -m untried.fewdim
expect_ok
run recognize untried.fewdim people/s1/1.pgm
expect_out_has 'has no limit'
run faces people --split 0.3 --folds 5
expect_error 2 'give one of'
run faces people --split 1
expect_error 2 '--split' 'below 1'

# Tables and IDX.
run faces @digits --shape 8x8 -k 10 --reconstruct 7 -o seven.png --json
expect_ok
json_near 'd["components"][0]["ratio"] if "components" in d and isinstance(d["components"], list) else d["explained_variance_ratio"][0]' 0.14890594 1e-6 # as of `fewdim pca @digits`
expect_file seven.png
run faces @digits -k 5
expect_error 2 '--shape HxW'
run faces @digits --shape 8x9
expect_error 3 'no images of 8x9'
run faces people --shape 6x8
expect_error 2 'are for tables'
printf '\0\0\10\3\0\0\0\3\0\0\0\2\0\0\0\2abcdefzhijkl' > three-images-idx3-ubyte
printf '\0\0\10\1\0\0\0\3\1\2\1' > three-labels-idx1-ubyte
run faces three-images-idx3-ubyte -k 1 --leave-one-out --json
expect_ok
expect_json 'd["trial"]["with_label"]' 2
gzip three-images-idx3-ubyte
run faces three-images-idx3-ubyte.gz -k 1 --no-trial --quiet -m idx.fewdim
expect_ok
run recognize idx.fewdim three-images-idx3-ubyte.gz
expect_out_has '100.0 % of 3 images'

# Bad images.
head -c 40 people/s1/1.pgm > people/s1/cut.pgm
run faces people -k 3
expect_error 3 'people/s1/cut.pgm' 'damaged PNM'
run faces people -k 3 --skip-broken
expect_ok
expect_err_has 'left out 1 broken images; the first: people/s1/cut.pgm'
rm people/s1/cut.pgm
printf 'P5 3 3 255\nabcdefghi' > people/other.pgm
run faces people -k 3
expect_error 3 'people/s1/1.pgm: is 6x8, and people/other.pgm is 3x3' '--resize'
run faces people -k 3 --resize 6x8
expect_ok
rm people/other.pgm
printf 'GIF89a...' > film.png
run faces film.png
expect_error 3 'film.png: is GIF'
printf 'P5 60000 60000 255\n' > huge.pgm
run compress huge.pgm
expect_error 3 'huge.pgm' 'bytes that are left'
run faces people -k 3 --max-pixels 40
expect_error 3 'declares 6x8 pixels, more than the 40 allowed' '--max-pixels'
printf '\0\0\10\3\377\377\377\377\377\377\377\377\377\377\377\377' > hostile.idx
run faces hostile.idx
expect_error 3 'hostile.idx' 'damaged IDX'
mkdir empty
run faces empty
expect_error 3 'holds no image'
run faces nowhere
expect_error 4 'nowhere'

# One image by its singular vectors.
run compress people/s1/1.pgm -k 2 -o image.fewdim --strip ranks.png
expect_ok
expect_out_has '6 x 8, gray'
expect_out_has 'SVD, rank 2'
expect_out_has 'JPEG'
expect_file ranks.png
run decompress image.fewdim -o image.png
expect_ok
run compress image.png -k 6 --bits 16 --json
expect_ok
expect_json 'd["psnr"]' None # all six singular values: exact
run compress people/s1/1.pgm --psnr 30 --block 4 --json
expect_ok
expect_json 'd["psnr"] >= 30' True
run compress people/s1/1.pgm --bytes 700 --json
expect_ok
expect_json 'd["bytes"] <= 700' True
run compress people/s1/1.pgm --bytes 10
expect_error 2 'without any component'
run compress people/s1/1.pgm -k 2 --psnr 30
expect_error 2 'one of -k, --psnr and --bytes'
run compress people/s1/1.pgm --bits 9
expect_error 2 '--bits'
run decompress faces.fewdim -o model.png
expect_error 3 'it is a model'
head -c 200 image.fewdim > cut.fewdim
run decompress cut.fewdim -o cut.png
expect_error 3 'cut.fewdim'
expect_no_file cut.png
run decompress image.fewdim -o image.jpg
expect_error 2 'must end in .png'

finish
