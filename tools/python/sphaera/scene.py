"""Scenes of spheres: build, change, ask."""

import ctypes
import os
import weakref

import numpy as np

from . import _declarations as c
from . import answers
from . import _arrays as inputs
from ._arrays import Lists, address, borrowed, per_query, row_type
from ._library import Error, Owned, call, call_with_stop
from .options import (CHECKS, QUALITIES, FlightOptions, Options, QueryOptions, new_stop, update_options, word)
from .scene_file import SceneFile, _path
from .stars import Star, star_rows

#: From so many queries on a call can be stopped by Ctrl-C; below, starting a thread would be a large part of it.
STOPPABLE_QUERIES = 10_000


def _ids(value):
    return np.ascontiguousarray(np.atleast_1d(value), dtype=np.int64)


def _rows(array):
    """An array of vectors or numbers, as the library reads it: any strides, float32 or float64."""
    if array is None:
        return None
    kind = c.SPHAERA_FLOAT if array.dtype == np.float32 else c.SPHAERA_DOUBLE
    rows = c.SphaeraRows(address(array), len(array), array.strides[0] if len(array) else 0, kind, 0)
    rows.kept = array
    return rows


def _pointer(rows):
    return None if rows is None else ctypes.addressof(rows)


class _Changes:
    """Changes of a Scene or a SceneBuffer; `_kind` is its name in C."""

    def update(self, centers, velocities=None, *, ids=None, **options):
        """Moves all spheres, or those of `ids`: `centers` (N, 3), `velocities` (N, 3) or None for the old ones.

        rebuild: "when_degraded" (default), "never", "always" or "in_background"; threads; at_time: the time at which
        the centers hold, in a scene with velocities. Returns a dictionary: `rebuilt`, `degradation`, `boxes`.
        """
        wanted = update_options(**options)
        centers, velocities = _rows(inputs.vectors("centers", centers)), _rows(inputs.vectors("velocities", velocities))
        result = c.SphaeraUpdateResult(size=ctypes.sizeof(c.SphaeraUpdateResult))
        some = () if ids is None else (address(ids := _ids(ids)),)
        if ids is not None and len(ids) != centers.count:
            raise Error(f"are {len(ids)}, for {centers.count} centers", subject="ids")
        stop = new_stop(wanted)
        self._will_change()
        call_with_stop(f"sphaera_{self._kind}_update{'' if ids is None else '_some'}", stop, self, *some,
                       _pointer(centers), _pointer(velocities), wanted, ctypes.addressof(result))
        return {"rebuilt": bool(result.rebuilt), "degradation": result.degradation, "boxes": result.boxes}

    def insert(self, centers, radii, *, velocities=None, layers=None, owners=None, **options):
        """Adds spheres and returns their ids: those of erased spheres first, then new ones."""
        self._check_views()
        update = update_options(**options)
        values = Options(c.SphaeraInsertOptions, "sphaera_insert_options_init")
        centers = inputs.vectors("centers", centers)
        values.values.update = ctypes.addressof(update.values)
        for field, given, dtype in (("layers", layers, np.uint8), ("owners", owners, np.uint32)):
            if given is not None:
                values.point(field, np.ascontiguousarray(np.broadcast_to(np.asarray(given, dtype), len(centers))))
        places, numbers = _rows(centers), _rows(inputs.numbers("radii", radii, len(centers)))
        new_ids = np.empty(len(centers), np.int64)
        moving = _rows(inputs.vectors("velocities", velocities))
        self._will_change()
        call(f"sphaera_{self._kind}_insert_rows", self, _pointer(places), _pointer(numbers),
             _pointer(moving), values, address(new_ids))
        return new_ids

    def erase(self, ids, **options):
        """Removes spheres. Their ids are given to later ones."""
        ids = _ids(ids)
        self._will_change()
        call(f"sphaera_{self._kind}_erase", self, address(ids), len(ids), update_options(**options))

    def set_enabled(self, ids, enabled, **options):
        """Spheres that are not enabled are passed by all queries."""
        ids = _ids(ids)
        self._will_change()
        call(f"sphaera_{self._kind}_set_enabled", self, address(ids), len(ids), int(bool(enabled)),
             update_options(**options))

    def set_radii(self, ids, radii, **options):
        ids = _ids(ids)
        radii = np.ascontiguousarray(inputs.numbers("radii", radii, len(ids)), np.float64)
        self._will_change()
        call(f"sphaera_{self._kind}_set_radii", self, address(ids), len(ids), address(radii), update_options(**options))

    def set_layers(self, ids, layers):
        ids = _ids(ids)
        layers = np.ascontiguousarray(np.broadcast_to(np.asarray(layers, np.uint8), len(ids)))
        self._will_change()
        call(f"sphaera_{self._kind}_set_layers", self, address(ids), len(ids), address(layers))

    def _check_views(self):
        """Inserting may move the arrays of a scene."""

    _opened, _changed = None, False  #: the path of the .sphi that was opened; whether the scene is another by now

    def _will_change(self):
        if self._opened is not None and not self._changed:
            self._check_views()  # the first change copies the arrays of the file
        self._changed = True


