"""Scene files: as the tool reads them, and as they were saved."""

import gzip
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
import sphaera
from conftest import DATA, TOOL

ORBIT = "t,x,y,z,vx,vy,vz\n0,1e11,0,0,0,1,0\n2,2,0,0,1,0,0.5\n"
EVERYTHING = {
    "sphaera": 1, "unit": "m", "epoch": "2024-04-08T18:17:18.989Z",
    "stars": [{"sphere": "Ada", "name": "Ada", "luminosity": 60, "limb_darkening": {"quadratic": [0.4, 0.26]}},
              {"center": [1, 2, 3], "radius": 4, "velocity": [0.1, 0, 0]},
              {"direction": [0, 0, 1], "angular_radius": 0.01, "name": "näher"}],
    "spheres": [{"center": [1, 2, 3], "radius": 0.5, "name": "Ada", "resistance": 2},
                {"center": [0.1, -0.0, 0], "radius": 5e-324, "layer": "stones"},
                {"center": [1e12, 0, 0], "radius": 7e8, "name": "a\0b", "velocity": [0, 0, -3],
                 "spin": {"axis": [0, 0, 1], "period": 86164, "meridian": [1, 0, 0]},
                 "ellipsoid": {"equatorial_radius": 0.2, "polar_radius": 0.1}}]}


def tool(folder, *arguments):
    subprocess.run([TOOL, *map(str, arguments), "--quiet"], cwd=folder, check=True)
    return np.load(folder / "answers.npy")


def everything(folder, content=None):
    (folder / "scene.json").write_text(json.dumps(content or EVERYTHING))
    return folder / "scene.json"


@pytest.mark.parametrize("name", ["solar_system.json", "solar_system.csv", "crowd_ucy_frame981.csv", "mol_bace_52k.csv.gz"])
def test_answers_have_the_bits_of_the_tool(name, tmp_path, random):
    scene = sphaera.Scene.from_file(DATA / name)
    chosen = scene.spheres[random.integers(0, len(scene), 2000)]
    origins = chosen[:, :3] + 3 * chosen[:, 3:] * random.normal(size=(2000, 3))
    np.save(tmp_path / "rays.npy", np.hstack([origins, chosen[:, :3] - origins]))
    np.save(tmp_path / "points.npy", origins)
    hits = scene.first_hit((origins, chosen[:, :3] - origins))
    first = tool(tmp_path, "first", DATA / name, "--rays", "rays.npy", "--output", "answers.npy")
    assert hits.hit.sum() > 1000
    for field in ("sphere", "t_enter", "t_exit", "contact"):
        np.testing.assert_array_equal(getattr(hits, field), first[field])
    nearest = tool(tmp_path, "nearest", DATA / name, "--points", "points.npy", "--output", "answers.npy")
    distance, sphere = scene.nearest(origins)
    np.testing.assert_array_equal(distance, nearest["distance"])
    np.testing.assert_array_equal(sphere, nearest["sphere"])
    if scene.stars:
        rows = tool(tmp_path, "starlight", DATA / name, "--observers", "points.npy", "--output", "answers.npy")
        seen = scene.starlight(scene.stars, origins)[:, 0]
        known = seen.status == 0  # elsewhere the tool has no numbers
        for field in ("fraction", "flux", "magnitude", "dominant", "occluders"):
            np.testing.assert_array_equal(getattr(seen, field)[known], rows[field][known])
        assert (seen.fraction < 1).any() and (seen.fraction == 1).any()


