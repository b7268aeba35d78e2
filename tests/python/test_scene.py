"""What users of arrays expect: shapes, strides, copies, edits, errors."""

import doctest
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import sphaera
from conftest import DATA


def some(random, n=200):
    return sphaera.Scene(random.uniform(0, 20, (n, 3)), random.uniform(0.1, 1, n))


def some_rays(random, *shape):
    rays = np.empty((*shape, 8))
    rays[..., :3], rays[..., 3:6] = random.uniform(0, 20, (*shape, 3)), random.normal(size=(*shape, 3))
    rays[..., 6], rays[..., 7] = 0, np.inf
    return rays


@pytest.mark.parametrize("module", ["sphaera", "sphaera.closed_form", "sphaera.motions"])
def test_examples_of_the_documentation(module):
    failed, attempted = doctest.testmod(sys.modules[module])
    assert failed == 0 and attempted > 0


def example_of(readme):
    """Runs the first block of Python of a README; its names."""
    names = {}
    exec((DATA.parent.parent / readme).read_text(encoding="utf-8").split("```python\n")[1].split("```")[0], names)
    return names


def test_examples_of_the_readmes(crowd, monkeypatch):
    found = example_of("tools/python/README.md")
    assert found["hits"].hit.any() and found["distance"].shape == (1_000_000, 3)
    (crowd.folder / "crowd.npy").write_bytes((crowd.folder / "scene.npy").read_bytes())
    monkeypatch.chdir(crowd.folder)
    found = example_of("README.md")
    assert found["hits"].hit.any() and found["distance"].shape == (3000, 3)


def test_leading_shapes_are_kept(random):
    scene, rays = some(random), some_rays(random, 3, 4)
    hits = scene.first_hit(rays)
    assert hits.shape == hits.sphere.shape == (3, 4) and hits[1].shape == (4,)
    assert scene.first_surface_hit(rays).normal.shape == (3, 4, 3)
    assert scene.nearest(rays[..., :3], 2)[0].shape == (3, 4, 2)
    assert scene.blocked(rays[0, 0]).shape == ()
    alone = scene.first_hit(rays[1, 2])
    assert alone.sphere == hits.sphere[1, 2]
    assert scene.first_hit(np.empty((0, 6))).shape == (0,)


def test_unaligned_rays(random):
    scene, rays = some(random), some_rays(random, 9)
    unaligned = np.frombuffer(b"." + rays.tobytes(), np.float64, rays.size, 1).reshape(rays.shape)
    assert not unaligned.flags.aligned
    assert scene.first_hit(unaligned).rows.tobytes() == scene.first_hit(rays).rows.tobytes()


def test_forms_of_rays(random):
    scene, rays = some(random), some_rays(random, 50)
    expected = scene.first_hit(rays).sphere
    np.testing.assert_array_equal(scene.first_hit(rays[:, :6]).sphere, expected)
    np.testing.assert_array_equal(scene.first_hit((rays[:, :3], rays[:, 3:6])).sphere, expected)
    np.testing.assert_array_equal(scene.first_hit(rays[::-1]).sphere, expected[::-1])
    eye = scene.first_hit((rays[0, :3], rays[:, 3:6]))  # one origin for all
    rays[:, :3] = rays[0, :3]
    np.testing.assert_array_equal(eye.sphere, scene.first_hit(rays).sphere)
    floats = rays.astype(np.float32)
    np.testing.assert_array_equal(scene.first_hit(floats).sphere, scene.first_hit(floats.astype(float)).sphere)
    ends = np.concatenate([rays[:, :3], rays[:, :3] + rays[:, 3:6]], axis=1)
    rays[:, 7] = 1
    np.testing.assert_array_equal(scene.blocked(segments=ends), scene.blocked(rays))


def test_against_numpy(random):
    centers, radii = random.uniform(0, 20, (300, 3)), random.uniform(0.1, 1, 300)
    scene = sphaera.Scene(centers, radii)
    points = random.uniform(0, 20, (40, 3))
    apart = np.linalg.norm(points[:, None] - centers, axis=-1) - radii
    distance, sphere = scene.nearest(points)
    np.testing.assert_array_equal(sphere, apart.argmin(axis=1))
    np.testing.assert_allclose(distance, apart.min(axis=1), atol=1e-12)
    np.testing.assert_array_equal(scene.count_within(points, 2.0), (apart <= 2).sum(axis=1))


