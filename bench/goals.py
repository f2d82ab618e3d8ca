"""The goals of a case: each function takes the case's results by contestant and says what was aimed at and reached.

A result is a dict with fit, wall (seconds, median), peak (bytes), residual, angle, ... ; see suite.py.
"""
import math


def equal(results, name):
    """As accurate as fewdim: a residual of the same order, or at the level of rounding."""
    return results[name].get("residual", 1) <= max(10 * results["fewdim"]["residual"], 1e-13)


def fastest(results, prefix):
    names = [name for name in results if name.startswith(prefix) and "failed" not in results[name] and equal(results, name)]
    return min(names, key=lambda name: results[name]["fit"]) if names else None


def verdict(goal, reached, ok):
    return {"goal": goal, "reached": reached, "ok": bool(ok)}


def raw(case, results, others):
    name = min((n for n in results if n.startswith("raw-") and "failed" not in results[n]), key=lambda n: results[n]["fit"])
    limit, fit = results[name], results["fewdim"]["fit"]
    ratio = fit / limit["fit"]
    text = f"{ratio:.2f}x ({fit:.2f} s; syrk {limit['syrk']:.2f} s + syevr {limit['syevr']:.2f} s, {limit['core']} kernel)"
    if limit["back"]:
        text += f"; {fit / (limit['fit'] + limit['back']):.2f}x with the back product ({limit['back']:.2f} s) counted"
    return verdict("within 1.2x of the raw limit", text, ratio <= 1.2)


def speedup(results, prefix, factor, goal):
    name = fastest(results, prefix)
    if name is None:
        return verdict(goal, f"not measured: no {prefix}* of equal accuracy to compare with", False)
    ratio = results[name]["fit"] / results["fewdim"]["fit"]
    return verdict(goal, f"{ratio:.1f}x ({name}: {results[name]['fit']:.2f} s, residual {results[name]['residual']:.0e}; "
                         f"fewdim: {results['fewdim']['fit']:.2f} s, residual {results['fewdim']['residual']:.0e})", ratio >= factor)


def sklearn(case, results, others):
    return speedup(results, "sklearn-", 3, "3x faster than the fastest scikit-learn solver of equal accuracy")


def svds(case, results, others):
    """Against fewdim at the tolerance that svds reaches: equal or smaller error."""
    tight = next((name for name in results if name.startswith("fewdim:") and "failed" not in results[name]), "fewdim")
    return speedup(results | {"fewdim": results[tight]}, "svds-", 8, "8x faster than the fastest SciPy svds of equal accuracy")


def isomap(case, results, others):
    goal = "20x faster than scikit-learn with a quarter of its memory, and no larger error against the true sheet"
    mine, theirs = results["fewdim"], results["sklearn-isomap:auto"]
    speed, memory = theirs["fit"] / mine["fit"], mine["peak"] / theirs["peak"]
    single = results.get("fewdim:float32", {})
    more = f"; float32: {theirs['fit'] / single['fit']:.1f}x, {single['peak'] / theirs['peak']:.2f} of the memory" if "fit" in single else ""
    return verdict(goal, f"{speed:.1f}x, {memory:.2f} of the memory, error {mine['procrustes']:.5f} against {theirs['procrustes']:.5f}{more}",
                   speed >= 20 and memory <= 0.25 and mine["procrustes"] <= theirs["procrustes"] * (1 + 1e-6))


def landmarks(case, results, others):
    peak = results["fewdim"]["peak"]
    return verdict("100,000 points with 1,000 landmarks in 4 GB", f"{peak / 1e9:.2f} GB", peak <= 4e9)


def kernel(case, results, others):
    return speedup(results, "sklearn-kernel", 4, "4x faster than the fastest scikit-learn solver of equal accuracy")


def kernel_transform(case, results, others):
    mine, theirs = results["fewdim"], results["sklearn-kernel-transform:arpack"]
    ratio = theirs["fit"] / mine["fit"]
    return verdict("3x faster than scikit-learn", f"{ratio:.1f}x (off by {mine['difference']:.0e} and {theirs['difference']:.0e})", ratio >= 3)


def mds(case, results, others):
    mine, theirs = results["fewdim"], results["numpy-mds"]
    ratio = theirs["fit"] / mine["fit"]
    text = f"{ratio:.1f}x as fast (residuals {mine['residual']:.0e} and {theirs['residual']:.0e})"
    if "fit" in results.get("cmdscale", {}):
        text += f"; R's cmdscale takes {results['cmdscale']['fit'] / mine['fit']:.0f} times as long"
    return verdict("no slower than NumPy's double centering with ARPACK", text, ratio >= 1)


