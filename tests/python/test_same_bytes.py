"""Each answer has the bits that the tool writes."""

import numpy as np
import sphaera


def same(ours, theirs):
    """The same bits, but any NaN for a NaN."""
    assert ours.shape == theirs.shape
    np.testing.assert_array_equal(ours, theirs)


def same_vectors(ours, rows, names):
    same(ours, np.stack([rows[name] for name in names], axis=-1))


def test_rays(crowd):
    scene = sphaera.Scene(crowd.spheres)
    rays = np.load(crowd.folder / "rays.npy")
    same(scene.blocked(rays), crowd.answers("blocked", "--rays", "rays.npy")["blocked"].astype(bool))
    first = crowd.answers("first", "--rays", "rays.npy")
    hits, surface = scene.first_hit(rays), scene.first_surface_hit(rays)
    assert 0 < hits.hit.sum() < len(rays)
    for found in (hits, surface):
        for name in ("sphere", "t_enter", "t_exit", "contact"):
            same(getattr(found, name), first[name])
    same_vectors(surface.point, first, "xyz")
    same_vectors(surface.normal, first, ["nx", "ny", "nz"])
    every = crowd.answers("all", "--rays", "rays.npy")
    hits, splits = scene.all_hits(rays)
    same(np.repeat(np.arange(len(rays)), np.diff(splits)), every["ray"])
    for name in ("sphere", "t_enter", "t_exit", "contact"):
        same(getattr(hits, name), every[name])
    summary = crowd.answers("all", "--rays", "rays.npy", "--summary")
    sums = sphaera.chord_sums(rays, hits, splits)
    for name in ("hits", "chords", "inside"):
        same(getattr(sums, name), summary[name])
    assert (sums.inside < sums.chords).any()


def test_points_and_balls(crowd, random):
    scene = sphaera.Scene(crowd.spheres)
    points = crowd.spheres[:500, :3] + random.normal(size=(500, 3))
    name = crowd.save("points.npy", points)
    nearest = crowd.answers("nearest", "--points", name, "--k", "3")
    distance, sphere = scene.nearest(points, 3)
    same(distance.ravel(), nearest["distance"])
    same(sphere.ravel(), nearest["sphere"])
    others = crowd.answers("nearest", "--to-spheres", "--k", "2")
    distance, sphere = scene.nearest_to_spheres(2)
    same(distance.ravel(), others["distance"])
    same(sphere.ravel(), others["sphere"])
    pairs, gap = scene.contacts(0.5)
    ids, splits = scene.within(scene.centers, scene.radii + 0.5)
    lower = np.repeat(np.arange(len(scene)), np.diff(splits))
    same(pairs, np.column_stack([lower, ids])[ids > lower])
    apart = np.linalg.norm(scene.centers[pairs[:, 0]] - scene.centers[pairs[:, 1]], axis=1)
    assert np.allclose(gap, apart - scene.radii[pairs].sum(axis=1), rtol=0, atol=1e-9) and (gap < 0).any()
    part, _ = scene.contacts(0.5, ids=(100, 200))
    same(part, pairs[(pairs[:, 0] >= 100) & (pairs[:, 0] < 200)])
    counts = scene.count_contacts(0.5)
    same(counts, np.bincount(pairs.ravel(), minlength=len(scene)))
    same(counts, crowd.answers("contacts", "--distance", "0.5", "--count")["count"])
    same(scene.count_contacts(0.5, ids=(100, 200)), counts[100:200])
    lines = np.concatenate([np.repeat(points[:9], 500, 0), np.tile(points, (9, 1))], 1)
    seen = scene.visibility(points[:9], points, ignore=range(9), target_ignore=range(500))
    blocked = scene.blocked(segments=lines, ignore=np.repeat(range(9), 500), also_ignore=np.tile(range(500), 9))
    same(seen, ~blocked.reshape(9, 500))
    assert 0 < seen.sum() < seen.size
    exposed = scene.exposed_area(0.25)
    rows = crowd.answers("exposed", "--probe", "0.25")
    for column in ("area", "share", "hider"):
        same(getattr(exposed, column), rows[column])
    same(scene.exposed_area(0.25, ids=(100, 200)).area, rows["area"][100:200])
    assert np.linalg.norm(exposed.outward.sum(axis=0)) < 1e-9 * exposed.area.sum()
    balls = np.column_stack([points, np.full(500, 4.0)])
    name = crowd.save("balls.npy", balls)
    ids, splits = scene.within(points, 4.0)
    within = crowd.answers("within", "--balls", name)
    same(np.repeat(np.arange(500), np.diff(splits)), within["ball"])
    same(ids, within["sphere"])
    same(scene.count_within(balls), crowd.answers("within", "--balls", name, "--count")["count"])
    neighbors, splits = scene.neighbors_within(balls)
    within = crowd.answers("within", "--balls", name, "--distances")
    same(neighbors.distance, within["distance"])
    same(neighbors.sphere, within["sphere"])


