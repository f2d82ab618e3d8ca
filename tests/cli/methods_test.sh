#!/usr/bin/env bash
# Cards on the command line: the list by task, what each method takes and gives, its outputs and its examples.
source "$(dirname "$0")/lib.sh" "$@"

# The list: tasks, their methods, and when to use which.
run methods
expect_ok
expect_silence
for task in "linear directions" "curved directions" "maps that keep distances" "maps from neighborhoods" "parts and factors" \
  "independent signals" "random projections" text ratings; do
  pass; grep -qxF -- "$task" "$aside/out" || fail "there is no task '$task'"
done
expect_out_has "  pca                Principal components: the directions of largest variance"
expect_out_has "Use it when the rows lie on a curved sheet"
pass; [[ $(wc -L < "$aside/out") -le 100 ]] || fail "a line has $(wc -L < "$aside/out") letters"
pass; [[ $(sed -n '/^maps that keep distances$/,/^$/p' "$aside/out" | grep -oE '^  [a-z-]+' | tr -d '\n') == "  mds  smacof  isomap  mvu" ]] ||
  fail "maps that keep distances are others"

# One card in words.
run methods isomap
expect_ok
expect_out_has "takes       rows, distances or graph"
expect_out_has "gives       scores, spectrum"
expect_out_has "pictures    scatter, density, pairs, scree, cumulative, residual"
expect_out_has "new rows    nystrom"
expect_out_has "way back    no"
expect_out_has "verify      no: paths are found anew by a fit only"
expect_out_has "Python      fewdim.Isomap"
expect_out_has "page        docs/methods/isomap.md"
run methods pca
expect_out_has "takes       rows or images; sparse, stream, weights, missing values on request"
expect_out_has "verify      decomposition"
run methods nmf
expect_out_has "no negative numbers"
run methods isomapp
expect_error 2 "did you mean isomap?"

# All of a card as JSON.
run methods isomap --json
expect_json "sorted(d['methods'][0])" "['citation', 'examples', 'gives', 'name', 'options', 'page', 'python_class', 'takes', 'task', 'title', 'unverified', 'use_when', 'verified_by']"
expect_json "d['methods'][0]['takes']" "{'kinds': ['rows', 'distances', 'graph'], 'sparse': False, 'stream': False, 'missing': 'no', 'weights': False, 'nonnegative': False}"
expect_json "d['methods'][0]['gives']['results']" "['scores', 'spectrum']"
expect_json "d['methods'][0]['gives']['inverse']" "no"
expect_json "d['methods'][0]['verified_by']" "nothing"
run methods --json
expect_json "len(d['methods']) > 19 and all(m['use_when'] and m['examples'] and m['takes']['kinds'] for m in d['methods'])" "True"
expect_json "[m['name'] for m in d['methods'] if 'documents' in m['takes']['kinds']]" "['lsi']"
cp "$aside/out" cards.json

# As Markdown: every method in all three parts.
run methods --markdown
expect_ok
for part in "## Which method" "## What it takes" "## What it gives"; do expect_out_has "$part"; done
pass; [[ $(grep -cF '[`isomap`](methods/isomap.md)' "$aside/out") -eq 3 ]] || fail "isomap is not in all parts"

# The help of a method shows the outputs that it has, and no others.
expect_outputs() { # METHOD FLAGS...
  local method=$1 found
  shift
  run "$method" --help
  expect_ok
  pass
  found=$(grep -oE '^  (-., )?--(model|output|plot|scree|shepard|spectrum|right|left|loadings|row-stats|column-stats|approximate|users|items) ' "$aside/out" |
    grep -oE -- '--[a-z-]+' | tr '\n' ' ')
  [[ $found == "$* " ]] || fail "the outputs in the help of $method are $found"
}
expect_outputs pca --model --output --plot --scree --spectrum --right --left --loadings --row-stats --column-stats --approximate
expect_outputs isomap --model --output --plot --scree --spectrum
expect_outputs smacof --model --output --plot --scree --shepard --spectrum
expect_outputs lle --model --output --plot --spectrum --approximate
expect_outputs lsi --model --output --plot --scree --spectrum --right --left --loadings
expect_outputs factor-analysis --model --output --plot --scree --spectrum --right --loadings --approximate
expect_outputs random-projection --model --output --plot --right --approximate
expect_outputs complete --model --output --users --items

# Others are refused before anything is read, with those that there are.
run isomap nowhere.csv --shepard never.svg
expect_error 2 "isomap has no --shepard; its outputs are --model, --output, --plot, --scree and --spectrum" "try: fewdim isomap --help"
run isomap nowhere.csv --loadings never.csv
expect_error 2 "isomap has no --loadings"
run isomap nowhere.csv --loadings ""
expect_error 2 "isomap has no --loadings"
run isomap nowhere.csv --shepard
expect_error 2 "--shepard needs a value"
run laplacian nowhere.csv --scree never.svg
expect_error 2 "laplacian has no --scree"
run mds nowhere.csv --approximate never.csv
expect_error 2 "mds has no --approximate"
run lsi nowhere.txt --row-stats never.csv
expect_error 2 "lsi has no --row-stats"
run complete nowhere.csv --spectrum never.csv
expect_error 2 "complete has no --spectrum; its outputs are --model, --output, --users and --items"
expect_no_file never.csv
expect_no_file never.svg
run completion bash
pass; ! grep -E '^ *isomap\)' -A 3 "$aside/out" | grep -q -- --shepard || fail "the completion of isomap has --shepard"

