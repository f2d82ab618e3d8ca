#!/usr/bin/env bash
# Same input, options and seed: the same bits, at any number of threads, for every method, route and output.
source "$(dirname "$0")/lib.sh" "$@"
export SOURCE_DATE_EPOCH=0

"$fewdim" generate low-rank-plus-noise -n 3000 --cols 40 --rank 4 --noise 0.3 -o tall.npy --quiet
"$fewdim" generate low-rank-plus-noise -n 60 --cols 2500 --rank 4 --noise 0.3 -o wide.npy --quiet
"$fewdim" generate swiss-roll -n 500 -o roll.csv --quiet
"$fewdim" generate swiss-roll -n 50 -o small.csv --quiet
"$fewdim" generate blobs -n 2500 --cols 30 --noise 0.3 -o dense.csv --quiet
awk 'BEGIN { srand(1); print "%%MatrixMarket matrix coordinate real general"; n = 3000; d = 300; print n, d, n * 6;
  for (i = 1; i <= n; ++i) for (j = 0; j < 6; ++j) print i, j * 50 + 1 + int(rand() * 50), 1 + rand() }' > sparse.mtx
"$fewdim" generate ratings -n 20000 -o ratings.csv --quiet
awk -F, -v OFS=, 'NR > 1 { $((NR * 7) % 30 + 1) = "" } { print }' dense.csv | cut -d, -f1-30 > gaps.csv

compare() { # NAME ARGUMENTS...
  local name=$1 threads
  shift
  for threads in 1 2 3 8; do
    run "$@" --threads $threads --force --quiet -m "$name-$threads.fewdim" -o "$name-$threads.csv"
    expect_ok
    same_bits "$name-1.fewdim" "$name-$threads.fewdim"
    same_bits "$name-1.csv" "$name-$threads.csv"
  done
  rm -f "$name"-*
}

have_python || skip "no python3"
cards=$("$fewdim" methods --json)
card() { python3 -c "import json, sys; cards = {c['name']: c for c in json.load(sys.stdin)['methods']}; print($1)" <<< "$cards"; }
methods=$(card "' '.join(cards)")
pass; [[ $methods == *pca*svd* ]] || fail "the methods are: $methods"
for method in $methods; do
  options=$("$fewdim" methods "$method" --markdown)
  takes=$(card "[k for k, v in cards['$method']['takes'].items() if v is True]")
  some=()
  if [[ $options == *--stop-words* ]]; then  # takes documents: numbers written out, and words
    tr ',.' '  ' < dense.csv > words.txt
    compare "$method-lines" "$method" words.txt --format lines -k 5 --min-documents 3
    compare "$method-folder" "$method" "$source_dir/docs" -k 10 --ngrams 2
    continue
  fi
  if [[ $options == *--held-out* ]]; then  # completes: a table with gaps, and lines of ratings, which -o does not fill
    compare "$method-gaps" "$method" gaps.csv -k 4
    compare "$method-soft" "$method" gaps.csv -k 4 --kind soft-impute --ridge 0.1
    for kind in biased implicit; do
      for threads in 1 2 3 8; do
        run "$method" ratings.csv --kind $kind -k 6 --threads $threads --force --quiet -m "ratings-$threads.fewdim"
        expect_ok
        same_bits ratings-1.fewdim "ratings-$threads.fewdim"
      done
    done
    continue
  fi
  if [[ $options == *--lasso* ]]; then  # takes no negative numbers
    compare "$method-dense" "$method" @digits -k 4 --tolerance 1e-3
    compare "$method-single" "$method" @digits -k 4 --precision float32 --tolerance 1e-3
    compare "$method-sparse" "$method" sparse.mtx -k 4
    continue
  fi
  [[ $options == *--iterations* ]] && some+=(--tolerance 1e-3)  # a few steps: the same bits after each
  [[ $options == *--neighbors* ]] && some+=(--neighbors 16)     # what Hessian LLE takes for 4 coordinates
  if [[ $options == *--rigid* ]]; then  # unfoldings of many dimensions take their time
    compare "$method-roll" "$method" roll.csv --label position -k 2 --neighbors 6
    compare "$method-small" "$method" small.csv --label position -k 2 --neighbors 6
    continue
  fi
  if [[ $options == *--route* ]]; then
    for route in auto covariance gram svd krylov; do
      for table in tall wide; do
        [[ $route == covariance && $table == wide ]] && continue  # 2500 columns: the others tell as much
        compare "$method-$route-$table" "$method" $table.npy -k 4 --route $route
      done
    done
    compare "$method-power" "$method" tall.npy -k 1 --route power --tolerance 1e-6
    compare "$method-high" "$method" tall.npy -k 4 --precision float32 --accuracy high
  else
    compare "$method-tall" "$method" tall.npy -k 4 "${some[@]}"
    # More features than rows have singular correlations.
    [[ $options == *--least-uniqueness* ]] || compare "$method-wide" "$method" wide.npy -k 4 "${some[@]}"
  fi
  compare "$method-single" "$method" tall.npy -k 4 --precision float32 "${some[@]}"
  share=0.8
  [[ $options == *"a share"* && $options != *--regularization* ]] || share=2  # a map has a number of coordinates
  compare "$method-text" "$method" dense.csv --label cluster -k $share "${some[@]}"
  [[ $takes == *sparse* ]] && compare "$method-sparse" "$method" sparse.mtx -k 4
  [[ $takes == *stream* ]] && compare "$method-stream" "$method" tall.npy -k 4 --stream
done
compare scaled pca tall.npy -k 4 --scale --whiten

finish
