/// \file Two spheres that move: one is a bullet, the other a target. If one of them rests, the case is also
/// checked as a ray: the path of the moving center against the resting sphere, grown by the other radius.

#include <sphaera/sphaera.hpp>
#include <tests/catch.hpp>
#include <tests/json.hpp>

#include <tests/near.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

struct PeerCase {
  Vec3 start, velocity;  ///< of the mover
  Sphere target;         ///< the other, grown by the mover's radius
  Vec3 rest;             ///< center of sphere 2 if that rests, else of sphere 1
  double t_max;
  bool first_moves;
};

/// The case as a ray; none if both spheres move. The sum of the radii must be a double.
std::optional<PeerCase> as_ray(Json c) {
  const Vec3 v1 = vector(c, "v1"), v2 = vector(c, "v2"), p1 = vector(c, "p1"), p2 = vector(c, "p2");
  if (v1 != Vec3{} && v2 != Vec3{}) return std::nullopt;
  const bool first_moves = v2 == Vec3{};
  const double r1 = number(c, "r1"), r2 = number(c, "r2"), sum = r1 + r2;
  REQUIRE((sum - r1 == r2 && sum - r2 == r1));
  const auto end = find(c, "t_max");
  const Vec3 rest = first_moves ? p2 : p1;
  return PeerCase{first_moves ? p1 : p2,
                  first_moves ? v1 : v2,
                  {rest, sum},
                  rest,
                  end ? number(*end) : infinity,
                  first_moves};
}

void check_reference(const PeerCase& scene, Json reference, double r2) {
  const Ray ray{scene.start, scene.velocity, 0, scene.t_max};
  const Intersection all = intersect(ray, scene.target);
  CHECK((all.contact != Contact::miss) == truth(reference, "hit_future"));
  const double discriminant = number(reference, "disc");
  CHECK(all.roots == (discriminant < 0 ? 0 : discriminant == 0 ? 1 : 2));
  const bool overlap = truth(reference, "overlap_at_0"), touching = truth(reference, "touching_at_0");
  CHECK(meets(Segment{scene.start, scene.start}, scene.target) == (overlap || touching));
  if (overlap) CHECK(all.contact == Contact::starts_inside);
  if (const auto t = find(reference, "t_enter")) CHECK(near(all.t1, number(*t)));
  if (const auto t = find(reference, "t_exit")) CHECK(near(all.t2, number(*t)));
  if (!find(reference, "t_first")) return;
  const bool starts_inside = all.contact == Contact::starts_inside;
  CHECK(near(starts_inside ? 0 : all.t1, number(reference, "t_first")));
  const SurfacePoint first = *hit_point(ray, scene.target);
  const Vec3 normal_2_to_1 = scene.first_moves ? first.normal : -first.normal;
  CHECK(near(normal_2_to_1, vector(reference, "normal_2_to_1"), 1));
  const Vec3 center_2 = scene.first_moves ? scene.rest : first.point;
  CHECK(near(center_2 + r2 * normal_2_to_1, vector(reference, "contact_on_2"), r2));
}

/// Sphere 1 as a bullet, sphere 2 as its target.
void check_shot(Json c) {
  const auto end = find(c, "t_max");
  const double t_max = end ? number(*end) : 1e6;
  if (t_max < 0) return;  // no flight at all
  const Sphere target{vector(c, "p2"), number(c, "r2")};
  const Vec3 velocity = vector(c, "v2");
  const Scene scene = Scene::build(std::span(&target, 1),
                                   {.velocities = std::span(&velocity, 1), .horizon = Horizon{0, t_max}});
  const Impact hit = scene.first_impact({vector(c, "p1"), vector(c, "v1"), number(c, "r1"), 0, t_max});
  const Json reference = c["reference"];
  REQUIRE((hit.sphere == 0) == truth(reference, "hit_future"));
  if (hit.sphere < 0) return;
  CHECK((hit.contact == Contact::starts_inside) == truth(reference, "overlap_at_0"));
  CHECK(near(hit.time, number(reference, "t_first")));
  CHECK(near(hit.normal, vector(reference, "normal_2_to_1"), 1));
  CHECK(near(hit.point, vector(reference, "contact_on_2"), target.radius));
  if (const auto t = find(reference, "t_exit")) CHECK(near(hit.exit_time, number(*t)));
}

}  // namespace

TEST_CASE("collisions of other engines' tests", "[ballistics]") {
  const JsonFile file("moving_spheres_peers.json");
  int rays = 0, both_move = 0;
  for (const Json c : simdjson::dom::array(file["cases"])) {
    const std::string id = text(c["id"]);
    INFO(id);
    check_shot(c);
    const auto scene = as_ray(c);
    if (!scene) {
      ++both_move;
      continue;
    }
    check_reference(*scene, c["reference"], number(c, "r2"));
    const Ray ray{scene->start, scene->velocity, 0, scene->t_max};
    CHECK(truth(c["peer"], "hit") == meets(ray, scene->target));
    const auto hit = find(c["peer"], "t");
    const double t = ray.t_max < 0 ? 0 : std::max(0.0, intersect(ray, scene->target).t1);
    // mov-20: the peer expects a hit at 0.5, but the spheres overlap from the start.
    CHECK(truth(c, "agrees") == (id != "mov-20"));
    if (hit) CHECK(near(t, number(*hit)) == truth(c, "agrees"));
    ++rays;
  }
  CHECK(rays == 16);
  CHECK(both_move == 6);
}
