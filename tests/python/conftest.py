"""Scenes and what the tool answers about them: the C++ answers, by files of NumPy."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

TOOL = os.environ["SPHAERA_TOOL"]
DATA = Path(__file__).parent.parent / "data"


class Tool:
    """A folder with a generated scene of the tool, and the tool's answers there."""

    def __init__(self, folder, kind, *options):
        self.folder = folder
        self.run("generate", kind, "--spheres", "3000", "--seed", "5", "--output", "scene.npy", *options)
        self.spheres = np.load(folder / "scene.npy")

    def run(self, *arguments):
        subprocess.run([TOOL, *arguments, "--quiet"], cwd=self.folder, check=True)

    def answers(self, verb, *options):
        self.run(verb, "scene.npy", *options, "--output", "answers.npy")
        return np.load(self.folder / "answers.npy")

    def save(self, name, array):
        np.save(self.folder / name, array)
        return name


@pytest.fixture(scope="session")
def crowd(tmp_path_factory):
    return Tool(tmp_path_factory.mktemp("crowd"), "crowd", "--rays", "2000", "--rays-output", "rays.npy")


@pytest.fixture(scope="session")
def walk(tmp_path_factory):
    return Tool(tmp_path_factory.mktemp("walk"), "crowd", "--moving", "--bullets", "2000", "--bullets-output",
                "bullets.npy")


@pytest.fixture(scope="session")
def belt(tmp_path_factory):
    return Tool(tmp_path_factory.mktemp("belt"), "belt")


def pytest_terminal_summary(terminalreporter):
    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(f"skipped: {report.longrepr[2].removeprefix('Skipped: ')}")


@pytest.fixture
def random():
    seed = int(os.environ.get("SPHAERA_SEED", "0")) or int.from_bytes(os.urandom(4), "little")
    print(f"seed {seed}")
    return np.random.default_rng(seed)
