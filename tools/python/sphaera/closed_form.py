"""Questions that need no scene."""

import numpy as np

from . import _arrays as inputs
from . import answers
from ._library import Error, call


def chord_sums(rays, hits, splits):
    """Sums over the hits of each ray, as ChordSums, in the unit of length of the scene: of the lengths inside each sphere, and
    the length inside any. Chords are cut at t_min and t_max. rays: as Scene.all_hits takes them, hits and splits: as it
    returns them. Raises Error for invalid rays and for splits that do not fit rays and hits.

    >>> import sphaera
    >>> rays = [[0, 0, -9, 0, 0, 2]]
    >>> sums = sphaera.chord_sums(rays, *sphaera.Scene([[0, 0, 0], [0, 0, 1]], 1.0).all_hits(rays))
    >>> sums.hits, sums.chords, sums.inside
    (array([2], dtype=uint64), array([4.]), array([3.]))
    """
    queries = inputs.rays(rays)
    count = queries.size // 8
    splits = np.ascontiguousarray(splits, np.int64)
    rows = inputs.readable(hits.rows)
    if splits.shape != (count + 1,) or splits[0] < 0 or splits[-1] > len(rows):
        raise Error(f"have the shape {splits.shape} and end at {splits[-1:]}, for {count} rays and {len(rows)} hits",
                    subject="splits")
    out = np.empty(queries.shape[:-1], answers.ChordSums.dtype)
    call("sphaera_chord_sums", inputs.address(queries), count, inputs.address(rows), inputs.address(splits),
         inputs.address(out))
    return answers.ChordSums(out)
