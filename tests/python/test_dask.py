"""Queries by Dask, on a cluster of processes: the bytes of one process, though a worker is killed on the way."""

import os
import pickle
import signal
import time

import numpy as np
import pytest
import sphaera
from conftest import DATA

try:
    import distributed
    import dask
    import sphaera.dask
except ImportError as error:
    pytest.skip(f"queries by Dask: {error}", allow_module_level=True)


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.fixture
def saved(crowd, tmp_path):
    scene = sphaera.Scene(crowd.spheres, owners=np.arange(len(crowd.spheres)) % 7)
    scene.save(tmp_path / "scene.sphi")
    return sphaera.Scene.open(tmp_path / "scene.sphi")


def bits(array):
    """The bytes of each field: those between fields are undefined."""
    return [array[name].tobytes() for name in array.dtype.names] if array.dtype.names else array.tobytes()


def parts(answer):
    if isinstance(answer, tuple):
        return [part for one in answer for part in parts(one)]
    return [answer.rows if hasattr(answer, "rows") else answer]


def arrays(*given):
    return [dask.array.from_array(one, chunks=(700, *one.shape[1:])) for one in given]


def questions(crowd, random):
    """Arguments of each query: those by row as arrays, the others as they are."""
    rays = np.load(crowd.folder / "rays.npy")
    points = rays[:, :3]
    bullets = np.column_stack([rays[:, :6], np.full((len(rays), 1), 0.1)])
    ids = random.integers(0, len(crowd.spheres), len(rays))
    star = [sphaera.Star((0, 0, 900), 30), sphaera.Star((900, 0, 0), 3)]
    return [("blocked", [rays], {"ignore": ids}, {}), ("first_hit", [], {"segments": rays[:, :6]}, {}),
            ("first_surface_hit", [rays], {}, {"layers": 1}), ("all_hits", [rays], {}, {}),
            ("visibility", [points], {}, {"targets": points[:20]}), ("nearest", [points], {}, {"k": 3}),
            ("within", [points, 2 + random.random(len(rays))], {}, {}), ("count_within", [points], {}, {"radius": 3.0}),
            ("neighbors_within", [points], {}, {"radius": 3.0}), ("first_impact", [bullets], {}, {"gravity": (0, 0, -9.8)}),
            ("all_impacts", [bullets], {}, {"bounces": 2}), ("near_misses", [bullets], {}, {"max_distance": 2.0}),
            ("starlight", [], {"observers": points}, {"stars": star}), ("sky", [points[:800]], {}, {"within": 9.0}),
            ("nearest_to_spheres", [], {}, {"k": 2}), ("contacts", [], {}, {"distance": 0.5}),
            ("count_contacts", [], {}, {"distance": 0.5}),
            ("exposed_area", [], {}, {"probe": 0.25, "ids": (100, 2900)})]


def test_every_query_has_the_bytes_of_one_process(client, saved, crowd, random):
    scene = pickle.loads(pickle.dumps(sphaera.dask.Scene(saved)))
    asked, expected = [], []
    for query, by_row, named, others in questions(crowd, random):
        expected.append(parts(getattr(saved, query)(*by_row, **named, **others)))
        chunk = {"chunk": 1000} if query in sphaera.dask.OF_SPHERES else {}
        lazy = dict(zip(named, arrays(*named.values())))
        asked.append(parts(getattr(scene, query)(*arrays(*by_row), **lazy, **others, **chunk)))
    assert {query for query, *_ in questions(crowd, random)} == set(sphaera.dask.QUERIES)
    for (query, *_), found, one in zip(questions(crowd, random), dask.compute(*asked), expected):
        assert [part.dtype for part in found] == [part.dtype for part in one], query
        assert [part.shape for part in found] == [part.shape for part in one], query
        assert [bits(part) for part in found] == [bits(part) for part in one], query


def test_a_killed_worker_costs_no_answer(client, saved, crowd):
    rays = sphaera.dask.rows(crowd.folder / "rays.npy", chunk=10)
    hits = sphaera.dask.Scene(saved).first_hit(rays, search="brute_force")
    expected = saved.first_hit(np.load(crowd.folder / "rays.npy"))
    pid = next(iter(client.run(os.getpid).values()))
    computed = client.persist(hits.rows)
    tasks = distributed.futures_of(computed)
    while not any(task.done() for task in tasks):
        time.sleep(0.001)
    os.kill(pid, signal.SIGKILL)
    assert not all(task.done() for task in tasks)
    assert bits(computed.compute()) == bits(expected.rows)
    assert pid not in client.run(os.getpid).values()


def test_the_example_of_the_readme(client, saved, crowd, monkeypatch):
    saved.save(crowd.folder / "crowd.sphi")
    monkeypatch.chdir(crowd.folder)
    monkeypatch.setattr(distributed, "Client", lambda: client)
    names = {"__name__": "__main__"}
    exec((DATA.parent.parent / "tools/python/README.md").read_text(encoding="utf-8").split("```python\n")[2].split("```")[0], names)
    assert names["hits"].hit.compute().any()


def test_what_cannot_be_asked_is_refused(saved, crowd):
    rays = np.load(crowd.folder / "rays.npy")
    scene = sphaera.dask.Scene(saved)
    with pytest.raises(sphaera.Error, match="save it as .sphi and open that"):
        sphaera.dask.Scene(sphaera.Scene(crowd.spheres))
    with pytest.raises(sphaera.Error, match="give its queries as a dask array"):
        scene.blocked(rays)
    with pytest.raises(sphaera.Error, match="3 rows, for 2000 queries"):
        scene.blocked(*arrays(rays), ignore=dask.array.zeros(3, int))
