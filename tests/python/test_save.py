"""Saved scenes (.sphi): opened without a build, shared, pickled by path."""

import multiprocessing
import pickle

import numpy as np
import pytest
import sphaera
from test_scene import some, some_rays


def hits_of(scene, rays):
    return scene.first_hit(rays).rows.tobytes()


def test_an_opened_scene_answers_as_the_saved_one(random, tmp_path):
    scene, rays = some(random), some_rays(random, 50)
    assert scene.save(tmp_path / "s.sphi") == []
    for check in ("first_use", "at_once", "never"):
        opened = sphaera.Scene.open(tmp_path / "s.sphi", check=check)
        assert hits_of(opened, rays) == hits_of(scene, rays)
        assert len(opened) == len(scene)


def test_names_and_stars_stay(random, tmp_path):
    file = sphaera.SceneFile(np.array([[0, 0, 0, 1.0], [5, 0, 0, 2]]), names=["a", "b"], layers=[0, 1],
                             layer_names=["in", "out"], stars=[sphaera.Star([0, 0, 90], 5, name="S")], unit="m")
    sphaera.Scene.from_file(file).save(tmp_path / "s.sphi")
    opened = sphaera.Scene.open(tmp_path / "s.sphi")
    assert opened.names.tolist() == ["a", "b"] and opened.stars[0].name == "S"
    assert opened.file.layer_names == ["in", "out"] and opened.layers.tolist() == [0, 1]
    assert sphaera.SceneFile.load(tmp_path / "s.sphi").unit == "m"
    opened.save(tmp_path / "s.csv")
    assert (tmp_path / "s.csv").read_text().splitlines()[2] == "5,0,0,2,b,out"


def test_the_first_change_leaves_the_file(random, tmp_path):
    scene, rays = some(random), some_rays(random, 50)
    scene.save(tmp_path / "s.sphi")
    before = (tmp_path / "s.sphi").read_bytes()
    opened = sphaera.Scene.open(tmp_path / "s.sphi")
    held = opened.spheres
    with pytest.raises(sphaera.Error, match="still in use"):
        opened.set_radii([3], 9.0)
    del held
    for one in (opened, scene):
        one.set_radii([3], 9.0)
        one.insert([[1, 2, 3]], 0.5)
    assert hits_of(opened, rays) == hits_of(scene, rays)
    assert (tmp_path / "s.sphi").read_bytes() == before


def test_pickle_takes_the_path(random, tmp_path):
    scene, rays = some(random, 5000), some_rays(random, 50)
    scene.save(tmp_path / "s.sphi")
    opened = sphaera.Scene.open(tmp_path / "s.sphi")
    data = pickle.dumps(opened)
    assert len(data) < 1000
    assert hits_of(pickle.loads(data), rays) == hits_of(scene, rays)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.starmap(hits_of, [(opened, rays)] * 4) == [hits_of(scene, rays)] * 4
    opened.erase([0])
    with pytest.raises(sphaera.Error, match="save it"):
        pickle.dumps(opened)


def test_what_is_damaged_is_refused(random, tmp_path):
    some(random).save(tmp_path / "s.sphi")
    data = bytearray((tmp_path / "s.sphi").read_bytes())
    data[1000] ^= 1
    (tmp_path / "bad.sphi").write_bytes(data)
    with pytest.raises(sphaera.Error, match="damaged"):
        len(sphaera.Scene.open(tmp_path / "bad.sphi"))
    with pytest.raises(sphaera.Error, match="no saved scene|not a saved scene"):
        (tmp_path / "text.sphi").write_text("x,y,z,r\n")
        sphaera.Scene.open(tmp_path / "text.sphi")
