"""Light curves against the tables of the tests, which others computed (tests/data/README.md)."""

import csv
from types import SimpleNamespace

import numpy as np
import pytest
import sphaera
from conftest import DATA


def planet(**changed):
    return SimpleNamespace(**{**dict(t0=0.0, per=3.5, rp=0.1, a=8.8, inc=87.2, ecc=0.0, w=90.0, u=[0.4, 0.26],
                                     limb_dark="quadratic"), **changed})


def test_table_of_quadratic_limb_darkening():
    worst = rows = 0
    with open(DATA / "transit_quadratic.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            p, z, u1, u2, flux = (float(row[name]) for name in ("p", "z", "u1", "u2", "flux_ref_mpmath"))
            a = 50.0 * (1 + z)
            inc = np.degrees(np.arccos(z / a))
            model = sphaera.TransitModel(planet(rp=p, a=a, inc=inc, u=[u1, u2]), [0.0])
            worst = max(worst, abs(model.light_curve(planet(rp=p, a=a, inc=inc, u=[u1, u2]))[0] - flux))
            rows += 1
    print(f"{rows} rows, worst error {worst:.1e}")
    assert rows > 50 and worst < 1e-13


def test_symmetric_about_the_middle_and_flat_outside():
    times = np.linspace(-0.2, 0.2, 401)
    curve = sphaera.TransitModel(planet(), times).light_curve(planet())
    np.testing.assert_allclose(curve, curve[::-1], atol=1e-13)
    assert curve[0] == 1 and curve.min() < 0.99
    half = sphaera.TransitModel(planet(), times + 3.5 / 2).light_curve(planet())
    assert (half == 1).all()  # behind the star


@pytest.mark.parametrize("ecc, w", [(0.3, 20.0), (0.6, 200.0), (0.95, 90.0)])
def test_eccentric_orbits_transit_at_t0(ecc, w):
    inclined = planet(ecc=ecc, w=w, inc=90.0, a=200.0)
    times = np.linspace(-0.05, 0.05, 2001)
    curve = sphaera.TransitModel(inclined, times).light_curve(inclined)
    assert curve[1000] == pytest.approx(curve.min(), abs=1e-6) and curve[1000] < 0.99


def test_kepler_equation(random):
    eccentricity = random.uniform(0, 0.99, 1000)
    anomaly = random.uniform(-np.pi, np.pi, 1000)
    mean = anomaly - eccentricity * np.sin(anomaly)
    from sphaera.transit import eccentric_anomaly
    solved = np.array([eccentric_anomaly(m, e) for m, e in zip(mean, eccentricity)])
    assert np.abs(solved - eccentricity * np.sin(solved) - mean).max() < 1e-14


def test_planets_that_overlap_hide_less_than_their_sum():
    times = np.zeros(1)
    small, large = planet(rp=0.05, inc=90.0), planet(rp=0.1, inc=90.0, a=9.5)
    both = sphaera.TransitModel([small, large], times).light_curve([small, large])
    alone = sphaera.TransitModel(large, times).light_curve(large)
    assert both == pytest.approx(alone, abs=1e-14)  # the small one passes behind or before the large one's disc


def test_exposures_are_means():
    times = np.linspace(-0.1, 0.1, 11)
    whole = sphaera.TransitModel(planet(), times, supersample_factor=5, exp_time=0.02).light_curve(planet())
    offsets = (np.arange(5) + 0.5) / 5 - 0.5
    parts = [sphaera.TransitModel(planet(), times + part * 0.02).light_curve(planet()) for part in offsets]
    np.testing.assert_allclose(whole, np.mean(parts, axis=0), atol=1e-15)


def test_laws():
    for law, u in (("uniform", []), ("linear", [0.3]), ("squareroot", [0.2, 0.3]), ("power2", [0.4, 0.6]),
                   ("nonlinear", [0.1, 0.2, 0.1, 0.05])):
        params = planet(limb_dark=law, u=u)
        flux = sphaera.TransitModel(params, [0.0]).light_curve(params)[0]
        assert 0.98 < flux < 0.992
    with pytest.raises(sphaera.Error, match="limb_dark: 'exponential' is none of"):
        sphaera.TransitModel(planet(limb_dark="exponential"), [0.0]).light_curve(planet(limb_dark="exponential"))
