#!/usr/bin/python3
"""Colors the atoms of molecules by how crowded they are. Usage: neighbors.py ATOMS.csv[.gz] PICTURE.png

The file has a header and x,y,z,r in ångströms, such as tests/data/mol_bace_52k.csv.gz."""

import sys

import matplotlib
import numpy as np
import sphaera

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

atoms = np.genfromtxt(sys.argv[1], delimiter=",", names=True)
centers = np.stack([atoms[axis] for axis in "xyz"], axis=1)
scene = sphaera.Scene(centers, atoms["r"])
reach = 6.0
crowded = scene.count_within(centers, reach) - 1  # without the atom itself
distance, sphere = scene.nearest_to_spheres()
print(f"{len(scene)} atoms; {crowded.mean():.1f} others within {reach} Å on average; "
      f"{np.mean(distance < 0):.0%} of the centers lie inside another atom")

# A slice through the middle, as seen from above.
middle = np.median(centers[:, 2])
shown = np.abs(centers[:, 2] - middle) < 4
order = np.argsort(centers[shown, 2])
figure, axes = pyplot.subplots(figsize=(7, 6), constrained_layout=True)
dots = axes.scatter(*centers[shown][order, :2].T, c=crowded[shown][order], s=14, cmap="viridis")
figure.colorbar(dots, label=f"atoms within {reach:.0f} Å")
axes.set(xlabel="x, Å", ylabel="y, Å", title=f"Atoms within 4 Å of z = {middle:.0f} Å", aspect="equal")
figure.savefig(sys.argv[2], dpi=100)
