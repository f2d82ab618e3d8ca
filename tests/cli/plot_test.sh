#!/usr/bin/env bash
# fewdim plot: every kind from models and tables, what colors the points, and what is refused.
source "$(dirname "$0")/lib.sh" "$@"

"$fewdim" generate iris -o iris.csv --quiet
"$fewdim" pca iris.csv --label Species -k 3 -m iris.fewdim -o scores.csv --quiet
"$fewdim" mds @iris -k 3 -m mds.fewdim --quiet
"$fewdim" generate swiss-roll -n 150 -o roll.csv --quiet
"$fewdim" isomap roll.csv --label position -m roll.fewdim --plot fit.svg --quiet

has() { # FILE TEXT
  pass
  grep -qF -- "$2" "$1" || fail "$1 does not have '$2'"
}
times() { # FILE TEXT NUMBER
  pass
  local found
  found=$(grep -oF -- "$2" "$1" | wc -l)
  [[ $found -eq $3 ]] || fail "$1 has '$2' $found times, not $3"
}

# A table: its first two columns, its labels, axes by name or number.
run plot scores.csv --label Species -o a.svg
expect_ok
expect_silent_output
expect_err_has "wrote a.svg: 150 points"
times a.svg "<circle" 153
has a.svg ">setosa<"
has a.svg ">PC1<"
run plot scores.csv --label Species --axes PC1,PC3 -o b.svg --quiet
expect_ok
expect_silence
has b.svg ">PC3<"
run plot scores.csv --label Species --axes 1,3 -o c.svg --quiet
same_bits b.svg c.svg
run plot @iris -o d.png --json
expect_ok
expect_json "d['kind'], d['points'], d['left_out'], d['axes'], d['colored_by']" \
  "('scatter', 150, 0, ['Sepal.Length', 'Sepal.Width'], 'Species')"
expect_json "d['outputs']" "{'output': 'd.png'}"
pass; [[ $(head -c 4 d.png | tail -c 3) == PNG ]] || fail "d.png is no PNG"
shell "fewdim generate iris -o - --quiet | fewdim plot - --label Species -o e.svg --quiet"
expect_ok
times e.svg "<circle" 153

# Models: the default is what they can show.
run plot iris.fewdim -o scree.svg --json
expect_json "d['kind']" "scree"
run plot iris.fewdim iris.csv --label Species -o f.svg --json
expect_json "d['kind'], d['axes'][0]" "('scatter', 'PC1 (92.5 %)')"
run plot mds.fewdim -o g.svg --json
expect_json "d['kind'], d['points']" "('scatter', 150)"
run plot roll.fewdim roll.csv --label position -o h.svg --json
expect_json "d['kind'], d['method']" "('scatter', 'isomap')"
same_bits fit.svg h.svg  # --plot of the fit draws the same
run plot roll.fewdim roll.csv --label position --no-equal -o i.svg --quiet
differ h.svg i.svg

# Every kind.
run plot iris.fewdim @iris --kind pairs -o pairs.svg --quiet
expect_ok
times pairs.svg "<circle" 453
run plot scores.csv --label Species --kind pairs --components 2 -o pairs2.svg --quiet
times pairs2.svg "<circle" 153
run plot iris.fewdim iris.csv --label Species --kind biplot --alpha 0 -o biplot.svg --json
expect_json "d['alpha'], d['arrows'], d['colored_by']" "(0.0, 4, 'Species')"
has biplot.svg ">Petal.Length<"
has biplot.svg "α = 0, arrows"
run plot iris.fewdim --kind circle -o circle.svg --quiet
expect_ok
has circle.svg ">Sepal.Width<"
run plot iris.fewdim --kind cumulative -o cumulative.svg --json
json_near "sum(d['ratios'])" 0.99478781 1e-8 # of iris, by R's prcomp
has cumulative.svg ">90 %: 1<"
run plot mds.fewdim @iris --kind shepard -o shepard.svg --json
expect_json "d['pairs']" 5000
run plot mds.fewdim @iris --kind residual -o residual.svg --json
expect_json "len(d['residual_variance'])" 3
run plot roll.fewdim --kind residual -o residual2.svg --json
expect_json "len(d['residual_variance']) >= 2" True
run plot scores.csv --label Species --kind density -o density.svg --json
expect_json "d['kind']" density
times density.svg "<image" 3
run plot scores.csv --label Species --hulls -o hulls.svg --quiet
times hulls.svg "<polygon" 3
run plot scores.csv --label Species --title '' --size 500x400 -o small.svg --quiet
has small.svg 'width="500" height="400"'
run plot scores.csv --label Species --title 'My <flowers>' -o title.svg --quiet
has title.svg ">My &lt;flowers&gt;<"

# Colors: a column of numbers, of a file, of a built-in table, of another file.
run plot iris.fewdim iris.csv --drop Species --color Petal.Width -o color.svg --json
expect_json "d['colored_by']" Petal.Width
run plot iris.fewdim @iris --color Petal.Width -o color2.svg --quiet
expect_ok
pass; diff <(sed 's/@iris/iris.csv/' color2.svg) color.svg > /dev/null || fail "the same column gives other colors"
cut -d, -f5 iris.csv > species.csv
run plot iris.fewdim iris.csv --drop Species --labels species.csv -o labels.svg --json
expect_json "d['colored_by']" Species
tail -n +2 species.csv > bare.txt
run plot scores.csv --drop Species --labels bare.txt -o labels2.svg --quiet
expect_ok
times labels2.svg "<circle" 153
run plot scores.csv --drop Species --labels iris.csv --color 3 -o labels3.svg --json
expect_json "d['colored_by']" Petal.Length

