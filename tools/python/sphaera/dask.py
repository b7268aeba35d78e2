"""Queries by Dask, on one machine or many: `sphaera.dask.Scene`. Needs Dask (Debian's python3-distributed)."""

import inspect
import operator
import os
from functools import lru_cache

import numpy as np

try:
    import dask
    import dask.array
except ImportError as error:
    raise ImportError("sphaera.dask needs Dask; install Debian's python3-distributed, or 'dask[array]' and distributed "
                      "by pip") from error

from . import scene as _scene
from ._library import Error
from .answers import Rows


class _Npy:
    """The rows of a file .npy; whoever needs some of them maps the file."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        mapped = np.load(self.path, mmap_mode="r")
        self.shape, self.dtype, self.ndim = mapped.shape, mapped.dtype, mapped.ndim

    def __getitem__(self, rows):
        return np.array(np.load(self.path, mmap_mode="r")[rows])


def rows(path, chunk=100_000):
    """The rows of a file .npy as a dask array of so many rows a chunk. Workers map the file under the same path."""
    file = _Npy(path)
    return dask.array.from_array(file, chunks=(chunk, *file.shape[1:]), name=f"rows-{dask.base.tokenize(file.path, chunk)}")


@lru_cache(maxsize=4)
def _opened(path, size, changed):
    """The scene of a file, once in each process."""
    return _scene.Scene.open(path)


def _parts(answer):
    """An answer as arrays, and what makes it of arrays again."""
    if isinstance(answer, tuple):
        parts = [_parts(one) for one in answer]
        return [one for [one], _ in parts], lambda arrays: tuple(make([one]) for (_, make), one in zip(parts, arrays))
    if isinstance(answer, Rows):
        return [answer.rows], lambda arrays: type(answer)(*arrays)
    return [answer], lambda arrays: arrays[0]


def _ask(path, query, arguments, keywords):
    """The answer to one chunk, as arrays; of lists their lengths."""
    file = os.stat(path)
    scene = _opened(path, file.st_size, file.st_mtime_ns)
    parts, _ = _parts(getattr(scene, query)(*arguments, **{"threads": 1, **keywords}))
    return [np.diff(part) if _has_splits(query, i) else part for i, part in enumerate(parts)]


def _has_splits(query, part):
    return query in LISTS and part == 1


#: Queries whose answers are lists, with splits.
LISTS = ("all_hits", "within", "neighbors_within", "all_impacts")
#: Queries about the spheres of the scene: chunks are ranges of ids.
OF_SPHERES = ("nearest_to_spheres", "contacts", "count_contacts", "exposed_area")


def _map(change, value):
    """The value with each dask array in it changed."""
    if isinstance(value, dask.array.Array):
        return change(value)
    if isinstance(value, (tuple, list)):
        return type(value)(_map(change, one) for one in value)
    return {name: _map(change, one) for name, one in value.items()} if isinstance(value, dict) else value


class Scene:
    """A scene for Dask: the path of its index (.sphi), which workers open. Give the path, or a sphaera.Scene that was opened.

    It has the queries of sphaera.Scene, with the same arguments and answers. Arrays of one row a query are dask arrays,
    those of the queries first: each chunk of rows is a task; `rows` has those of a file. All other arguments go to each task
    as they are. Answers hold dask arrays. Queries about spheres take chunk=, ids a task. Tasks have one thread, unless
    threads= is given.
    """

    def __init__(self, scene):
        if isinstance(scene, _scene.Scene):
            if scene._opened is None or scene._changed:
                raise Error("is in no file; save it as .sphi and open that", subject="scene")
            scene = scene._opened
        self.path = os.path.abspath(os.fspath(scene))
        self._local = _scene.Scene.open(self.path)

    def __reduce__(self):
        return Scene, (self.path,)

    def _chunks(self, query, arguments, keywords):
        """Numbers of rows, and the arguments of each chunk."""
        found = []
        _map(found.append, [arguments, keywords])
        if not found:
            raise Error("give its queries as a dask array, or by sphaera.dask.rows", subject=query)
        heights = found[0].chunks[0]

        def blocks(array):
            if len(array) != len(found[0]):
                raise Error(f"has a dask array of {len(array)} rows, for {len(found[0])} queries", subject=query)
            return array.rechunk({0: heights, **{axis: -1 for axis in range(1, array.ndim)}}).to_delayed().ravel()

        split = _map(blocks, [arguments, keywords])
        return heights, [_at(split, i) for i in range(len(heights))]

    def _ranges(self, arguments, keywords):
        """The same for ranges of ids."""
        chunk = keywords.pop("chunk", 100_000)
        first, end = keywords.pop("ids", None) or (0, len(self._local.spheres))
        ranges = [(i, min(i + chunk, end)) for i in range(first, end, chunk)]
        return [b - a for a, b in ranges], [[arguments, {**keywords, "ids": ids}] for ids in ranges]

    def _answer(self, query, arguments, keywords):
        of_spheres = query in OF_SPHERES
        heights, chunks = self._ranges(arguments, keywords) if of_spheres else self._chunks(query, arguments, keywords)
        # An answer to no queries has the types and the shapes of all answers.
        none = _map(lambda array: np.empty((0, *array.shape[1:]), array.dtype), [arguments, keywords])
        if of_spheres:
            none[1]["ids"] = (0, 0)
        parts, make = _parts(getattr(self._local, query)(*none[0], **none[1]))
        token = dask.base.tokenize(self.path, os.stat(self.path).st_mtime_ns, query, arguments, keywords)
        ask = dask.delayed(_ask, pure=False)
        answers = [ask(self.path, query, *chunk, dask_key_name=f"{query}-{token}-{i}") for i, chunk in enumerate(chunks)]
        arrays = []
        for j, part in enumerate(parts):
            known = query != "contacts" and (query not in LISTS or _has_splits(query, j))
            array = _array(f"{query}-{j}-{token}", answers, j, part, heights if known else [np.nan] * len(heights))
            arrays.append(_splits(array) if _has_splits(query, j) else array)
        return make(arrays)


def _at(split, i):
    """The arguments of chunk i, of arguments whose dask arrays are arrays of their chunks."""
    if isinstance(split, np.ndarray) and split.dtype == object:
        return split[i]
    if isinstance(split, (tuple, list)):
        return type(split)(_at(one, i) for one in split)
    return {name: _at(one, i) for name, one in split.items()} if isinstance(split, dict) else split


def _array(name, answers, j, part, heights):
    """The parts j of all answers, which are like `part` but have these heights, one after another."""
    behind = (0,) * (part.ndim - 1)
    graph = {(name, i, *behind): (operator.getitem, answer.key, j) for i, answer in enumerate(answers)}
    chunks = (tuple(heights), *((length,) for length in part.shape[1:]))
    return dask.array.Array(dask.highlevelgraph.HighLevelGraph.from_collections(name, graph, dependencies=answers), name,
                            chunks, part.dtype)


def _splits(lengths):
    ends = dask.array.cumsum(lengths, axis=0, dtype=np.int64)
    return dask.array.concatenate([dask.array.zeros(1, dtype=np.int64), ends])


def _query(name, original):
    def query(self, *arguments, **keywords):
        return self._answer(name, arguments, keywords)
    query.__name__, query.__doc__ = name, original.__doc__
    return query


#: Those of sphaera.Scene: its methods with **keywords.
QUERIES = tuple(name for name, method in vars(_scene.Scene).items()
                if inspect.isfunction(method) and not name.startswith("_")
                and "keywords" in inspect.signature(method).parameters)
for _name in QUERIES:
    setattr(Scene, _name, _query(_name, getattr(_scene.Scene, _name)))
