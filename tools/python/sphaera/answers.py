"""Answers of queries: arrays with names. The leading shape is that of the queries; a miss has sphere -1."""

import numpy as np

from . import _declarations as c
from ._arrays import row_type


class Rows:
    """Rows of numbers, each field an array: `answers.sphere`.

    `rows` is the structured array behind them, of which the fields are views. Answers index and iterate as arrays do.
    """

    structure = None

    def __init__(self, rows):
        self.rows = rows

    def __init_subclass__(cls):
        cls.dtype = row_type(cls.structure)
        for name, _ in cls.structure._fields_:
            if name not in vars(cls):
                setattr(cls, name, property(lambda self, name=name: self.rows[name]))

    def without_vectors_of_misses(self):
        """Vectors of a miss, which are 0 in C, become nan, so that nobody takes them for places."""
        missed = self.rows["sphere"] < 0
        for name in self.dtype.names:
            if self.dtype[name].shape == (3,):
                self.rows[name][missed] = np.nan
        return self

    @property
    def shape(self):
        return self.rows.shape

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, item):
        return type(self)(self.rows[item])

    def __repr__(self):
        return f"<{type(self).__name__}: {self.shape}, {', '.join(self.dtype.names)}>"


class Hits(Rows):
    """`sphere` (id, -1 for a miss), `t_enter`, `t_exit` (nan for a miss), `contact` (0 miss, 1 enters, 2 starts inside)."""

    structure = c.SphaeraHit

    @property
    def hit(self):
        """True where a sphere is hit."""
        return self.rows["sphere"] >= 0


class SurfaceHits(Hits):
    """Hits with `point` (…, 3), on the sphere at t_enter, and `normal` (…, 3), outward there."""

    structure = c.SphaeraSurfaceHit


class Neighbors(Rows):
    """`distance` to the surface, negative inside, and `sphere`."""

    structure = c.SphaeraNeighbor


class ExposedAreas(Rows):
    """`area` of each sphere, grown by the probe, that lies in no other, `share` of its surface, `outward` (the integral of
    the outward normal), `hider` (the sphere that alone hides most, -1: none), `exposure` (0 not asked, 1 whole, 2 part,
    3 covered by several, 4 inside one)."""

    structure = c.SphaeraExposedArea


class Impacts(Rows):
    """`time`, `point`, `normal`, `velocity` after it, `angle`, `distance`, `exit_time`, `exit_point`, `center` of the
    bullet, `sphere`, `bounce` (number of the impact), `contact`, `outcome` (1 ricochets, 2 passes, 3 stops)."""

    structure = c.SphaeraImpact

    @property
    def hit(self):
        """True where a sphere is hit."""
        return self.rows["sphere"] >= 0


class NearMisses(Rows):
    """`distance` of the closest passage, its `time`, `point` and `sphere`."""

    structure = c.SphaeraNearMiss


class SkyShares(Rows):
    """`open`: the share of the sky that no sphere hides; `open_by_cosine`: of the half above the normal, weighted by the
    cosine (nan without a normal); `error` of both; `discs`: from which it was computed; `rays`: sampled, 0: exact."""

    structure = c.SphaeraSkyShare


class ContactTimes(Rows):
    """`time`, `body` (its number), `before` and `after`: the phase behind it (0 lit, 1 umbra, 2 antumbra, 3 penumbra)."""

    structure = c.SphaeraContactTime


class PhaseChanges(Rows):
    """`time`, and the phase `before` and `after`, as ContactTimes have it, behind all bodies together."""

    structure = c.SphaeraPhaseChange


class ShadowChanges(Rows):
    """`time`, `body` (its number) and `contact` (0 enters the penumbra, 1 is inside it, 2 enters the umbra, 3 is inside it,
    4 leaves the umbra, 5 is outside it, 6 leaves the penumbra, 7 is outside it): P1, P2, U1 ... U4, P3, P4."""

    structure = c.SphaeraShadowChange


class ChordSums(Rows):
    """`hits` of each ray, `chords` (sum of the lengths inside each sphere), `inside` (length inside any)."""

    structure = c.SphaeraChordSums


class Visibilities(Rows):
    """What is seen of stars: `fraction` of the disc, `flux` (share of the light), `magnitude`, `dominant` (id of the body
    that hides most), `occluders` (their number), `phase` (0 lit, 1 umbra, 2 antumbra, 3 penumbra), `blocked` (the center),
    `status` (not 0: the observer is inside the star, or a body intersects it; the numbers are nan)."""

    structure = c.SphaeraVisibility
