#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <tools/answers/queries_of_spheres.hpp>
#include <tools/answers/query_verb.hpp>
#include <tools/scene/median.hpp>
#include <tools/scene/sphere_groups.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

struct ExposedRow {
  std::uint64_t sphere;
  ExposedArea exposed;
};
constexpr std::array<std::string_view, 5> exposures{"none", "whole", "part", "covered", "inside"};

constexpr files::ResultColumns exposed_columns{
    column::sphere("sphere", "id of the sphere", &ExposedRow::sphere),
    column::number("area",
                   "area of the grown sphere outside all other grown spheres, in the scene's unit squared; "
                   "good to 1e-11 of its whole surface",
                   [](const ExposedRow& row) { return row.exposed.area; }),
    column::number("share", "area ÷ the grown sphere's whole surface",
                   [](const ExposedRow& row) { return row.exposed.share; }),
    column::sphere("hider", "the sphere that alone hides most of it, −1 for none",
                   [](const ExposedRow& row) { return row.exposed.hider; }),
    column::word("exposure", exposures,
                 "whole (nothing hides any), part, covered (by several), inside (another one). whole and "
                 "inside are exact, as is none, for a sphere on none of --layers",
                 [](const ExposedRow& row) { return row.exposed.exposure; })};

/// The areas of a layer, chain, residue or name.
struct ExposedSum {
  std::string_view key;
  std::uint64_t spheres = 0, exposed = 0;
  double area = 0, surface = 0;
};
constexpr auto sum_columns(const char* key) {
  return files::ResultColumns{
      column::text(key, "what the spheres have in common; empty: nothing", &ExposedSum::key),
      column::integer("spheres", "number of its spheres", &ExposedSum::spheres),
      column::integer("exposed", "number of those with an area", &ExposedSum::exposed),
      column::number("area", "sum of their areas", &ExposedSum::area),
      column::number("share", "area ÷ the surfaces of all its grown spheres",
                     [](const ExposedSum& sum) { return sum.surface > 0 ? sum.area / sum.surface : 0; })};
}

class Exposed {
 public:
  using Query = Vec3;
  struct SceneQueries {
    static constexpr const char* option = "--spheres";  // names what is counted
  };
  static constexpr const char* query_help = "";
  static constexpr bool has_own_sums = true;  ///< `--by`

  static constexpr const char* about = R"(
Of each sphere, grown by a probe, the area that lies in no other grown sphere: the surface that a ball of the probe's
radius can reach with its center. For atoms and a probe of 1.4 Å it is the solvent-accessible surface. A note gives the
whole area, and the volume of the union. Of equal spheres the first has the area.)";
  static std::string help() {
    return R"(
Result: one row a sphere; those on other layers than --layers hide nothing and have no area.
)" + exposed_columns.help() +
           "With --by layer, residue and so on: one row for each.\n" + sum_columns("layer").help() + R"(
