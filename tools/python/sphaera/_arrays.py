"""What callers give, as the rows that the library reads; what it writes, as arrays."""

import ctypes

import numpy as np

from . import _declarations as c
from ._library import Error, Handle, call


def row_type(structure):
    """The dtype of a structure of the C interface; three coordinates side by side are one field of three numbers."""
    def format_of(kind):
        if kind is c.SphaeraVec3:
            return np.dtype((np.float64, 3))
        return row_type(kind) if issubclass(kind, ctypes.Structure) else np.dtype(kind)

    fields = structure._fields_
    return np.dtype({"names": [name for name, _ in fields], "formats": [format_of(kind) for _, kind in fields],
                     "offsets": [getattr(structure, name).offset for name, _ in fields],
                     "itemsize": ctypes.sizeof(structure)})


def readable(array):
    """The array as the library reads it, contiguous and aligned: arrays from other processes may be unaligned."""
    return np.require(array, requirements="CA")


def columns(what, value, counts):
    """An array of doubles, readable, whose last axis has one of the counts; float64 as it is without a copy."""
    try:
        array = readable(np.asarray(value, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise Error(f"are not numbers in an array: {error}", subject=what) from None
    if array.ndim == 0 or array.shape[-1] not in counts:
        raise Error(f"have the shape {array.shape}; the last axis must have {' or '.join(map(str, counts))} numbers",
                    subject=what)
    return array


def filled(what, first, second, rest):
    """Rows of two vectors and the numbers `rest`, from arrays of vectors that broadcast."""
    first, second = columns(what, first, (3,)), columns(what, second, (3,))
    try:
        shape = np.broadcast_shapes(first.shape, second.shape)
    except ValueError:
        raise Error(f"have the shapes {first.shape} and {second.shape}, which do not broadcast", subject=what) from None
    rows = np.empty(shape[:-1] + (6 + len(rest),))
    rows[..., :3], rows[..., 3:6], rows[..., 6:] = first, second, rest
    return rows


def padded(what, value, full, rest):
    """Rows of `full` numbers: whole ones without a copy, shorter ones with the numbers of `rest` behind them."""
    if isinstance(value, tuple):
        if len(value) != 2:
            raise Error("are a tuple, so give two arrays of vectors", subject=what)
        return filled(what, *value, rest)
    array = columns(what, value, range(full - len(rest), full + 1))
    given = array.shape[-1]
    if given == full:
        return array
    rows = np.empty(array.shape[:-1] + (full,))
    rows[..., :given] = array
    rows[..., given:] = rest[given - full:]
    return rows


def rays(value):
    """(…, 6 to 8): origin, direction, t_min (default 0), t_max (infinity); or a tuple of origins and directions."""
    return padded("rays", value, 8, (0.0, np.inf))


def segments(value):
    return padded("segments", value, 6, ())


def points(value):
    return columns("points", value, (3,))


def balls(value, radius=None):
    """(…, 4): center and radius; or (…, 3) and a radius, or one for each."""
    if radius is None:
        return columns("balls", value, (4,))
    centers = columns("centers", value, (3,))
    rows = np.empty(centers.shape[:-1] + (4,))
    rows[..., :3], rows[..., 3] = centers, radius
    return rows


def bullets(value):
    """(…, 6 to 9): origin, velocity, radius (default 0), start (0), duration (infinity); or a tuple of two arrays."""
    return padded("bullets", value, 9, (0.0, 0.0, np.inf))


def vectors(what, value):
    """(N, 3), float32 or float64, rows at any stride: without a copy where the three numbers lie side by side."""
    if value is None:
        return None
    array = np.asarray(value)
    if array.ndim != 2 or array.shape[1] != 3 or array.dtype.kind not in "fiu":
        raise Error(f"have the shape {array.shape} and the type {array.dtype}; give N × 3 numbers", subject=what)
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    return array if array.strides[1] == array.itemsize else np.ascontiguousarray(array)


def numbers(what, value, count):
    array = np.asarray(value)
    array = array if array.dtype in (np.float32, np.float64) else array.astype(np.float64)
    try:
        return np.broadcast_to(array, (count,))
    except ValueError:
        raise Error(f"have the shape {array.shape}, for {count} spheres", subject=what) from None


def centers_and_radii(centers, radii):
    """Vectors and as many numbers; of centers (N, 4) without radii, the fourth column."""
    centers = np.asarray(centers)
    if radii is None:
        if centers.ndim != 2 or centers.shape[1] != 4:
            raise Error(f"have the shape {centers.shape}; give N × 4, or N × 3 and radii", subject="centers")
        centers, radii = centers[:, :3], centers[:, 3]
    centers = vectors("centers", centers)
    return centers, numbers("radii", radii, len(centers))


def address(array):
    return None if array is None else array.ctypes.data


def per_query(what, value, dtype, count):
    """One item for each query: an array of so many, or one number for all."""
    if value is None:
        return None
    try:
        array = np.broadcast_to(np.asarray(value), (count,) if np.ndim(value) <= 1 else np.shape(value)).reshape(-1)
        array = readable(array.astype(dtype, casting="same_kind", copy=False))
    except (TypeError, ValueError) as error:
        raise Error(f"do not fit {count} queries: {error}", subject=what) from None
    if len(array) != count:
        raise Error(f"are {len(array)}, for {count} queries", subject=what)
    return array


def borrowed(owner, pointer, count, dtype):
    """Memory of the library, None if it is empty, and it as an array, read-only. The memory lives as long as an array
    looks at it, and keeps its owner alive."""
    if count == 0:
        return None, np.empty(0, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(pointer)
    memory.owner = owner
    array = np.frombuffer(memory, dtype)
    array.flags.writeable = False
    return memory, array


class Lists(Handle):
    """Answers of varying length."""

    def __init__(self):
        super().__init__("sphaera_lists_create", "sphaera_lists_destroy")

    def items(self, kind, dtype):
        """All items, one list after the other, and where each list begins and the last one ends."""
        pointer, count = ctypes.c_void_p(), ctypes.c_size_t()
        call(f"sphaera_lists_{kind}", self, ctypes.byref(pointer), ctypes.byref(count))
        _, items = borrowed(self, pointer.value, count.value, dtype)
        call("sphaera_lists_offsets", self, ctypes.byref(pointer), ctypes.byref(count))
        _, splits = borrowed(self, pointer.value, count.value + 1, np.dtype(np.int64))
        return items, splits
