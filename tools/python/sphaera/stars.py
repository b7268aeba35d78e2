"""Stars and their limb darkening."""

import math

import numpy as np

from . import _declarations as c
from ._library import Error
from .options import named

#: Coefficients of each law.
LAWS = {"uniform": 0, "linear": 1, "quadratic": 2, "sqrt": 2, "power2": 2, "claret4": 4}
NUMBERS = named("LAW")


class Star:
    """A sphere that shines: center and radius, or, infinitely far away, direction and angular_radius in radians; or sphere,
    the id of the scene's sphere that is the star.

    limb_darkening: a law and its coefficients: ("quadratic", [u1, u2]); laws: uniform, linear, quadratic, sqrt, power2,
    claret4. The formulas: <sphaera/star.hpp>. For scene files: name, luminosity (watts, or None), velocity (per second);
    those that are loaded have `ephemeris`, None or (T, 7): t, x, y, z, vx, vy, vz.
    """

    ephemeris = None

    def __init__(self, center=None, radius=None, *, direction=None, angular_radius=None, sphere=-1,
                 limb_darkening=("uniform", []), name="", luminosity=None, velocity=(0.0, 0.0, 0.0)):
        law, coefficients = limb_darkening
        if law not in LAWS:
            raise Error(f"{law!r} is none of {', '.join(LAWS)}", subject="limb_darkening")
        wanted = LAWS[law]
        if len(coefficients) != wanted:
            raise Error(f"{law} has {wanted} coefficients, not {len(coefficients)}", subject="limb_darkening")
        self.row = row = c.SphaeraStar()
        row.limb_darkening.law = NUMBERS[law]
        row.limb_darkening.coefficients[:wanted] = [float(u) for u in coefficients]
        self.name, self.sphere, self.luminosity, self.velocity = name, int(sphere), luminosity, tuple(velocity)
        given = [value is not None for value in (center, radius, direction, angular_radius)]
        if given not in ([True, True, False, False], [False, False, True, True]) and (any(given) or self.sphere < 0):
            raise Error("give center and radius, or direction and angular_radius, or sphere", subject="star")
        row.at_infinity = int(direction is not None)
        if center is not None:
            row.center, row.radius = c.SphaeraVec3(*map(float, center)), radius
        elif direction is not None:
            row.direction, row.angular_radius = c.SphaeraVec3(*map(float, direction)), angular_radius

    @classmethod
    def of_row(cls, row, name, ephemeris):
        """A star of a scene file."""
        star = cls.__new__(cls)
        star.row = c.SphaeraStar.from_buffer_copy(row.star)
        star.name, star.sphere, star.ephemeris = name, row.sphere, ephemeris
        star.luminosity = None if math.isnan(row.luminosity) else row.luminosity
        star.velocity = (row.velocity.x, row.velocity.y, row.velocity.z)
        return star

    def file_row(self):
        """As scene files have it."""
        luminosity = math.nan if self.luminosity is None else self.luminosity
        return c.SphaeraSceneStar(self.row, self.sphere, luminosity, c.SphaeraVec3(*map(float, self.velocity)))

    @property
    def center(self):
        """None at infinity. Of a star that is a sphere: that of the file, or 0."""
        return None if self.row.at_infinity else np.array([self.row.center.x, self.row.center.y, self.row.center.z])

    @property
    def radius(self):
        return None if self.row.at_infinity else self.row.radius

    def __repr__(self):
        where = "at infinity" if self.row.at_infinity else f"sphere {self.sphere}" if self.sphere >= 0 else \
            f"center {self.center.tolist()}, radius {self.radius}"
        return f"<sphaera.Star {self.name + ': ' if self.name else ''}{where}>"


def star_rows(stars, scene):
    """The rows of stars for a scene, whose spheres they may be."""
    listed = [stars] if isinstance(stars, Star) else list(stars)
    rows = (c.SphaeraStar * len(listed))(*(star.row for star in listed))
    for i, star in enumerate(listed):
        if star.sphere >= 0:
            if star.sphere not in scene:
                raise Error(f"is sphere {star.sphere}, which is not in the scene", subject=f"star {i}", index=i)
            *center, radius = scene.spheres[star.sphere]
            rows[i].at_infinity, rows[i].center, rows[i].radius = 0, c.SphaeraVec3(*center), radius
    return rows