# Few rows with names: drawn.
printf 'city,x,y\nRome,1,2\nOslo,3,4\nBonn,2,1\n' > cities.csv
run plot cities.csv -o cities.svg --quiet
for city in Rome Oslo Bonn; do has cities.svg ">$city</text>"; done
printf '1\n3\n2\n' > one.csv
run plot one.csv --no-header -o one.svg --quiet
expect_ok
has one.svg ">row<"

# Rows that are not finite are left out, and it is said.
printf 'x,y\n1,2\nNA,3\n4,inf\n5,6\n' > holes.csv
run plot holes.csv -o holes.svg
expect_ok
expect_err_has "2 of 4 points left out: not finite"
has holes.svg ">2 of 4 points left out: not finite<"
printf 'x,y\nNA,3\n4,NA\n' > none.csv
run plot none.csv -o none.svg
expect_error 3 "none.csv: none of 2 points has finite coordinates"
expect_no_file none.svg

# Refusals come with what there is instead, and leave nothing.
run plot scores.csv --label Species --axes 1,9 -o x.svg
expect_error 2 "--axes 1,9: '9' is none of the axes; there are 3: PC1, PC2, PC3"
run plot scores.csv --label Species --axes 1 -o x.svg
expect_error 2 "must be two"
run plot iris.fewdim --kind circle --axes 1,4 -o x.svg
expect_error 2 "'4' is none of the axes"
run plot scores.csv --label Species --kind biplot -o x.svg
expect_error 2 "needs a model, and scores.csv is a table; it has scatter or pairs"
run plot roll.fewdim --kind biplot -o x.svg
expect_error 2 "--kind biplot of isomap needs loadings of columns; it has scatter, pairs"
"$fewdim" random-projection iris.csv --label Species -k 2 --store -m random.fewdim --quiet
run plot random.fewdim iris.csv --label Species --kind biplot -o x.svg  # it crashed
expect_error 2 "--kind biplot of random-projection needs variances of its directions, and there are none; it has scatter, pairs"
run plot iris.fewdim --kind biplot -o x.svg
expect_error 2 "keeps no coordinates of rows; give the rows as DATA"
"$fewdim" ica iris.csv --label Species -k 2 -m ica.fewdim --quiet
run plot ica.fewdim --kind circle -o x.svg  # it was listed among what there is, and failed
expect_error 2 "--kind circle of ica needs orthonormal directions" "it has scree or cumulative"
"$fewdim" pca iris.csv --label Species -k 1 -m one.fewdim --quiet
run plot one.fewdim --kind scatter -o x.svg  # the reason was an unfinished sentence
expect_error 2 "one.fewdim keeps no coordinates of rows; give the rows as DATA"
run plot iris.fewdim --density -o x.svg
expect_error 2 "keeps no coordinates"
run plot iris.fewdim @iris --kind shepard -o x.svg
expect_error 2 "needs distances that it was made from"
run plot mds.fewdim --kind residual -o x.svg
expect_error 2 "give them as DATA"
run plot mds.fewdim @ten-points --kind shepard -o x.svg
expect_code 3
run plot iris.fewdim @ten-points -o x.svg
expect_code 3
run plot scores.csv --label Species --kind scater -o x.svg
expect_error 2 "did you mean scatter?"
head -n 100 bare.txt > short.txt
run plot scores.csv --drop Species --labels short.txt -o x.svg
expect_error 3 "short.txt: has 100 labels for 150 points"
run plot scores.csv --drop Species --labels iris.csv -o known.svg --quiet
expect_ok  # the column with the labels is known by its name
sed '1s/label://' iris.csv > plain.csv
run plot scores.csv --drop Species --labels plain.csv -o x.svg
expect_error 2 "say with --label which"
run plot scores.csv --drop Species --labels iris.csv --label Nothing -o x.svg
expect_error 2 "label=Nothing is no column there; there are Sepal.Length"
run plot scores.csv --color Species -o x.svg
expect_error 3 "is 'setosa', no number"
run plot scores.csv --label Species --color PC1 -o x.svg
expect_error 2 "--color and --label"
run plot iris.fewdim @iris --color Nothing -o x.svg
expect_error 2 "is no column of @iris"
run plot scores.csv iris.csv -o x.svg
expect_error 2 "scores.csv is a table, and DATA is for models"
run plot scores.csv --label Species -o x.pdf
expect_error 2 ".svg or .png"
run plot scores.csv --label Species --size 10x10 -o x.svg
expect_error 2 "size=10x10 must be 400x300"
run plot scores.csv --label Species --size 800 -o x.svg
expect_error 2 "must be width and height"
run plot iris.fewdim @iris --kind biplot --alpha 2 -o x.svg
expect_error 2 "between 0 and 1"
run plot iris.fewdim --kind scree --hulls -o x.svg
expect_error 2 "--hulls is for scatter and pairs"
run plot nowhere.csv -o x.svg
expect_code 4
run plot nowhere.fewdim -o x.svg
expect_code 4
head -c 200 iris.fewdim > cut.fewdim
run plot cut.fewdim -o x.svg
expect_code 3
cp iris.fewdim model.bin # a model by any name
run plot model.bin --kind scree -o renamed.svg --quiet
expect_ok
run plot scores.csv --label Species -o a.svg
expect_error 4 "exists already"
run plot iris.fewdim - --labels - -o x.svg
expect_error 2 "can be read once"
run plot scores.csv --label Species
expect_code 2
expect_no_file x.svg
expect_no_file x.pdf

# The same bytes at any number of threads.
for threads in 1 2 3; do
  run plot mds.fewdim @iris --kind residual --threads $threads -o "t$threads.svg" --quiet
  expect_ok
done
same_bits t1.svg t2.svg
same_bits t1.svg t3.svg

finish
