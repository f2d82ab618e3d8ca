#!/usr/bin/env python3
"""How much longer a fit takes from Python than from C++, on the foundation's data.

    bench/python_overhead.py [--quick] [CASE...]

Needs a built library and package (`make test`), and a Python with NumPy and SciPy that the package was built for. C++ and Python
take turns, five fits each in fifteen rounds, or in three where fits are long; who is first changes with the round. Medians are
compared: single fits differ by more than the goal, below 2 %.
"""

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
CASES = ["dense-tall", "dense-wide", "dense-square", "dense-tall-f32", "sparse", "sparse-svd"]
ROUNDS, LONG_ROUNDS, RUNS = 15, 3, 5
LONG = 2.0  # seconds of a fit


def program():
    """bench/fit_time.cpp, compiled where it is older than its source or the library."""
    source, library, target = ROOT / "bench/fit_time.cpp", BUILD / "release", BUILD / "bench-bin/fit_time"
    target.parent.mkdir(parents=True, exist_ok=True)
    newest = max(source.stat().st_mtime, (library / "libfewdim.a").stat().st_mtime)
    if not target.exists() or target.stat().st_mtime < newest:
        flags = subprocess.run(["pkg-config", f"--define-variable=libdir={library}", "--cflags", "--libs", "fewdim-static"],
                               env={**os.environ, "PKG_CONFIG_PATH": str(library)}, check=True, capture_output=True,
                               text=True).stdout.split()
        subprocess.run(["c++", "-std=c++20", "-O2", "-o", target, source, f"-I{ROOT}/include", f"-I{library}/include", *flags],
                       check=True)
    return target


def fit(method, path, k, runs):
    """The same from Python; run in a process of its own, as fit_time is."""
    import numpy as np

    import fewdim

    if path.endswith(".npz"):
        import scipy.sparse

        X = scipy.sparse.load_npz(path)
    else:
        X = np.load(path)
    for _ in range(runs):
        start = time.perf_counter()
        {"pca": fewdim.PCA, "svd": fewdim.TruncatedSVD}[method](n_components=k).fit(X)
        print(f"{time.perf_counter() - start:.6f}")


def seconds(command):
    environment = {**os.environ, "PYTHONPATH": f"{BUILD}/release/python"}
    done = subprocess.run([str(word) for word in command], env=environment, check=True, capture_output=True, text=True)
    return [float(line) for line in done.stdout.split()]


def main():
    if sys.argv[1:2] == ["--fit"]:
        return fit(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", help=f"among {', '.join(CASES)}")
    parser.add_argument("--quick", action="store_true", help="small data, a smoke test: its times mean nothing")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "bench"))
    import cases

    worst = 0.0
    print("| case | C++ | Python | longer by |\n|---|---|---|---|")
    for name in options.cases or CASES:
        case = cases.find(name, "quick" if options.quick else "full")
        if not case.data.exists():
            cases.generate(case)
        ours, theirs = [], []
        for turn in range(ROUNDS):
            if turn >= LONG_ROUNDS and theirs[0] > LONG:
                break
            sides = [(theirs, [program()]), (ours, [sys.executable, __file__, "--fit"])]
            for times, command in sides if turn % 2 == 0 else reversed(sides):
                times += seconds([*command, case.kind, case.data, case.k, RUNS])
        a, b = statistics.median(theirs), statistics.median(ours)
        worst = max(worst, b / a - 1)
        print(f"| {name} | {a:.4f} s | {b:.4f} s | {100 * (b / a - 1):+.1f} % |", flush=True)
    print(f"\nbelow 2 %: {'yes' if worst < 0.02 else 'no'}, {100 * worst:+.1f} % at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
