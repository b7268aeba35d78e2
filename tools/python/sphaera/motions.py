"""Times at which eclipses, transits and occultations begin and end, for moving stars, bodies and observers."""

import ctypes

import numpy as np

from . import _declarations as c
from . import answers
from ._arrays import Lists, address, columns
from ._library import Error, Handle, call, call_with_stop
from .options import Options, new_stop
from .stars import Star


def _vector(what, value):
    return c.SphaeraVec3(*columns(what, [value], (3,))[0])


class Motion(Handle):
    """A position as a function of time: samples (N, 7): time, position, velocity, by ascending time. Between two samples it
    is the cubic with their positions and velocities, before the first and after the last uniform. All numbers are of at
    most 2^200 in magnitude. Wrong samples raise Error, whose `index` is the sample.

    >>> import sphaera
    >>> sphaera.Motion.linear((0, 0, 5), (1, 0, 0)).at([0, 2])
    array([[0., 0., 5.],
           [2., 0., 5.]])
    """

    def __init__(self, samples):
        rows = columns("samples", samples, (7,))
        if rows.ndim != 2:
            raise Error(f"have the shape {rows.shape}; give (N, 7)", subject="samples")
        self._create("", address(rows), len(rows))

    def _create(self, kind, *arguments):
        super().__init__(f"sphaera_motion_create{kind}", "sphaera_motion_destroy", *arguments)

    @classmethod
    def _of(cls, kind, *arguments):
        motion = cls.__new__(cls)
        motion._create(kind, *arguments)
        return motion

    @classmethod
    def linear(cls, position, velocity=(0.0, 0.0, 0.0)):
        """Uniform; at `position` at time 0."""
        return cls._of("_linear", *map(ctypes.byref, (_vector("position", position), _vector("velocity", velocity))))

    @classmethod
    def beside(cls, body, from_center):
        """A point at a constant vector from the center of a body, a Motion, that does not turn."""
        return cls._of("_beside", body, ctypes.byref(_vector("from_center", from_center)))

    @classmethod
    def fixed_in(cls, body, axis, period, from_center):
        """A point of a body, a Motion, that turns about an axis once a period, counter-clockwise as seen from the axis' tip
        (a negative period: clockwise); from_center: from the body's center to the point at time 0."""
        spin = c.SphaeraSpin(_vector("axis", axis), float(period))
        return cls._of("_fixed_in", body, *map(ctypes.byref, (spin, _vector("from_center", from_center))))

    def at(self, times):
        """The position at each time: (…, 3) for times of shape (…)."""
        times = np.asarray(times, np.float64)
        places = np.empty((*times.shape, 3))
        for time, place in zip(times.reshape(-1).tolist(), places.reshape(-1, 3)):
            call("sphaera_motion_at", self, time, address(place))
        return places


def _moving_star(star):
    star, motion = star if isinstance(star, tuple) else (star, None)
    if not isinstance(star, Star) or star.sphere >= 0:
        raise Error("give a Star with center or direction, or a tuple of it and its Motion", subject="star")
    return c.SphaeraMovingStar(star.row, motion and motion.pointer)


def _moving_sphere(what, sphere, index=-1):
    try:
        motion, radius = sphere
        return c.SphaeraMovingSphere(motion.pointer, radius)
    except (AttributeError, TypeError, ValueError):
        raise Error(f"is {sphere!r}; give a tuple of a Motion and a radius", subject=what, index=index) from None


class UnseenStar(Error):
    """A search without an answer: at `time` the observer is inside the star (`unseen` is "inside_star"), or a body, whose
    number is `index`, intersects the star's surface ("intersects_star")."""

    def __init__(self, why):
        self.time, inside = why.time, why.status == c.SPHAERA_INSIDE_STAR
        self.unseen = "inside_star" if inside else "intersects_star"
        super().__init__(f"{'inside the star' if inside else 'its surface crosses that of the star'} at time {why.time!r}",
                         subject="observer" if inside else f"body {why.body}", index=why.body)


