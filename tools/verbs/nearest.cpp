#include <fmt/core.h>

#include <algorithm>
#include <base/arena.hpp>
#include <exact/predicates/at_instant.hpp>
#include <exact/predicates/decide.hpp>
#include <exact/predicates/nearest_shift.hpp>
#include <tools/answers/queries_of_spheres.hpp>
#include <tools/answers/query_verb.hpp>
#include <tools/scene/periodic_box.hpp>
#include <tools/terminal/plural.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

/// The k neighbors of each point, one after another.
struct Neighbors {
  std::size_t k;
  std::vector<Neighbor> items;

  std::span<const Neighbor> operator[](std::size_t i) const { return std::span(items).subspan(i * k, k); }
};

struct NearestRow {
  std::uint64_t number;      ///< of the point
  const Neighbor* neighbor;  ///< null: no further sphere qualifies
};

constexpr auto nearest_point =
    column::integer("point", "number of the point, from 0 in the order of the file", &NearestRow::number);
constexpr auto nearest_of =
    column::sphere("of",
                   "with --to-spheres, in place of point: id of the sphere whose "
                   "neighbors follow. Every sphere has rows; --layers limits the neighbors",
                   &NearestRow::number);
constexpr files::ResultColumns neighbor_columns{
    column::sphere("sphere", "id of the sphere, from 0 in the order of the scene file",
                   [](const NearestRow& row) { return row.neighbor ? row.neighbor->sphere : -1; }),
    column::number("distance", "|X−C|−r, in the scene's unit",
                   column::of(&NearestRow::neighbor, &Neighbor::distance))};
constexpr auto columns_of_points = files::ResultColumns(nearest_point) + neighbor_columns;
constexpr auto columns_of_spheres = files::ResultColumns(nearest_of) + neighbor_columns;
constexpr auto all_nearest_columns = files::ResultColumns(nearest_point, nearest_of) + neighbor_columns;

class Nearest {
 public:
  using Query = Vec3;
  static constexpr const char* option = "--points";
  static constexpr const char* query_help = "";
  struct SceneQueries {
    static constexpr const char* option = "--to-spheres";
    static constexpr const char* what =
        "Instead of --points: the centers of the scene's own spheres, each without the sphere itself";
  };
  static constexpr const char* either =
      "give either --points FILE or --to-spheres; see 'sphaera nearest --help'";

  static constexpr const char* about = R"(
The K spheres nearest to each point X, nearest first, equally near ones by id. The distance to a sphere of center C
and radius r is |X−C|−r: negative inside the sphere, 0 on it. The order is exact for the numbers as given; the distance is good to 1 ulp.
With --to-spheres X is the center of each sphere of the scene in turn, and its K nearest are other spheres. With
--within R spheres farther than R do not qualify: exactly those of the ball (X, R) in within do.)";
  static std::string help() {
    return R"(
Result: K rows per point. If fewer than K spheres qualify, the last rows have sphere -1 and no distance.
)" + all_nearest_columns.help() +
           R"(
