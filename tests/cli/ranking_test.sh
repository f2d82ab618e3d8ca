#!/usr/bin/env bash
# pagerank and hits: lists, files, formats, and words about bad input.
source "$(dirname "$0")/lib.sh" "$@"

printf 'a\tb\nb\tc\nc\ta\na\tc\nd\tc\n' > links.tsv
run pagerank links.tsv
expect_ok
expect_out_has '4 vertices, 5 links; 0 dangling'
expect_out_has 'parts: 2 strong, the largest of 3; 1 weak, the largest of 4'
run pagerank links.tsv -n 1 -o scores.csv
expect_ok
expect_err_has 'wrote scores.csv'
near 'score of a' "$(cell scores.csv 1 2)" 0.3725 0.0001 # 1.49 / 4: four pages of Rogers, The Google PageRank Algorithm and How It Works
near 'the sum' "$(awk -F , 'NR > 1 { sum += $2 } END { print sum }' scores.csv)" 1 1e-9
run pagerank links.tsv -o scores.csv
expect_error 4 'exists already' '--force'
run pagerank links.tsv -o links.tsv --force
expect_error 2 'would replace the input'
run pagerank links.tsv -o - --quiet
expect_ok
expect_out_has 'vertex,pagerank'

# A pipe, compression, both ways, a matrix.
shell 'gzip -c links.tsv | fewdim pagerank - -n 2 -o piped.csv'
expect_ok
same_bits scores.csv piped.csv
run pagerank links.tsv --threads 1 --solver gauss-seidel -o one.csv
run pagerank links.tsv --threads 3 --solver gauss-seidel -o three.csv
same_bits one.csv three.csv
run pagerank links.tsv --undirected
expect_out_has '8 weighted links, both ways; 0 dangling, 2 repeats' # a-c is listed in both directions
printf '0,1\n1,0\n' > two.csv
run pagerank two.csv --format csv
expect_ok
expect_out_has '2 vertices, 2 links'
run pagerank links.tsv --format gml
expect_error 3 "there is no 'graph ['" 'links.tsv:'

run pagerank links.tsv --restart d,a --json
expect_ok
expect_json "d['restart']" "['d', 'a']"
expect_json "d['graph']['strong_components']" 2
expect_json "d['error_bound'] <= 1e-10 and d['converged']" True
expect_json "d['top'][0]['vertex']" a # a = 0.075 + 0.85 c, c = 0.85 (0.925 a + 0.075): a = 0.3895, c = 0.3700
run pagerank links.tsv --restart e
expect_error 3 "no vertex is called 'e'"
printf 'alpha beta\n' > names.txt
run pagerank names.txt --restart alhpa
expect_error 3 "did you mean 'alpha'?"

for damping in 1 1.5 -0.1; do
  run pagerank links.tsv --damping=$damping
  expect_error 2 '--damping'
done
run pagerank links.tsv --damping=nan
expect_error 2 '--damping' 'must be a number'

# The help says what the tolerance bounds, and where it stands.
run pagerank --help
for words in '--tolerance' 'over 1 - damping' '[1e-10]'; do expect_out_has "$words"; done
run hits --help
for words in '--tolerance' 'largest residual' '[1e-10]'; do expect_out_has "$words"; done
# The residual of the scores as they are written, and the bound on their error.
for tolerance in 1e-6 1e-12; do
  run pagerank links.tsv --tolerance $tolerance -o precise.csv --force --json
  expect_ok
  expect_json "d['tolerance'] == $tolerance and d['error_bound'] <= $tolerance and d['converged']" True
  near 'the residual' "$(python3 - links.tsv precise.csv << 'END'
import csv, math, sys
links = [line.split() for line in open(sys.argv[1])]
x = {row['vertex']: float(row['pagerank']) for row in csv.DictReader(open(sys.argv[2]))}
out = {v: sum(a == v for a, b in links) for v in x}
print(math.fsum(abs(0.15 / len(x) + 0.85 * math.fsum(x[a] / out[a] for a, b in links if b == v) - x[v]) for v in x))
END
)" "$(json "d['residual']")" 3e-15
done
run hits links.tsv --tolerance 1e-15 --json
expect_ok
expect_json "d['residual'] <= d['tolerance'] or not d['converged']" True

run pagerank links.tsv --tolerance 0
expect_error 2 '--tolerance'
run pagerank links.tsv --dangling unifrom
expect_error 2 'did you mean uniform?'
run pagerank names.txt --dangling error
expect_error 3 "no link leaves 'beta'"
printf 'a b 1\nb c -2\n' > negative.txt
run pagerank negative.txt
expect_error 3 'negative.txt:2:5' 'negative'
printf 'a b\na b\n' > twice.txt
run pagerank twice.txt --repeats error
expect_error 3 'listed twice'
: > empty.txt
run pagerank empty.txt
expect_error 3 'empty'
run pagerank nowhere.txt
expect_error 4 'nowhere.txt'

run hits links.tsv -o hubs.csv
expect_ok
expect_out_has 'largest singular value'
near 'sum of authorities' "$(awk -F , 'NR > 1 { sum += $2 } END { print sum }' hubs.csv)" 1 1e-9
printf '1 2\n2 1\n' > pair.txt
run hits pair.txt
expect_ok
expect_err_has 'there 2 times'
run hits links.tsv --normalization one
expect_error 2 'sum or unit'
run hits links.tsv --json
expect_json "d['multiplicity']" 1

# A terminal must not obey what a name says.
printf 'a\033[31m b\n' > evil.txt
run pagerank evil.txt
expect_ok
pass
! grep -q $'\033' "$aside/out" || fail 'a control character is printed'

if [[ -d $data_dir/graph_polblogs ]]; then
  run pagerank "$data_dir/graph_polblogs/polblogs.gml" -n 1 --json
  expect_json "d['top'][0]['vertex']" dailykos.com
  run hits "$data_dir/graph_polblogs/polblogs.gml" -n 1 --json
  expect_json "d['top'][0]['vertex']" dailykos.com
fi

finish
