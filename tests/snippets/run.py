#!/usr/bin/env python3
"""Runs every command and program of a Markdown document, and compares what they print.

    tests/snippets/run.py [--update] --fewdim build/release/bin/fewdim --prefix PREFIX DOCUMENT...

All blocks of a document run in order in one fresh folder, with `fewdim` first in PATH. PREFIX is an installed
fewdim, for programs. In a document:

    ```sh                 commands; each must exit with 0 (a reader that leaves a pipe early is fine)
    ```sh exit=3          commands that must end with this code
    ```sh no-run          not run, but counted and listed
    ```cpp, ```python     programs (for C++: with a main); run, Python where its packages are there
    ```LANGUAGE file=NAME also saved under that name in the folder
    ```text               right after one of these: what it prints, both streams. … stands for anything on a
                          line; a line of only … for any number of lines

--update rewrites the expected text from the real output and keeps the … that still fit.
"""

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # leave no __pycache__ in the source tree
from document import parse, replace_blocks
from expectation import matches, merge, show_difference

TIMEOUT = 300  # seconds for one block; the longest takes a few

# Sourced before a block: stop at the first command that fails and say where. 141 is SIGPIPE: `fewdim … | head`.
PRELUDE = r"""
unset BASH_ENV
snippet_stop() {
  local line=$1 code
  for code in "${@:2}"; do
    case $code in 0 | 141) ;; *) echo "$line" > "$SNIPPET_LINE"; exit "$code" ;; esac
  done
}
set -E -o pipefail
trap 'snippet_stop "$LINENO" "${PIPESTATUS[@]}"' ERR
"""


class Failure(Exception):
    """A block that did not do what its document says; the text starts with file:line."""


class Runner:
    def __init__(self, document, arguments):
        self.document = document
        self.name = os.path.relpath(document)
        self.cxx = arguments.cxx
        self.update = arguments.update
        self.folder = Path(tempfile.mkdtemp(prefix="fewdim-snippets-"))
        self.aside = Path(tempfile.mkdtemp(prefix="fewdim-snippets-"))  # our own files, out of the document's sight
        (self.aside / "prelude").write_text(PRELUDE)
        self.environment = environment(arguments, self.aside)
        self.counts = {"commands": 0, "programs": 0, "outputs compared": 0}
        self.skipped = []

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.aside, ignore_errors=True)

    def run(self):
        """Runs the document's blocks; returns the replacements that --update wants."""
        blocks = parse(self.document.read_text(encoding="utf-8"))
        replacements = []
        for block in blocks:
            self.check_marks(block)
            if block.file:
                (self.folder / block.file).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / block.file).write_text(block.text, encoding="utf-8")
            output = self.run_block(block)
            if output is None or block.expected is None:
                continue
            self.counts["outputs compared"] += 1
            if matches(block.expected.text, output):
                continue
            if not self.update:
                raise Failure(f"{self.name}:{block.expected.line}: prints something else\n"
                              + show_difference(block.expected.text, output))
            replacements.append((block.expected, merge(block.expected.text, output, self.folder)))
        return replacements

    def check_marks(self, block):
        if block.language in ("bash", "shell", "console", "zsh"):
            raise Failure(f"{self.name}:{block.line}: ```{block.language} is not run by anyone; write ```sh")
        if block.language in ("c++", "cxx"):
            raise Failure(f"{self.name}:{block.line}: ```{block.language} is not run by anyone; write ```cpp")
        for mark in block.unknown_marks:
            raise Failure(f"{self.name}:{block.line}: '{mark}' is not a mark; use no-run, exit=N or file=NAME")

    def run_block(self, block):
        """What the block prints, or None when it is not one that runs."""
        if block.language not in ("sh", "cpp", "python"):
            return None
        if block.language == "cpp" and not re.search(r"\bmain\s*\(", block.text):
            return None
        if block.no_run:
            self.skipped.append(f"line {block.line}: {first_line(block.text)}")
            return None
        if block.language == "sh":
            self.counts["commands"] += count_commands(block.text)
            return self.run_shell(block)
        if block.language == "python" and not self.python_for(block):
            self.skipped.append(f"line {block.line}: a Python program (no {' or no '.join(needs_of(block))} here)")
            return None
        self.counts["programs"] += 1
        return self.run_cpp(block) if block.language == "cpp" else self.run_python(block)

    def run_shell(self, block):
        script = self.aside / "commands.sh"
        script.write_text(block.text, encoding="utf-8")
        where = self.aside / "line"
        where.unlink(missing_ok=True)
        code, output = self.execute(["bash", str(script)], block)
        if code != block.exit_code and not (code == 141 and block.exit_code == 0):
            line = block.line + (int(where.read_text()) if where.exists() else 1)
            raise Failure(f"{self.name}:{line}: exits with {code}, not {block.exit_code}: "
                          f"{line_of(block, line)}\n{indent(output)}")
        return output

    def run_cpp(self, block):
        source = self.aside / f"line{block.line}.cpp"
        source.write_text(f'#line {block.line + 1} "{self.name}"\n' + block.text, encoding="utf-8")
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fewdim"], env=self.environment, check=True,
                               capture_output=True, text=True).stdout.split()
        program = str(source.with_suffix(""))
        code, output = self.execute([self.cxx, "-Wall", "-Wextra", "-Werror", str(source), "-o", program] + flags, block)
        if code != 0:
            raise Failure(f"{self.name}:{block.line}: does not compile\n{indent(output)}")
        return self.must_succeed([program], block)

    def run_python(self, block):
        script = self.aside / f"line{block.line}.py"
        script.write_text(block.text, encoding="utf-8")
        return self.must_succeed([self.python_for(block), str(script)], block)

    def python_for(self, block):
        return python_with(needs_of(block), self.environment["PYTHONPATH"])

    def must_succeed(self, command, block):
        code, output = self.execute(command, block)
        if code != block.exit_code:
            raise Failure(f"{self.name}:{block.line}: the program exits with {code}, not {block.exit_code}\n{indent(output)}")
        return output

    def execute(self, command, block):
        try:
            done = subprocess.run(command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name}:{block.line}: takes more than {TIMEOUT} s") from None
        return done.returncode, done.stdout.decode("utf-8", errors="replace")


