"""Results as text: one table a case, and bench/RESULTS.md."""
import datetime
import subprocess

PACKAGES = ("numpy", "scipy", "scikit-learn", "scikit-learn-intelex", "faiss-cpu", "gensim", "pandas", "pyarrow", "igraph")


# Columns of some cases.
EXTRA = {
    "rate": ("MB/s", lambda result: f"{result['rate']:.1f}"),
    "terms": ("terms", lambda result: f"{result['terms']:,}"),
    "p50": ("p50 ms", lambda result: f"{1000 * result['p50']:.2f}"),
    "p99": ("p99 ms", lambda result: f"{1000 * result['p99']:.2f}"),
    "steps": ("steps", lambda result: f"{result['steps']}"),
    "step": ("ms a step", lambda result: f"{1000 * result['step']:.1f}"),
    "load": ("load s", lambda result: f"{result['load']:.3f}"),
}


def seconds(value):
    return "" if value is None else f"{value:.4f}" if value < 0.1 else f"{value:.2f}"


def megabytes(value):
    return "" if value is None else f"{value / 1e6:,.0f}"


def error(value):
    return "" if value is None else f"{value:.0e}" if value < 1e-4 else f"{value:.4f}"


def rows(entry):
    csv = any("inexact" in result for result in entry["results"].values())
    extra = [key for key in EXTRA if any(key in result for result in entry["results"].values())]
    errors = [key for key in ("singular", "residual", "variance", "angle", "procrustes", "difference", "affine", "violation", "gap", "index", "most", "filled", "loss")
              if any(key in result for result in entry["results"].values())]
    head = ["contestant", "seconds", "best", "process", "peak MB", "above input MB"]
    head += [EXTRA[key][0] for key in extra]
    head += ["inexact numbers"] if csv else errors
    table = [head]
    order = sorted(entry["results"].items(), key=lambda item: item[1].get("fit", 1e9) if "failed" not in item[1] else 1e9)
    for name, result in order:
        if "failed" in result:
            table.append([name, "failed: " + result["failed"].replace("|", "/")] + [""] * (len(head) - 2))
            continue
        line = [name] + [seconds(result.get(key)) for key in ("fit", "best", "wall")]
        line += [megabytes(result.get(key)) for key in ("peak", "above")]
        line += [EXTRA[key][1](result) if key in result else "" for key in extra]
        line += [f"{result['inexact']:,}" if "inexact" in result else ""] if csv else \
            [error(result.get(key)) for key in errors]
        table.append(line)
    return table


def markdown(table):
    widths = [max(len(line[i]) for line in table if not line[1].startswith("failed") or i == 0) for i in range(len(table[0]))]
    lines = ["| " + " | ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths))) + " |"
             for line in table]
    rule = "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def case_text(name, entry):
    text = f"\n## {name}\n\n{entry['about']}. Best of and median of {entry['repeat']}, {entry['threads']} threads, {entry['date']}.\n\n"
    text += markdown(rows(entry)) + "\n"
    stages = entry["results"].get("fewdim", {}).get("by_stage")
    if stages and len(stages) > 1:
        text += "\nfewdim by stage: " + ", ".join(f"{stage} {seconds(value)} s" for stage, value in stages.items()) + "\n"
    for goal in entry["goals"]:
        text += f"\n- {'reached' if goal['ok'] else '**missed**'}: {goal['goal']}: {goal['reached']}"
    return text + ("\n" if entry["goals"] else "")


def output(*argv):
    try:
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine(python, fewdim):
    """What a reader needs to judge the numbers."""
    with open("/proc/cpuinfo") as file:
        info = file.read()
    cpu = info.split("model name")[1].split(":", 1)[1].splitlines()[0].strip()
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) / 2**20
    packages = output(python, "-c", "from importlib.metadata import version\nfor p in " + repr(PACKAGES) + ": print(p, version(p), end=', ')")
    r = output("Rscript", "-e", "cat(R.version.string); for (p in c('irlba', 'RSpectra', 'data.table')) if (requireNamespace(p, quietly = TRUE)) "
               "cat('', p, format(packageVersion(p)))")
    commit = output("git", "rev-parse", "--short", "HEAD") + (" with changes" if output("git", "status", "--porcelain", "-uno") else "")
    return [("machine", f"{cpu}, {info.count('processor' + chr(9))} cores, {memory:.0f} GiB"),
            ("system", output("uname", "-sr")),
            ("fewdim", (output(fewdim, "--version") if fewdim else "not built") + f", commit {commit}"),
            ("python", output(python, "--version") + ": " + packages.rstrip(", ")),
            ("R", r or "not there")]


def document(store, facts, architecture):
    text = "# Results\n\nMade by `bench/run`; do not edit. How it is measured: [README.md](README.md).\n\n"
    text += "\n".join(f"- {name}: {value}" for name, value in facts)
    text += f"\n- written: {datetime.date.today().isoformat()}\n"
    missed = [(name, goal) for name, entry in store.items() for goal in entry["goals"] if not goal["ok"]]
    reached = sum(goal["ok"] for entry in store.values() for goal in entry["goals"])
    text += f"- goals: {reached} reached, {len(missed)} missed\n"
    for name, entry in store.items():
        text += case_text(name, entry)
    text += "\n## Commands\n\n"
    for name, entry in store.items():
        text += f"{name}:\n```\n" + "\n".join(result["command"] for result in entry["results"].values() if "command" in result) + "\n```\n"
    return text
