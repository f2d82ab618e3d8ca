"""Runs the tests of a file; exits with 77, which is "skipped", where there is no pytest."""

import sys

try:
    import pytest
except ImportError:
    print(f"SKIPPED: {sys.executable} has no pytest; install python3-pytest")
    sys.exit(77)

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]]))