def test_names_layers_and_stars():
    scene = sphaera.Scene.from_file(DATA / "solar_system.json")
    assert scene.names[4] == "Moon" and list(np.flatnonzero(scene.names == "Moon")) == [4]
    sun, = scene.stars
    assert (sun.name, sun.sphere, sun.luminosity, sun.radius) == ("Sun", 0, 3.828e26, scene.radii[0])
    moon = scene.centers[4]
    earth = np.flatnonzero(scene.names == "Earth")[0]
    to_moon = scene.centers[earth], moon - scene.centers[earth]
    assert scene.names[scene.first_hit(to_moon, ignore=earth).sphere] == "Moon"
    assert scene.first_hit(to_moon, ignore=earth, layers=scene.file.layer_mask("Mars", "Jupiter")).sphere == -1
    assert scene.first_hit(to_moon, ignore=earth, layers=scene.file.layer_mask("Earth")).sphere == 4
    assert scene.file.unit == "m" and scene.file.warnings == []
    assert [path.name for path in scene.file.sources] == ["solar_system.json", "solar_system.csv"]
    with pytest.raises(sphaera.Error, match="'Pluto2' is none of"):
        scene.file.layer_mask("Pluto2")


def test_everything_comes_back(tmp_path):
    file = sphaera.SceneFile.load(everything(tmp_path))
    assert file.save(tmp_path / "again.json") == [] and file.save(tmp_path / "again.json.gz") == []
    assert len(file.save(tmp_path / "again.csv")) == 6 and len(file.save(tmp_path / "again.npy")) == 8
    packed = gzip.decompress((tmp_path / "again.json.gz").read_bytes())
    assert packed == (tmp_path / "again.json").read_bytes()
    made = sphaera.SceneFile(file.spheres, velocities=file.velocities, names=file.names, layers=file.layers,
                             layer_names=file.layer_names, resistances=file.resistances, stars=file.stars, unit=file.unit,
                             rotations=file.rotations, ellipsoids=file.ellipsoids,
                             epoch=file.epoch)
    assert made.save(tmp_path / "made.json") == [] and (tmp_path / "made.json").read_bytes() == packed
    sphaera.Scene.from_file(file, horizon=(0, 1)).save(tmp_path / "scene.json")
    assert (tmp_path / "scene.json").read_bytes() == packed
    again = sphaera.SceneFile.parse(packed, "again.json")
    np.testing.assert_array_equal(again.spheres, [[1, 2, 3, 0.5], [0.1, -0.0, 0, 5e-324], [1e12, 0, 0, 7e8]])
    assert np.signbit(again.spheres[1, 1]) and not again.spheres.flags.writeable
    np.testing.assert_array_equal(again.velocities, [[0, 0, 0], [0, 0, 0], [0, 0, -3]])
    assert list(again.names) == ["Ada", "", "a\0b"] and list(again.layers) == [0, 1, 0]
    np.testing.assert_array_equal(again.resistances, [2, np.nan, np.nan])
    assert again.layer_names == ["default", "stones"] and again.unit == "m"
    ada, ball, far = again.stars
    assert (ada.name, ada.sphere, ada.luminosity, list(ada.center)) == ("Ada", 0, 60, [1, 2, 3])
    assert list(ada.row.limb_darkening.coefficients[:2]) == [0.4, 0.26]
    assert (ball.radius, ball.velocity, ball.luminosity) == (4, (0.1, 0, 0), None)
    assert far.center is None and far.row.angular_radius == 0.01 and far.name == "näher"
    assert again.rotations["sphere"] == [2] and again.rotations["spin"]["period"] == [86164]
    np.testing.assert_array_equal(again.rotations["spin"]["axis"], [[0, 0, 1]])
    assert again.ellipsoids.tolist() == [(2, 0.2, 0.1)] and again.epoch == "2024-04-08T18:17:18.989Z"


def test_ephemerides(tmp_path):
    content = json.loads(json.dumps(EVERYTHING))
    content["spheres"][1]["ephemeris"] = content["stars"][1]["ephemeris"] = "orbit.csv"
    del content["stars"][1]["velocity"]
    (tmp_path / "orbit.csv").write_text(ORBIT)
    file = sphaera.SceneFile.load(everything(tmp_path, content))
    rows = np.genfromtxt(ORBIT.splitlines(), delimiter=",", skip_header=1)
    assert list(file.ephemerides) == [1] and file.stars[0].ephemeris is None
    np.testing.assert_array_equal(file.ephemerides[1], rows)
    np.testing.assert_array_equal(file.stars[1].ephemeris, rows)


