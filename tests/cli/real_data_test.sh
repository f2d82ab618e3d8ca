#!/usr/bin/env bash
# Published results on real tables. The data are not part of the source; without them this is skipped.
source "$(dirname "$0")/lib.sh" "$@"
[[ -d $data_dir/tables_classic ]] || skip "no data in $data_dir; set FEWDIM_DATA"
tables=$data_dir/tables_classic

# USArrests, scaled, R: prcomp(USArrests, scale. = TRUE)$sdev
run pca "$tables/USArrests.csv" --scale -k 4 --spectrum arrests.csv -o arrests-scores.csv --quiet
expect_ok
row=0
for sdev in 1.5748783 0.9948694 0.5971291 0.4164494; do
  row=$((row + 1))
  near "USArrests, sdev $row" "$(awk -v v="$(cell arrests.csv $row 3)" 'BEGIN { printf "%.9f", sqrt(v) }')" $sdev 5e-8
done
pass; [[ $(sed -n 2p arrests-scores.csv) == *Alabama* ]] || fail "row names are lost: $(sed -n 2p arrests-scores.csv)"

# iris as R has it: eigenvalues of the covariance.
run pca "$tables/iris.csv" --label Species -k 4 --spectrum iris.csv --quiet
expect_ok
row=0
for value in 4.228241706 0.242670748 0.078209500 0.023835093; do
  row=$((row + 1))
  near "iris, eigenvalue $row" "$(cell iris.csv $row 3)" $value 5e-10
done

# decathlon, the ten events, scaled (FactoMineR's eigenvalues).
run pca "$tables/decathlon.csv" --drop Rank,Points --label Competition --scale -k 10 --spectrum decathlon.csv --quiet
expect_ok
row=0
for value in 3.2719055 1.7371310 1.4049167 1.0568504 0.6847735; do
  row=$((row + 1))
  near "decathlon, eigenvalue $row" "$(cell decathlon.csv $row 3)" $value 5e-8
done

# wine, scaled: scikit-learn's explained_variance_ratio_. Its file starts with a line that is no header.
shell "tail -n +2 '$tables/sklearn_wine_data.csv' | fewdim pca - --no-header --label 14 --scale -k 4 --spectrum wine.csv --quiet"
expect_ok
row=0
for ratio in 0.361988 0.192075 0.111236 0.070690; do
  row=$((row + 1))
  near "wine, share $row" "$(cell wine.csv $row 4)" $ratio 5e-7
done

# Deerwester et al. (1990): the singular values of their terms by titles.
run svd "$data_dir/reference_small/deerwester_12x9.csv" -k 9 --spectrum deerwester.csv --quiet
expect_ok
row=0
for value in 3.340884 2.541701 2.353944 1.644532 1.504832 1.306382 0.845903 0.560134 0.363677; do
  row=$((row + 1))
  near "Deerwester, singular value $row" "$(cell deerwester.csv $row 2)" $value 5e-7
done

# The ten points as they were published.
run pca "$data_dir/reference_small/lindsay_smith_10x2.csv" -k 2 --spectrum smith.csv --quiet
expect_ok
near "Smith, eigenvalue 1" "$(cell smith.csv 1 3)" 1.28402771 5e-9
near "Smith, eigenvalue 2" "$(cell smith.csv 2 3)" 0.0490833989 5e-11

# airquality has missing values: how many, and where the first.
run pca "$tables/airquality.csv" -k 2
expect_error 3 "44 missing" "Ozone"

finish
