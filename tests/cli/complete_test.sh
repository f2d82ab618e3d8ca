#!/usr/bin/env bash
# Completion and recommendation: fit, predict, recommend, similar, topics, trials, bad input.
source "$(dirname "$0")/lib.sh" "$@"

run generate ratings -n 8000 --cols 150 --rank 3 --noise 0.3 --seed 2 -o ratings.csv
expect_ok
head -n 1 ratings.csv > "$aside/head"
pass; grep -qx "user,item,rating" "$aside/head" || fail "no header of ratings"

run complete ratings.csv -k 4 -m ratings.fewdim --users users.csv --items items.csv
expect_ok
expect_err_has "complete: 5 components of 150 features"
expect_err_has "values 8000"
run recommend ratings.fewdim --user 1 -n 5 --json
expect_ok
expect_json "len(d['items'])" "5"
expect_json "d['items'][0]['prediction'] >= d['items'][4]['prediction']" "True"
# What the user has rated is left out, unless it is asked for.
awk -F, '$1 == 1 { print $2 }' ratings.csv | sort > rated.txt
shell "fewdim recommend ratings.fewdim --user 1 -n 150 --json | python3 -c 'import json, sys; print(chr(10).join(sorted(i[\"item\"] for i in json.load(sys.stdin)[\"items\"])))' > listed.txt"
expect_ok
pass; [[ -z $(comm -12 rated.txt listed.txt) ]] || fail "a rated item is recommended"
run recommend ratings.fewdim --user 1 -n 150 --with-seen --json
expect_json "len(d['items'])" "150"

# The ridge that is chosen without counts is on their scale: no worse than effects alone, and than item means by far.
run complete ratings.csv -k 20 --no-ridge-by-count --folds 3 --json
expect_ok
rmse() { json "[p['rmse'] for p in d['trial']['predictors'] if p['name'] == '$1'][0]"; }
pass; python3 -c "import sys; sys.exit(not $(rmse biased) < 1.01 * $(rmse 'effects alone') < 1.01 * $(rmse 'item means'))" ||
  fail "without counts the error is $(rmse biased), that of effects alone $(rmse 'effects alone')"

# A user's own ratings as those of a new one: the same list, but for what rounding of the file leaves.
awk -F, 'NR > 1 && $1 == 1 { print $2 "," $3 }' ratings.csv > mine.csv
run recommend ratings.fewdim --ratings mine.csv -n 5
expect_ok
cp "$aside/out" new.txt
run recommend ratings.fewdim --user 1 -n 5
pass; cmp -s "$aside/out" new.txt || fail "a new user with the same ratings gets another list"
printf 'item,value\n1,5\nno-such-item,3\n' > few.csv
run recommend ratings.fewdim --ratings few.csv -n 2
expect_ok
expect_err_has "'no-such-item' first"
printf '1,5\n1,3\n' > twice.csv
run recommend ratings.fewdim --ratings twice.csv
expect_error 3 "item '1' is rated twice"
printf 'x,5\ny,3\n' > strange.csv
run recommend ratings.fewdim --ratings strange.csv
expect_error 3 "none of its items"
run recommend ratings.fewdim
expect_error 2 "--user NAME or --ratings FILE"
run recommend ratings.fewdim --user nobody
expect_error 3 "user 'nobody' is none of the model's"

# Unknown users and items: by what is known, said and marked.
printf 'user,item\n1,1\nnobody,1\n1,nothing\nnobody,nothing\n' > pairs.csv
run predict ratings.fewdim pairs.csv
expect_ok
expect_out_has "user,prediction,known_user,known_item,item"
expect_err_has "2 pairs have an unknown user"
expect_err_has "2 pairs have an unknown item"
pass; grep -q '^nobody,.*,0,1,1$' "$aside/out" || fail "no mark of an unknown user"
run predict ratings.fewdim ratings.csv -o predicted.csv --json
expect_ok
expect_json "d['rmse'] < 0.6" "True"

run similar ratings.fewdim --item 1 -n 3 --json
expect_ok
expect_json "len(d['items'])" "3"
run similar ratings.fewdim 1 -n 3
expect_ok
run similar ratings.fewdim --item nothing
expect_error 3 "item 'nothing' is none of the model's 150"
run similar ratings.fewdim
expect_error 2 "--item"
run topics ratings.fewdim --top 3 -n 2
expect_ok
expect_out_has "factor F1: moves predictions by"
run transform ratings.fewdim ratings.csv
expect_error 3 "lacks 150 of the model's columns"

# Trials: the method beats what it is measured against.
run complete ratings.csv -k 4 --ridge 0.05 --folds 3 --json
expect_ok
expect_json "[p['name'] for p in d['trial']['predictors']]" "['global mean', 'item means', 'effects alone', 'popularity', 'biased']"
expect_json "d['trial']['ratings']" "8000"
expect_json "d['trial']['predictors'][4]['rmse'] < d['trial']['predictors'][2]['rmse'] < d['trial']['predictors'][0]['rmse']" "True"
awk 'NR == 1 || NR % 5 != 0' ratings.csv > base.csv
awk 'NR == 1 || NR % 5 == 0' ratings.csv > test.csv
run complete base.csv -k 4 --ridge 0.05 --test test.csv --json
expect_ok
expect_json "d['trial']['kind']" "test"
expect_json "d['trial']['ratings']" "1600"
run complete base.csv --folds 3 --test test.csv
expect_error 2 "one of --folds and --test"
run complete ratings.csv -k auto --ridge auto --json
expect_ok
expect_json "len([k for k in d['diagnostics'] if k.startswith('held out at')]) >= 3" "True"

# A table with gaps.
run generate low-rank-plus-noise -n 100 --cols 8 --rank 2 --noise 0.02 -o whole.csv
awk -F, -v OFS=, 'NR > 1 { $(1 + NR % 8) = 99 } { print }' whole.csv > gaps.csv
run complete gaps.csv --na 99 --kind soft-impute -k 3 --ridge 0.01 -o filled.csv
expect_ok
near "a filled value" "$(cell filled.csv 2 3)" "$(cell whole.csv 2 3)" 0.2
near "what is there stays" "$(cell filled.csv 2 1)" "$(cell whole.csv 2 1)" 0
run complete ratings.csv -o filled2.csv
expect_error 2 "fewdim predict"
run complete ratings.csv --kind implicit -k 3 --folds 2 --json
expect_ok
expect_json "[p['name'] for p in d['trial']['predictors']]" "['popularity', 'implicit']"

# Bad input: one line, with its place.
printf 'a,x,5\nb,x,three\n' > bad.csv
run complete bad.csv --triples
expect_error 3 "bad.csv:2:5" "the value should be a number"
printf 'a,x,5\nb,x,3\na,x,4\n' > repeated.csv
run complete repeated.csv --triples
expect_error 3 "repeated.csv:3" "in line 1" "--duplicates"
run complete repeated.csv --triples --duplicates mean -k 1
expect_ok
run complete repeated.csv --triples --duplicates often
expect_error 2 "refuse, mean, first or last"
printf 'a,x,3\nb,x,3\n' > constant.csv
run complete constant.csv --triples
expect_error 3 "every value is 3"
run complete ratings.csv --iterations 1 --tolerance 1e-9
expect_error 5 "--iterations"
run complete ratings.csv -k 1000
expect_error 3 "use -k"
run complete ratings.csv --user-column who
expect_error 3 "--user-column 'who'"
run predict whole.csv pairs.csv
expect_code 3
run fit ratings.csv
expect_code 2

finish