def environment(arguments, aside):
    """A user's environment: fewdim in the PATH, its installed files where compilers and pkg-config look."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("FEWDIM", "OMP_", "MAKE"))}
    prefix = Path(arguments.prefix).resolve()
    own["PATH"] = f"{Path(arguments.fewdim).resolve().parent}:{own['PATH']}"
    own["PKG_CONFIG_PATH"] = str(prefix / "lib/pkgconfig")
    own["CMAKE_PREFIX_PATH"] = str(prefix)
    own["LD_LIBRARY_PATH"] = str(prefix / "lib")
    own["HOME"] = str(aside)
    own["PYTHONPATH"] = str(Path(arguments.fewdim).resolve().parent.parent / "python")  # the package of the same build
    own["PYTHONDONTWRITEBYTECODE"] = "1"
    own.update(LC_ALL="C.UTF-8", TZ="UTC", COLUMNS="100", BASH_ENV=str(aside / "prelude"))
    own["SNIPPET_LINE"] = str(aside / "line")
    return own


def needs_of(block):
    """The packages a program needs that a Python may lack."""
    return tuple(name for name in ("numpy", "fewdim", "sklearn", "scipy", "pandas")
                 if name == "numpy" or re.search(rf"^(import|from) {name}\b", block.text, re.M))


@functools.lru_cache(maxsize=None)
def python_with(packages, path):
    for candidate in (sys.executable, "python3", "/usr/bin/python3"):
        try:
            if subprocess.run([candidate, "-c", f"import {', '.join(packages)}"], capture_output=True, check=False,
                              env={**os.environ, "PYTHONPATH": path}).returncode == 0:
                return candidate
        except OSError:
            continue
    return None


def count_commands(text):
    joined = text.replace("\\\n", " ")
    return sum(1 for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#"))


def first_line(text):
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def line_of(block, line):
    lines = block.text.splitlines()
    return lines[min(max(line - block.line - 1, 0), len(lines) - 1)].strip() if lines else ""


def indent(text):
    return "\n".join("    " + line for line in text.rstrip().splitlines())


def check(document, arguments):
    runner = Runner(document, arguments)
    try:
        replacements = runner.run()
    except Failure as failure:
        print(failure, file=sys.stderr)
        return False
    finally:
        runner.close()
    if replacements:
        document.write_text(replace_blocks(document.read_text(encoding="utf-8"), replacements), encoding="utf-8")
        print(f"{runner.name}: {len(replacements)} expected outputs rewritten")
    print(f"{runner.name}: " + ", ".join(f"{count} {what}" for what, count in runner.counts.items()))
    for entry in runner.skipped:
        print(f"  not run: {entry}")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("documents", nargs="+", type=Path)
    parser.add_argument("--fewdim", required=True, help="the built program")
    parser.add_argument("--prefix", required=True, help="an installed fewdim")
    parser.add_argument("--cxx", default="c++", help="the compiler for the documents' programs")
    parser.add_argument("--update", action="store_true", help="rewrite the expected outputs")
    arguments = parser.parse_args()
    results = [check(document, arguments) for document in arguments.documents]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
