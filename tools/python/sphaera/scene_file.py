"""Scene files: spheres with names, layers and stars, as JSON, CSV, NPY or PLY."""

import ctypes
import os
from functools import cached_property
from pathlib import Path

import numpy as np

from . import _declarations as c
from . import _arrays as inputs
from ._arrays import address, borrowed, row_type
from ._library import Error, Owned, call, call_with_stop
from .options import ATOM_LAYERS, Options, new_stop, word
from .stars import Star


def _path(value):
    path = os.fsencode(value)
    if b"\0" in path:
        raise Error("has a zero byte", subject="path")
    return path


def _made(properties):
    return SceneFile(**properties)


class SceneFile(Owned):
    """The content of a scene file, which does not change. Formats, by extension: .json holds all, .csv spheres, velocities,
    names and layers, .npy and .ply spheres and velocities; each also with .gz behind it. Molecules and others
    are read: tools/README.md.

    centers: (N, 3), radii: (N,) or one number; or centers (N, 4) with the radius behind. For each sphere, by id: velocities
    (N, 3), names (texts), layers (numbers from 0, positions in layer_names), resistances (nan for none). stars: a list of
    Star. unit: a label, never a factor. epoch: the date of time 0, such as "2024-04-08T18:10:36Z". rotations, ellipsoids:
    rows as those of another file.
    """

    _destroy = "sphaera_scene_file_destroy"

    def __init__(self, centers, radii=None, *, velocities=None, names=None, layers=None, layer_names=None,
                 resistances=None, stars=(), unit="", rotations=None, ellipsoids=None, epoch=""):
        centers, radii = inputs.centers_and_radii(centers, radii)
        spheres = np.empty((len(centers), 4))
        spheres[:, :3], spheres[:, 3] = centers, radii
        arrays = c.SphaeraSceneFileArrays(size=ctypes.sizeof(c.SphaeraSceneFileArrays), count=len(spheres))
        kept = {"spheres": spheres}
        if velocities is not None:
            kept["velocities"] = np.ascontiguousarray(inputs.vectors("velocities", velocities), np.float64)
        for field, given, dtype in (("layers", layers, np.uint8), ("resistances", resistances, np.float64)):
            if given is not None:
                kept[field] = np.ascontiguousarray(given, dtype)
        for field, array in kept.items():
            if len(array) != len(spheres):
                raise Error(f"are {len(array)}, for {len(spheres)} spheres", subject=field)
            setattr(arrays, field, address(array))
        self.pointer = ctypes.c_void_p()
        call("sphaera_scene_file_create", ctypes.byref(self.pointer))
        call("sphaera_scene_file_set_arrays", self, ctypes.addressof(arrays))
        if layer_names is None:
            layer_names = ["default"] + [f"layer {i}" for i in range(1, int(max(kept.get("layers", ()), default=0)) + 1)]
        self._set_texts(c.SPHAERA_TEXT_LAYERS, layer_names)
        self._set_texts(c.SPHAERA_TEXT_UNIT, [unit])
        self._set_texts(c.SPHAERA_TEXT_EPOCH, [epoch])
        self._set_texts(c.SPHAERA_TEXT_NAMES, [] if names is None else names)
        self._set_stars(list(stars))
        for kind, given, row in (("rotations", rotations, c.SphaeraRotation),
                                 ("ellipsoids", ellipsoids, c.SphaeraEllipsoid)):
            if given is not None:
                rows = np.ascontiguousarray(given, row_type(row))
                call(f"sphaera_scene_file_set_{kind}", self, address(rows), len(rows))

    @classmethod
    def load(cls, path, *, anywhere=False, progress=None, columns=None, delimiter=None, radius=None, frame=0, radii=None,
             layer_by="element"):
        """Reads a file, and the files that a JSON scene names: those of its folder and below, with anywhere=True any.
        progress: a function of the fraction read of each file. Error has `subject` "FILE:LINE", `index` the bad sphere.

        Of CSV: columns={"x": "pos_x"} names columns (usual names are found), delimiter the separator (it is found; " " is
        any number of blanks). radius: of spheres in files that give no radii. frame: of files that have several, from 0;
        -1 is the last. radii: of atoms, a CSV with the columns element and radius, in the unit of the scene; without it
        atoms have their van der Waals radii. layer_by: element, chain, residue or none: what puts atoms on layers."""
        return cls._read("load", (_path(path),), anywhere, progress, columns, delimiter, radius, frame, radii, layer_by)

    @classmethod
    def parse(cls, data, name, *, anywhere=False, columns=None, delimiter=None, radius=None, frame=0, radii=None,
              layer_by="element"):
        """The same for bytes in memory; `name` gives the format and the folder."""
        data = bytes(data)
        return cls._read("parse", (data, len(data), _path(name)), anywhere, None, columns, delimiter, radius, frame, radii,
                         layer_by)

    @classmethod
    def _read(cls, function, arguments, anywhere, progress, columns, delimiter, radius, frame, radii, layer_by):
        options = Options(c.SphaeraSceneFileOptions, "sphaera_scene_file_options_init")
        options.values.scope = c.SPHAERA_FILE_SCOPE_ANYWHERE if anywhere else c.SPHAERA_FILE_SCOPE_SCENE_FOLDER
        pairs = [(str(name).encode(), str(in_file).encode()) for name, in_file in dict(columns or {}).items()]
        named = (c.SphaeraCsvColumn * len(pairs))(*pairs)
        options.values.frame = frame
        options.values.layer_by = word("layer_by", layer_by, ATOM_LAYERS)
        if radii is not None:
            options.values.radii = _path(radii)
        options.values.columns, options.values.column_count = ctypes.addressof(named) if pairs else None, len(pairs)
        if delimiter is not None:
            options.values.delimiter = ord(delimiter)
        if radius is not None:
            options.values.radius = radius
        if progress is not None:
            options.callback("progress", c.SphaeraProgress, lambda fraction: (progress(fraction), 0)[1])
        file = cls.__new__(cls)
        file.pointer = ctypes.c_void_p()
        with options.raising():
            call_with_stop(f"sphaera_scene_file_{function}", new_stop(options), *arguments, options,
                           ctypes.byref(file.pointer))
        return file

    def save(self, path):
        """Writes the file, in the format of its extension; it appears whole or not at all. Returns a sentence for each
        part that the format cannot hold, or that is never written: ephemerides, layers without spheres."""
        call("sphaera_scene_file_save", self, _path(path))
        return self._texts(c.SPHAERA_TEXT_LEFT_OUT)

    def _attachment(self):
        """Address and size of what a saved scene holds of this file, valid as long as this object."""
        pointer, count = ctypes.c_void_p(), ctypes.c_size_t()
        call("sphaera_scene_file_attachment", self, ctypes.byref(pointer), ctypes.byref(count))
        return pointer.value, count.value

    def __len__(self):
        return len(self.spheres)

    def __repr__(self):
        return f"<sphaera.SceneFile of {len(self)} spheres, {len(self.stars)} stars>"

    # ------------------------------------------------------------------------------------------- what it holds

    def _array(self, field, dtype, width=1):
        arrays = c.SphaeraSceneFileArrays(size=ctypes.sizeof(c.SphaeraSceneFileArrays))
        call("sphaera_scene_file_arrays", self, ctypes.byref(arrays))
        pointer = getattr(arrays, field)
        if not pointer and field != "spheres":
            return None
        _, array = borrowed(self, pointer, arrays.count * width, np.dtype(dtype))
        return array.reshape(-1, width) if width > 1 else array

    @property
    def spheres(self):
        """(N, 4): x, y, z, radius by id, read-only, without a copy."""
        return self._array("spheres", np.float64, 4)

    @property
    def velocities(self):
        """(N, 3), or None if none is given."""
        return self._array("velocities", np.float64, 3)

    @property
    def layers(self):
        """(N,): positions in layer_names, or None: all are on layer 0."""
        return self._array("layers", np.uint8)

    @property
    def resistances(self):
        """(N,), nan where none is given; or None."""
        return self._array("resistances", np.float64)

    @cached_property
    def names(self):
        """(N,): texts in an array, so that `names[hits.sphere]` and `names == "Moon"` work; or None."""
        texts = self._texts(c.SPHAERA_TEXT_NAMES)
        array = np.empty(len(texts), object)
        array[:] = texts
        return array if texts else None

    @cached_property
    def layer_names(self):
        return self._texts(c.SPHAERA_TEXT_LAYERS)

    def layer_mask(self, *names):
        """The mask of these layers, for the keyword `layers` of queries."""
        missing = [name for name in names if name not in self.layer_names]
        if missing:
            raise Error(f"{missing[0]!r} is none of {', '.join(self.layer_names)}", subject="layer")
        return sum({1 << self.layer_names.index(name) for name in names})

    @cached_property
    def unit(self):
        return self._texts(c.SPHAERA_TEXT_UNIT)[0]

    @cached_property
    def epoch(self):
        return self._texts(c.SPHAERA_TEXT_EPOCH)[0]

    @cached_property
    def warnings(self):
        """Of the load, a sentence each."""
        return self._texts(c.SPHAERA_TEXT_WARNINGS)

    @cached_property
    def sources(self):
        """All files that were read, as Path."""
        return [Path(text) for text in self._texts(c.SPHAERA_TEXT_SOURCES)]

    @cached_property
    def stars(self):
        """A list of Star, for `Scene.starlight`."""
        stars = []
        rows = self._rows("stars", c.SphaeraSceneStar)
        for i, (row, name) in enumerate(zip(rows, self._texts(c.SPHAERA_TEXT_STARS))):
            samples = self._samples("star", i)
            stars.append(Star.of_row(row, name, samples if len(samples) else None))
        return stars

    @cached_property
    def rotations(self):
        """Rows with `sphere`, `spin` (`axis`, `period`) and `meridian`."""
        return np.frombuffer(bytes(self._rows("rotations", c.SphaeraRotation)), row_type(c.SphaeraRotation))

    @cached_property
    def ellipsoids(self):
        """Rows with `sphere`, `equatorial_radius` and `polar_radius`: what stations stand on."""
        return np.frombuffer(bytes(self._rows("ellipsoids", c.SphaeraEllipsoid)), row_type(c.SphaeraEllipsoid))

    @cached_property
    def ephemerides(self):
        """A dictionary of (T, 7): t, x, y, z, vx, vy, vz, by id of the sphere."""
        return {sphere: self._samples("sphere", sphere) for sphere in self._rows("orbits", ctypes.c_int64)}

    def _rows(self, kind, item):
        """A copy of rows."""
        pointer, count = ctypes.c_void_p(), ctypes.c_size_t()
        call(f"sphaera_scene_file_{kind}", self, ctypes.byref(pointer), ctypes.byref(count))
        rows = (item * count.value)()
        ctypes.memmove(rows, pointer, ctypes.sizeof(rows))
        return rows

    def _samples(self, kind, number):
        pointer, count = ctypes.c_void_p(), ctypes.c_size_t()
        call(f"sphaera_scene_file_{kind}_samples", self, number, ctypes.byref(pointer), ctypes.byref(count))
        return borrowed(self, pointer.value, 7 * count.value, np.dtype(np.float64))[1].reshape(-1, 7)

    def _texts(self, kind):
        characters, ends, count = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
        call("sphaera_scene_file_texts", self, kind, ctypes.byref(characters), ctypes.byref(ends), ctypes.byref(count))
        if count.value == 0:
            return []
        ends = np.frombuffer(ctypes.string_at(ends, 8 * count.value), np.uint64).tolist()
        text = ctypes.string_at(characters, ends[-1])
        return [os.fsdecode(text[begin:end]) for begin, end in zip([0] + ends, ends)]

    def _set_texts(self, kind, texts):
        encoded = [str(text).encode("utf-8", "surrogateescape") for text in texts]
        call("sphaera_scene_file_set_texts", self, kind, (ctypes.c_char_p * len(encoded))(*encoded),
             (ctypes.c_size_t * len(encoded))(*map(len, encoded)), len(encoded))

    def _set_stars(self, stars):
        rows = (c.SphaeraSceneStar * len(stars))(*(star.file_row() for star in stars))
        call("sphaera_scene_file_set_stars", self, ctypes.addressof(rows), len(stars))
        self._set_texts(c.SPHAERA_TEXT_STARS, [star.name for star in stars])

    # -------------------------------------------------------------------------------------- from and to a Scene

    def __reduce__(self):
        """For pickle: all but warnings, sources and ephemerides."""
        arrays = {name: None if (array := getattr(self, name)) is None else array.copy()
                  for name in ("velocities", "layers", "resistances")}
        return _made, ({"centers": self.spheres.copy(), "names": self.names, "layer_names": self.layer_names,
                        "stars": self.stars, "unit": self.unit, "rotations": self.rotations,
                        "ellipsoids": self.ellipsoids, "epoch": self.epoch, **arrays},)

    def _for_scene_of(self, count):
        """What a scene that was built from this file and now has `count` ids does not hold itself."""
        def padded(values, rest):
            if values is None:
                return None
            return np.concatenate([values, np.full((count - len(values),) + values.shape[1:], rest, values.dtype)])

        return {"velocities": padded(self.velocities, 0), "names": padded(self.names, ""),
                "resistances": padded(self.resistances, np.nan), "layer_names": self.layer_names, "stars": self.stars,
                "unit": self.unit, "rotations": self.rotations, "ellipsoids": self.ellipsoids, "epoch": self.epoch}
