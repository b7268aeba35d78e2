"""Motions and times of contacts."""

import numpy as np
import pytest
import sphaera
from sphaera import Motion

STAR = sphaera.Star((1000, 0, 0), 10)
BODY = Motion.linear((200, 0, 0)), 5.0
BALL = Motion.linear((0, -20, 0), (0, 1, 0)), 0.5


def test_positions(random):
    start, pace = random.normal(size=(2, 3))
    times = random.uniform(-5, 5, (2, 3))
    linear = Motion.linear(start, pace)
    np.testing.assert_allclose(linear.at(times), start + times[..., None] * pace, atol=1e-13)
    assert linear.at(0.0).tolist() == start.tolist()
    sampled = Motion([[t, *start + t * pace, *pace] for t in (-5.0, 1.0, 5.0)])
    np.testing.assert_allclose(sampled.at(times), linear.at(times), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(Motion.beside(sampled, (1, 2, 3)).at(times), sampled.at(times) + (1, 2, 3), atol=1e-13)
    turning = Motion.fixed_in(Motion.linear(start), (0, 0, 2), 4.0, (1, 0, 0))
    np.testing.assert_allclose(turning.at([0, 1, 2]) - start, [[1, 0, 0], [0, 1, 0], [-1, 0, 0]], atol=1e-15)


def test_shadows_are_those_of_cones():
    found = sphaera.shadow_contacts(STAR, BALL, [BODY], 0, 40)
    assert found.contact.tolist() == [0, 1, 2, 3, 4, 5, 6, 7] and (found.body == 0).all()
    penumbra, umbra = (10 + 5) / 800, (10 - 5) / 800
    outer = (5 + 200 * penumbra) / np.sqrt(1 - penumbra**2)
    inner = (5 - 200 * umbra) / np.sqrt(1 - umbra**2)
    # of the ball's center from the axis of the shadow, at a distance of 200 behind the body
    offsets = [outer + 0.5 / np.sqrt(1 - penumbra**2), outer - 0.5 / np.sqrt(1 - penumbra**2),
               inner + 0.5 / np.sqrt(1 - umbra**2), inner - 0.5 / np.sqrt(1 - umbra**2)]
    expected = np.concatenate([20 - np.array(offsets), 20 + np.array(offsets)[::-1]])
    np.testing.assert_allclose(found.time, expected, atol=1e-9)


def test_contacts_begin_and_end_where_starlight_changes():
    observer = Motion.linear((0, -20, 0), (0, 1, 0))
    found = sphaera.contact_times(STAR, observer, [BODY], 0, 40)
    together = sphaera.phase_changes((STAR, Motion.linear((1000, 0, 0))), observer, [BODY, BODY], 0, 40)
    assert len(found) == 4 and together.time.tolist() == found.time.tolist()
    scene = sphaera.Scene([[200, 0, 0]], 5.0)
    for contact in found.rows:
        before = np.nextafter(contact["time"], -1)
        seen = scene.starlight(STAR, observer.at([before, contact["time"]]))
        assert seen.phase.tolist() == [contact["before"], contact["after"]]


def test_a_star_that_is_not_seen():
    for x, is_inside in ((990, True), (995, True), (np.nextafter(990, 0), False), (np.nextafter(1010, 2000), False)):
        observer = Motion.linear((x, 0, 0))
        for ask in (sphaera.contact_times, sphaera.phase_changes):
            if not is_inside:
                assert len(ask(STAR, observer, [BODY], 0, 1)) == 0
                continue
            with pytest.raises(sphaera.UnseenStar, match="inside the star at time 0.0") as caught:
                ask(STAR, observer, [BODY], 0, 1)
            assert (caught.value.unseen, caught.value.time, caught.value.index) == ("inside_star", 0, -1)
    with pytest.raises(sphaera.UnseenStar, match="body 1: its surface crosses") as caught:
        sphaera.contact_times(STAR, Motion.linear((0, 0, 0)), [BODY, (Motion.linear((990, 0, 0)), 1.0)], 0, 1)
    assert (caught.value.unseen, caught.value.index) == ("intersects_star", 1)
    with pytest.raises(sphaera.UnseenStar, match="inside the star"):
        sphaera.shadow_contacts(STAR, (Motion.linear((990, 0, 0)), 0.5), [BODY], 0, 1)


@pytest.mark.parametrize("ask, what, index", [
    (lambda: Motion([[0, 0, 0, 0, 0, 0, 0]] * 2), "sample 1: is not later", 1),
    (lambda: Motion([0, 0, 0, 0, 0, 0, 0]), "samples: have the shape", -1),
    (lambda: Motion.linear((0, 0, np.nan)), "position", -1),
    (lambda: Motion.fixed_in(BODY[0], (0, 0, 0), 1, (1, 0, 0)), "spin", -1),
    (lambda: sphaera.shadow_contacts(STAR, (BALL[0], 10), [BODY], 0, 40), "ball", -1),
    (lambda: sphaera.shadow_contacts(STAR, BALL, [BODY, (BODY[0], -1)], 0, 40), "body 1", 1),
    (lambda: sphaera.shadow_contacts(STAR, BALL, [BODY[0]], 0, 40), "body 0: is <sphaera", 0),
    (lambda: sphaera.shadow_contacts(STAR, BALL, [BODY], 40, 0), "begin", -1),
    (lambda: sphaera.shadow_contacts(sphaera.Star(sphere=0), BALL, [BODY], 0, 40), "star", -1),
    (lambda: sphaera.chord_sums([[0, 0, 0, 0, 0, 0]], sphaera.answers.Hits(np.empty(0, sphaera.Hits.dtype)), [0, 0]),
     "ray 0", 0),
    (lambda: sphaera.chord_sums([[0, 0, 0, 1, 0, 0]], sphaera.answers.Hits(np.empty(0, sphaera.Hits.dtype)), [0, 1]),
     "splits", -1),
])
def test_errors_say_what_is_wrong(ask, what, index):
    with pytest.raises(sphaera.Error, match=what) as caught:
        ask()
    assert caught.value.index == index
