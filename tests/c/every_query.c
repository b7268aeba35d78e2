#include <tests/c/every_query.h>

#define SCENE const SphaeraScene *scene, const Inputs *in
#define BATCH SCENE, size_t count, const SphaeraQueryOptions *options, Place *out
#define ALONE SCENE, size_t i, const SphaeraQueryOptions *options, Place *out

#define ANSWERS(name, function, inputs)                                             \
  static SphaeraStatus ask_##name(BATCH) {                                          \
    return sphaera_scene_##function(scene, in->inputs, count, options, out->items); \
  }
#define ANSWER(name, function, inputs)                                           \
  static SphaeraStatus alone_##name(ALONE) {                                     \
    return sphaera_scene_##function(scene, &in->inputs[i], options, out->items); \
  }
#define LISTS(name, function, inputs)                                               \
  static SphaeraStatus ask_##name(BATCH) {                                          \
    return sphaera_scene_##function(scene, in->inputs, count, options, out->lists); \
  }
#define LIST(name, function, inputs)                                                                     \
  static SphaeraStatus alone_##name(ALONE) {                                                             \
    return sphaera_scene_##function(scene, &in->inputs[i], options, out->items, out->room, &out->found); \
  }

ANSWERS(blocked_rays, blocked, rays)
ANSWER(blocked_rays, blocked_ray, rays)
ANSWERS(blocked_segments, blocked_segments, segments)
ANSWER(blocked_segments, blocked_segment, segments)
ANSWERS(first_hit_rays, first_hit, rays)
ANSWER(first_hit_rays, first_hit_ray, rays)
ANSWERS(first_hit_segments, first_hit_segments, segments)
ANSWER(first_hit_segments, first_hit_segment, segments)
ANSWERS(first_surface_hit_rays, first_surface_hit, rays)
ANSWER(first_surface_hit_rays, first_surface_hit_ray, rays)
ANSWERS(first_surface_hit_segments, first_surface_hit_segments, segments)
ANSWER(first_surface_hit_segments, first_surface_hit_segment, segments)
LISTS(all_hits_rays, all_hits, rays)
LIST(all_hits_rays, all_hits_ray, rays)
LISTS(all_hits_segments, all_hits_segments, segments)
LIST(all_hits_segments, all_hits_segment, segments)
LISTS(within, within, balls)
LIST(within, within_ball, balls)
ANSWERS(count_within, count_within, balls)
ANSWER(count_within, count_within_ball, balls)
LISTS(neighbors_within, neighbors_within, balls)
LIST(neighbors_within, neighbors_within_ball, balls)

static SphaeraStatus ask_visibility(BATCH) {
  SphaeraSightTargets targets;
  const SphaeraStatus status = sphaera_sight_targets_init(&targets, sizeof targets);
  if (status != SPHAERA_OK) return status;
  targets.points = in->targets, targets.count = in->target_count;
  return sphaera_scene_visibility(scene, in->points, count, &targets, options, out->items, out->room);
}
static SphaeraStatus ask_nearest(BATCH) {
  return sphaera_scene_nearest(scene, in->points, count, 1, options, out->items, out->room);
}
static SphaeraStatus alone_nearest(ALONE) {
  return sphaera_scene_nearest_point(scene, &in->points[i], 1, options, out->items);
}
static SphaeraStatus ask_nearest_of_k(BATCH) {
  return sphaera_scene_nearest(scene, in->points, count, in->k, options, out->items, out->room);
}
static SphaeraStatus alone_nearest_of_k(ALONE) {
  return sphaera_scene_nearest_point(scene, &in->points[i], in->k, options, out->items);
}
static SphaeraStatus ask_nearest_to_spheres(BATCH) {
  (void)count;
  return sphaera_scene_nearest_to_spheres(scene, in->ids, in->k, options, out->items, out->room);
}
static SphaeraStatus ask_contacts(BATCH) {
  (void)count;
  return sphaera_scene_contacts(scene, in->ids, in->max_distance, options, out->lists);
}
static SphaeraStatus ask_count_contacts(BATCH) {
  (void)count;
  return sphaera_scene_count_contacts(scene, in->ids, in->max_distance, options, out->items, out->room);
}
static SphaeraStatus ask_exposed_area(BATCH) {
  (void)count;
  return sphaera_scene_exposed_area(scene, in->ids, in->max_distance, options, out->items, out->room);
}

static SphaeraStatus ask_sky(BATCH) {
  return sphaera_scene_sky(scene, in->skies, count, in->sky, options, out->items);
}
static SphaeraStatus alone_sky(ALONE) {
  return sphaera_scene_sky_point(scene, &in->skies[i], in->sky, options, out->items);
}

