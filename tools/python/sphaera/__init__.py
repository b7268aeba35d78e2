"""Exact, fast queries on large scenes of spheres.

>>> import numpy as np, sphaera
>>> scene = sphaera.Scene([[0, 0, 0], [0, 0, 5]], [1.0, 2.0])
>>> hits = scene.first_hit([[0, 0, -10, 0, 0, 1], [9, 9, 9, 1, 0, 0]])  # origin, direction
>>> hits.sphere, hits.t_enter
(array([ 0, -1]), array([ 9., nan]))
>>> distance, sphere = scene.nearest([[0, 0, 2.5]])
>>> distance, sphere
(array([0.5]), array([1]))
>>> ids, splits = scene.within([[0, 0, 2]], 1.0)  # centers, radius
>>> ids[splits[0]:splits[1]]
array([0, 1])

Scene: build, change, ask. SceneBuffer: changes while snapshots are asked. Star: what `Scene.starlight` takes. Motion, contact_times,
shadow_contacts: when eclipses begin and end. chord_sums: lengths of rays inside spheres. SceneFile, Scene.from_file,
Scene.save: files with names, layers and stars. TransitModel: light curves, with batman's names. Hit or
miss, order and winner are those that exact arithmetic gives for the numbers as given. Lengths are in the unit of the scene;
ids count from 0.
"""

from ._library import Error, library as _library
from .answers import (ChordSums, ContactTimes, ExposedAreas, Hits, Impacts, NearMisses, Neighbors, PhaseChanges,
                      ShadowChanges, SurfaceHits, Visibilities)
from .closed_form import chord_sums
from .motions import Motion, UnseenStar, contact_times, phase_changes, shadow_contacts
from .scene import Scene, SceneBuffer
from .scene_file import SceneFile
from .stars import Star
from .transit import TransitModel, TransitParams

__version__ = _library.sphaera_version().decode()
__all__ = ["ChordSums", "ContactTimes", "Error", "ExposedAreas", "Hits", "Impacts", "Motion", "NearMisses", "Neighbors",
           "PhaseChanges", "Scene", "SceneBuffer", "SceneFile", "ShadowChanges", "Star", "SurfaceHits", "TransitModel",
           "TransitParams", "UnseenStar", "Visibilities", "chord_sums", "contact_times", "phase_changes", "shadow_contacts"]