def test_a_scene_is_saved(tmp_path, random):
    scene = sphaera.Scene(random.uniform(0, 20, (50, 3)), 0.5, layers=np.arange(50) // 25)
    scene.insert([[50, 0, 0]], 1, layers=1)
    star = sphaera.Star((0, 0, 99), 3, name="lamp", luminosity=5)
    assert scene.save(tmp_path / "s.json", stars=[star], names=[f"ball {i}" for i in range(51)], unit="cm") == []
    back = sphaera.Scene.from_file(tmp_path / "s.json", quality="compact")
    np.testing.assert_array_equal(back.spheres, scene.spheres)
    np.testing.assert_array_equal(back.layers, scene.layers)
    assert back.names[50] == "ball 50" and back.stars[0].name == "lamp" and back.file.layer_names == ["default", "layer 1"]
    back.insert([[60, 0, 0]], 2)  # has no name in the file
    back.save(tmp_path / "more.json")
    assert list(sphaera.SceneFile.load(tmp_path / "more.json").names[49:]) == ["ball 49", "ball 50", ""]
    scene.erase([3])
    with pytest.raises(sphaera.Error, match="scene: has erased spheres"):
        scene.save(tmp_path / "s.json")


def test_pickle(tmp_path):
    scene = sphaera.Scene.from_file(everything(tmp_path), horizon=(0, 1))
    again = pickle.loads(pickle.dumps(scene))
    for name, one in (("one.json", scene), ("two.json", again)):
        assert one.save(tmp_path / name) == []
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert repr(again.file) == "<sphaera.SceneFile of 3 spheres, 3 stars>" and "Ada: sphere 0" in repr(again.stars[0])


def test_a_star_that_is_a_sphere(random):
    scene = sphaera.Scene([[0, 0, 0], [0, 0, 10]], [2.0, 0.5])
    places = random.normal(size=(100, 3)) * 5 + [0, 0, 20]
    seen = scene.starlight(sphaera.Star(sphere=0), places)
    np.testing.assert_array_equal(seen.rows, scene.starlight(sphaera.Star((0, 0, 0), 2.0), places).rows)
    assert (seen.fraction < 1).any()
    with pytest.raises(sphaera.Error, match="star 1: is sphere 2, which is not in the scene"):
        scene.starlight([sphaera.Star(sphere=0), sphaera.Star(sphere=2)], places)
    with pytest.raises(sphaera.Error, match="give center and radius"):
        sphaera.Star()


@pytest.mark.parametrize("text, subject, index", [
    ("x,y,z,r\n0,0,0,1\n0,0,0,-1\n", "{}:3: sphere 1", 1),
    ("x,y,z,r\n0,0,0\n", "{}:2", -1),
    ("x,y,z\n", "{}:1", -1)])
def test_errors_name_file_and_line(text, subject, index, tmp_path):
    path = tmp_path / "s.csv"
    path.write_text(text)
    for load, name in ((lambda: sphaera.Scene.from_file(path), path),
                       (lambda: sphaera.SceneFile.parse(text.encode(), "s.csv"), "s.csv")):
        with pytest.raises(sphaera.Error) as caught:
            load()
        assert caught.value.subject == subject.format(name) and caught.value.index == index
        assert caught.value.status == 2 and str(caught.value).startswith(caught.value.subject)


@pytest.mark.parametrize("make, what, index", [
    (lambda: sphaera.SceneFile.load("/nowhere/s.csv"), "/nowhere/s.csv: cannot open it", -1),
    (lambda: sphaera.SceneFile.load("s.doc"), "ends in .json, .csv, ", -1),
    (lambda: sphaera.SceneFile.load("s\0.csv"), "path: has a zero byte", -1),
    (lambda: sphaera.SceneFile([[0, 0, 0]]), "centers: have the shape", -1),
    (lambda: sphaera.SceneFile([[0, 0, 0]], 1, layers=[0, 0]), "layers: are 2, for 1 spheres", -1),
    (lambda: sphaera.SceneFile([[0, 0, 0]], -1).save("s.csv"), "sphere 0: ", 0),
    (lambda: sphaera.SceneFile([[0, 0, 0]], 1, names=["a", "b"]).save("s.csv"), "names: has 2 items for 1", -1),
    (lambda: sphaera.SceneFile([[0, 0, 0]], 1, stars=[sphaera.Star(sphere=3)]).save("s.json"), "star 0: its sphere", 0),
])
def test_errors_say_what_is_wrong(make, what, index, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(sphaera.Error) as caught:
        make()
    assert what in str(caught.value) and caught.value.index == index
    assert not list(tmp_path.iterdir())


def test_files_elsewhere_and_progress(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "more.csv").write_text("x,y,z,r\n1,2,3,4\n")
    path = everything(tmp_path / "inside", {"sphaera": 1, "files": [{"path": "../more.csv"}]})
    with pytest.raises(sphaera.Error, match="outside the scene's folder"):
        sphaera.Scene.from_file(path)
    assert len(sphaera.Scene.from_file(path, anywhere=True)) == 1
    heard = []
    sphaera.SceneFile.load(path, anywhere=True, progress=heard.append)
    assert heard and max(heard) == 1
    with pytest.raises(KeyError):
        sphaera.SceneFile.load(path, anywhere=True, progress=lambda fraction: {}["missing"])


def test_those_who_only_ask_need_no_library_of_files():
    script = "import sphaera; sphaera.Scene([[0, 0, 0]], 1).nearest([[1, 2, 3]]); print(open('/proc/self/maps').read())"
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "libsphaera-c.so" in said and "scene-file" not in said and "simdjson" not in said


def test_csv_of_other_programs(tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("pos_x;y;height;team\n1,5;2;3;red\n")
    scene = sphaera.Scene.from_file(path, columns={"z": "height", "layer": "team"}, radius=4)
    assert scene.spheres.tolist() == [[1.5, 2, 3, 4]] and scene.file.layer_names == ["red"]
    file = sphaera.SceneFile.parse(b"x|y|z|r\n1|2|3|4\n", "bars.csv", delimiter="|")
    assert file.spheres.tolist() == [[1, 2, 3, 4]]
    with pytest.raises(sphaera.Error, match="column 'z' is missing"):
        sphaera.SceneFile.load(path, radius=4)


def test_atoms(tmp_path):
    path, radii = tmp_path / "s.xyz", tmp_path / "radii.csv"
    path.write_text("1\n\nC 1 2 3\n2\n\nC 1 2 3\nO 4 5 6\n")
    radii.write_text("element,radius\nO,2.5\n")
    scene = sphaera.Scene.from_file(path, frame=-1, radii=radii, layer_by="none")
    assert scene.spheres.tolist() == [[1, 2, 3, 1.7], [4, 5, 6, 2.5]] and scene.file.layers is None
    file = sphaera.SceneFile.parse(path.read_bytes(), "s.xyz", frame=1, radii=str(radii))
    assert file.spheres.tolist() == scene.spheres.tolist() and file.layer_names == ["C", "O"]
    with pytest.raises(sphaera.Error, match="'colour' is none of element, chain, residue, none"):
        sphaera.SceneFile.load(path, layer_by="colour")


@pytest.mark.parametrize("dtype", ["<f8", ">f8", "<f4", ">f4", "<i8", ">i4", "<i2", "|i1", "|u1", "<u4", "|b1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy_as_numpy_saves_it(dtype, order, tmp_path):
    spheres = np.array([[1, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 1]]).astype(dtype, order=order)
    np.save(tmp_path / "s.npy", spheres)
    assert np.array_equal(sphaera.SceneFile.load(tmp_path / "s.npy").spheres, spheres.astype(float))