static SphaeraStatus ask_starlight(BATCH) {
  return sphaera_scene_starlight(scene, in->stars, in->star_count, in->observers, count, options, out->items,
                                 out->room);
}
static SphaeraStatus alone_starlight(ALONE) {
  SphaeraVisibility* items = out->items;
  SphaeraStatus status = SPHAERA_OK;
  for (size_t j = 0; j < in->star_count && status == SPHAERA_OK; ++j)
    status = sphaera_scene_starlight_observer(scene, &in->stars[j], &in->observers[i], options, &items[j]);
  return status;
}
static SphaeraStatus ask_irradiance(BATCH) {
  return sphaera_scene_irradiance(scene, in->sources, in->source_count, in->receivers, count, options,
                                  out->items);
}

/// The options of bullet i alone.
static SphaeraFlightOptions flight_of_one(const SphaeraFlightOptions* flight, size_t i) {
  SphaeraFlightOptions one = *flight;
  if (one.gravities != NULL) one.gravities += i;
  return one;
}

#define FLIGHTS(name, bullets, flight)                                                                    \
  static SphaeraStatus ask_first_impact_##name(BATCH) {                                                   \
    return sphaera_scene_first_impact(scene, in->bullets, count, in->flight, options, out->items);        \
  }                                                                                                       \
  static SphaeraStatus alone_first_impact_##name(ALONE) {                                                 \
    const SphaeraFlightOptions one = flight_of_one(in->flight, i);                                        \
    return sphaera_scene_first_impact_bullet(scene, &in->bullets[i], &one, options, out->items);          \
  }                                                                                                       \
  static SphaeraStatus ask_all_impacts_##name(BATCH) {                                                    \
    return sphaera_scene_all_impacts(scene, in->bullets, count, in->flight, options, out->lists);         \
  }                                                                                                       \
  static SphaeraStatus alone_all_impacts_##name(ALONE) {                                                  \
    const SphaeraFlightOptions one = flight_of_one(in->flight, i);                                        \
    return sphaera_scene_all_impacts_bullet(scene, &in->bullets[i], &one, options, out->items, out->room, \
                                            &out->found);                                                 \
  }
FLIGHTS(straight, bullets, straight)
FLIGHTS(falling, fallers, falling)

static SphaeraStatus ask_near_misses(BATCH) {
  return sphaera_scene_near_misses(scene, in->bullets, count, in->max_distance, options, out->items);
}

const CQuery c_queries[] = {
    {"blocked of rays", ask_blocked_rays, alone_blocked_rays},
    {"blocked of segments", ask_blocked_segments, alone_blocked_segments},
    {"first_hit of rays", ask_first_hit_rays, alone_first_hit_rays},
    {"first_hit of segments", ask_first_hit_segments, alone_first_hit_segments},
    {"first_surface_hit of rays", ask_first_surface_hit_rays, alone_first_surface_hit_rays},
    {"first_surface_hit of segments", ask_first_surface_hit_segments, alone_first_surface_hit_segments},
    {"all_hits of rays", ask_all_hits_rays, alone_all_hits_rays},
    {"all_hits of segments", ask_all_hits_segments, alone_all_hits_segments},
    {"visibility", ask_visibility, NULL},
    {"nearest", ask_nearest, alone_nearest},
    {"nearest of k", ask_nearest_of_k, alone_nearest_of_k},
    {"within", ask_within, alone_within},
    {"count_within", ask_count_within, alone_count_within},
    {"neighbors_within", ask_neighbors_within, alone_neighbors_within},
    {"nearest_to_spheres", ask_nearest_to_spheres, NULL},
    {"contacts", ask_contacts, NULL},
    {"count_contacts", ask_count_contacts, NULL},
    {"exposed_area", ask_exposed_area, NULL},
    {"sky", ask_sky, alone_sky},
    {"starlight", ask_starlight, alone_starlight},
    {"irradiance", ask_irradiance, NULL},
    {"first_impact", ask_first_impact_straight, alone_first_impact_straight},
    {"first_impact under gravity", ask_first_impact_falling, alone_first_impact_falling},
    {"all_impacts", ask_all_impacts_straight, alone_all_impacts_straight},
    {"all_impacts under gravity", ask_all_impacts_falling, alone_all_impacts_falling},
    {"near_misses", ask_near_misses, NULL},
};
const size_t c_query_count = sizeof c_queries / sizeof c_queries[0];
