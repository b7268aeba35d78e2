#!/usr/bin/python3
"""Draws the light curve of a star with two planets that overlap for a while. Usage: light_curve.py PICTURE.png"""

import sys
from types import SimpleNamespace

import matplotlib
import numpy as np
import sphaera

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402


def planet(rp, t0, per, a, inc):
    return SimpleNamespace(rp=rp, t0=t0, per=per, a=a, inc=inc, ecc=0.0, w=90.0, u=[0.4, 0.26], limb_dark="quadratic")


hours = np.linspace(-6, 6, 1441)
inner, outer = planet(0.08, 0.0, 4.2, 10.0, 89.6), planet(0.12, 0.01, 11.5, 19.5, 89.9)
model = sphaera.TransitModel(inner, hours / 24)  # times in days, as the periods

figure, axes = pyplot.subplots(figsize=(8, 4.5), constrained_layout=True)
alone = [model.light_curve(planet) for planet in (inner, outer)]
axes.plot(hours, alone[0], ":", label="the inner planet alone")
axes.plot(hours, alone[1], ":", label="the outer planet alone")
axes.plot(hours, alone[0] + alone[1] - 1, "--", label="both losses added", linewidth=1)
axes.plot(hours, model.light_curve([inner, outer]), "k", label="both: one passes before the other")
axes.set(xlabel="hours from the middle of the inner transit", ylabel="relative flux",
         title="A star behind two planets, quadratic limb darkening 0.4, 0.26")
axes.legend(loc="lower left", fontsize="small")
figure.savefig(sys.argv[1], dpi=100)
