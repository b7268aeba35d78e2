#!/usr/bin/python3
"""Draws from how many guards each place of a level is seen, among people and pillars. Usage: exposure.py PICTURE.png"""

import sys

import matplotlib
import numpy as np
import sphaera

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

random = np.random.default_rng(7)
size, eye = 60.0, 1.6
# People of three spheres (legs, body, head), and pillars of stacked spheres, which hide more.
people = random.uniform(0, size, (120, 2))
pillars = random.uniform(5, size - 5, (25, 2))
parts = [(people, height, radius) for height, radius in ((0.4, 0.3), (1.1, 0.4), (1.7, 0.2))]
parts += [(pillars, height, 1.2) for height in (0.5, 1.5, 2.5)]
centers = np.concatenate([np.column_stack([where, np.full(len(where), height)]) for where, height, _ in parts])
radii = np.concatenate([np.full(len(where), radius) for where, _, radius in parts])
scene = sphaera.Scene(centers, radii)

guards = np.array([[1, 1, eye], [59, 2, eye], [30, 59, eye]])
ways = np.linspace(0.1, size - 0.1, 300)
x, y = np.meshgrid(ways, ways)
ground = np.stack([x, y, np.full_like(x, 1.0)], axis=-1)  # a chest at each place
segments = np.concatenate(np.broadcast_arrays(guards, ground[:, :, None]), axis=-1)
seen = (~scene.blocked(segments=segments)).sum(axis=-1)
print(f"{(seen == 0).mean():.0%} of the level is seen by nobody, {(seen == 3).mean():.0%} by all guards")

figure, axes = pyplot.subplots(figsize=(7, 6), constrained_layout=True)
picture = axes.pcolormesh(x, y, seen, cmap=pyplot.get_cmap("YlOrRd", 4), vmin=-0.5, vmax=3.5)
figure.colorbar(picture, ticks=range(4), label="guards that see a chest there")
axes.plot(*people.T, "k.", markersize=4, label="people")
axes.plot(*pillars.T, "o", color="gray", markersize=9, label="pillars")
axes.plot(*guards[:, :2].T, "b^", markersize=10, label="guards")
axes.legend(loc="upper right", fontsize="small", framealpha=1)
axes.set(xlabel="x, m", ylabel="y, m", title="Exposure", aspect="equal")
figure.savefig(sys.argv[1], dpi=100)
