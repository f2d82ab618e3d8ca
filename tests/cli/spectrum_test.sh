#!/usr/bin/env bash
# Eigenvalues and variances: one meaning in words, documents and tables, for every method that compares objects.
source "$(dirname "$0")/lib.sh" "$@"

"$fewdim" generate iris -o iris.csv --quiet
cat > roads.csv << 'END'
city,Athens,Barcelona,Brussels,Calais,Cherbourg
Athens,0,3313,2963,3175,3339
Barcelona,3313,0,1318,1326,1294
Brussels,2963,1318,0,204,583
Calais,3175,1326,204,0,460
Cherbourg,3339,1294,583,460,0
END

# Classical MDS of Euclidean distances, kernel PCA with the linear kernel and PCA have the same variances, and the
# eigenvalues of the first two are N - 1 times those.
run pca iris.csv --label Species -k 2 --json
variance=$(json "d['explained_variance'][0]")
total=$(json "d['total_variance']")
for method in "mds" "kernel-pca --kernel linear" "isomap --neighbors 149"; do
  # shellcheck disable=SC2086  # words on purpose
  run $method iris.csv --label Species -k 2 --json -m "${method%% *}.fewdim"
  expect_ok
  json_near "d['explained_variance'][0]" "$variance" 1e-9
  json_near "d['eigenvalues'][0] / 149" "$variance" 1e-9
  json_near "d['total_variance']" "$total" 1e-9
  expect_json "len(d['eigenvalues']), len(d['all_eigenvalues'])" "(2, 150)"
  json_near "d['all_eigenvalues'][1] - d['eigenvalues'][1]" 0 1e-9
  run inspect "${method%% *}.fewdim"
  expect_ok
  expect_out_has "component     eigenvalue     variance     share  together"
  expect_out_has "630.01       4.2282   92.46 %   92.46 %"
done
run kernel-pca iris.csv --label Species -k 2 --kernel linear --no-center --json
expect_ok
svd=$(json "d['eigenvalues'][0]")
run svd iris.csv --label Species -k 2 --json
json_near "d['eigenvalues'][0]" "$svd" 1e-6
json_near "d['singular_values'][0] ** 2" "$svd" 1e-6
run svd iris.csv --label Species -k 2
expect_err_has "sum of squares 9539.3"

# Distances that no points have: every eigenvalue is listed, with its share where it is positive.
run mds roads.csv -k 2 --spectrum spectrum.csv
expect_ok
expect_err_has "mds: 2 components of 5 objects, by their distances"
expect_err_has "1 of 5 eigenvalues is negative"
pass; [[ $(head -n 1 spectrum.csv) == component,eigenvalue,explained_variance,explained_variance_ratio,cumulative_ratio,residual ]] ||
  fail "spectrum.csv begins with $(head -n 1 spectrum.csv)"
pass; [[ $(wc -l < spectrum.csv) -eq 6 ]] || fail "spectrum.csv has $(wc -l < spectrum.csv) lines"
near 'the lowest eigenvalue' "$(cell spectrum.csv 5 2)" -2169.52 0.005
pass; [[ $(cut -d , -f 1,3,4,5,6 spectrum.csv | tail -n 1) == MDS5,NaN,NaN,NaN,NaN ]] ||
  fail "the negative one has a share: $(tail -n 1 spectrum.csv)"
run mds roads.csv -k 2 --json
expect_ok
json_near "sum(l * l for l in d['eigenvalues']) / sum(l * l for l in d['all_eigenvalues']) - d['diagnostics']['goodness_of_fit_squares']" 0 1e-14
json_near "sum(d['eigenvalues']) / sum(abs(l) for l in d['all_eigenvalues']) - d['diagnostics']['goodness_of_fit_absolute']" 0 1e-14

# A kernel that is no inner product.
run kernel-pca iris.csv --label Species -k 2 --kernel sigmoid --gamma 0.05 --offset -1 --indefinite clip --json
expect_ok
expect_json "d['diagnostics']['negative_eigenvalues'] == sum(l < -1e-8 * d['all_eigenvalues'][0] for l in d['all_eigenvalues'])" True
json_near "-sum(l for l in d['all_eigenvalues'] if l < 0) / sum(abs(l) for l in d['all_eigenvalues']) - d['diagnostics']['negative_share']" 0 1e-12
expect_json "d['diagnostics']['negative_share'] > 0 and d['diagnostics']['lowest_eigenvalue'] == d['all_eigenvalues'][-1]" True

# The lowest eigenvectors of a graph have eigenvalues and no variances.
run laplacian iris.csv --label Species -k 2 --neighbors 30 --spectrum lowest.csv --json
expect_ok
expect_json "len(d['eigenvalues']), d['explained_variance']" "(2, [])"
pass; [[ $(head -n 1 lowest.csv) == component,eigenvalue,residual ]] || fail "lowest.csv begins with $(head -n 1 lowest.csv)"

finish
