#include <algorithm>
#include <array>
#include <sphaera/sphere.hpp>
#include <tools/options/periodic_box.hpp>
#include <tools/terminal/exit.hpp>

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

bool is_edge(double length) { return length >= 0 && length <= domain_limit; }

}  // namespace

void PeriodicBox::declare(CLI::App& app) {
  add_parsed(app, "--box",
             "Edges of a periodic box, in the scene's unit: of each sphere the nearest image counts; 0: no "
             "period along that axis. file: those in the scene's file (LAMMPS dump, extended XYZ, GRO, PDB)",
             "three lengths, 0 or more and at most 2^200, or file",
             [this](const std::string& text) {
               is_of_file_ = text == "file";
               std::array<double, 3> edges{};
               if (is_of_file_) return true;
               if (!parse_numbers(text, edges) || !std::ranges::all_of(edges, is_edge)) return false;
               edges_ = {edges[0], edges[1], edges[2]};
               return true;
             })
      .type_name("X,Y,Z|file");
}

void PeriodicBox::take(const SceneFile& file, const std::filesystem::path& path) {
  if (!is_of_file_) return;
  const auto& [a, b, c] = file.box;
  edges_ = {a.x, b.y, c.z};
  const bool is_along_axes = file.box == decltype(file.box){{{a.x, 0, 0}, {0, b.y, 0}, {0, 0, c.z}}};
  if (!is_along_axes || !is_edge(a.x) || !is_edge(b.y) || !is_edge(c.z))
    throw UsageError("--box: the edges of the box in " + path.string() +
                     " are not along x, y and z; skewed and turned boxes are not possible");
  if (!given())
    throw UsageError("--box: " + path.string() +
                     " gives no periodic box; a LAMMPS dump, extended XYZ, GRO or PDB may, and for others "
                     "give --box X,Y,Z");
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
