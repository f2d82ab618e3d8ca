"""Examples in docstrings run, types hold, and the stub has what the module has."""

import ast
import doctest
import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import name_of, small_estimators

import fewdim
from fewdim import _core

MODULES = ["", "._linear", "._gaussian", "._projection", "._kernel", "._manifold", "._factors", "._text", "._functions",
           "._table", "._tables", "._compress", "._ranking", "._images", "._faces", "._denoise", "._quality", "._documents"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    result = doctest.testmod(importlib.import_module("fewdim" + name))
    assert result.failed == 0 and result.attempted > 0


@pytest.mark.parametrize("estimator", [*small_estimators(), fewdim.LSI(), fewdim.Faces()], ids=name_of)
def test_docstrings_tell_every_parameter(estimator):
    cls = type(estimator)
    for parameter in inspect.signature(cls.__init__).parameters:
        if parameter == "self":
            continue
        at = cls.__doc__.find(f"    {parameter} : default")
        assert at >= 0, f"{cls.__name__} does not tell of {parameter}"
        text = cls.__doc__[at:].splitlines()[1].strip()
        assert text, f"{cls.__name__} has nothing to say of {parameter}"


def test_stub_has_the_names_of_the_module():
    stub = ast.parse((Path(fewdim.__file__).parent / "_core.pyi").read_text())
    names = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert names == {name for name in vars(_core) if not name.startswith("_")} - {"version", "pybind11_version"}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            told = {item.name for item in node.body if isinstance(item, ast.FunctionDef)} - {"__init__"}
            assert told == {name for name in vars(getattr(_core, node.name)) if not name.startswith("_")}, node.name


def test_types_hold():
    pytest.importorskip("mypy")
    source = os.environ.get("FEWDIM_SOURCE", str(Path(__file__).parents[2]))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", "--cache-dir", os.devnull, "--ignore-missing-imports",
         "--python-version", "3.11", "--strict", "--allow-subclassing-any", "--allow-untyped-calls",
         "--allow-any-generics", "--no-warn-return-any", "--no-warn-unused-ignores",
         f"{source}/python/fewdim", f"{source}/examples/python"],
        capture_output=True, text=True, env={**os.environ, "MYPYPATH": f"{source}/python"})
    assert done.returncode == 0, done.stdout + done.stderr
