"""The examples run and draw."""

import subprocess
import sys

import pytest
from conftest import DATA

EXAMPLES = DATA.parent.parent / "tools" / "python" / "examples"


@pytest.mark.parametrize("name, inputs", [
    ("light_curve", []), ("neighbors", [DATA / "mol_bace_52k.csv.gz"]), ("exposure", [])])
def test_example(name, inputs, tmp_path):
    picture = tmp_path / "picture.png"
    subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *inputs, picture], check=True)
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 10_000


def test_all_examples_run():
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {"light_curve", "neighbors", "exposure"}
