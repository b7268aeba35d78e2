#include <tools/answers/query_verb.hpp>
#include <tools/options/sky_settings.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

struct SkyRow {
  std::uint64_t number;  ///< of the point
  const SkyShare& share;
};

constexpr files::ResultColumns sky_columns{
    column::integer("point", "number of the point, from 0 in the order of the file", &SkyRow::number),
    column::number("open", "solid angle in which no sphere is met ÷ that of the whole sky, or of its half",
                   [](const SkyRow& row) { return row.share.open; }),
    column::number("open_by_cosine",
                   "the same of the half, weighted by the cosine of the angle to the normal; empty for the "
                   "whole sky",
                   [](const SkyRow& row) { return row.share.open_by_cosine; }),
    column::number("error", "greatest error of both, or standard error where rays is not 0",
                   [](const SkyRow& row) { return row.share.error; }),
    column::integer("discs", "number of spheres from which the share was computed, or that were too many",
                    [](const SkyRow& row) { return std::uint64_t{row.share.discs}; }),
    column::integer("rays", "number of sampled directions; 0: the share is exact",
                    [](const SkyRow& row) { return std::uint64_t{row.share.rays}; })};

class Sky {
 public:
  using Query = SkyPoint;
  static constexpr bool embree_answers = false;
  static constexpr const char* option = "--points";
  static constexpr const char* query_help = R"(
A point with a normal nx,ny,nz, of any length, sees the half of the sky above the plane across it; one without sees
all of it. `ignore` is the id or, in CSV, the name of a sphere that hides nothing: the one that the point lies on. A
point in another sphere, on its surface or inside, sees nothing.
)";

  static constexpr const char* about = R"(
How much of the sky each point sees past the spheres: the share of all directions, or of those above its normal, in
which it meets none. It is computed from the union of the discs in the sky, not sampled, and good to 1e-10. Weighted
by the cosine it is the ambient occlusion, the share of the light of an even sky that falls on a surface.)";
  static std::string help() {
    return R"(
Spheres that nearer ones are found to hide are left out. Where more than --discs are left, as in thin dust, --rays
directions are sampled, spread evenly, and `error` is the standard error that random ones would have at most.

Result: one row per point.
)" + sky_columns.help() +
           R"(
Example:
  sphaera sky crowd.csv --points places.csv --up 0,0,1 --output sky.csv
  sphaera sky molecule.pdb --points surface.csv --within 8
)";
  }

  void declare(CLI::App& app) {
    settings_.declare(app, "Normal of the points that have none; default: they see the whole sky");
  }

  static std::vector<files::Column> columns_out() { return sky_columns.list(); }

  std::vector<SkyShare> answer(const Scene& scene, std::span<const SkyPoint> points,
                               const QueryOptions& options) const {
    if (settings_.up == Vec3{}) return scene.sky(points, settings_.options, options);
    std::vector<SkyPoint> upright(points.begin(), points.end());
    for (SkyPoint& point : upright)
      if (point.normal == Vec3{}) point.normal = settings_.up;
    return scene.sky(upright, settings_.options, options);
  }
  static std::uint64_t answer_bytes(const Scene&) { return sizeof(SkyShare) + sizeof(SkyPoint); }

  static void write(files::TableRows& rows, std::uint64_t number, const Scene&, const SkyPoint&,
                    const SkyShare& share) {
    sky_columns.write(rows, SkyRow{number, share});
  }

 private:
  SkySettings settings_;
};

}  // namespace

const VerbEntry sky_verb{"sky", "how much of the sky each point sees", make_verb<QueryVerb<Sky>>};

}  // namespace sphaera::tool
