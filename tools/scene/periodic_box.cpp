#include <algorithm>
#include <array>
#include <base/validate.hpp>
#include <exact/numbers/wrapped.hpp>
#include <sphaera/sphere.hpp>
#include <tools/scene/periodic_box.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/plural.hpp>

namespace sphaera::tool {
namespace {

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
  add_flag(app, "--wrap", wraps_,
           "With --box: moves centers outside of the box by whole periods into it. It begins where the file "
           "says so (LAMMPS dump, extended XYZ), else at 0; an upper face is the lower one. Each coordinate "
           "moved is the "
           "nearest double, and the answers are exact for these");
}

void PeriodicBox::take(const SceneFile& file, const std::filesystem::path& path) {
  if (wraps_ && !is_of_file_ && !given())
    throw UsageError("--wrap: give the box, too: --box X,Y,Z or --box file");
  corner_ = file.box_corner;
  if (is_of_file_) take_edges(file, path);
  if (wraps_ && !base::in_domain(corner_ + edges_))
    throw UsageError("--wrap: the box of " + path.string() + " goes beyond 2^200");
}

void PeriodicBox::take_edges(const SceneFile& file, const std::filesystem::path& path) {
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

bool PeriodicBox::lies_inside(const Vec3& center) const {
  return exact::lies_in_period(center.x, corner_.x, edges_.x) &&
         exact::lies_in_period(center.y, corner_.y, edges_.y) &&
         exact::lies_in_period(center.z, corner_.z, edges_.z);
}

void PeriodicBox::place(LoadedScene& file, const std::filesystem::path& path, const Console& console) const {
  if (!wraps_) return;
  const auto bodies = file.bodies();
  if (file.opened) refuse_outside(file, path);
  std::uint64_t moved = 0;
  for (Sphere& sphere : file.spheres) {
    if (lies_inside(sphere.center)) continue;
    sphere.center = exact::wrapped(sphere.center, corner_, edges_);
    ++moved;
  }
  console.note(fmt::format("--wrap: {} of {} centers lay outside of the box and {} moved into it", moved,
                           bodies.size(), moved == 1 ? "was" : "were"));
}

void PeriodicBox::refuse_outside(const LoadedScene& file, const std::filesystem::path& path) const {
  const auto bodies = file.bodies();
  const auto first =
      std::ranges::find_if_not(bodies, [this](const Sphere& sphere) { return lies_inside(sphere.center); });
  if (first == bodies.end()) return;
  throw Error(ErrorCode::bad_file,
              path.string() + ": " + sphere_text(file, static_cast<std::size_t>(first - bodies.begin())) +
                  " lies outside of the box, and spheres of a saved scene stay where they are; for --wrap "
                  "give the file that it was made from");
}

namespace {

/// Asks about nothing: on no layer is a sphere. Throws Error where a place or a sphere is outside of the box.
void ask_nearest(const Scene& scene, const Vec3& place, const Vec3& box) {
  Neighbor none;
  scene.nearest(place, std::span(&none, 1), {.layers = 0, .box = box});
}

bool is_outside(const Scene& scene, const Vec3& place, const Vec3& box) {
  try {
    ask_nearest(scene, place, box);
    return false;
  } catch (const Error& error) {
    return error.code() == ErrorCode::invalid_argument;
  }
}

}  // namespace

template <class Ask>
void PeriodicBox::check(const Scene& scene, const Vec3& place, const char* kind, std::int64_t number,
                        const Ask& ask) const {
  try {
    ask();
  } catch (const Error& error) {
    const bool is_of_query = error.subject().starts_with("point") || error.subject().starts_with("ball"),
               wrap_helps = !wraps_ && is_outside(scene, place, edges_);
    throw Error(error.code(), is_of_query ? base::numbered(kind, number) : error.subject(),
                std::string(error.reason()) + (wrap_helps ? "; --wrap does" : ""),
                is_of_query ? number : error.element());
  }
}

void PeriodicBox::check(const Scene& scene) const {
  if (!given() || scene.spheres().empty()) return;
  const Vec3& place = scene.spheres().front().center;
  check(scene, place, "point", 0, [&] { ask_nearest(scene, place, edges_); });
}

files::PlaceRule PeriodicBox::points(const Scene& scene) {
  if (!given() || scene.spheres().empty()) return {};
  return [this, &scene](Vec3& center, double, std::int64_t number) {
    move(center);
    check(scene, center, "point", number, [&] { ask_nearest(scene, center, edges_); });
  };
}

files::PlaceRule PeriodicBox::balls(const Scene& scene) {
  if (!given() || scene.spheres().empty()) return {};
  return [this, &scene](Vec3& center, double radius, std::int64_t number) {
    move(center);
    check(scene, center, "ball", number,
          [&] { (void)scene.count_within(Ball{center, radius}, {.layers = 0, .box = edges_}); });
  };
}

void PeriodicBox::move(Vec3& center) {
  if (!wraps_ || lies_inside(center)) return;
  center = exact::wrapped(center, corner_, edges_);
  ++moved_;
}

void PeriodicBox::note_moved(const char* kind, const Console& console) const {
  if (moved_ > 0)
    console.note(
        fmt::format("--wrap: {} {} moved into the box", counted(moved_, kind), moved_ == 1 ? "was" : "were"));
}

}  // namespace sphaera::tool