Example:
  sphaera nearest crowd.csv --points places.csv --k 3
  sphaera nearest crowd.csv --points places.csv --k 3 --within 2.5
  printf 'x,y,z,t\n0,0,0,0\n0,0,0,2.5\n' >when.csv; sphaera nearest walk.csv --points when.csv
  sphaera nearest crowd.csv --to-spheres --k 8 --output neighbors.csv
)";
  }

  void declare(CLI::App& app) {
    add_count(
        app, "--k", [this](std::uint64_t k) { k_ = k; }, "Spheres per point; default 1", 1)
        .type_name("K");
    box_.declare(app);
    add_amount(app, "--within", "Only spheres at most R away, decided exactly; default: no limit",
               domain_limit, "a length, 0 or more and at most 2^200", [this](double r) { reach_ = r; })
        .type_name("R");
  }

  std::vector<files::Column> columns_out() const {
    return asks_scene_ ? columns_of_spheres.list() : columns_of_points.list();
  }

  bool& asks_scene() { return asks_scene_; }
  bool asks_scene() const { return asks_scene_; }

  static std::uint64_t scene_query_count(const Scene& scene) { return scene.spheres().size(); }
  static files::QueryChunk<Vec3> scene_queries(const Scene& scene, std::uint64_t first, std::size_t count) {
    return queries_of_spheres(scene, first, count, [](const Sphere& sphere) { return sphere.center; });
  }

  void prepare(const Prepared& scene) { box_.take(scene.file, scene.options.path); }
  void place(LoadedScene& file, const SceneOptions& options, const Console& console) const {
    box_.place(file, options.path, console);
  }
  void begin(const AnswerRun& run) const {
    box_.check(run.scene);
    if (const std::size_t spheres = run.scene.spheres().size(); spheres > 0 && k_ > spheres)
      run.console.warn(fmt::format("--k: the scene has {}; further rows of a point have none",
                                   counted(spheres, "sphere")));
  }
  files::PlaceRule place_rule(const Scene& scene) { return box_.points(scene); }
  void finish(const AnswerRun& run) const { box_.note_moved("point", run.console); }

  /// At most as many neighbors a point as there are spheres; `write` fills up the other rows.
  auto answer(const Scene& scene, std::span<const Vec3> points, QueryOptions options) const {
    options.box = box_.edges();
    const std::size_t k = neighbors_per_point(scene);
    Neighbors neighbors{k, {}};
    if (asks_scene_ && options.search == Search::index && options.ignore_owners.empty() &&
        consecutive(options.ignore)) {
      QueryOptions others = options;
      others.ignore = {};
      neighbors.items =
          scene.nearest_to_spheres(IdRange{options.ignore.front(), std::ssize(points)}, k, others);
    } else {
      neighbors.items = scene.nearest(points, k, options);
    }
    if (reach_) leave_out_far(scene, points, options.times, neighbors);
    return neighbors;
  }
  std::uint64_t answer_bytes(const Scene& scene) const {
    return (neighbors_per_point(scene) + 1) * sizeof(Neighbor);
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Vec3&,
             std::span<const Neighbor> neighbors) const {
    for (std::size_t j = 0; j < k_; ++j) {
      const bool found = j < neighbors.size() && neighbors[j].sphere >= 0;
      const NearestRow row{number, found ? &neighbors[j] : nullptr};
      asks_scene_ ? columns_of_spheres.write(rows, row) : columns_of_points.write(rows, row);
    }
  }

 private:
  std::size_t neighbors_per_point(const Scene& scene) const { return std::min(k_, scene.spheres().size()); }

  /// Makes misses of the neighbors beyond --within.
  void leave_out_far(const Scene& scene, std::span<const Vec3> points, std::span<const double> times,
                     Neighbors& neighbors) const {
    constexpr std::size_t piece = 1024;
    base::parallel_pieces(points.size(), piece, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        for (Neighbor& neighbor : std::span(neighbors.items).subspan(i * neighbors.k, neighbors.k))
          if (neighbor.sphere >= 0 &&
              !reaches(scene, points[i], times.empty() ? 0 : times[i], neighbor.sphere))
            neighbor.sphere = -1;
      }
    });
  }

  bool reaches(const Scene& scene, const Vec3& point, double time, std::int64_t sphere) const {
    const auto id = static_cast<std::size_t>(sphere);
    const auto& [center, radius] = scene.spheres()[id];
    const auto at_instant = [&](const Vec3& velocity, double t) {
      exact::Counts counts;
      return exact::sign_gap({point, *reach_}, exact::SphereAtInstant{scene.spheres()[id], velocity, t},
                             counts) <= 0;
    };
    if (box_.given()) return at_instant(exact::nearest_shift(point, center, box_.edges()), 1);
    if (!scene.velocities().empty()) return at_instant(scene.velocities()[id], time);
    exact::Counts counts;
    return exact::sign_gap({point, *reach_}, {center, radius}, counts) <= 0;
  }

  /// Are the ids first, first + 1, …? In the sample of --verify they are not.
  static bool consecutive(std::span<const std::int64_t> ids) {
    return !ids.empty() && std::ranges::adjacent_find(
                               ids, [](std::int64_t a, std::int64_t b) { return b != a + 1; }) == ids.end();
  }

  std::size_t k_ = 1;
  PeriodicBox box_;
  std::optional<double> reach_;
  bool asks_scene_ = false;
};

}  // namespace

const VerbEntry nearest_verb{"nearest", "the spheres nearest to each point, or to each sphere",
                             make_verb<QueryVerb<Nearest>>};

}  // namespace sphaera::tool
