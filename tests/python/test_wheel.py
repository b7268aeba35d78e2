"""The wheel is the same in every build, is what installers expect, and needs no library that a plain Linux lacks."""

import base64
import csv
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import sphaera

PACKAGE = Path(sphaera.__file__).parent
WHEEL = Path(__file__).resolve().parents[2] / "tools" / "python" / "wheel"
USE = """
import sphaera
scene = sphaera.Scene([[0, 0, 5]], [2.0])
assert scene.first_hit([[0, 0, 0, 0, 0, 1]]).t_enter[0] == 3
assert len(sphaera.SceneFile.parse(b"x,y,z,r\\n1,2,3,4\\n", "s.csv")) == 1
print(sphaera.__file__)
print(open("/proc/self/maps").read())
"""


def make(folder):
    folder.mkdir()
    subprocess.run([WHEEL, PACKAGE, sphaera.__version__, folder], check=True)
    wheel, = folder.iterdir()
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return make(tmp_path_factory.mktemp("wheel") / "first")


def test_bytes_are_the_same(wheel, tmp_path):
    again = make(tmp_path / "again")
    assert again.name == wheel.name and again.read_bytes() == wheel.read_bytes()


def test_record_and_metadata(wheel):
    assert re.fullmatch(rf"sphaera-{re.escape(sphaera.__version__)}-py3-none-linux_\w+\.whl", wheel.name)
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    info, = {name.partition("/")[0] for name in held if ".dist-info/" in name}
    recorded = {name: (digest, size) for name, digest, size in csv.reader(held[f"{info}/RECORD"].decode().splitlines())}
    assert set(recorded) == set(held) and recorded.pop(f"{info}/RECORD") == ("", "")
    for name, (digest, size) in recorded.items():
        expected = base64.urlsafe_b64encode(hashlib.sha256(held[name]).digest()).rstrip(b"=").decode()
        assert (digest, int(size)) == (f"sha256={expected}", len(held[name])), name
    assert {path.name for path in PACKAGE.iterdir() if path.suffix != ".pyc" and path.is_file()} <= {
        Path(name).name for name in held}
    text = held[f"{info}/METADATA"].decode()
    assert f"\nVersion: {sphaera.__version__}\n" in text and re.search(r"\nRequires-External: glibc \(>= 2\.\d+\)\n", text)
    libraries = [name for name in held if ".so" in name]
    licenses = [name for name in held if "/licenses/" in name]
    assert len(licenses) == len(libraries) - 2  # LICENSE is that of the first two
    assert all(b"icense" in held[name] for name in licenses)


@pytest.mark.parametrize("installer", ["zipfile", "pip"])
def test_answers_where_it_is_installed(wheel, installer, tmp_path):
    if installer == "pip":
        if not importlib.util.find_spec("pip"):
            pytest.skip("pip is not installed")
        command = ["pip", "install", "--no-index", "--no-deps", "--no-compile", "-q", "--target", tmp_path, wheel]
    else:
        command = ["zipfile", "-e", wheel, tmp_path]
    subprocess.run([sys.executable, "-m", *command], check=True)
    said = subprocess.run([sys.executable, "-c", USE], check=True, capture_output=True, text=True, cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(tmp_path)}).stdout
    assert said.startswith(str(tmp_path))
    mapped = {Path(file).name: file for file in re.findall(r"/\S+\.so\S*", said)}
    own = {path.name for path in (tmp_path / "sphaera").glob("*.so*")}
    assert len(own) >= 3  # with Embree and oneTBB
    dynamic = subprocess.run(["readelf", "-d", tmp_path / "sphaera" / "libsphaera-c.so.1"], capture_output=True, text=True)
    assert re.findall(r"R(?:UN)?PATH.*\[(.*)\]", dynamic.stdout) == ["$ORIGIN"]
    assert all(mapped[name].startswith(str(tmp_path)) for name in own)
    assert {"libsphaera-c.so.1", "libsphaera-scene-file-c.so.1"} <= own <= set(mapped)
