"""Run the benchmarks: every contestant in a process of its own, in turns, judged by check.py.

This process measures the others, so it stays small: the standard library only (a child's peak memory counts its
parent's size at the fork).
"""
import argparse
import datetime
import functools
import json
import math
import os
import select
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import cases
import goals
import report

BENCH = Path(__file__).resolve().parent
BUILD = cases.ROOT / "build"
BLAS = os.environ.get("FEWDIM_BENCH_BLAS", "")
AVX512 = "avx512vl" in Path("/proc/cpuinfo").read_text()
SLOW = 100  # seconds; slower contestants are run once


def environment(threads):
    """The same number of threads for everyone. Only the locale and the paths are taken from outside."""
    names = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMEXPR")
    keep = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return keep | {f"{name}_NUM_THREADS": str(threads) for name in names} | {
        "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "R_DATATABLE_NUM_THREADS": str(threads)}


def kernel(name):
    """OpenBLAS with a kernel of our choice: for the raw limit and R only. fewdim has to find its own."""
    return {"OPENBLAS_CORETYPE": name} if name else {}


def command(case, contestant, options, out):
    """Argument list and extra environment of a contestant."""
    name, _, setting = contestant.partition(":")
    data, k, threads = str(case.data), str(case.shape[2] if len(case.shape) > 2 else 0), str(options.threads)
    if case.kind in cases.TEXTS:
        return text_command(case, contestant, options, out), {}
    if name == "fewdim" and case.kind == "csv":
        return [options.fewdim, "convert", data, str(out / "values.npy"), "--threads", threads, "--json", "--force"], {}
    if name == "fewdim" and case.kind == "pagerank":
        return [options.fewdim, "pagerank", data, "-n", "0", "-o", str(out / "scores.npy"), "--threads", threads, "--json"], {}
    if name == "fewdim" and case.kind == "als":  # a rough tolerance: what counts is a sweep
        return [options.fewdim, "complete", data, "-k", k, "--ridge", "0.1", "--tolerance", "3e-3", "--threads", threads, "--json"], {}
    if name == "fewdim" and case.kind == "ica":
        return [options.fewdim, "ica", data, "-k", k, "--algorithm", setting or "fastica", "-o", str(out / "values.npy"), "--threads", threads, "--json"], {}
    if name == "fewdim" and case.kind == "nmf":
        return [options.fewdim, "nmf", data, "-k", k, "-o", str(out / "values.npy"), "--right", str(out / "right.npy"), "--threads", threads, "--json",
                *(["--tolerance", setting] if setting else [])], {}
    if name == "fewdim" and case.kind == "projection":
        return [options.fewdim, "random-projection", data, "-k", k, "--kind", setting or "gaussian", "-o", str(out / "values.npy"), "--threads", threads,
                "--json"], {}
    if name == "fewdim" and case.kind == "kernel-transform":
        return [options.fewdim, "transform", str(prepared_model(case, options)), data, "-o", str(out / "values.npy"), "--threads", threads,
                "--json"], {}
    if name == "fewdim" and case.kind in cases.EMBEDDINGS:
        return [options.fewdim, *embedding_verb(case, k), data, "--threads", threads, "--json", "-m", str(out / "model.fewdim"),
                *case.fewdim, *(["--storage", setting] if setting else [])], {}
    if name == "cmdscale":
        return ["Rscript", str(BENCH / "cmdscale.R"), str(BENCH), data, k, str(out)], {"LD_LIBRARY_PATH": BLAS} | kernel(AVX512 and "SkylakeX")
    if name == "fewdim":
        return [options.fewdim, case.kind, data, "-k", k, "--threads", threads, "--json", "-m", str(out / "model.fewdim"),
                "--force", *case.fewdim, *(["--tolerance", setting] if setting else [])], {}
    if name.startswith("raw-") and name != "raw-copy":
        return [str(BUILD / "bench-bin" / "raw_limit"), data, k, name.removeprefix("raw-"), str(out)], kernel(setting)
    if name == "irlba":
        centered = "centered" if case.kind == "pca" else "raw"
        return ["Rscript", str(BENCH / "irlba.R"), str(BENCH), data, k, str(out), setting, centered], {"LD_LIBRARY_PATH": BLAS} | kernel(AVX512 and "SkylakeX")
    if name == "rspectra":
        return ["Rscript", str(BENCH / "rspectra.R"), str(BENCH), data, k, str(out), setting], {"LD_LIBRARY_PATH": BLAS} | kernel(AVX512 and "SkylakeX")
    if name == "fread":
        return ["Rscript", str(BENCH / "fread.R"), str(BENCH), data, threads, str(out)], {}
    train = [str(case.train)] if case.kind == "kernel-transform" else []
    return [sys.executable, str(BENCH / "peers.py"), contestant, data, k, threads, str(out), *train], {}


def text_command(case, contestant, options, out):
    threads = ["--threads", str(options.threads)]
    if case.kind == "words" and contestant.startswith("fewdim"):
        # What TfidfVectorizer does; or what `lsi` does when nothing is said: stems, log-entropy, texts packed for snippets.
        same = [] if contestant == "fewdim:defaults" else ["--language", "english", "--no-stems", "--weighting", "tf-idf", "--no-keep-texts"]
        return [options.fewdim, "lsi", str(case.data), "--format", "lines", "-k", "2", "--tolerance", "0.01", *same, *threads, "--json"]
    if case.kind == "words":
        return [sys.executable, str(BENCH / "peers.py"), contestant, str(case.data), "0", str(options.threads), str(out)]
    queries = case.data.with_suffix(".queries")
    if contestant == "fewdim":
        return [str(BUILD / "bench-bin" / "query_latency"), str(index(case)), str(queries), str(options.threads)]
    if contestant == "fewdim:cold":
        with open(queries) as file:
            return [options.fewdim, "search", str(index(case)), file.readline().strip(), *threads, "--json"]
    return [sys.executable, str(BENCH / "peers.py"), contestant, str(index(case)), str(case.shape[1]), str(options.threads), str(out)]


def index(case):
    return case.data.with_suffix(".fewdim")


def make_index(case, options):
    """The index that is searched; making it is not measured. Anew for another program."""
    made = index(case)
    if options.fewdim is None or (made.exists() and made.stat().st_mtime > os.stat(options.fewdim).st_mtime):
        return
    print(f"bench: {case.name}: making the index", flush=True)
    subprocess.run([options.fewdim, "lsi", str(case.data), "--format", "lines", "-k", str(case.k), "--threads", str(options.threads), "-m", str(made),
                    "--force", "--quiet"], check=True)


def embedding_verb(case, k):
    """The method with the parameters that its peers have, too."""
    gamma = str(0.25 / case.shape[1])  # as embedding_cases.gamma()
    return {"isomap": ["isomap", "-k", k, "--neighbors", "10"],
            "kernel-pca": ["kernel-pca", "-k", k, "--gamma", gamma],
            "mds": ["mds", "-k", k, "--metric", "precomputed"],
            # Of this only the stage "neighbors" is counted.
            "neighbors": ["isomap", "-k", "2", "--neighbors", k, "--search", "products", "--landmarks", "20", "--choice", "random",
                          "--disconnected", "largest"],
            "laplacian": ["laplacian", "-k", k, "--neighbors", "12", "--weights", "binary"],
            "mvu": ["mvu", "-k", k, "--neighbors", "6"]}.get(case.kind, [case.kind, "-k", k, "--neighbors", "12"])


def prepared_model(case, options):
    """A fitted model to place new rows with; the fit is not measured."""
    train = cases.find("kernel-pca", case.size)
    model = case.data.with_name("kernel-pca.fewdim")
    make_data(train)
    subprocess.run([options.fewdim, *embedding_verb(train, str(train.k)), str(train.data), "-m", str(model), "--force", "--quiet"],
                   check=True)
    return model


def private_bytes(pid):
    """Memory of the process alone: without mapped files, which the system can drop at any time."""
    try:
        with open(f"/proc/{pid}/status") as status:
            return next((int(line.split()[1]) * 1024 for line in status if line.startswith("RssAnon")), 0)
    except OSError:
        return 0


def watch(argv, env, out, timeout):
    """Run to the end; seconds, peak memory, exit status. It looks four times a second only: looking takes a core from whoever uses all of them."""
    with open(out / "stdout", "wb") as stdout, open(out / "stderr", "wb") as stderr:
        start = time.perf_counter()
        child = subprocess.Popen(argv, env=env, stdout=stdout, stderr=stderr, cwd=out)
        private = pid = 0
        end = os.pidfd_open(child.pid)
        try:
            while not pid:
                if not select.select([end], [], [], 0.25)[0]:
                    private = max(private, private_bytes(child.pid))
                    if time.perf_counter() - start > timeout:
                        child.kill()
                    continue
                wall = time.perf_counter() - start
                pid, status, usage = os.wait4(child.pid, 0)
        finally:
            os.close(end)
            if not pid:  # we are being stopped: take the child along
                child.kill()
    child.returncode = os.waitstatus_to_exitcode(status)
    return {"wall": wall, "peak": usage.ru_maxrss * 1024, "private": private, "process_cpu": usage.ru_utime + usage.ru_stime,
            "exit": child.returncode}


def run_once(case, contestant, options):
    out = BUILD / "bench-out" / case.size / case.name / contestant.replace(":", "-")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    source = index(case) if case.kind == "query" else case.data
    warm(source)
    argv, extra = command(case, contestant, options, out)
    run = watch(argv, environment(options.threads) | extra, out, options.timeout)
    run |= {"out": str(out), "input": source.stat().st_size, "command": " ".join(argv).replace(str(cases.ROOT) + "/", "")}
    if run["exit"] != 0:
        lines = (out / "stderr").read_text(errors="replace").strip().splitlines()
        return run | {"failed": "over the time limit" if run["wall"] > options.timeout else (lines or [f"exit status {run['exit']}"])[-1][:200]}
    try:
        if case.kind in cases.TEXTS:
            return run | timing_text(case, contestant, run, out)
        return run | (timing_fewdim(case, out) if contestant.split(":")[0] == "fewdim" else timing_peer(run, out))
    except (OSError, ValueError, KeyError) as error:
        return run | {"failed": f"no timing: {error!r}"[:200]}


def timing_fewdim(case, out):
    document = json.loads((out / "stdout").read_text())
    seconds = document["seconds"]
    # A stream is read inside the fit by everyone; for csv the reading is the work.
    stages = {"csv": ("read",), "streaming": ("read", "fit"), "kernel-transform": ("transform",)}.get(case.name, ("fit",))
    if case.kind == "neighbors":
        return {"fit": document["fit_seconds"]["neighbors"], "stages": document["fit_seconds"]}
    if case.kind == "pagerank":
        return {"fit": seconds["rank"], "stages": seconds, "by_stage": seconds, "sweeps": document["sweeps"]}
    if case.kind == cases.MISSING:
        return {"fit": seconds["fit"], "stages": seconds, "by_stage": document["fit_seconds"], "steps": document["certificate"]["iterations"]}
    if case.kind == "als":
        sweeps = document["certificate"]["iterations"] + 1
        return {"fit": document["fit_seconds"]["als"], "stages": seconds, "by_stage": document["fit_seconds"], "sweeps": sweeps, "users": document["shape"]["rows"],
                "own_peak": document.get("peak_bytes")}
    own = document.get("residuals")
    if case.kind in cases.PROJECTIONS:  # as the peers' fit_transform
        stages = ("fit", "transform")
    return {"fit": sum(seconds[stage] for stage in stages), "project": seconds.get("transform", 0.0), "stages": seconds, "by_stage": document.get("fit_seconds"),
            "own_peak": document.get("peak_bytes"),
            "own_residual": max(own) if own else None}


def timing_text(case, contestant, run, out):
    if not contestant.startswith("fewdim"):
        timing = timing_peer(run, out)
    elif contestant == "fewdim" and case.kind == "query":
        timing = json.loads((out / "stdout").read_text())
    else:
        document = json.loads((out / "stdout").read_text())
        if case.kind == "query":
            return {"fit": run["wall"], "load": document["seconds"]["load"]}
        # Reading, counting, weighting, and the postings for the term match.
        timing = {"fit": document["fit_seconds"]["words"], "terms": int(document["diagnostics"]["terms"])}
    if case.kind == "query":
        each = sorted(timing.pop("each"))
        timing |= {"fit": statistics.median(each), "p50": statistics.median(each), "p99": each[math.ceil(0.99 * len(each)) - 1]}
    return timing


def timing_peer(run, out):
    timing = json.loads((out / "timing.json").read_text())
    timing["fit"] = timing.pop("seconds")
    return timing


def warm(path):
    """Into the page cache, for everyone."""
    buffer = bytearray(1 << 20)
    with open(path, "rb", buffering=0) as file:
        while file.readinto(buffer):
            pass


def run_startup(options):
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, 1), (os.POSIX_SPAWN_DUP2, null, 2)]
    times = []
    for _ in range(50):
        start = time.perf_counter()
        pid = os.posix_spawn(options.fewdim, [options.fewdim, "--help"], environment(options.threads), file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        times.append(time.perf_counter() - start)
    os.close(null)
    result = {"fit": statistics.median(times), "best": min(times), "runs": len(times), "peak": usage.ru_maxrss * 1024, "input": 0,
              "command": "fewdim --help"}
    return {"fewdim": result if status == 0 else result | {"failed": f"exit status {status}"}}


def combine(runs):
    """One result of several runs: median and best seconds, the highest memory."""
    good = [run for run in runs if "failed" not in run]
    if not good:
        return runs[-1]
    result = good[-1] | {"runs": len(good), "best": min(run["fit"] for run in good), "all": [run["fit"] for run in good]}
    for key in ("fit", "project", "wall", "syrk", "syevr", "back", "p50", "p99", "load"):
        if key in result:
            result[key] = statistics.median(run[key] for run in good)
    for key in ("peak", "private"):
        result[key] = max(run[key] for run in good)
    if "steps" in result:
        result["step"] = result["fit"] / result["steps"]
    if "terms" in result:
        result["rate"] = result["input"] / result["fit"] / 1e6
    result["above"] = max(run["peak"] - run.get("rss_loaded", run["input"]) for run in good)
    return result


def judge(case, results):
    judged = [name for name in results if "failed" not in results[name] and not name.startswith(("raw-", "sgemm"))]
    if not judged or case.kind in cases.TEXTS:
        return
    outs = [results[name]["out"] for name in judged]
    done = subprocess.run([sys.executable, str(BENCH / "check.py"), case.size, case.name, *outs], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"bench: the check of {case.name} failed")
    for name, errors in zip(judged, json.loads(done.stdout)):
        if "wrong" in errors:
            results[name]["failed"] = errors["wrong"]
        results[name] |= errors


def make_data(case):
    if case.data.exists():
        return
    print(f"bench: {case.name}: making the data", flush=True)
    subprocess.run([sys.executable, str(BENCH / "cases.py"), case.size, case.name], check=True)


def run_case(case, options):
    if case.kind == "startup":
        return run_startup(options)
    make_data(case)
    if case.kind == "query":
        make_index(case, options)
    contestants = [name for name in case.contestants if takes_part(name, options)]
    runs = {name: [] for name in contestants}
    for turn in range(options.repeat):
        for name in contestants if turn % 2 == 0 else reversed(contestants):
            if runs[name] and ("failed" in runs[name][-1] or runs[name][-1]["wall"] > SLOW):
                continue
            run = run_once(case, name, options)
            runs[name].append(run)
            print(f"  {case.name} {name}: {run.get('failed') or format(run['fit'], '.3f') + ' s'}", flush=True)
    results = {name: combine(some) for name, some in runs.items()}
    judge(case, results)
    return results


def takes_part(name, options):
    if name.split(":")[0] == "fewdim":
        return options.fewdim is not None
    if options.only and not any(name.startswith(prefix) for prefix in options.only):
        return False
    if name.endswith(":SkylakeX") and not AVX512:
        return False
    if name.startswith("rspectra"):
        return has_rspectra()
    return name.split(":")[0] not in ("irlba", "fread", "cmdscale") or shutil.which("Rscript") is not None


@functools.cache
def has_rspectra():
    test = ["Rscript", "-e", "library(RSpectra)"]
    return shutil.which("Rscript") is not None and subprocess.run(test, capture_output=True).returncode == 0


def reach(case, results, store):
    if "fewdim" not in results or "failed" in results["fewdim"]:
        return []
    found = []
    for goal in case.goals:
        try:
            found.append(getattr(goals, goal)(case, results, lambda name: store.get(name, {}).get("results")))
        except (KeyError, StopIteration, ValueError):
            found.append(goals.verdict(goal, "not measured: a peer is missing", False))
    return found


def parse():
    names = [case.name for case in cases.CASES]
    parser = argparse.ArgumentParser(prog="bench/run", description="Measure fewdim and its peers. Cases: " + " ".join(names))
    parser.add_argument("cases", nargs="*", metavar="CASE", help="only these (all when none is named); 'dense' means dense-*")
    parser.add_argument("--quick", action="store_true", help="small data: a smoke test, its times mean nothing")
    parser.add_argument("--repeat", type=int, help="runs of each contestant (3, with --quick 1)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=1800, help="seconds for one run")
    parser.add_argument("--only", nargs="+", metavar="PREFIX", help="only these peers, besides fewdim")
    parser.add_argument("--fewdim", default=str(BUILD / "release" / "bin" / "fewdim"), help="the program to measure")
    options = parser.parse_args()
    for name in options.cases:
        if name not in names and name != "dense":
            parser.error(f"no case {name!r}; there are: {' '.join(names)}")
    if "dense" in options.cases:
        options.cases += [name for name in names if name.startswith("dense-")]
    options.repeat = options.repeat or (1 if options.quick else 3)
    options.fewdim = os.path.abspath(options.fewdim)
    if not os.access(options.fewdim, os.X_OK):
        print(f"bench: no program at {options.fewdim}; peers only", file=sys.stderr)
        options.fewdim = None
    return options


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that `finally` is reached
    options = parse()
    size = "quick" if options.quick else "full"
    folder = BUILD / "bench-results" / size
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [case.at(size) for case in cases.CASES if not options.cases or case.name in options.cases]
    ok = True
    for case in chosen:
        if case.kind == "startup" and options.fewdim is None:
            continue
        results = run_case(case, options)
        store = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
        entry = {"about": case.about(), "date": datetime.date.today().isoformat(), "repeat": options.repeat, "threads": options.threads,
                 "machine": report.processor(), "commit": report.commit(), "load": os.getloadavg()[0], "results": results, "goals": reach(case, results, store)}
        (folder / f"{case.name}.json").write_text(json.dumps(entry, indent=1))
        print(report.case_text(case.name, entry), flush=True)
        ok &= not any("failed" in result for name, result in results.items() if name == "fewdim")
    target = folder / "RESULTS.md" if options.quick else BENCH / "RESULTS.md"
    store = {case.name: json.loads((folder / f"{case.name}.json").read_text()) for case in cases.CASES
             if (folder / f"{case.name}.json").exists()}
    previous = target.read_text() if target.exists() else ""
    target.write_text(report.document([case.name for case in cases.CASES], store, report.machine(sys.executable, options.fewdim), previous))
    print(f"bench: {target.relative_to(cases.ROOT)}")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
