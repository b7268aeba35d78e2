"""Light curves of planets before their star, with the names of batman (Kreidberg 2015)."""

import ctypes
from types import SimpleNamespace

import numpy as np

from . import _declarations as c
from ._library import Error, call
from .stars import Star

#: In radii of the star. So far away rays are parallel to 1e-15 radii of a planet at 1000 radii of the star.
OBSERVER_DISTANCE = 2.0**60

LAWS = {"uniform": "uniform", "linear": "linear", "quadratic": "quadratic", "squareroot": "sqrt", "power2": "power2",
        "nonlinear": "claret4"}


def TransitParams():
    """An object for the parameters of TransitModel."""
    return SimpleNamespace()


def eccentric_anomaly(mean_anomaly, eccentricity):
    """Solves M = E − e sin E, 0 ≤ e < 1, by Newton's method, to rounding (Danby 1988: it converges from M ± 0.85 e)."""
    mean = np.remainder(np.asarray(mean_anomaly, float) + np.pi, 2 * np.pi) - np.pi
    e = eccentricity
    guess = mean + np.sign(mean) * 0.85 * e
    for _ in range(50):
        step = (guess - e * np.sin(guess) - mean) / (1 - e * np.cos(guess))
        guess = guess - step
        if np.all(np.abs(step) <= 4e-16 * (1 + np.abs(guess))):
            break
    return guess


def sky_positions(planet, times):
    """Positions of the planet relative to the star, (N, 3), in radii of the star; z towards the observer."""
    e, w, inclination = planet.ecc, np.radians(planet.w), np.radians(planet.inc)
    transit = np.pi / 2 - w  # true anomaly at t0
    at_transit = 2 * np.arctan2(np.sqrt(1 - e) * np.sin(transit / 2), np.sqrt(1 + e) * np.cos(transit / 2))
    periastron = planet.t0 - planet.per / (2 * np.pi) * (at_transit - e * np.sin(at_transit))
    anomaly = eccentric_anomaly(2 * np.pi * (np.asarray(times, float) - periastron) / planet.per, e)
    true = 2 * np.arctan2(np.sqrt(1 + e) * np.sin(anomaly / 2), np.sqrt(1 - e) * np.cos(anomaly / 2))
    distance = planet.a * (1 - e * np.cos(anomaly))
    return np.stack([-distance * np.cos(w + true), -distance * np.sin(w + true) * np.cos(inclination),
                     distance * np.sin(w + true) * np.sin(inclination)], axis=-1)


class TransitModel:
    """The light of a star behind its planets, as batman's TransitModel gives it, for any number of planets.

    params: one object, or a list of them, with t0, per (of the unit of t), rp, a (radii of the star), inc, w (degrees),
    ecc, and u, limb_dark ("uniform", "linear", "quadratic", "squareroot", "power2", "nonlinear"), which are those of the
    first. t: (N,) times. supersample_factor, exp_time: the mean over so many times within an exposure.

    Planets that overlap before the star are right; a planet behind the star hides nothing. The error of the flux is
    below 1e-12 (batman's default is 1e-6).
    """

    def __init__(self, params, t, *, supersample_factor=1, exp_time=0.0):
        self.t = np.ascontiguousarray(t, float)
        if self.t.ndim != 1:
            raise Error(f"has the shape {self.t.shape}; give a list of times", subject="t")
        if supersample_factor > 1 and not exp_time > 0:
            raise Error("needs exp_time > 0", subject="supersample_factor")
        offsets = (np.arange(supersample_factor) + 0.5) / supersample_factor - 0.5
        self._times = (self.t[:, None] + offsets * exp_time).reshape(-1)
        self._samples = supersample_factor

    def light_curve(self, params):
        """The flux at each time, 1 without a transit."""
        planets = list(params) if isinstance(params, (list, tuple)) else [params]
        law = planets[0].limb_dark
        if law not in LAWS:
            raise Error(f"{law!r} is none of {', '.join(LAWS)}", subject="limb_dark")
        star = Star((0, 0, 0), 1.0, limb_darkening=(LAWS[law], planets[0].u))
        positions = np.stack([sky_positions(planet, self._times) for planet in planets], axis=1)
        radii = np.array([planet.rp for planet in planets], float)
        before = (positions[..., 2] > 0) & (np.hypot(positions[..., 0], positions[..., 1]) < 1 + radii)
        flux = np.ones(len(self._times))
        for i in np.flatnonzero(before.any(axis=1)):
            flux[i] = self._flux(star, positions[i][before[i]], radii[before[i]])
        return flux.reshape(-1, self._samples).mean(axis=1)

    @staticmethod
    def _flux(star, positions, radii):
        observer = c.SphaeraObserver(c.SphaeraVec3(0, 0, OBSERVER_DISTANCE), -1)
        spheres = np.ascontiguousarray(np.column_stack([positions, radii]))
        seen = c.SphaeraVisibility()
        call("sphaera_starlight", ctypes.addressof(star.row), ctypes.addressof(observer), spheres.ctypes.data,
             len(spheres), ctypes.addressof(seen))
        if seen.status:
            raise Error("meets the star; its radius or distance is wrong", subject="planet")
        return seen.flux