# A slip is not answered with an option that the method does not have.
run isomap nowhere.csv --shepar never.svg
expect_error 2 "there is no option --shepar"
pass; ! grep -qF -- "--shepard" "$aside/err" || fail "it suggests what it refuses"

# Every example of every card runs as it stands.
have_python || finish
mkdir inputs
"$fewdim" generate low-rank-plus-noise -n 120 --cols 60 --rank 5 --noise 0.5 -o inputs/cells.csv --quiet
"$fewdim" generate low-rank-plus-noise -n 60 --cols 30 --rank 3 --noise 0.1 -o inputs/noisy.csv --quiet
"$fewdim" generate circles -n 90 -o inputs/rings.csv --quiet
"$fewdim" generate swiss-roll -n 500 --noise 0 -o inputs/roll.csv --quiet
"$fewdim" generate low-rank-plus-noise -n 150 --cols 6 --rank 2 --noise 0.5 -o inputs/tests.csv --quiet
"$fewdim" generate mixed-signals -n 2000 --cols 4 --noise 0.001 -o inputs/mix.wav --quiet
"$fewdim" generate mixed-signals -n 2000 --cols 4 --noise 0.001 -o inputs/leads.csv --quiet
"$fewdim" generate blobs -n 200 --cols 2000 --clusters 5 --noise 0.1 -o inputs/wide.npy --quiet
"$fewdim" generate ratings -n 2000 --cols 40 --rank 3 --noise 0.5 --seed 1 -o inputs/ratings.csv --quiet
python3 - << 'END'
import math, os, random
random.seed(1)
os.mkdir("inputs/notes")
words = "plant seed garden spring water rose soil ship sail wind harbor storm crew bread flour oven yeast dough".split()
for i in range(30):
    group = words[6 * (i % 3):6 * (i % 3) + 6]
    with open(f"inputs/notes/{i}.txt", "w") as file:
        file.write(" ".join(random.choice(group) for _ in range(12)) + "\n")
with open("inputs/names.txt", "w") as file:
    file.write("\n".join("Schmidt Schmied Smith Smyth Schneider Snyder Miller Mueller Moller Meyer Maier Mayer".split()) + "\n")
points = [(random.random(), random.random()) for _ in range(40)]
with open("inputs/roads.csv", "w") as file:
    for a in points:
        file.write(",".join(f"{math.dist(a, b):.6f}" for b in points) + "\n")
def symmetric(name, links):
    with open(f"inputs/{name}.mtx", "w") as file:
        file.write(f"%%MatrixMarket matrix coordinate real symmetric\n100 100 {len(links)}\n")
        file.writelines(f"{i} {j} {w}\n" for (i, j), w in links.items())
grid = {}
for r in range(10):
    for c in range(10):
        at = 10 * r + c + 1
        if c: grid[at, at - 1] = round(1 + 0.1 * random.random(), 3)
        if r: grid[at, at - 10] = round(1 + 0.1 * random.random(), 3)
symmetric("streets", grid)
symmetric("links", grid)
with open("inputs/counts.mtx", "w") as file:
    entries = [(i, j, random.randint(1, 9)) for i in range(1, 61) for j in range(1, 41) if random.random() < 0.3]
    file.write(f"%%MatrixMarket matrix coordinate real general\n60 40 {len(entries)}\n")
    file.writelines(f"{i} {j} {v}\n" for i, j, v in entries)
def with_gaps(name, share):
    with open(f"inputs/{name}.csv", "w") as file:
        file.write("a,b,c,d,e\n")
        for _ in range(100):
            f, g = random.gauss(0, 1), random.gauss(0, 1)
            row = [f + g, f - g, 2 * f, g, f + 2 * g]
            file.write(",".join("" if random.random() < share else f"{v + random.gauss(0, 0.3):.4f}" for v in row) + "\n")
with_gaps("gaps", 0.1)
with_gaps("table", 0.3)
with open("inputs/plays.tsv", "w") as file:
    file.write("user\titem\tplays\n")
    for u in range(40):
        for i in random.sample(range(20), 6):
            file.write(f"u{u}\ti{i}\t{random.randint(1, 30)}\n")
END
while IFS=$'\t' read -r name command; do
  [[ $command != *apt-cache* ]] || continue  # a system's own list
  if [[ ! -d run-$name ]]; then
    mkdir "run-$name"
    ln -s "$PWD"/inputs/* "run-$name"
  fi
  shell "cd run-$name && $command"
  expect_ok
done < <(python3 -c "
import json
for method in json.load(open('cards.json'))['methods']:
    for example in method['examples']:
        print(method['name'], example['command'], sep='\t')")

finish
