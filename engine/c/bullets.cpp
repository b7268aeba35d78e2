#include <c/ask.hpp>

// Queries about bullets.

using namespace sphaera;
using namespace sphaera::c;

SphaeraStatus sphaera_scene_first_impact(const SphaeraScene* scene, const SphaeraBullet* bullets,
                                         size_t count, const SphaeraFlightOptions* flight,
                                         const SphaeraQueryOptions* options, SphaeraImpact* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.first_impact(rows_of(bullets, count, "bullets"), rows_of(out, count, "out"),
                   flight_options(flight, count, s.spheres().size()), o);
  });
}
SphaeraStatus sphaera_scene_first_impact_bullet(const SphaeraScene* scene, const SphaeraBullet* bullet,
                                                const SphaeraFlightOptions* flight,
                                                const SphaeraQueryOptions* options, SphaeraImpact* out) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    row_of(out, "out") =
        s.first_impact(row_of(bullet, "bullet"), flight_options(flight, 1, s.spheres().size()), o);
  });
}
SphaeraStatus sphaera_scene_all_impacts(const SphaeraScene* scene, const SphaeraBullet* bullets, size_t count,
                                        const SphaeraFlightOptions* flight,
                                        const SphaeraQueryOptions* options, SphaeraLists* lists) {
  return ask_lists<Impact>(scene, count, options, lists,
                           [&](const Scene& s, const QueryOptions& o, auto& out) {
                             s.all_impacts(rows_of(bullets, count, "bullets"), out,
                                           flight_options(flight, count, s.spheres().size()), o);
                           });
}
SphaeraStatus sphaera_scene_all_impacts_bullet(const SphaeraScene* scene, const SphaeraBullet* bullet,
                                               const SphaeraFlightOptions* flight,
                                               const SphaeraQueryOptions* options, SphaeraImpact* out,
                                               size_t capacity, size_t* found) {
  return ask(scene, 1, options, [&](const Scene& s, const QueryOptions& o) {
    place(found, "found") = s.all_impacts(row_of(bullet, "bullet"), rows_of(out, capacity, "out"),
                                          flight_options(flight, 1, s.spheres().size()), o);
  });
}
SphaeraStatus sphaera_scene_near_misses(const SphaeraScene* scene, const SphaeraBullet* bullets, size_t count,
                                        double max_distance, const SphaeraQueryOptions* options,
                                        SphaeraNearMiss* out) {
  return ask(scene, count, options, [&](const Scene& s, const QueryOptions& o) {
    s.near_misses(rows_of(bullets, count, "bullets"), max_distance, rows_of(out, count, "out"), o);
  });
}
