/// \file Frames of a small game in C: people walk, one shoots up to a wall at what was seen some frames ago,
/// a blast finds those near it.

#include <math.h>
#include <sphaera/sphaera.h>
#include <stdio.h>
#include <stdlib.h>

enum { people = 1000, frames = 60, lag = 8 };  // a shot answers what its player saw, up to 8 frames ago
static const double wall = 130;                // a wall across the x axis, in m

/// Ends the program if a call fails, with the library's own words.
static void must(SphaeraStatus status) {
  if (status == SPHAERA_OK) return;
  fprintf(stderr, "frames: %s\n", sphaera_error_text());
  exit(1);
}

/// Where person i is in a frame: on a grid, each walks around a circle.
static SphaeraVec3 place(int i, int frame) {
  const double turn = 0.1 * frame + i;
  const SphaeraVec3 at = {4.0 * (i % 40) + cos(turn), 4.0 * (i / 40) + sin(turn), 1};
  return at;
}

static SphaeraBuffer* build(void) {
  SphaeraSphere spheres[people];
  for (int i = 0; i < people; ++i) {
    spheres[i].center = place(i, 0);
    spheres[i].radius = 0.4;
  }
  SphaeraBuffer* crowd = NULL;
  must(sphaera_buffer_build(spheres, people, 0, NULL, &crowd));
  return crowd;
}

static void walk(SphaeraBuffer* crowd, int frame) {
  SphaeraVec3 centers[people];
  for (int i = 0; i < people; ++i) centers[i] = place(i, frame);
  const SphaeraRows rows = {centers, people, sizeof centers[0], SPHAERA_DOUBLE, 0};
  must(sphaera_buffer_update(crowd, &rows, NULL, NULL, NULL));
}

/// Person 0 shoots along the grid, up to the wall; no bullet meets its shooter.
static int64_t shoot(const SphaeraScene* scene, int frame) {
  SphaeraRay ray = {place(0, frame), {1, 0.2, 0.1}, 0, INFINITY};
  ray.t_max = (wall - ray.origin.x) / ray.direction.x;
  const int64_t shooter = 0;
  SphaeraQueryOptions options;
  must(sphaera_query_options_init(&options, sizeof options));
  options.ignore = &shooter;
  SphaeraHit hit;
  must(sphaera_scene_first_hit_ray(scene, &ray, &options, &hit));
  return hit.sphere;
}

/// The people within 10 m of the middle.
static size_t blast(const SphaeraScene* scene, SphaeraLists* near) {
  const SphaeraBall ball = {{80, 50, 0}, 10};
  must(sphaera_scene_neighbors_within(scene, &ball, 1, NULL, near));
  const SphaeraNeighbor* found = NULL;
  size_t count = 0;
  must(sphaera_lists_neighbors(near, &found, &count));
  return count;
}

int main(void) {
  SphaeraBuffer* const crowd = build();
  SphaeraLists* near = NULL;
  must(sphaera_lists_create(&near));
  SphaeraScene* seen[lag + 1] = {NULL};  // the last frames: any thread may ask them
  int hits = 0;
  size_t found = 0;
  for (int frame = 0; frame < frames; ++frame) {
    if (frame > 0) walk(crowd, frame);
    SphaeraScene** const now = &seen[frame % (lag + 1)];
    if (*now) must(sphaera_scene_destroy(*now));
    must(sphaera_buffer_current(crowd, now));
    const int past = frame < lag ? 0 : frame - lag;
    if (shoot(seen[past % (lag + 1)], past) >= 0) ++hits;
    found += blast(*now, near);
  }
  printf("%d shots, %d hit somebody, the others the wall\n", frames, hits);
  printf("%d blasts, %zu people near them\n", frames, found);

  const SphaeraRay bad = {{0, 0, 0}, {0, 0, 0}, 0, INFINITY};
  SphaeraHit hit;
  if (sphaera_scene_first_hit(seen[0], &bad, 1, NULL, &hit) != SPHAERA_OK)
    printf("%s\n", sphaera_error_text());
  for (int k = 0; k <= lag; ++k) must(sphaera_scene_destroy(seen[k]));
  must(sphaera_lists_destroy(near));
  must(sphaera_buffer_destroy(crowd));
  return 0;
}