Example:
  sphaera exposed protein.pdb --probe 1.4 --names --output areas.csv
  sphaera exposed protein.pdb --probe 1.4 --by residue
)";
  }

  void declare(CLI::App& app) {
    add_amount(app, "--probe", "Radius of the probe; default 0", domain_limit,
               "a length, 0 or more and at most 2^200", [this](double probe) { probe_ = probe; })
        .type_name("R");
    std::map<std::string, GroupBy> words;
    for (const GroupBy& by : groups_by) words.emplace(by.word, by);
    add_word(app, "--by", by_, words,
             "Sums of the spheres of each layer, chain or residue of atoms, or name; no rows of spheres")
        .type_name("WORD");
  }

  std::vector<files::Column> columns_out() const {
    return by_ ? sum_columns(by_->word).list() : exposed_columns.list();
  }

  static bool asks_scene() { return true; }
  static std::uint64_t scene_query_count(const Scene& scene) { return scene.spheres().size(); }
  static files::QueryChunk<Vec3> scene_queries(const Scene& scene, std::uint64_t first, std::size_t count) {
    return queries_of_spheres(scene, first, count, [](const Sphere& sphere) { return sphere.center; });
  }

  /// Sums are of all spheres, and have no rows to verify.
  void open(const AnswerOptions& options) const {
    if (!by_) return;
    if (options.shard.count > 1) throw UsageError("--by: sums are of the whole scene; leave out --shard");
    if (options.verify > 0) throw UsageError("--by: sums have no rows to verify; leave out --verify");
  }
  void begin(const AnswerRun& run) {
    if (by_) groups_ = SphereGroups(*by_, run.file), sums_.assign(groups_.count(), {});
    if (run.scene.spheres().empty()) return;
    origin_ = run.scene.spheres().front().center;
    warn_of_unit(run);
  }

  /// `options.ignore` has the ids.
  std::vector<ExposedArea> answer(const Scene& scene, std::span<const Vec3>,
                                  const QueryOptions& options) const {
    QueryOptions others = options;
    others.ignore = {}, others.ignore_owners = {};
    std::vector<ExposedArea> areas(options.ignore.size());
    each_run(options.ignore, [&](std::size_t at, const IdRange& ids) {
      scene.exposed_area(ids, probe_, std::span(areas).subspan(at, static_cast<std::size_t>(ids.count)),
                         others);
    });
    return areas;
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Vec3&,
             const ExposedArea& exposed) const {
    if (!by_) exposed_columns.write(rows, ExposedRow{number, exposed});
  }

  void look(const AnswerRun& run, std::span<const Vec3> centers, std::span<const ExposedArea> areas) {
    if (run.options.shard.count > 1) return;
    for (std::size_t i = 0; i < areas.size(); ++i, ++looked_) add(run, looked_, centers[i], areas[i]);
  }

  /// The rows of --by, after all answers.
  void write_sums(const AnswerRun& run, files::TableWriter& table) const {
    if (run.options.shard.count == 1)
      run.console.note(fmt::format("exposed area {}, volume of the union {}", area_, volume_));
    if (!by_) return;
    files::TableRows rows = table.rows();
    for (std::size_t group = 0; group < sums_.size(); ++group) {
      ExposedSum sum = sums_[group];
      sum.key = groups_.key(group);
      if (sum.spheres > 0) sum_columns(by_->word).write(rows, sum);
    }
    table.write(rows);
  }

 private:
  /// A probe in another unit than the scene's reaches so many spheres that the answer takes hours.
  void warn_of_unit(const AnswerRun& run) const {
    constexpr double usual = 5;  // of a probe: molecules have about 0.8 of a radius
    std::vector<double> radii;
    radii.reserve(run.scene.spheres().size());
    for (const Sphere& sphere : run.scene.spheres()) radii.push_back(sphere.radius);
    const double median = median_of(radii);
    if (probe_ > usual * median && median > 0)
      run.console.warn(
          fmt::format("--probe: {} is {:.3g} times the median radius, {}; is it in the scene's unit?", probe_,
                      probe_ / median, median));
  }

  /// The volume is ⅓ Σ (radius · area + center · outward), about any origin.
  void add(const AnswerRun& run, std::uint64_t id, const Vec3& center, const ExposedArea& exposed) {
    if (exposed.exposure == Exposure::none) return;
    const double radius = run.scene.spheres()[id].radius + probe_;
    area_ += exposed.area;
    volume_ += (radius * exposed.area + dot(center - origin_, exposed.outward)) / 3;
    if (!by_) return;
    ExposedSum& sum = sums_[groups_.of(id)];
    ++sum.spheres, sum.exposed += exposed.area > 0;
    sum.area += exposed.area, sum.surface += 4 * std::numbers::pi * radius * radius;
  }

  double probe_ = 0;
  std::optional<GroupBy> by_;
  SphereGroups groups_;
  std::vector<ExposedSum> sums_;  ///< of each group
  Vec3 origin_;
  double area_ = 0, volume_ = 0;
  std::uint64_t looked_ = 0;
};

}  // namespace

const VerbEntry exposed_verb{"exposed", "the area of each sphere that lies in no other",
                             make_verb<QueryVerb<Exposed>>};

}  // namespace sphaera::tool
