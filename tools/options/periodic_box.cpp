#include <algorithm>
#include <array>
#include <sphaera/sphere.hpp>
#include <tools/options/periodic_box.hpp>

namespace sphaera::tool {
namespace {

/// Calls ask(options) about nothing: on no layer is a sphere. Its errors about one query are of this number.
template <class Ask>
void check_in_box(const Vec3& box, const char* kind, std::int64_t number, const Ask& ask) {
  try {
    ask(QueryOptions{.layers = 0, .box = box});
  } catch (const Error& error) {
    if (!error.subject().starts_with("point") && !error.subject().starts_with("ball")) throw;
    throw Error(error.code(), base::numbered(kind, number), error.reason(), number);
  }
}

}  // namespace

void add_box(CLI::App& app, Vec3& box) {
  add_parsed(app, "--box",
             "Edges of a periodic box, in the scene's unit: of each sphere the nearest image counts; 0: no "
             "period along that axis",
             "three lengths, 0 or more and at most 2^200",
             [&box](const std::string& text) {
               std::array<double, 3> edges{};
               const auto fits = [](double edge) { return edge >= 0 && edge <= domain_limit; };
               if (!parse_numbers(text, edges) || !std::ranges::all_of(edges, fits)) return false;
               box = {edges[0], edges[1], edges[2]};
               return true;
             })
      .type_name("X,Y,Z");
}

files::PlaceCheck points_in_box(const Scene& scene, const Vec3& box) {
  if (box == Vec3{} || scene.spheres().empty()) return {};
  const auto check = [&scene, box](const Vec3& center, double, std::int64_t number) {
    Neighbor none;
    check_in_box(box, "point", number,
                 [&](const QueryOptions& options) { scene.nearest(center, std::span(&none, 1), options); });
  };
  check(scene.spheres().front().center, 0, 0);
  return check;
}

files::PlaceCheck balls_in_box(const Scene& scene, const Vec3& box) {
  if (box == Vec3{} || scene.spheres().empty()) return {};
  const auto check = [&scene, box](const Vec3& center, double radius, std::int64_t number) {
    check_in_box(box, "ball", number, [&](const QueryOptions& options) {
      (void)scene.count_within(Ball{center, radius}, options);
    });
  };
  (void)points_in_box(scene, box);  // checks the scene
  return check;
}

}  // namespace sphaera::tool
