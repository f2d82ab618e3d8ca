# Sourced by every *_test.sh as: source "$(dirname "$0")/lib.sh" "$@"
# Arguments: the program, the source folder. Each test runs in a fresh folder of its own.
set -uo pipefail

fewdim=$(realpath "$1")
source_dir=$(realpath "$2")
data_dir=${FEWDIM_DATA:-$source_dir/../shared/data}
export LC_ALL=C.UTF-8 COLUMNS=100
unset SOURCE_DATE_EPOCH

folder=$(mktemp -d)
aside=$(mktemp -d)  # what the program printed, out of the test's sight
trap 'chmod -R u+w "$folder" 2> /dev/null; rm -rf "$folder" "$aside"' EXIT
cd "$folder" || exit 1

checks=0
failures=0
command_line=

# True when fewdim was built with a sanitizer, which takes time and memory of its own.
sanitized() { grep -qaE '__(asan|tsan)_init' "$fewdim"; }

# Runs fewdim; keeps its exit code, its output and its words.
run() {
  command_line="fewdim $*"
  "$fewdim" "$@" > "$aside/out" 2> "$aside/err"
  code=$?
}

# The same in a shell line, for pipes: shell 'fewdim generate … | fewdim pca -'
shell() {
  command_line=$1
  PATH="$(dirname "$fewdim"):$PATH" bash -c "set -o pipefail; $1" > "$aside/out" 2> "$aside/err"
  code=$?
}

# The line of the test itself, whichever helper found the fault.
fail() {
  local depth=0
  while [[ ${BASH_SOURCE[depth]} == "${BASH_SOURCE[0]}" ]]; do depth=$((depth + 1)); done
  failures=$((failures + 1))
  echo "${BASH_SOURCE[depth]##*/}:${BASH_LINENO[depth - 1]}: $1"
  echo "  command: $command_line"
  [[ ! -s $aside/err ]] || head -n 5 "$aside/err" | sed 's/^/  stderr: /'
}

pass() { checks=$((checks + 1)); }

expect_code() {
  pass
  [[ $code -eq $1 ]] || fail "exit code $code, not $1"
}

expect_ok() { expect_code 0; }

# Exit code, and words that must be in the one line of the error (or in its hint).
expect_error() {
  local wanted=$1 words
  shift
  expect_code "$wanted"
  for words in "$@"; do
    pass
    grep -qF -- "$words" "$aside/err" || fail "the error does not say '$words'"
  done
  pass
  [[ $(grep -c '^fewdim: ' "$aside/err") -eq 1 ]] || fail "the error is not one line that starts with 'fewdim: '"
}

# Standard output is exactly this text (with a newline at its end).
expect_out() {
  pass
  diff <(printf '%s\n' "$1") "$aside/out" > "$aside/diff" && return
  fail "standard output differs (< expected, > found)"
  head -n 20 "$aside/diff"
}

expect_out_has() {
  pass
  grep -qF -- "$1" "$aside/out" || fail "standard output does not have '$1'"
}

expect_err_has() {
  pass
  grep -qF -- "$1" "$aside/err" || fail "standard error does not have '$1'"
}

expect_silent_output() {
  pass
  [[ ! -s $aside/out ]] || fail "something is on standard output"
}

expect_silence() {
  pass
  [[ ! -s $aside/err ]] || fail "something is said on standard error"
}

# The folder holds exactly these files.
expect_files() {
  pass
  local found
  found=$(find . -mindepth 1 -printf '%P\n' | sort | tr '\n' ' ')
  [[ $found == "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" ]] || fail "the folder holds: $found"
}

expect_file() {
  pass
  [[ -s $1 ]] || fail "there is no file $1"
}

expect_no_file() {
  pass
  [[ ! -e $1 ]] || fail "there is a file $1"
}

expect_text() { # FILE TEXT
  pass
  diff <(printf '%s\n' "$2") "$1" > "$aside/diff" && return
  fail "$1 differs (< expected, > found)"
  head -n 20 "$aside/diff"
}

same_bits() {
  pass
  cmp -s "$1" "$2" || fail "$1 and $2 differ"
}

differ() {
  pass
  ! cmp -s "$1" "$2" || fail "$1 and $2 are the same"
}

# near WHAT FOUND EXPECTED TOLERANCE, all plain numbers; the tolerance is absolute.
near() {
  pass
  awk -v found="$2" -v expected="$3" -v tolerance="$4" \
    'BEGIN { d = found - expected; if (d < 0) d = -d; exit !(found != "" && d <= tolerance) }' ||
    fail "$1 is '$2', not $3 (within $4)"
}

# The same up to sign: a component's direction is free.
near_magnitude() { near "$1" "${2#-}" "$3" "$4"; }

# cell FILE ROW COLUMN: of a CSV file without quotes; the header is row 0.
cell() { awk -F , -v row="$2" -v column="$3" 'NR == row + 1 { print $column }' "$1"; }

# json EXPRESSION: of the document on standard output, in Python's terms (d is the document).
have_python() { command -v python3 > /dev/null; }
json() { python3 -c "import json, sys; d = json.load(open('$aside/out')); print(($1))"; }
expect_json() { # EXPRESSION TEXT
  have_python || return 0
  pass
  local found
  found=$(json "$1" 2>&1)
  [[ $found == "$2" ]] || fail "$1 of the document is '$found', not '$2'"
}
json_near() { # EXPRESSION EXPECTED TOLERANCE
  have_python || return 0
  near "$1" "$(json "$1" 2>&1)" "$2" "$3"
}

# A table with seeded numbers: table ROWS COLS > FILE
table() { "$fewdim" generate low-rank-plus-noise -n "$1" --cols "$2" --rank "${3:-3}" --noise 0.1 --seed 1; }

skip() {
  echo "skipped: $1"
  exit 77
}

finish() {
  if [[ $failures -gt 0 ]]; then
    echo "$failures of $checks checks failed"
    exit 1
  fi
  echo "$checks checks passed"
}
