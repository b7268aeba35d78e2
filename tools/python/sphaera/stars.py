"""Stars and their limb darkening."""

from . import _declarations as c
from ._library import Error
from .options import named

#: Coefficients of each law.
LAWS = {"uniform": 0, "linear": 1, "quadratic": 2, "sqrt": 2, "power2": 2, "claret4": 4}
NUMBERS = named("LAW")


class Star:
    """A sphere that shines: center and radius, or, infinitely far away, direction and angular_radius in radians.

    limb_darkening: a law and its coefficients: ("quadratic", [u1, u2]); laws: uniform, linear, quadratic, sqrt, power2,
    claret4. The formulas: <sphaera/star.hpp>.
    """

    def __init__(self, center=None, radius=None, *, direction=None, angular_radius=None,
                 limb_darkening=("uniform", [])):
        law, coefficients = limb_darkening
        if law not in LAWS:
            raise Error(f"{law!r} is none of {', '.join(LAWS)}", subject="limb_darkening")
        wanted = LAWS[law]
        if len(coefficients) != wanted:
            raise Error(f"{law} has {wanted} coefficients, not {len(coefficients)}", subject="limb_darkening")
        self.row = row = c.SphaeraStar()
        row.limb_darkening.law = NUMBERS[law]
        row.limb_darkening.coefficients[:wanted] = [float(u) for u in coefficients]
        if (center is None) == (direction is None) or (radius is None) == (angular_radius is None):
            raise Error("give center and radius, or direction and angular_radius", subject="star")
        row.at_infinity = int(center is None)
        if center is not None:
            row.center, row.radius = c.SphaeraVec3(*map(float, center)), radius
        else:
            row.direction, row.angular_radius = c.SphaeraVec3(*map(float, direction)), angular_radius


def star_rows(stars):
    listed = [stars] if isinstance(stars, Star) else list(stars)
    return (c.SphaeraStar * len(listed))(*(star.row for star in listed))