class Scene(_Changes, Owned):
    """Spheres with an index. Sphere i has the id i. All are closed balls: a touch counts.

    centers: (N, 3), float64 or float32, any strides; radii: (N,) or one number, > 0; or centers (N, 4) with the radius
    behind, and no radii. velocities (N, 3) with horizon=(from, to), the times that queries may ask about. layers: (N,),
    0 ... 63; owners: (N,), numbers that queries can ignore. quality: "fast", "balanced" or "compact". threads: 0 for all.
    progress: a function of the fraction done. generations: count how often an id was given anew. memory_limit: bytes.

    Queries take these keywords: layers (a mask of bits, one or one for each query), ignore (an id, or one for each),
    also_ignore (a second one), ignore_owners, also_ignore_owners, times (in a scene with velocities), accept (a function
    of query and sphere id, called from several threads), search ("index", "brute_force", "embree": the same answers),
    threads, memory_limit (bytes of lists), skip_invalid (invalid queries are misses), box (edges of a periodic box, for
    nearest, within, contacts and the like: of each sphere the nearest image counts; 0: no period along that axis).
    float64 input of the full width is not copied; the answers have the leading shape of the queries. Wrong input raises
    Error, which is a ValueError, with `.index`.
    """

    _kind, _destroy = "scene", "sphaera_scene_destroy"
    _file = None

    def __init__(self, centers, radii=None, *, velocities=None, horizon=None, layers=None, owners=None,
                 quality="balanced", threads=0, progress=None, generations=False, memory_limit=0):
        centers, radii = inputs.centers_and_radii(centers, radii)
        options = Options(c.SphaeraBuildOptions, "sphaera_build_options_init")
        values = options.values
        for field, given, dtype in (("layers", layers, np.uint8), ("owners", owners, np.uint32)):
            if given is not None:
                array = np.ascontiguousarray(given, dtype)
                if array.shape != (len(centers),):
                    raise Error(f"have the shape {array.shape}, for {len(centers)} spheres", subject=field)
                options.point(field, array)
        if horizon is not None:
            values.horizon_from, values.horizon_to = horizon
        values.quality, values.threads = word("quality", quality, QUALITIES), threads
        values.memory_limit, values.generations = memory_limit, int(generations)
        if progress is not None:
            options.callback("progress", c.SphaeraProgress, lambda fraction: (progress(fraction), 0)[1])
        rows = [_rows(centers), _rows(radii), _rows(inputs.vectors("velocities", velocities))]
        self._quality, self._horizon, self._views = quality, horizon, []
        self.pointer = ctypes.c_void_p()
        with options.raising():
            call_with_stop("sphaera_scene_build_rows", new_stop(options), *map(_pointer, rows), options,
                           ctypes.byref(self.pointer))

    @classmethod
    def open(cls, path, *, check="first_use", threads=0):
        """A scene that `save` or `sphaera index` has written as .sphi: the same answers, without a build. The file is
        mapped, so that processes on one machine share its memory; the first change copies it. It must not be changed in
        place meanwhile; `save` replaces it whole. check: "first_use", "at_once" or "never" (a damaged file then has
        undefined results). pickle takes the path alone, until the scene is changed."""
        options = Options(c.SphaeraOpenOptions, "sphaera_open_options_init")
        options.values.check, options.values.threads = word("check", check, CHECKS), threads
        pointer = ctypes.c_void_p()
        call("sphaera_scene_open", _path(path), options, ctypes.byref(pointer))
        scene = cls._of(pointer, None, None)
        scene._opened = os.path.abspath(os.fsdecode(path))
        return scene

    @property
    def file(self):
        """The SceneFile that the scene is from, or None. That of an opened scene is read when it is asked for."""
        if self._file is None and self._opened is not None:
            self._file = SceneFile.load(self._opened)
        return self._file

    @file.setter
    def file(self, file):
        self._file = file

    @classmethod
    def from_file(cls, file, *, anywhere=False, columns=None, delimiter=None, radius=None, frame=0, radii=None,
                  layer_by="element", **arguments):
        """A scene of a file: a path, read as by SceneFile.load, or a SceneFile, which stays reachable as `scene.file`.

        `scene.names` and `scene.stars` are those of the file: scene.starlight(scene.stars, observers). Layers are taken
        over, velocities if there is a horizon. arguments: those of Scene, such as quality.
        """
        if not isinstance(file, SceneFile):
            file = SceneFile.load(file, anywhere=anywhere, columns=columns, delimiter=delimiter, radius=radius,
                                  frame=frame, radii=radii, layer_by=layer_by)
        if arguments.get("horizon") is not None:
            arguments.setdefault("velocities", file.velocities)
        scene = cls(file.spheres, **{"layers": file.layers, **arguments})
        scene.file = file
        return scene

    def save(self, path, **properties):
        """Writes a scene file, as SceneFile.save, and returns what that does. properties: arguments of SceneFile, such as
        names and stars; those that are not given are those of the file that the scene is from. A name that ends in .sphi:
        the scene with its index, for `open`."""
        if os.fsdecode(path).endswith(".sphi"):
            return self._save_index(path, properties)
        spheres = self.spheres
        if len(self) != len(spheres):
            raise Error("has erased spheres, whose ids a file cannot leave out; save a SceneFile of some of the spheres",
                        subject="scene")
        own = {name: value for name in ("velocities", "layers") if (value := getattr(self, name)) is not None}
        given = {**(self.file._for_scene_of(len(spheres)) if self.file else {}), **own, **properties}
        return SceneFile(spheres, **given).save(path)

    def _save_index(self, path, properties):
        options = Options(c.SphaeraSaveOptions, "sphaera_save_options_init")
        if self.file or properties:
            spheres = self.spheres
            known = self.file._for_scene_of(len(spheres)) if self.file else {}
            if self.velocities is not None:
                known["velocities"] = None  # the scene has them itself
            file = SceneFile(np.where(spheres[:, 3:] > 0, spheres, 1), **{**known, "layers": self.layers, **properties})
            options.values.attachment, options.values.attachment_bytes = file._attachment()
            options.kept.append(file)
        call("sphaera_scene_save", self, _path(path), options)
        return []

    @property
    def names(self):
        """Names by id, as `SceneFile.names`; None without a file or without names."""
        return self.file.names if self.file else None

    @property
    def stars(self):
        """The stars of the file, an empty list without one."""
        return self.file.stars if self.file else []

    @classmethod
    def _of(cls, pointer, quality, horizon):
        scene = cls.__new__(cls)
        scene._quality, scene._horizon, scene._views, scene.pointer = quality, horizon, [], pointer
        return scene

    def __len__(self):
        """Number of spheres, without those that were erased."""
        size = ctypes.c_size_t()
        call("sphaera_scene_size", self, ctypes.byref(size))
        return size.value

    def __repr__(self):
        return f"<sphaera.Scene of {len(self)} spheres>"

    # ------------------------------------------------------------------------------------------- what it holds

    def _array(self, field, dtype, width=1):
        arrays = c.SphaeraSceneArrays(size=ctypes.sizeof(c.SphaeraSceneArrays))
        call("sphaera_scene_arrays", self, ctypes.byref(arrays))
        pointer = getattr(arrays, field)
        if not pointer:
            return None
        memory, array = borrowed(self, pointer, arrays.count * width, np.dtype(dtype))
        if memory is not None:
            self._views = [view for view in self._views if view() is not None] + [weakref.ref(memory)]
        return array.reshape(-1, width) if width > 1 else array

    def _check_views(self):
        if any(view() is not None for view in self._views):
            raise Error("arrays of the scene are still in use, which this may move; delete them, or copy them before",
                        subject="scene")

    @property
    def spheres(self):
        """(N, 4): x, y, z, radius by id, read-only, without a copy. It follows updates; insert needs it to be gone."""
        return self._array("spheres", np.float64, 4)

    @property
    def centers(self):
        return self.spheres[:, :3]

    @property
    def radii(self):
        return self.spheres[:, 3]

    @property
    def velocities(self):
        """(N, 3), or None without velocities."""
        return self._array("velocities", np.float64, 3)

    @property
    def layers(self):
        return self._array("layers", np.uint8)

    @property
    def owners(self):
        return self._array("owners", np.uint32)

    @property
    def generations(self):
        return self._array("generations", np.uint32)

    def __contains__(self, sphere):
        """False for ids that were erased or never given."""
        found = ctypes.c_int32()
        call("sphaera_scene_contains", self, int(sphere), ctypes.byref(found))
        return bool(found.value)

    def is_enabled(self, sphere):
        found = ctypes.c_int32()
        call("sphaera_scene_is_enabled", self, int(sphere), ctypes.byref(found))
        return bool(found.value)

    def info(self):
        """A dictionary: extent, radii, memory in bytes and quality of the index."""
        info = c.SphaeraSceneInfo(size=ctypes.sizeof(c.SphaeraSceneInfo))
        call("sphaera_scene_info", self, ctypes.byref(info))
        values = {name: getattr(info, name) for name, _ in info._fields_ if name != "size"}
        return {name: np.array([value.x, value.y, value.z]) if isinstance(value, c.SphaeraVec3) else value
                for name, value in values.items()}

    def __getstate__(self):
        """For pickle: the path of an opened scene, or what the scene holds, without its index, which is built again."""
        if self._opened is not None and not self._changed:
            return {"opened": self._opened}
        if self._quality is None:
            raise Error("was opened and then changed; save it, and open that", subject="scene")
        spheres = self.spheres.copy()
        there = np.array([i in self for i in range(len(spheres))], bool)
        state = {name: None if (array := getattr(self, name)) is None else array.copy()
                 for name in ("velocities", "layers", "owners")}
        return {**state, "spheres": spheres, "there": there, "quality": self._quality, "horizon": self._horizon,
                "file": self.file,
                "enabled": np.array([not is_there or self.is_enabled(i) for i, is_there in enumerate(there)], bool)}

    def __setstate__(self, state):
        if "opened" in state:
            opened = Scene.open(state["opened"])
            self.__dict__.update(opened.__dict__)
            opened.pointer = None
            return
        spheres, there = state["spheres"], state["there"]
        spheres[~there] = (0, 0, 0, 1)
        self.__init__(spheres, velocities=state["velocities"], layers=state["layers"], owners=state["owners"],
                      horizon=state["horizon"], quality=state["quality"])
        self.file = state["file"]
        if not there.all():
            self.erase(np.flatnonzero(~there))
        if not state["enabled"].all():
            self.set_enabled(np.flatnonzero(~state["enabled"]), False)

    # ------------------------------------------------------------------------------------------------- queries

    def _ask(self, function, count, options, *arguments):
        with options.raising():
            if count < STOPPABLE_QUERIES:
                call(function, self, *arguments)
            else:
                call_with_stop(function, options.stop, self, *arguments)

    def _options(self, count, keywords):
        options = QueryOptions(count, **keywords)
        options.stop = new_stop(options) if count >= STOPPABLE_QUERIES else None
        return options

    def _batch(self, function, queries, width, out, keywords):
        """Asks for one item of `out` for each row of queries. Returns `out`."""
        count = queries.size // width
        options = self._options(count, keywords)
        self._ask(function, count, options, address(queries), count, options, address(out))
        return out

    def _paths(self, function, paths, dtype, keywords):
        """The same for rays, or, as segments=, for segments."""
        given = keywords.pop("segments", None)
        if (paths is None) == (given is None):
            raise Error("give rays, or segments=", subject=function)
        queries = inputs.rays(paths) if given is None else inputs.segments(given)
        function = f"sphaera_scene_{function}{'' if given is None else '_segments'}"
        return function, queries, np.zeros(queries.shape[:-1], dtype)

    def blocked(self, rays=None, **keywords):
        """Is the way barred? A bool for each ray: (…, 6): origin, direction; (…, 8): and t_min, t_max; or a tuple of
        origins and directions. Or segments=(…, 6): from, to."""
        function, queries, out = self._paths("blocked", rays, np.uint8, keywords)
        return self._batch(function, queries, queries.shape[-1], out, keywords).view(bool)

    def visibility(self, points, targets, *, target_ignore=None, target_ignore_owners=None, packed=False, **keywords):
        """Which of the M targets, (M, 3), each of the N points, (N, 3), sees: (N, M), bool. What the lines to each target
        ignore are target_ignore, ids, and target_ignore_owners. packed=True: eight targets a byte, as np.unpackbits reads
        them with bitorder="little"."""
        points, places = inputs.points(points), inputs.points(targets)
        if points.ndim != 2 or places.ndim != 2:
            raise Error("give (N, 3) points and (M, 3) targets", subject="visibility")
        count = len(places)
        to = Options(c.SphaeraSightTargets, "sphaera_sight_targets_init")
        to.point("points", places)
        to.values.count = count
        to.point("ignore", per_query("target_ignore", target_ignore, np.int64, count))
        to.point("ignore_owners", per_query("target_ignore_owners", target_ignore_owners, np.int64, count))
        options = self._options(len(points), keywords)
        out = np.zeros((len(points), (count + 7) // 8), np.uint8)
        self._ask("sphaera_scene_visibility", out.size, options, address(points), len(points), to, options, address(out),
                  out.size)
        return out if packed else np.unpackbits(out, axis=1, count=count, bitorder="little").view(bool)

    def first_hit(self, rays=None, **keywords):
        """The sphere that each ray meets first, as Hits. Rays, or segments=, as `blocked`."""
        function, queries, out = self._paths("first_hit", rays, answers.Hits.dtype, keywords)
        return answers.Hits(self._batch(function, queries, queries.shape[-1], out, keywords))

    def first_surface_hit(self, rays=None, **keywords):
        """`first_hit` with point and normal, as SurfaceHits."""
        function, queries, out = self._paths("first_surface_hit", rays, answers.SurfaceHits.dtype, keywords)
        self._batch(function, queries, queries.shape[-1], out, keywords)
        return answers.SurfaceHits(out).without_vectors_of_misses()

    def _lists(self, function, queries, kind, rows, keywords, *arguments):
        count = queries.size // queries.shape[-1]
        options, lists = self._options(count, keywords), Lists()
        self._ask(function, count, options, address(queries), count, *arguments, options, lists)
        return lists.items(kind, rows)

    def all_hits(self, rays=None, **keywords):
        """All spheres that each ray meets, in order. Returns (hits, splits): those of ray i are hits[splits[i]:splits[i+1]]."""
        function, queries, _ = self._paths("all_hits", rays, np.uint8, keywords)
        items, splits = self._lists(function, queries, "hits", answers.Hits.dtype, keywords)
        return answers.Hits(items), splits

    def nearest(self, points, k=1, **keywords):
        """The k spheres nearest to each point, by the distance to their surfaces, negative inside. Returns
        (distance, sphere) as SciPy's trees do: of the points' shape, with an axis of k behind it for k > 1. Where there are
        fewer spheres: inf, -1."""
        queries = inputs.points(points)
        count = queries.size // 3
        out = np.empty((*queries.shape[:-1], k), answers.Neighbors.dtype)
        options = self._options(count, keywords)
        self._ask("sphaera_scene_nearest", count, options, address(queries), count, k, options, address(out), out.size)
        return self._distances(out, k)

    @staticmethod
    def _distances(out, k):
        out = out[..., 0] if k == 1 else out
        return out["distance"][()], out["sphere"][()]

    def nearest_to_spheres(self, k=1, ids=None, **keywords):
        """For each sphere (or those of ids=(first, end)) the k others nearest to its center. Returns (distance, sphere)."""
        all_ids = self.spheres.shape[0]
        first, end = (0, all_ids) if ids is None else ids
        some = c.SphaeraIdRange(first, end - first)
        options = self._options(all_ids, keywords)
        out = np.empty((end - first, k), answers.Neighbors.dtype)
        self._ask("sphaera_scene_nearest_to_spheres", len(out), options, ctypes.addressof(some), k, options, address(out),
                  out.size)
        return self._distances(out, k)

    def contacts(self, distance=0.0, ids=None, **keywords):
        """All pairs of spheres whose gap, negative where they overlap, is at most distance, each once (those whose lower id
        is one of ids=(first, end)). Returns (pairs, gap): pairs is (N, 2), the lower id first, in order."""
        all_ids = self.spheres.shape[0]
        first, end = (0, all_ids) if ids is None else ids
        some = c.SphaeraIdRange(first, end - first)
        options, lists = self._options(all_ids, keywords), Lists()
        self._ask("sphaera_scene_contacts", end - first, options, ctypes.addressof(some), distance, options, lists)
        items, splits = lists.items("neighbors", answers.Neighbors.dtype)
        lower = np.repeat(np.arange(first, end), np.diff(splits))
        return np.column_stack([lower, items["sphere"]]), items["distance"].copy()

    def count_contacts(self, distance=0.0, ids=None, **keywords):
        """How many of these pairs each sphere (or each of ids=(first, end)) is in, as the lower or the higher id."""
        all_ids = self.spheres.shape[0]
        first, end = (0, all_ids) if ids is None else ids
        some = c.SphaeraIdRange(first, end - first)
        options = self._options(all_ids, keywords)
        out = np.empty(end - first, np.uint64)
        self._ask("sphaera_scene_count_contacts", len(out), options, ctypes.addressof(some), distance, options, address(out),
                  out.size)
        return out.view(np.int64)

    def exposed_area(self, probe=0.0, ids=None, **keywords):
        """Of each sphere (or of those of ids=(first, end)), grown by the probe, the area that lies in no other grown sphere,
        as ExposedAreas: a molecule's solvent-accessible surface, with a probe of 1.4 Å."""
        all_ids = self.spheres.shape[0]
        first, end = (0, all_ids) if ids is None else ids
        some = c.SphaeraIdRange(first, end - first)
        options = self._options(all_ids, keywords)
        out = np.empty(end - first, answers.ExposedAreas.dtype)
        self._ask("sphaera_scene_exposed_area", len(out), options, ctypes.addressof(some), probe, options, address(out),
                  out.size)
        return answers.ExposedAreas(out)

    def within(self, centers, radius=None, **keywords):
        """The spheres that touch each ball: (…, 4), or (…, 3) and a radius. Returns (ids, splits), ids ascending."""
        return self._lists("sphaera_scene_within", inputs.balls(centers, radius), "ids", np.dtype(np.int64), keywords)

    def count_within(self, centers, radius=None, **keywords):
        """How many spheres touch each ball."""
        queries = inputs.balls(centers, radius)
        out = np.empty(queries.shape[:-1], np.uint64)
        return self._batch("sphaera_scene_count_within", queries, 4, out, keywords).view(np.int64)

    def neighbors_within(self, centers, radius=None, **keywords):
        """The spheres that touch each ball, nearest first. Returns (neighbors, splits)."""
        items, splits = self._lists("sphaera_scene_neighbors_within", inputs.balls(centers, radius), "neighbors",
                                    answers.Neighbors.dtype, keywords)
        return answers.Neighbors(items), splits

    def _bullets(self, given, keywords):
        queries = inputs.bullets(given)
        flight = {name: keywords.pop(name) for name in list(keywords)
                  if name in FlightOptions.__init__.__kwdefaults__}
        return queries, FlightOptions(queries.size // 9, **flight)

    def first_impact(self, bullets, **keywords):
        """What each bullet hits first, as Impacts: (…, 6 to 9): origin, velocity, radius, start, duration; or a tuple of
        origins and velocities. Keywords of flights: gravity (x, y, z, or one for each bullet), start_inside ("hits",
        "leaves", "refuses"), restitution, friction, bounces, pierces, budget, resistances, restitutions, frictions."""
        queries, flight = self._bullets(bullets, keywords)
        count = queries.size // 9
        out = np.zeros(queries.shape[:-1], answers.Impacts.dtype)
        options = self._options(count, keywords)
        self._ask("sphaera_scene_first_impact", count, options, address(queries), count, flight, options, address(out))
        return answers.Impacts(out).without_vectors_of_misses()

    def all_impacts(self, bullets, **keywords):
        """The whole trajectory of each bullet. Returns (impacts, splits). bounces: ricochets that it may make; pierces:
        spheres that it may pass through while their resistances sum up to at most `budget`."""
        queries, flight = self._bullets(bullets, keywords)
        items, splits = self._lists("sphaera_scene_all_impacts", queries, "impacts", answers.Impacts.dtype, keywords,
                                    flight)
        return answers.Impacts(items), splits

    def near_misses(self, bullets, max_distance, **keywords):
        """The sphere that each bullet passes most closely before its first impact, within max_distance."""
        queries = inputs.bullets(bullets)
        count = queries.size // 9
        out = np.empty(queries.shape[:-1], answers.NearMisses.dtype)
        options = self._options(count, keywords)
        self._ask("sphaera_scene_near_misses", count, options, address(queries), count, float(max_distance), options,
                  address(out))
        return answers.NearMisses(out).without_vectors_of_misses()

    def starlight(self, stars, observers, on=-1, **keywords):
        """How much of each star each observer sees. stars: Star or a list of them; observers: (…, 3); on: id of the
        sphere on which an observer stands, one or one for each. Returns Visibilities, with an axis of stars behind the
        observers' shape, unless `stars` is one Star."""
        positions = inputs.columns("observers", observers, (3,))
        shape, count = positions.shape[:-1], positions.size // 3
        watching = np.zeros(count, row_type(c.SphaeraObserver))
        watching["position"] = positions.reshape(-1, 3)
        watching["on"] = np.broadcast_to(np.asarray(on, np.int64), shape).reshape(-1)
        rows = star_rows(stars, self)
        out = np.empty((count, len(rows)), answers.Visibilities.dtype)
        options = self._options(count, keywords)
        self._ask("sphaera_scene_starlight", count, options, ctypes.addressof(rows), len(rows), address(watching), count,
                  options, address(out), out.size)
        out = out.reshape(shape + (len(rows),))
        return answers.Visibilities(out[..., 0] if isinstance(stars, Star) else out)

    def sky(self, points, normals=None, *, within=np.inf, most_discs=1024, rays=4096, **keywords):
        """The share of its sky that each point (…, 3) sees, as SkyShares: of the whole sky, or of the half above its normal,
        one or one for each. within: spheres count as far as they reach within this distance. Exact for at most `most_discs`
        spheres, not counting those found to be hidden; for more, `rays` directions are sampled. ignore: the sphere that a
        point lies on."""
        positions = inputs.columns("points", points, (3,))
        shape, count = positions.shape[:-1], positions.size // 3
        queries = np.zeros(count, row_type(c.SphaeraSkyPoint))
        queries["position"] = positions.reshape(-1, 3)
        if normals is not None:
            queries["normal"] = np.broadcast_to(inputs.columns("normals", normals, (3,)), positions.shape).reshape(-1, 3)
        sky = Options(c.SphaeraSkyOptions, "sphaera_sky_options_init")
        sky.values.within, sky.values.most_discs, sky.values.rays = float(within), most_discs, rays
        out = np.empty(shape, answers.SkyShares.dtype)
        options = self._options(count, keywords)
        self._ask("sphaera_scene_sky", count, options, address(queries), count, sky, options, address(out))
        return answers.SkyShares(out)


class SceneBuffer(_Changes, Owned):
    """A scene that changes while snapshots of it are asked, from any thread. Takes the arguments of Scene.

    keep: number of snapshots before the current one that stay reachable by `past`.
    """

    _kind, _destroy = "buffer", "sphaera_buffer_destroy"

    def __init__(self, centers, radii=None, *, keep=0, **arguments):
        scene = Scene(centers, radii, **arguments)
        self.pointer = ctypes.c_void_p()
        call("sphaera_buffer_build_from", scene, keep, ctypes.byref(self.pointer))
        scene.pointer = None  # the buffer has it
        self._arguments = scene._quality, scene._horizon

    def current(self):
        """The newest snapshot: a Scene that never changes."""
        pointer = ctypes.c_void_p()
        call("sphaera_buffer_current", self, ctypes.byref(pointer))
        return Scene._of(pointer, *self._arguments)

    def past(self, k):
        """The snapshot of k changes ago."""
        pointer = ctypes.c_void_p()
        call("sphaera_buffer_past", self, k, ctypes.byref(pointer))
        return Scene._of(pointer, *self._arguments)
