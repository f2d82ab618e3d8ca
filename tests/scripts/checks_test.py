#!/usr/bin/env python3
"""Tests of scripts/: each check passes what it should and names what it should not pass."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent.parent / "scripts"


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text, executable=False):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755 if executable else 0o644)

    def run_script(self, command, *arguments, **environment):
        return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                              env={**os.environ, **environment})


class CheckIncludes(Scripts):
    def check(self):
        return self.run_script([sys.executable, str(SCRIPTS / "check-includes"), str(self.root)])

    def assert_refused(self, name, include, words):
        self.write(name, "#pragma once\n" + include + "\n")
        done = self.check()
        self.assertEqual(done.returncode, 1, include)
        self.assertIn(f"{name}:2: ", done.stderr)
        self.assertIn(words, done.stderr)
        (self.root / name).unlink()

    def test_includes_that_point_down_pass(self):
        self.write("src/methods/a.cpp", '#include "solvers/b.hpp"\n#include "fewdim/pca.hpp"\n#include <fmt/format.h>\n')
        self.write("include/fewdim/pca.hpp", '#include <Eigen/Core>\n#include <cstdint>\n#include "fewdim/model.hpp"\n')
        self.write("cli/own.hpp", "")
        self.write("cli/main.cpp", '#include "own.hpp"\n#include "fewdim/pca.hpp"\n#include <CLI/CLI.hpp>\n')
        done = self.check()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("9 includes", done.stdout)

    def test_includes_that_point_up_or_aside_are_named(self):
        self.assert_refused("src/base/a.cpp", '#include "data/b.hpp"', "not data")
        self.assert_refused("src/models/a.cpp", '#include "report/b.hpp"', "not report")
        self.assert_refused("src/quality/a.cpp", '#include "methods/b.hpp"', "not methods")
        self.assert_refused("src/data/a.cpp", '#include "fewdim/model.hpp"', "of the layer models")
        self.assert_refused("src/data/a.cpp", '#include "fewdim/fewdim.hpp"', "for users")
        self.assert_refused("include/fewdim/a.hpp", "#include <fmt/format.h>", "a public header")
        self.assert_refused("include/fewdim/a.hpp", '#include "base/b.hpp"', "a public header")
        self.assert_refused("cli/a.cpp", '#include "base/b.hpp"', "public headers")
        self.assert_refused("bench/a.cpp", '#include "../src/base/b.hpp"', "public headers")


class CheckLinks(Scripts):
    def check(self, text):
        self.write("LICENSE", "")
        self.write("docs/page.md", text)
        return self.run_script([sys.executable, str(SCRIPTS / "check-links"), str(self.root)])

    def test_links_that_lead_somewhere_pass(self):
        done = self.check("# Two words: `code`\n[a](#two-words-code) [b](../LICENSE) [c](https://example.org/x)\n"
                          "```\n[d](nowhere)\n```\n`[e](nowhere)`\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_links_that_lead_nowhere_are_named(self):
        for target, words in (("nowhere.md", "no such file"), ("#nothing", "no heading")):
            done = self.check(f"# Title\n\n[a]({target})\n")
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"docs/page.md:3: {target}: ", done.stderr)
            self.assertIn(words, done.stderr)


class InstallDeps(Scripts):
    """With dpkg-query and apt-get played by two small scripts: packages named in the file `here` are installed."""

    def setUp(self):
        super().setUp()
        self.write("bin/dpkg-query", f'#!/bin/sh\nfor last; do :; done\ngrep -qx "$last" {self.root}/here && echo installed\n', True)
        self.write("bin/apt-get", f'#!/bin/sh\necho "$@" >> {self.root}/calls\nfor word; do echo "$word" >> {self.root}/here; done\n', True)
        self.write("bin/sudo", '#!/bin/sh\n[ "$1" = -n ] && shift\nexec "$@"\n', True)
        self.write("here", "g++\n")

    def install(self, *arguments):
        return self.run_script(["bash", str(SCRIPTS / "install-deps")], *arguments,
                               PATH=f"{self.root}/bin:{os.environ['PATH']}")

    def test_installs_what_is_missing_and_nothing_the_second_time(self):
        done = self.install("build", "lint")
        self.assertEqual(done.returncode, 0, done.stderr)
        calls = (self.root / "calls").read_text().splitlines()
        self.assertEqual(len(calls), 2)
        self.assertIn("update", calls[0])
        self.assertIn(" cmake ", calls[1])
        self.assertNotIn("g++", calls[1])
        again = self.install("build", "lint")
        self.assertRegex(again.stdout, r"^all \d+ packages are here")
        self.assertEqual(len((self.root / "calls").read_text().splitlines()), 2)

    def test_check_reports_and_installs_nothing(self):
        done = self.install("--check", "test")
        self.assertEqual(done.returncode, 1)
        self.assertIn("libgtest-dev", done.stdout)
        self.assertFalse((self.root / "calls").exists())

    def test_a_failing_apt_is_told(self):
        self.write("bin/apt-get", "#!/bin/sh\necho no network\nexit 100\n", True)
        done = self.install()
        self.assertEqual(done.returncode, 1)
        self.assertIn("no network", done.stderr)
        self.assertIn("apt-get could not install", done.stderr)

    def test_an_unknown_group_is_refused(self):
        self.assertEqual(self.install("everything").returncode, 2)

    def test_another_system_gets_the_list(self):
        for tool in ("bash", "cat", "dirname"):
            os.symlink(f"/bin/{tool}" if os.path.exists(f"/bin/{tool}") else f"/usr/bin/{tool}", self.root / tool)
        done = self.run_script(["/bin/bash", str(SCRIPTS / "install-deps")], PATH=str(self.root))
        self.assertEqual(done.returncode, 1)
        self.assertIn("libeigen3-dev", done.stderr)
        self.assertIn("DEPS=no", done.stderr)


class CheckMessages(Scripts):
    def check(self, text):
        self.write("src/a.cpp", text)
        return self.run_script([sys.executable, str(SCRIPTS / "check-messages"), str(self.root)])

    def test_messages_without_flags_pass(self):
        for text in ('throw Error("a; " + raise_option("memory_limit"));', '// raise --memory-limit\n/* "-k" */',
                     'f("as with iconv -f latin1 -t utf-8, or ulimit -v");', 'f("a well-known one - or -1, x--");',
                     'Card c{.examples = {{"fewdim pca x.csv -k 2", "a } in it"}, {"b", "--plot"}}, .name = "a"};'):
            done = self.check(text)
            self.assertEqual((done.returncode, done.stderr), (0, ""), text)

    def test_flags_and_commands_are_named_with_their_line(self):
        for text, found in (('throw Error("raise --memory-limit");', "--memory-limit"), ('f("use -k 2");', "-k"),
                            ('f("see `fewdim fill`");', "`fewdim"), ('f("use -" "-route");', "--route"),
                            ('Card c{.examples = {{"fewdim pca -k 2", "a"}}, .help = "see --plot"};', "--plot")):
            done = self.check("\n" + text)
            self.assertEqual(done.returncode, 1, text)
            self.assertIn("src/a.cpp:2: ", done.stderr)
            self.assertIn(f'"{found}"', done.stderr)

    def test_the_library_passes(self):
        done = self.run_script([sys.executable, str(SCRIPTS / "check-messages")])
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