def _search(function, kind, rows, star, watching, bodies, begin, end, resolution):
    """Asks for one list. `watching`: the structure of the observer, or of the ball."""
    moving_star, bodies = _moving_star(star), list(bodies)
    moving = (c.SphaeraMovingSphere * len(bodies))(
        *(_moving_sphere(f"body {i}", body, i) for i, body in enumerate(bodies)))
    options, lists = Options(c.SphaeraContactOptions, "sphaera_contact_options_init"), Lists()
    unseen = c.SphaeraUnseenStar()
    options.values.resolution, options.values.unseen = resolution, ctypes.addressof(unseen)
    call_with_stop(function, new_stop(options), ctypes.addressof(moving_star), ctypes.addressof(watching),
                   ctypes.addressof(moving), len(bodies), float(begin), float(end), options, lists)
    if unseen.status != c.SPHAERA_STAR_OK:
        raise UnseenStar(unseen)
    return rows(lists.items(kind, rows.dtype)[0])


def contact_times(star, observer, bodies, begin, end, *, on=-1, resolution=1e-3):
    """All changes of phase of a star behind each body alone, for begin < time <= end, as ContactTimes, sorted by time.

    star: Star, or a tuple of a Star and the Motion of its center; observer: Motion; bodies: tuples of a Motion and a radius;
    on: number of the body that the observer stands on, whose contacts are sunrise and sunset. Times are in the unit of the
    motions. A phase that lasts at least `resolution` is never missed; times are exact but for the rounding of positions.
    Raises UnseenStar, an Error, for an observer found inside the star and a body found to intersect it.

    >>> import sphaera
    >>> body = sphaera.Motion.linear((500, -10, 0), (0, 1, 0)), 1
    >>> contacts = sphaera.contact_times(sphaera.Star((1000, 0, 0), 1), sphaera.Motion.linear((0, 0, 0)), [body], 0, 20)
    >>> contacts.time.round(3), contacts.after
    (array([ 8.5,  9.5, 10.5, 11.5]), array([3, 1, 3, 0], dtype=uint8))
    """
    watching = c.SphaeraMovingObserver(observer.pointer, on)
    return _search("sphaera_contact_times", "contact_times", answers.ContactTimes, star, watching, bodies, begin, end,
                   resolution)


def phase_changes(star, observer, bodies, begin, end, *, on=-1, resolution=1e-3):
    """`contact_times` for all bodies together, as PhaseChanges: several may hide the star that none hides alone."""
    watching = c.SphaeraMovingObserver(observer.pointer, on)
    return _search("sphaera_phase_changes", "phase_changes", answers.PhaseChanges, star, watching, bodies, begin, end,
                   resolution)


def shadow_contacts(star, ball, bodies, begin, end, *, resolution=1e-3):
    """The contacts of a whole ball, such as the Moon in a lunar eclipse, with the shadow of each body alone, for begin < time
    <= end, as ShadowChanges, sorted by time.

    ball: a tuple of a Motion and a radius, which must be smaller than the star's; star, bodies, resolution and errors: as
    contact_times.

    >>> import sphaera
    >>> ball = sphaera.Motion.linear((0, -20, 0), (0, 1, 0)), 0.5
    >>> body = sphaera.Motion.linear((200, 0, 0)), 5
    >>> contacts = sphaera.shadow_contacts(sphaera.Star((1000, 0, 0), 10), ball, [body], 0, 40)
    >>> contacts.contact
    array([0, 1, 2, 3, 4, 5, 6, 7], dtype=uint8)
    >>> contacts.time.round(2)
    array([10.75, 11.75, 15.75, 16.75, 23.25, 24.25, 28.25, 29.25])
    """
    return _search("sphaera_shadow_contacts", "shadow_changes", answers.ShadowChanges, star, _moving_sphere("ball", ball),
                   bodies, begin, end, resolution)
