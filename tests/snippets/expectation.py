"""Expected output: text in which … stands for what changes from run to run."""

import difflib
import re

ANY = "…"

# What --update writes as … in lines that are new: times, dates, threads, peak memory.
VOLATILE = [
    (re.compile(r"\b\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ?)?"), ANY),
    (re.compile(r"\b\d+(\.\d+)?(e[-+]?\d+)? (s|ms|µs|seconds?|minutes?)\b"), ANY + r" \3"),
    (re.compile(r"\b\d+ threads?\b"), ANY + " threads"),
    (re.compile(r"\bpeak( memory)?:? [\d.]+ [KMGT]?i?B\b"), r"peak\1 " + ANY),
]


def lines_of(text):
    return [line.rstrip() for line in text.rstrip().splitlines()]


def matches(expected, output):
    pattern = ""
    for line in lines_of(expected):
        pattern += r"(?:[^\n]*\n)*?" if line.strip() == ANY else line_pattern(line) + "\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines_of(output))) is not None


def line_pattern(line):
    return r"[^\n]*".join(re.escape(part) for part in line.split(ANY))


def line_matches(expected, line):
    return re.fullmatch(line_pattern(expected), line) is not None


def show_difference(expected, output):
    """What was expected against what came, where lines that agree through a … count as the same."""
    there = lines_of(output)
    wanted = list(lines_of(expected))
    for index, line in enumerate(wanted):
        if ANY in line and line.strip() != ANY:
            wanted[index] = next((actual for actual in there if line_matches(line, actual)), line)
    difference = list(difflib.unified_diff(wanted, there, "expected", "printed", lineterm="", n=2))
    return "\n".join("    " + line for line in difference[:80])


def merge(expected, output, folder):
    """The output as an expectation: lines that still fit keep their …, new lines get … for what is volatile."""
    wanted, there = lines_of(expected), lines_of(output)

    # kept[i][j]: the best score of wanted[i:] in front of there[j:]; 2 for a line that stays, 1 for one under a lone ….
    kept = [[0] * (len(there) + 1) for _ in range(len(wanted) + 1)]

    def steps(i, j):
        yield kept[i][j + 1], "new"
        yield kept[i + 1][j], "drop"
        if wanted[i].strip() == ANY:
            yield kept[i][j + 1] + 1, "absorb"
        elif line_matches(wanted[i], there[j]):
            yield kept[i + 1][j + 1] + 2, "keep"

    for i in reversed(range(len(wanted))):
        for j in reversed(range(len(there))):
            kept[i][j] = max(score for score, _ in steps(i, j))

    result, i, j, absorbing = [], 0, 0, False
    while j < len(there):
        step = max(steps(i, j))[1] if i < len(wanted) else "new"
        if step == "new":
            result.append(soften(there[j], folder))
        elif step == "keep" or (step == "absorb" and not absorbing):
            result.append(wanted[i])
        absorbing = step == "absorb"
        i += step in ("keep", "drop")
        j += step != "drop"
    return "".join(line + "\n" for line in result)


def soften(line, folder):
    line = line.replace(str(folder), ANY)
    for pattern, replacement in VOLATILE:
        line = pattern.sub(replacement, line)
    return line