def neighbors(case, results, others):
    """All pairs count once each way, as the products of the limit do; by symmetry half of them are computed."""
    share = results["sgemm"]["fit"] / results["fewdim"]["fit"]
    return verdict("60 % of the rate of sgemm, all pairs counted", f"{100 * share:.0f} % ({results['sgemm']['fit']:.2f} s for the products alone)",
                   share >= 0.6)


def five(case, results, others):
    return speedup(results, "sklearn-", 5, "5x faster than scikit-learn of equal residual")


def ten(case, results, others):
    return speedup(results, "sklearn-", 10, "10x faster than scikit-learn of equal residual")


def hessian(case, results, others):
    """Its residual is not ours: scikit-learn's matrix is that of LTSA. The error against the true sheet counts."""
    mine, theirs = results["fewdim"], results["sklearn-lle:hessian"]
    ratio = theirs["fit"] / mine["fit"]
    return verdict("10x faster than scikit-learn, and no larger error against the true sheet",
                   f"{ratio:.1f}x, affine error {mine['affine']:.5f} against {theirs['affine']:.5f}",
                   ratio >= 10 and mine["affine"] <= theirs["affine"])


def minute(case, results, others):
    mine = results["fewdim"]
    return verdict("100,000 points in 60 s", f"{mine['fit']:.2f} s, {mine['peak'] / 1e9:.2f} GB, residual {mine['residual']:.0e}", mine["fit"] <= 60)


def unfolds(case, results, others):
    mine = results["fewdim"]
    gap = "none" if mine.get("gap") is None else f"{mine['gap']:.0e}"
    return verdict("distances of neighbors within 1e-5, and a certificate",
                   f"violation {mine['violation']:.0e}, certified gap {gap}, affine error {mine['affine']:.4f}, {mine['fit']:.2f} s",
                   mine["violation"] <= 1e-5 and mine.get("gap") is not None)


def two_minutes(case, results, others):
    return verdict("2,000 points in two minutes", f"{results['fewdim']['fit']:.1f} s", results["fewdim"]["fit"] <= 120)


def ranking(case, results, others):
    """Both peers, built and loaded before their clocks start."""
    mine = results["fewdim"]
    ratios = {name: results[name]["fit"] / mine["fit"] for name in ("igraph-pagerank", "scipy-pagerank") if "fit" in results.get(name, {})}
    text = ", ".join(f"{name} {ratio:.1f}x (residual {results[name]['residual']:.0e})" for name, ratio in ratios.items())
    return verdict("3x faster than igraph and SciPy", f"{text}; fewdim {mine['fit']:.2f} s, {mine['sweeps']} sweeps, residual {mine['residual']:.0e}",
                   len(ratios) == 2 and min(ratios.values()) >= 3)


def links_read(case, results, others):
    mine = results["fewdim"]
    speed = mine["input"] / mine["stages"]["read"] / 1e6
    return verdict("edge list read at 100 MB/s a core", f"{speed:.0f} MB/s on 2 threads, the graph built", speed >= 200)


def bandwidth(case, results, others):
    """What a sweep must move over what a plain copy moves in the same time."""
    moved = 4 * results["fewdim"]["links"] + 32 * results["fewdim"]["vertices"]
    sweep = results["fewdim"]["fit"] / results["fewdim"]["sweeps"]
    share = moved / sweep / (2 * 2**29 / results["raw-copy"]["best"])
    return verdict("share of the memory bandwidth stated", f"{100 * share:.0f} % of a copy's ({moved / 1e6:.0f} MB in {1000 * sweep:.1f} ms a sweep)", True)


def sweeps(case, results, others):
    """A sweep over what its arithmetic takes at the speed of a large matrix product."""
    import ratings

    mine = results["fewdim"]
    sweep, limit = mine["fit"] / mine["sweeps"], ratings.flops(case, mine["users"]) * results["gemm-rate"]["best"] / 5.4e10
    return verdict("seconds per sweep, and against the arithmetic limit stated",
                   f"{sweep:.2f} s a sweep ({mine['sweeps']} sweeps), {sweep / limit:.1f}x the arithmetic limit ({limit:.2f} s)", True)


def ratings_read(case, results, others):
    mine = results["fewdim"]
    speed = mine["input"] / mine["stages"]["read"] / 1e6
    return verdict("lines of ratings read at 100 MB/s", f"{speed:.0f} MB/s on 2 threads, the rows built", speed >= 100)


def memory(case, results, others):
    ratio = results["fewdim"]["peak"] / results["fewdim"]["input"]
    return verdict("peak memory below twice the input", f"{ratio:.2f}x", ratio < 2)


