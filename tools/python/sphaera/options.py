"""Keyword arguments, as the option structures of the library."""

import contextlib
import ctypes

import numpy as np

from . import _declarations as c
from ._arrays import address, per_query
from ._library import Error, call, stop_handle


def named(kind):
    """The constants of one kind by their words: {"fast": SPHAERA_QUALITY_FAST, …}."""
    prefix = f"SPHAERA_{kind}_"
    return {name[len(prefix):].lower(): value for name, value in vars(c).items() if name.startswith(prefix)}


SEARCHES, QUALITIES, REBUILDS, STARTS_INSIDE, ATOM_LAYERS, CHECKS = map(
    named, ("SEARCH", "QUALITY", "REBUILD", "START_INSIDE", "ATOM_LAYERS", "CHECK"))


def word(what, value, words):
    try:
        return words[value]
    except (KeyError, TypeError):
        raise Error(f"{value!r} is none of {', '.join(words)}", subject=what) from None


class Options:
    """An option structure with its defaults, and what its fields point to."""

    def __init__(self, structure, initialize):
        self.values = structure()
        self.kept = []
        call(initialize, ctypes.byref(self.values), ctypes.sizeof(structure))

    def point(self, field, array):
        if array is not None:
            self.kept.append(array)
            setattr(self.values, field, address(array))

    def stop_by(self, stop):
        self.stop = stop
        self.values.stop = stop.pointer

    def callback(self, field, kind, function):
        """A function of the library's caller. What it raises ends the call and is raised again by `finish`."""
        self.error = None

        def guarded(_user, *arguments):
            try:
                return int(function(*arguments))
            except BaseException as error:  # no exception crosses C
                self.error = error
                return -1

        self.kept.append(kind(guarded))
        setattr(self.values, field, self.kept[-1])

    error = None

    @contextlib.contextmanager
    def raising(self):
        """For the call: raises what a callback has raised, in place of the error that it made."""
        try:
            yield
        except Error:
            if self.error is not None:
                raise self.error from None
            raise

    @property
    def _as_parameter_(self):
        return ctypes.addressof(self.values)


class QueryOptions(Options):
    """The options of a batch of `count` queries."""

    def __init__(self, count, *, layers=None, ignore=None, ignore_owners=None, also_ignore_owners=None,
                 also_ignore=None, times=None, accept=None, search="index", threads=0, memory_limit=0, skip_invalid=False, viewpoint_indexes=(),
                 box=None):
        super().__init__(c.SphaeraQueryOptions, "sphaera_query_options_init")
        values = self.values
        if layers is not None and np.ndim(layers) == 0:
            values.layers = int(layers)
        else:
            self.point("layers_each", per_query("layers", layers, np.uint64, count))
        self.point("ignore", per_query("ignore", ignore, np.int64, count))
        self.point("ignore_owners", per_query("ignore_owners", ignore_owners, np.int64, count))
        self.point("also_ignore_owners", per_query("also_ignore_owners", also_ignore_owners, np.int64, count))
        self.point("also_ignore", per_query("also_ignore", also_ignore, np.int64, count))
        self.point("times", per_query("times", times, np.float64, count))
        if skip_invalid:
            self.point("statuses", np.zeros(count, np.uint8))
        if accept is not None:
            self.callback("accept", c.SphaeraAccept, accept)
        if viewpoint_indexes:
            self.point("viewpoint_indexes", np.array([index.pointer.value for index in viewpoint_indexes], np.uintp))
            values.viewpoint_index_count = len(viewpoint_indexes)
        values.search = word("search", search, SEARCHES)
        values.threads, values.memory_limit = threads, memory_limit
        if box is not None:
            values.box = c.SphaeraVec3(*np.broadcast_to(np.asarray(box, np.float64), 3))


class FlightOptions(Options):
    """The options of bullets."""

    def __init__(self, count, *, bounces=0, pierces=0, budget=np.inf, gravity=(0.0, 0.0, 0.0), restitution=1.0,
                 friction=0.0, resistances=None, restitutions=None, frictions=None, start_inside="hits"):
        super().__init__(c.SphaeraFlightOptions, "sphaera_flight_options_init")
        values = self.values
        values.bounces, values.pierces, values.budget = bounces, pierces, budget
        values.restitution, values.friction = restitution, friction
        values.start_inside = word("start_inside", start_inside, STARTS_INSIDE)
        gravity = np.asarray(gravity, np.float64)
        if gravity.ndim == 1:
            values.gravity = c.SphaeraVec3(*gravity)
        else:
            self.point("gravities", np.ascontiguousarray(np.broadcast_to(gravity, (count, 3))))
        for field, given in (("resistances", resistances), ("restitutions", restitutions), ("frictions", frictions)):
            if given is not None:
                array = np.ascontiguousarray(given, np.float64)
                if values.material_count not in (0, len(array)):
                    raise Error(f"are {len(array)}, others {values.material_count}", subject=field)
                self.point(field, array)
                values.material_count = len(array)


def update_options(rebuild="when_degraded", threads=0, at_time=None):
    options = Options(c.SphaeraUpdateOptions, "sphaera_update_options_init")
    options.values.rebuild = word("rebuild", rebuild, REBUILDS)
    options.values.threads = threads
    if at_time is not None:
        options.values.at_time = at_time
    return options


def new_stop(options):
    """Gives the options a stop of their own, for Ctrl-C."""
    options.stop_by(stop_handle())
    return options.stop