def test_bullets(walk):
    scene = sphaera.Scene(walk.spheres[:, :4], velocities=walk.spheres[:, 4:], horizon=(0, 100))
    bullets = np.load(walk.folder / "bullets.npy")
    shot = walk.answers("shoot", "--bullets", "bullets.npy", "--bounces", "2", "--horizon", "0,100", "--gravity",
                        "0,0,-9.81")
    impacts, splits = scene.all_impacts(bullets, bounces=2, gravity=(0, 0, -9.81))
    hit = shot["sphere"] >= 0
    assert 0 < hit.sum() < len(hit)
    same(np.repeat(np.arange(len(bullets)), np.diff(splits)), shot["bullet"][hit])
    for name in ("sphere", "time", "distance", "exit_time", "bounce"):
        same(getattr(impacts, name), shot[name][hit])
    same(impacts.angle, shot["ricochet_angle"][hit])
    same_vectors(impacts.point, shot[hit], "xyz")
    same_vectors(impacts.velocity, shot[hit], ["vx", "vy", "vz"])
    same_vectors(impacts.exit_point, shot[hit], ["exit_x", "exit_y", "exit_z"])
    first = scene.first_impact(bullets, gravity=(0, 0, -9.81))
    same(first.time[first.hit], impacts.time[impacts.bounce == 0])
    missed = walk.answers("shoot", "--bullets", "bullets.npy", "--near-miss", "2", "--horizon", "0,100")
    passed, rows = scene.near_misses(bullets, 2.0), missed[np.unique(missed["bullet"], return_index=True)[1]]
    same(passed.sphere, rows["miss_sphere"])
    same(passed.distance, np.where(passed.sphere >= 0, rows["miss_distance"], passed.distance))


def test_sky(crowd, random):
    scene = sphaera.Scene(crowd.spheres)
    chosen = random.choice(len(crowd.spheres), 200, replace=False)
    normals = random.normal(size=(200, 3))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    points = crowd.spheres[chosen, :3] + crowd.spheres[chosen, 3:] * normals
    name = crowd.save("skies.npy", np.column_stack([points, normals, chosen]))
    rows = crowd.answers("sky", "--points", name, "--within", "30")
    seen = scene.sky(points, normals, within=30, ignore=chosen)
    for field in ("open", "open_by_cosine", "error", "discs", "rays"):
        same(getattr(seen, field), rows[field])
    assert (0 < seen.open).any() and (seen.open < 1).any()
    assert np.isnan(scene.sky(points[0]).open_by_cosine)


def test_starlight(belt, random):
    scene = sphaera.Scene(belt.spheres)
    chosen = random.choice(len(belt.spheres), 300, replace=False)
    away = belt.spheres[chosen, :3] / np.linalg.norm(belt.spheres[chosen, :3], axis=1)[:, None]
    places = belt.spheres[chosen, :3] + 1.5 * belt.spheres[chosen, 3:] * away
    name = belt.save("places.npy", places)
    radius = 0.5 * np.linalg.norm(belt.spheres[:, :3], axis=1).min()
    rows = belt.answers("starlight", "--observers", name, "--star", f"0,0,0,{radius!r}")
    seen = scene.starlight(sphaera.Star((0, 0, 0), radius), places)
    for field in ("fraction", "flux", "magnitude", "dominant", "occluders"):
        same(getattr(seen, field), rows[field])
    assert (seen.fraction < 1).any()
