#!/usr/bin/env python3
"""Tests of the snippet runner: a check that can't fail would check nothing."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True  # leave no __pycache__ in the source tree
from expectation import matches, merge

RUN = Path(__file__).with_name("run.py")
FENCE = "```"


def block(info, *lines):
    return "\n".join([FENCE + info, *lines, FENCE]) + "\n"


class Expectation(unittest.TestCase):
    def test_ellipsis_stands_for_anything_on_a_line(self):
        self.assertTrue(matches("took … s\ndone\n", "took 1.5 s\ndone\n"))
        self.assertFalse(matches("took … s\ndone\n", "took 1.5 s\nmore\ndone\n"))

    def test_a_lone_ellipsis_stands_for_any_number_of_lines(self):
        for output in ("a\nz\n", "a\nb\nc\nz\n"):
            self.assertTrue(matches("a\n…\nz\n", output))
        self.assertFalse(matches("a\n…\nz\n", "b\nz\n"))

    def test_dots_are_plain_text(self):
        self.assertFalse(matches("1.5\n", "1x5\n"))

    def test_merge_keeps_what_still_fits(self):
        self.assertEqual(merge("took … s\n3 rows\n", "took 2 s\n4 rows\n", "/f"), "took … s\n4 rows\n")
        self.assertEqual(merge("a\n…\nz\nold\n", "a\nb\nc\nz\nnew 1.5 s\n", "/f"), "a\n…\nz\nnew … s\n")

    def test_merged_expectation_matches_its_output(self):
        for expected in ("", "…\n", "x\n…\n", "b\n…\n", "…\nc\n"):
            output = "a\nb\nin /f/x on 2024-01-02T03:04:05Z\nc\n"
            self.assertTrue(matches(merge(expected, output, "/f"), output), expected)


class Run(unittest.TestCase):
    def run_document(self, markdown, *options):
        with tempfile.TemporaryDirectory() as folder:
            document = Path(folder) / "page.md"
            document.write_text(markdown, encoding="utf-8")
            done = subprocess.run([sys.executable, str(RUN), "--fewdim", "/bin/true", "--prefix", folder, *options,
                                   str(document)], capture_output=True, text=True, check=False)
            self.after = document.read_text(encoding="utf-8")
            return done

    def assert_fails(self, markdown, line, words):
        done = self.run_document(markdown)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(f"page.md:{line}: ", done.stderr)
        self.assertIn(words, done.stderr)

    def test_commands_share_a_folder_and_their_output_is_compared(self):
        done = self.run_document(block("sh", "echo hi > a.txt") + "Then:\n" + block("sh", "cat a.txt; cat b.csv") +
                                 block("text", "hi", "missing"))
        self.assertEqual(done.returncode, 1)
        done = self.run_document(block("csv file=b.csv", "1,2") + block("sh", "echo hi > a.txt", "cat a.txt b.csv") + "\n" +
                                 block("text", "hi", "1,2"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 commands, 0 programs, 1 outputs compared", done.stdout)

    def test_a_failing_command_is_named_by_file_and_line(self):
        self.assert_fails("# Title\n\n" + block("sh", "true", "", "false", "true"), 6, "exits with 1, not 0: false")

    def test_a_failure_inside_a_pipe_is_seen_but_an_early_reader_is_fine(self):
        self.assert_fails(block("sh", "(exit 4) | cat"), 2, "exits with 4")
        self.assertEqual(self.run_document(block("sh", "yes | head -1")).returncode, 0)

    def test_another_output_is_a_failure(self):
        self.assert_fails(block("sh", "echo a; echo b >&2") + block("text", "a", "c"), 4, "+b")

    def test_exit_code_asked_for(self):
        self.assertEqual(self.run_document(block("sh exit=3", "exit 3")).returncode, 0)
        self.assert_fails(block("sh exit=3", "true"), 2, "exits with 0, not 3")

    def test_no_run_is_listed(self):
        done = self.run_document(block("sh no-run", "make demo"))
        self.assertIn("not run: line 1: make demo", done.stdout)

    def test_unknown_marks_and_languages_are_refused(self):
        self.assert_fails(block("sh norun", "true"), 1, "'norun' is not a mark")
        self.assert_fails(block("console", "$ true"), 1, "write ```sh")

    def test_update_writes_the_real_output_once(self):
        page = "  " + block("sh", "  echo new").replace("\n```\n", "\n  ```\n") + "  ```text\n  old\n  ```\nend\n"
        self.assertEqual(self.run_document(page, "--update").returncode, 0)
        self.assertEqual(self.after, page.replace("  old", "  new"))
        updated = self.after
        self.run_document(updated, "--update")
        self.assertEqual(self.after, updated)

    def test_python_runs_or_is_listed(self):
        done = self.run_document(block("python", "print(1 + 1)") + block("text", "2"))
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