def incremental(case, results, others):
    # Streams are read while they are fitted: the whole of reading and fitting counts, on both sides.
    names = [name for name in results if name.startswith("incremental") and "failed" not in results[name]]
    name = min(names, key=lambda n: results[n]["fit"])
    mine, theirs = results["fewdim"], results[name]
    ratio = theirs["fit"] / mine["fit"]
    return verdict("8x faster than IncrementalPCA, exact where that is not",
                   f"{ratio:.1f}x ({name}: {theirs['fit']:.2f} s, residual {theirs['residual']:.0e}; fewdim: {mine['fit']:.2f} s, "
                   f"residual {mine['residual']:.0e})", ratio >= 8 and mine["residual"] < 1e-8)


def limit(case, results, others):
    peak = results["fewdim"]["peak"]
    return verdict("peak memory within --memory-limit 256M", f"{peak / 2**20:.0f} MiB", peak <= 256 * 2**20)


def single(case, results, others):
    double = others(case.name.removesuffix("-f32"))
    if not double or "fit" not in double.get("fewdim", {}):
        return verdict("1.6x faster than float64", "float64 was not run", False)
    ratio = double["fewdim"]["fit"] / results["fewdim"]["fit"]
    return verdict("1.6x faster than float64",
                   f"{ratio:.2f}x (residual {results['fewdim']['residual']:.0e}, float64 {double['fewdim']['residual']:.0e})", ratio >= 1.6)


def exact(case, results, others):
    mine = results["fewdim"]
    return verdict("every number the same bits as NumPy's", f"{mine['inexact']:,} of {mine['numbers']:,} differ", mine["inexact"] == 0)


def fread(case, results, others):
    if "fit" not in results.get("fread", {}):
        return verdict("faster than data.table::fread", "fread was not run", False)
    ratio = results["fread"]["fit"] / results["fewdim"]["fit"]
    return verdict("faster than data.table::fread", f"{ratio:.2f}x ({results['fread']['inexact']:,} of fread's numbers differ)", ratio > 1)


def lsi_svd(case, results, others):
    goal = "singular values within 1e-6, 8x faster than the fastest peer with that"
    names = [name for name in results if not name.startswith("fewdim") and results[name].get("singular", 1) < 1e-6 and "failed" not in results[name]]
    mine, name = results["fewdim"], min(names, key=lambda n: results[n]["fit"])
    ratio = results[name]["fit"] / mine["fit"]
    return verdict(goal, f"{ratio:.1f}x ({name}: {results[name]['fit']:.2f} s, error {results[name]['singular']:.0e}; "
                         f"fewdim: {mine['fit']:.2f} s, error {mine['singular']:.0e})", ratio >= 8 and mine["singular"] < 1e-6)


def lsi_gensim(case, results, others):
    mine, theirs = results["fewdim"], next(results[name] for name in results if name.startswith("gensim"))
    ratio = theirs["fit"] / mine["fit"]
    return verdict("faster than gensim's default", f"{ratio:.1f}x ({theirs['fit']:.2f} s, error {theirs['singular']:.1e})", ratio > 1)


def lsi_memory(case, results, others):
    name = min((n for n in results if n.startswith("scipy-") and "failed" not in results[n]), key=lambda n: results[n]["peak"])
    mine, theirs = results["fewdim"], results[name]
    ratio = mine["peak"] / theirs["peak"]
    return verdict("peak memory below 1.5 times the lowest of SciPy's",
                   f"{ratio:.2f}x ({mine['peak'] / 1e6:,.0f} MB, {name}: {theirs['peak'] / 1e6:,.0f} MB)", ratio < 1.5)


def words(case, results, others):
    mine, theirs = results["fewdim"], results["sklearn-tfidf"]
    ratio = theirs["fit"] / mine["fit"]
    return verdict("10x the MB/s of scikit-learn's TfidfVectorizer", f"{ratio:.1f}x ({mine['rate']:.1f} and {theirs['rate']:.1f} MB/s)", ratio >= 10)


def latency(case, results, others):
    mine, floor = results["fewdim"], results.get("numpy-query", {})
    more = f"; the product and the ten best alone in NumPy: {1000 * floor['p50']:.1f} ms" if "p50" in floor else ""
    return verdict("queries under 20 ms", f"p50 {1000 * mine['p50']:.1f} ms, p99 {1000 * mine['p99']:.1f} ms{more}", mine["p99"] < 0.020)


def cold(case, results, others):
    mine = results["fewdim:cold"]
    return verdict("a process that answers one query: under 1 s", f"{mine['wall']:.2f} s, of which loading {mine['load']:.3f} s", mine["wall"] < 1)