def test_periodic_box_against_numpy(random):
    box, centers, radii = np.array([20, 20, 0]), random.uniform(0, 20, (300, 3)), random.uniform(0.1, 1, 300)
    scene = sphaera.Scene(centers, radii)

    def nearest_images(points):
        apart = points[:, None] - centers
        apart[..., :2] -= 20 * np.round(apart[..., :2] / 20)
        return np.linalg.norm(apart, axis=-1) - radii

    points = random.uniform(0, 20, (40, 3))
    apart = nearest_images(points)
    distance, sphere = scene.nearest(points, box=box)
    np.testing.assert_array_equal(sphere, apart.argmin(axis=1))
    np.testing.assert_allclose(distance, apart.min(axis=1), atol=1e-12)
    np.testing.assert_array_equal(scene.count_within(points, 2.0, box=box), (apart <= 2).sum(axis=1))
    gaps = nearest_images(centers) - radii[:, None]
    pairs, gap = scene.contacts(0.5, box=box)
    np.testing.assert_array_equal(pairs, np.argwhere(np.triu(gaps <= 0.5, 1)))
    np.testing.assert_allclose(gap, gaps[tuple(pairs.T)], atol=1e-12)
    assert len(pairs) > len(scene.contacts(0.5)[0])
    with pytest.raises(sphaera.Error, match="point 0: x is 60, farther than box.x, 20"):
        scene.nearest([[60, 0, 0]], box=box)


def test_scenes_from_arrays_of_any_kind(random):
    table = random.uniform(1, 20, (50, 7))
    scene = sphaera.Scene(table[:, 2:5], table[:, 6])
    np.testing.assert_array_equal(scene.centers, table[:, 2:5])
    np.testing.assert_array_equal(scene.radii, table[:, 6])
    half = sphaera.Scene(table[:, :3].astype(np.float32), 1)
    np.testing.assert_array_equal(half.centers, table[:, :3].astype(np.float32))
    assert (sphaera.Scene(table[:, :4].tolist()).spheres == table[:, :4]).all()


def test_arrays_are_views(random):
    scene = some(random)
    view = scene.spheres
    assert not view.flags.writeable and not view.flags.owndata
    with pytest.raises(sphaera.Error, match="still in use"):
        scene.insert([[0, 0, 0]], 1)
    row = view[3]
    del view
    with pytest.raises(sphaera.Error, match="still in use"):
        scene.insert([[0, 0, 0]], 1)
    del scene  # the view keeps it
    assert np.isfinite(row).all()


def test_edits(random):
    scene = some(random)
    new = scene.insert([[50, 0, 0], [60, 0, 0]], [1, 2], layers=[3, 4])
    assert list(new) == [200, 201] and len(scene) == 202
    assert scene.first_hit([40, 0, 0, 1, 0, 0]).sphere == 200
    assert scene.first_hit([40, 0, 0, 1, 0, 0], layers=1 << 4).sphere == 201
    assert scene.first_hit([40, 0, 0, 1, 0, 0], ignore=200).sphere == 201
    scene.set_enabled(200, False)
    assert not scene.is_enabled(200) and scene.first_hit([40, 0, 0, 1, 0, 0]).sphere == 201
    scene.erase([200])
    assert 200 not in scene and 201 in scene
    scene.set_radii(201, 5)
    assert scene.radii[201] == 5
    scene.set_layers(201, 9)
    assert scene.layers[201] == 9
    scene.update([[70, 0, 0]], ids=[201])
    assert scene.first_hit([40, 0, 0, 1, 0, 0]).t_enter == 25
    assert set(scene.update(scene.centers + 1, rebuild="always")) == {"rebuilt", "degradation", "boxes"}


def test_buffers(random):
    buffer = sphaera.SceneBuffer([[0, 0, 0]], 1, keep=1)
    old = buffer.current()
    buffer.update([[0, 0, 5]])
    assert old.first_hit([0, 0, -9, 0, 0, 1]).t_enter == 8
    assert buffer.current().first_hit([0, 0, -9, 0, 0, 1]).t_enter == 13
    assert buffer.past(1).first_hit([0, 0, -9, 0, 0, 1]).t_enter == 8
    with pytest.raises(sphaera.Error):
        buffer.past(2)


