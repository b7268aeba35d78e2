/// \file 380 rays, lines and segments from the tests of other engines. `reference` is exact; a peer may
/// differ.

#include <set>
#include <sphaera/sphaera.hpp>
#include <tests/catch.hpp>
#include <tests/json.hpp>

#include <tests/near.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

/// Sphaera's answers about a ray, line or segment.
struct Answer {
  Vec3 from;
  double t_min;
  bool meets;
  Intersection all;
  std::optional<SurfacePoint> first;
  std::optional<Pierce> through;
  bool meets_no_tangent, by_jhitsphere, by_bartlett;
};

template <class Path>
Answer answer(const Path& path, const Vec3& from, double t_min, const Sphere& ball) {
  return {from,
          t_min,
          meets(path, ball),
          intersect(path, ball),
          hit_point(path, ball),
          pierce(path, ball),
          meets(path, ball, Convention{.tangent = Convention::Tangent::misses}),
          meets(path, ball, jhitsphere),
          meets(path, ball, bartlett)};
}

Answer answer(Json c, const Sphere& ball) {
  const Vec3 a = vector(c, "a"), b = vector(c, "b");
  const std::string kind = text(c["kind"]);
  if (kind == "segment") return answer(Segment{a, b}, a, 0, ball);
  const Ray ray = kind == "line" ? line(a, b) : Ray{a, b};
  return answer(ray, a, ray.t_min, ball);
}

void check_reference(const Answer& ours, Json reference, const Sphere& ball) {
  CHECK(ours.meets == truth(reference, "closed_hit"));
  CHECK((ours.all.contact != Contact::miss) == ours.meets);
  const bool origin_in_ball = truth(reference, "origin_inside_open") || truth(reference, "origin_on_surface");
  CHECK(meets(Segment{ours.from, ours.from}, ball) == origin_in_ball);
  if (find(reference, "degenerate_direction")) {
    CHECK(ours.all.roots == 0);
    CHECK_FALSE(ours.through);
    return;
  }
  const double discriminant = number(reference, "discriminant_over_A");
  CHECK(ours.all.roots == (discriminant < 0 ? 0 : discriminant == 0 ? 1 : 2));
  CHECK((ours.all.roots == 1) == truth(reference, "tangent_exact"));
  if (const auto t = find(reference, "t_enter")) CHECK(near(ours.all.t1, number(*t)));
  if (const auto t = find(reference, "t_exit")) CHECK(near(ours.all.t2, number(*t)));
  if (const auto p = find(reference, "point_first")) {
    CHECK(near(ours.first->point, vector(*p), length(ours.from)));
    CHECK(near(ours.t_min > ours.all.t1 ? ours.from : ours.through->entry.surface.point, vector(*p),
               length(ours.from)));
  }
  // "open" leaves out tangents only: a segment that ends on the surface still counts (joml-058).
  if (const auto open = find(reference, "open_hit")) CHECK(ours.meets_no_tangent == bool(*open));
}

/// Compares with the numbers of a peer that reports a hit, as far as it gives some.
void check_peer(const Answer& ours, Json peer) {
  const double tolerance = find(peer, "tol") ? number(peer, "tol") : reference_tolerance;
  const auto convention = find(peer, "convention");
  const bool from_inside_gives_exit =
      convention && text(*convention).find("inside=exit point") != std::string::npos;
  const bool starts_inside = ours.all.contact == Contact::starts_inside;
  if (const auto t = find(peer, "t_enter")) {
    CHECK(near(starts_inside ? ours.t_min : ours.all.t1, number(*t), tolerance));
  }
  if (const auto t = find(peer, "t_exit")) CHECK(near(ours.all.t2, number(*t), tolerance));
  if (const auto p = find(peer, "point")) {
    const bool exit = starts_inside && from_inside_gives_exit;
    const Vec3 point = exit ? ours.through->exit.surface.point : ours.first->point;
    CHECK(length(point - vector(*p)) <= tolerance * std::max(1.0, length(point)));
  }
  if (const auto n = find(peer, "normal")) {
    const bool origin_direction =
        convention && text(*convention).find("normal=origin direction") != std::string::npos;
    CHECK(near(ours.first->normal, vector(*n), 1));
    CHECK((!origin_direction || starts_inside));
  }
}

}  // namespace

TEST_CASE("rays, lines and segments of other engines' tests", "[closed_form]") {
  const JsonFile file("ray_sphere_peers.json");
  int cases = 0;
  std::set<std::string> disagree;
  for (const Json c : simdjson::dom::array(file["cases"])) {
    const std::string id = text(c["id"]);
    INFO(id);
    const Sphere ball{vector(c["sphere"], "c"), number(c["sphere"], "r")};
    const Answer ours = answer(c, ball);
    check_reference(ours, c["reference"], ball);
    const bool peer_hits = truth(c["peer"], "hit");
    CHECK((peer_hits == ours.meets) == truth(c, "agrees_with_closed_ball"));
    if (peer_hits && ours.meets) check_peer(ours, c["peer"]);
    if (peer_hits != ours.meets) disagree.insert(id);
    if (id == "godot-019") CHECK(ours.by_bartlett == peer_hits);  // Godot: from inside is a miss
    if (id == "cesium-045")
      CHECK(ours.by_jhitsphere == peer_hits);  // Cesium: a tangent at the origin is a miss
    ++cases;
  }
  CHECK(cases == 380);
  CHECK(disagree == std::set<std::string>{"godot-019", "cesium-045"});
}