def unmixed(case, results, others):
    goal = "4x faster than scikit-learn's FastICA at equal index"
    mine, best = results["fewdim"], min(r["index"] for n, r in results.items() if n.startswith("sklearn-") and "index" in r)
    names = [n for n in results if n.startswith("sklearn-") and "failed" not in results[n] and results[n]["index"] <= 1.01 * mine["index"]]
    if not names:
        return verdict(goal, f"no peer has an index within 1 % of {mine['index']:.5f}; the best is {best:.5f}", False)
    name = min(names, key=lambda n: results[n]["fit"])
    ratio = results[name]["fit"] / mine["fit"]
    return verdict(goal, f"{ratio:.1f}x ({name}: {results[name]['fit']:.2f} s, index {results[name]['index']:.5f}; fewdim: {mine['fit']:.2f} s, "
                         f"index {mine['index']:.5f})", ratio >= 4 and mine["index"] <= 1.01 * best)


def factored(case, results, others):
    """Equal: within a millionth. The loss to reach is the least of any peer, by the fastest that reaches it; ours may be lower."""
    goal = "at least 4 times faster to equal loss"
    equal = 1 + 1e-6
    peers = {n: r for n, r in results.items() if n.startswith("sklearn-") and "loss" in r}
    least = min(r["loss"] for r in peers.values())
    name = min((n for n in peers if peers[n]["loss"] <= equal * least), key=lambda n: peers[n]["fit"])
    ours = [n for n, r in results.items() if n.startswith("fewdim") and r.get("loss", math.inf) <= equal * least]
    if not ours:
        return verdict(goal, f"our loss {results['fewdim']['loss']:.8f} is above {least:.8f}", False)
    mine = min(ours, key=lambda n: results[n]["fit"])
    ratio = peers[name]["fit"] / results[mine]["fit"]
    return verdict(goal, f"{ratio:.1f}x ({name}: {peers[name]['fit']:.2f} s, loss {peers[name]['loss']:.8f}; {mine}: {results[mine]['fit']:.2f} s, "
                         f"loss {results[mine]['loss']:.8f})", ratio >= 4)


def bare_product(case, results, others):
    """The projection itself; the fit, which looks for numbers that are not finite and measures the distortion, is told beside it."""
    mine, product = results["fewdim"], results["numpy-gemm"]
    project, matrix = mine["project"], 8 * case.shape[1] * case.k
    ratio = project / product["fit"]
    return verdict("within 1.15x of the bare product, without its stored matrix",
                   f"{ratio:.2f}x ({project:.2f} s of {mine['fit']:.2f} s with the fit; product {product['fit']:.2f} s with {matrix / 1e6:.0f} MB of matrix); "
                   f"scikit-learn's gaussian takes {results['sklearn-projection:gaussian']['fit'] / mine['fit']:.1f} times as long", ratio <= 1.15)


def projection_of(results, kind, name, goal):
    mine = results[f"fewdim:{kind}"]
    ratio = results[name]["fit"] / mine["fit"]
    return verdict(goal,
                   f"{ratio:.1f}x ({name}: {results[name]['fit']:.2f} s, distortion {results[name]['most']:.2f}; fewdim: {mine['fit']:.2f} s, "
                   f"distortion {mine['most']:.2f})", ratio >= 4)


def sparse_projection(case, results, others):
    return projection_of(results, "sparse", "sklearn-projection:sparse", "the sparse kind 4x faster than scikit-learn's sparse kind")


def hadamard_projection(case, results, others):
    """scikit-learn has no such kind: against its fastest."""
    name = min((n for n in results if n.startswith("sklearn-") and "failed" not in results[n]), key=lambda n: results[n]["fit"])
    return projection_of(results, "hadamard", name, "the Hadamard kind 4x faster than scikit-learn's fastest kind")


def em_step(case, results, others):
    mine, theirs = results["fewdim"], next(results[name] for name in results if name.startswith("numpy-em"))
    return verdict("a step of EM faster than NumPy's by hand, in less memory",
                   f"{theirs['step'] / mine['step']:.1f}x ({1000 * mine['step']:.0f} and {1000 * theirs['step']:.0f} ms; {mine['peak'] / 1e6:,.0f} and "
                   f"{theirs['peak'] / 1e6:,.0f} MB)", mine["step"] < theirs["step"] and mine["peak"] < theirs["peak"])


def startup(case, results, others):
    seconds = results["fewdim"]["fit"]
    return verdict("under 20 ms", f"{1000 * seconds:.1f} ms", seconds < 0.020)