def test_pickle(random):
    scene = sphaera.Scene(random.uniform(0, 20, (60, 3)), 0.5, velocities=random.normal(size=(60, 3)), horizon=(0, 3),
                          owners=np.arange(60) // 3)
    scene.erase([3, 59])
    scene.set_enabled([7], False)
    again = pickle.loads(pickle.dumps(scene))
    rays = some_rays(random, 300)
    times = random.uniform(0, 3, 300)
    for found in ("sphere", "t_enter", "t_exit"):
        np.testing.assert_array_equal(*(getattr(one.first_hit(rays, times=times, ignore_owners=5), found)
                                        for one in (scene, again)))
    assert len(again) == 58 and 3 not in again and not again.is_enabled(7)


@pytest.mark.parametrize("ask, what, index", [
    (lambda scene: scene.first_hit(np.zeros((2, 6))), "ray 0: direction", 0),
    (lambda scene: scene.first_hit([[0, 0, 0, 1, 0, 0], [0, 0, np.nan, 1, 0, 0]]), "ray 1", 1),
    (lambda scene: scene.first_hit(np.zeros((2, 5))), "rays: have the shape", -1),
    (lambda scene: scene.first_hit("rays"), "rays: are not numbers", -1),
    (lambda scene: scene.first_hit(), "give rays", -1),
    (lambda scene: scene.first_hit(np.ones((2, 6)), ignore=[1, 2, 3]), "ignore", -1),
    (lambda scene: scene.first_hit(np.ones((2, 6)), search="indx"), "search: 'indx' is none of index", -1),
    (lambda scene: scene.within(np.zeros((2, 3)), -1.0), "ball 0", 0),
    (lambda scene: scene.nearest(np.zeros((2, 4))), "points: have the shape", -1),
    (lambda scene: scene.erase([500]), "500", 0),
    (lambda scene: sphaera.Scene([[0, 0, 0]], [-1]), "sphere 0", 0),
    (lambda scene: sphaera.Scene([[0, 0, 0]], [1, 2]), "radii: have the shape", -1),
    (lambda scene: sphaera.Scene([[0, 0]], [1]), "centers: have the shape", -1),
    (lambda scene: sphaera.Star((0, 0, 0), 1, limb_darkening=("quadratic", [1])), "quadratic has 2", -1),
])
def test_errors_say_what_is_wrong(random, ask, what, index):
    with pytest.raises(sphaera.Error, match=what) as caught:
        ask(some(random))
    assert caught.value.index == index and isinstance(caught.value, ValueError)


def test_invalid_queries_may_be_skipped(random):
    rays = some_rays(random, 4)
    rays[2, 3:6] = 0
    assert some(random).first_hit(rays, skip_invalid=True).sphere[2] == -1


def test_accept_and_its_errors(random):
    scene, rays = some(random), some_rays(random, 100)
    even = scene.first_hit(rays, accept=lambda query, sphere: sphere % 2 == 0).sphere
    assert (even[even >= 0] % 2 == 0).all() and (even >= 0).any()
    with pytest.raises(ZeroDivisionError):
        scene.first_hit(rays, accept=lambda query, sphere: 1 / 0)


def test_progress_and_its_errors():
    heard = []
    sphaera.Scene(np.random.default_rng(1).uniform(0, 1e3, (100_000, 3)), 1.0, progress=heard.append)
    assert heard and max(heard) <= 1
    with pytest.raises(KeyError):
        sphaera.Scene(np.zeros((100_000, 3)), 1.0, progress=lambda fraction: {}["missing"])


def test_other_threads_run_meanwhile(random):
    scene, rays = some(random, 2000), some_rays(random, 300_000)
    running, turns = True, 0

    def turn():
        nonlocal turns
        while running:
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=turn)
    thread.start()
    before = turns
    scene.all_hits(rays, threads=1)
    during = turns - before
    running = False
    thread.join()
    assert during > 5


def test_ctrl_c_ends_a_long_call():
    script = """
import numpy as np, sphaera, sys
random = np.random.default_rng(1)
scene = sphaera.Scene(random.uniform(0, 100, (20_000, 3)), 1.0)
rays = np.concatenate([random.uniform(0, 100, (1_000_000, 3)), random.normal(size=(1_000_000, 3))], axis=1)
print("asked", flush=True)
try:
    scene.blocked(rays, search="brute_force", threads=1)
except KeyboardInterrupt:
    print("stopped", scene.blocked(rays[:3]).shape)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "asked\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert said == "stopped (3,)\n" and process.returncode == 0
