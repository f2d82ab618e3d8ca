"""The data of the cases about documents: `make(case)` writes the file of a case, and beside it what else it needs."""
import lzma
import subprocess

import numpy as np

SEED = 20240302
APT_HELPER = "/usr/lib/apt/apt-helper"  # downloads by apt's own settings
TOPICS = 400


def draw_terms(case, rng):
    """Pairs (document, term) in the order in which they were drawn: half from three topics, half from all terms by Zipf's law.

    A topic is 250 favored terms of its own, frequent terms more often; popular topics first.
    """
    rows, cols = case.shape[:2]
    per = entries(case)
    ends = np.cumsum(1 / np.arange(1, cols + 1))
    popularity = np.cumsum(np.arange(1, TOPICS + 1) ** -0.6)
    favored = np.minimum((cols * rng.random((TOPICS, 250)) ** 2.5).astype(np.int32), cols - 1)
    shares = np.repeat([0, 1, 2], [per // 2, per // 4, per // 4])
    for start in range(0, rows, 2000):
        count = min(2000, rows - start)
        topics = np.searchsorted(popularity, popularity[-1] * rng.random((count, 3)))
        which = (250 * rng.random((count, len(shares))) ** 2).astype(np.int32)
        own = favored[topics[:, shares], which]
        common = np.searchsorted(ends, ends[-1] * rng.random((count, 3 * per)))
        yield start, np.concatenate([own, np.minimum(common, cols - 1).astype(np.int32)], axis=1)


def entries(case):
    """Different terms of a document."""
    return 80 if case.shape[1] >= 20_000 else 20


def first_distinct(terms, cols, per):
    """Counts of the first `per` different terms of each row: rows, terms, counts."""
    count, length = terms.shape
    key = (np.arange(count)[:, None] * cols + terms).ravel()
    different, first, times = np.unique(key, return_index=True, return_counts=True)
    row = different // cols
    order = np.lexsort((first, row))
    starts = np.searchsorted(row, np.arange(count))
    kept = order[np.arange(len(order)) - starts[row[order]] < per]
    return row[kept], different[kept] % cols, times[kept]


def weighted_terms(case):
    """A tf-idf matrix (smooth idf, rows of unit length) of documents from a topic model, 80 different terms each."""
    import scipy.sparse as sp

    rows, cols = case.shape[:2]
    rng = np.random.default_rng(SEED)
    parts = []
    for start, terms in draw_terms(case, rng):
        row, term, times = first_distinct(terms, cols, entries(case))
        parts.append((row + start, term, times))
    row, term, times = (np.concatenate(part) for part in zip(*parts))
    documents = np.bincount(term, minlength=cols)
    weights = times * (np.log((1 + rows) / (1 + documents)) + 1)[term]
    weights /= np.sqrt(np.bincount(row, weights**2, rows))[row]
    matrix = sp.csr_matrix((weights, (row, term)), shape=(rows, cols))
    matrix.sort_indices()
    print(f"bench: {case.name}: {matrix.nnz:,} entries, {matrix.nnz / rows:.1f} a row, {np.count_nonzero(documents):,} terms used")
    sp.save_npz(case.data.with_suffix(".part.npz"), matrix, compressed=False)
    case.data.with_suffix(".part.npz").rename(case.data)


def output(*argv):
    try:
        return subprocess.run(argv, capture_output=True, check=True).stdout.decode(errors="replace")
    except (OSError, subprocess.CalledProcessError):
        return ""


def translations(folder):
    """The file with the full descriptions; apt's own lists have it only where languages are not switched off."""
    kept = folder / "descriptions.xz"
    for line in output("apt-get", "indextargets", "--format", "$(BASE_URI) $(COMPONENT)", "Created-By: Packages").splitlines():
        base, component = line.split()
        if not kept.exists():
            output(APT_HELPER, "download-file", f"{base}{component}/i18n/Translation-en.xz", str(kept))
    return lzma.decompress(kept.read_bytes()).decode(errors="replace") if kept.exists() else ""


def descriptions(records):
    """One line for each record with a description."""
    found = []
    for record in records.split("\n\n"):
        _, name, rest = record.partition("\nDescription-en: ")
        if not name:
            _, name, rest = record.partition("\nDescription: ")
        if not name:
            continue
        lines = rest.split("\n")
        text = lines[:1]
        for line in lines[1:]:
            if not line.startswith(" "):
                break
            text.append(line.strip(" ."))
        found.append(" ".join(" ".join(text).split()))
    return found


def made_up(count):
    """Where there is no apt: words of two to four syllables by Zipf's law, 60 a text."""
    rng = np.random.default_rng(SEED + 1)
    syllables = [first + second for first in "bcdfghjklmnprstvwz" for second in "aeiou"]
    words = ["".join(rng.choice(syllables, rng.integers(2, 5))) for _ in range(60_000)]
    ends = np.cumsum(1 / np.arange(1, len(words) + 1))
    for _ in range(count):
        yield " ".join(words[i] for i in np.searchsorted(ends, ends[-1] * rng.random(60)))


def texts(case):
    """Different texts, and what they are."""
    found = descriptions(translations(case.data.parent.parent))
    if found:
        return found, "full descriptions of Debian packages"
    found = descriptions(output("apt-cache", "dumpavail"))
    if found:
        return found, "short descriptions of Debian packages"
    return list(made_up(60_000)), "made-up texts (no apt here)"


def collection(case):
    """One document a line, the texts from the start again until there are enough; queries are words of some documents."""
    different, what = texts(case)
    size, lines, enough = 0, [], case.shape[0]
    while (len(lines) if case.kind == "query" else size) < enough:
        lines.append(different[len(lines) % len(different)])
        size += len(lines[-1].encode()) + 1
    if case.kind == "query":
        rng = np.random.default_rng(SEED + 2)
        queries = []
        while len(queries) < case.shape[1]:
            words = lines[rng.integers(len(lines))].split()
            start = rng.integers(max(1, len(words) - 5))
            queries.append(" ".join(words[start:start + rng.integers(2, 7)]))
        case.data.with_suffix(".queries").write_text("\n".join(queries) + "\n")
    repeated = f", {len(different):,} of them different" if len(lines) > len(different) else ""
    case.data.with_suffix(".about").write_text(f"{len(lines):,} {what}{repeated}, {size / 1e6:.0f} MB")
    part = case.data.with_suffix(".part")
    part.write_text("\n".join(lines) + "\n")
    part.rename(case.data)


def make(case):
    (weighted_terms if case.kind == "svd" else collection)(case)
