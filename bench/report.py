"""Results as text: one table a case, and bench/RESULTS.md."""
import datetime
import re
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
    where = "".join(f", {entry[fact]}" for fact in ("machine", "commit") if fact in entry)
    text = f"\n## {name}\n\n{entry['about']}. Best of and median of {entry['repeat']}, {entry['threads']} threads, {entry['date']}{where}.\n\n"
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


def processor():
    with open("/proc/cpuinfo") as file:
        return file.read().split("model name")[1].split(":", 1)[1].splitlines()[0].strip()


def commit():
    return "commit " + output("git", "rev-parse", "--short", "HEAD") + (" with changes" if output("git", "status", "--porcelain", "-uno") else "")


def machine(python, fewdim):
    """What a reader needs to judge the numbers."""
    with open("/proc/cpuinfo") as file:
        info = file.read()
    with open("/proc/meminfo") as file:
        memory = int(file.readline().split()[1]) / 2**20
    packages = output(python, "-c", "from importlib.metadata import version\nfor p in " + repr(PACKAGES) + ": print(p, version(p), end=', ')")
    r = output("Rscript", "-e", "cat(R.version.string); for (p in c('irlba', 'RSpectra', 'data.table')) if (requireNamespace(p, quietly = TRUE)) "
               "cat('', p, format(packageVersion(p)))")
    return [("machine", f"{processor()}, {info.count('processor' + chr(9))} cores, {memory:.0f} GiB"),
            ("system", output("uname", "-sr")),
            ("fewdim", (output(fewdim, "--version") if fewdim else "not built") + f", {commit()}"),
            ("python", output(python, "--version") + ": " + packages.rstrip(", ")),
            ("R", r or "not there")]


def kept(previous):
    """Tables and commands of cases that were measured elsewhere, by their names, from the document that is there."""
    if not previous:
        return {}, {}
    tables, _, commands = previous.partition("\n## Commands\n")
    head, *sections = re.split(r"^## ", tables, flags=re.MULTILINE)
    machine = re.search(r"^- machine: ([^,]*)", head, re.MULTILINE).group(1)
    found = {}
    for section in sections:
        # Written before a case said where it was measured.
        section = re.sub(r"( threads, \d{4}-\d\d-\d\d)\.\n", rf"\1, {machine}.\n", section, count=1)
        found[section.split("\n", 1)[0]] = "\n## " + section.rstrip("\n") + "\n"
    return found, dict(re.findall(r"^(\S+):\n(```\n.*?\n```\n)", commands, re.MULTILINE | re.DOTALL))


def document(names, store, facts, previous):
    """All cases that were ever measured, those of this machine anew."""
    tables, commands = kept(previous)
    tables |= {name: case_text(name, entry) for name, entry in store.items()}
    commands |= {name: "```\n" + "\n".join(result["command"] for result in entry["results"].values() if "command" in result) + "\n```\n"
                 for name, entry in store.items()}
    body = "".join(tables[name] for name in names if name in tables)
    text = "# Results\n\nMade by `bench/run`; do not edit. How it is measured: [README.md](README.md). A case says when and where it was measured last; this is about the latest.\n\n"
    text += "\n".join(f"- {name}: {value}" for name, value in facts)
    text += f"\n- written: {datetime.date.today().isoformat()}\n"
    text += f"- goals: {body.count(chr(10) + '- reached: ')} reached, {body.count(chr(10) + '- **missed**: ')} missed\n"
    return text + body + "\n## Commands\n\n" + "".join(f"{name}:\n{commands[name]}" for name in names if name in commands)
