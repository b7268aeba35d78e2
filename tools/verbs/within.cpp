#include <tools/answers/queries_of_spheres.hpp>
#include <tools/answers/query_verb.hpp>
#include <tools/scene/periodic_box.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

/// What a row of the result stands for.
enum class WithinForm : std::uint8_t { ids, distances, counts };

/// The answers to consecutive balls, in one of the forms.
struct WithinAnswers {
  IdLists ids;
  NeighborLists neighbors;
  std::vector<std::uint64_t> counts;

  /// The answer to one ball.
  struct One {
    std::span<const std::int64_t> ids;
    std::span<const Neighbor> neighbors;
    std::uint64_t count;
  };

  One operator[](std::size_t i) const {
    One one{};
    if (i < ids.size()) one.ids = ids[i];
    if (i < neighbors.size()) one.neighbors = neighbors[i];
    if (i < counts.size()) one.count = counts[i];
    return one;
  }
  std::uint64_t bytes() const {
    return std::span(ids.items).size_bytes() + std::span(neighbors.items).size_bytes() +
           std::span(counts).size_bytes();
  }
};

struct WithinRow {
  std::uint64_t ball;
  std::int64_t sphere = -1;
  double distance = 0;
  std::uint64_t count = 0;
};

constexpr files::ResultColumns ball_number{
    column::integer("ball", "number of the ball, from 0 in the order of the file", &WithinRow::ball)};
constexpr files::ResultColumns ball_sphere{column::sphere(
    "of", "with --to-spheres, in place of ball: id of the sphere that is the ball", &WithinRow::ball)};
constexpr files::ResultColumns within_ids{
    column::sphere("sphere", "id of the sphere, from 0 in the order of the scene file", &WithinRow::sphere)};
constexpr auto within_distances =
    within_ids +
    files::ResultColumns(column::number("distance",
                                        "only with --distances: |X−C|−r, X the ball's center, in the scene's "
                                        "unit, negative inside the sphere, "
                                        "good to 1 ulp. Rows then ascend by the exact distance, ties by id",
                                        &WithinRow::distance));
constexpr files::ResultColumns within_counts{
    column::integer("count", "number of spheres, 0 for a ball that meets nothing", &WithinRow::count)};

constexpr auto ball_ids = ball_number + within_ids;
constexpr auto ball_distances = ball_number + within_distances;
constexpr auto ball_counts = ball_number + within_counts;
constexpr auto sphere_ids = ball_sphere + within_ids;
constexpr auto sphere_distances = ball_sphere + within_distances;
constexpr auto sphere_counts = ball_sphere + within_counts;

class Within {
 public:
  using Query = Ball;
  static constexpr const char* option = "--balls";
  static constexpr const char* query_help = "";
  struct SceneQueries {
    static constexpr const char* option = "--to-spheres";
    static constexpr const char* what =
        "Instead of --balls: the scene's own spheres, each without the sphere itself";
  };
  struct AlternativeFile {
    using Row = Vec3;
    static constexpr const char* option = "--points";
    static constexpr const char* what = "Instead of --balls: their centers";
  };
  static constexpr const char* either =
      "give one of --balls FILE, --points FILE and --to-spheres; see 'sphaera within --help'";

  static constexpr const char* about = R"(
The spheres that have a point in common with each closed ball: a touch counts, and so does one ball inside the other.
r is 0 (a point) or more. Exact for the numbers as given. With --points the balls have one radius, --ball-radius.)";
  static std::string help() {
    return R"(
Result: one row a sphere, ids ascending; none for a ball that meets nothing.
)" + (ball_number + ball_sphere + within_distances).help() +
           "With --count: one row a ball.\n" + within_counts.help() + R"(
Example:
  sphaera within crowd.csv --balls blasts.csv --layers players
  sphaera within crowd.csv --balls blasts.csv --count
  sphaera within crowd.csv --points hits.npy --skip-misses --ball-radius 2.5
  sphaera within grains.csv --to-spheres --output contacts.csv
)";
  }

  void declare(CLI::App& app) {
    add_flag(
        app, "--count", [this] { choose(WithinForm::counts); }, "Number of spheres of each ball, no ids");
    add_flag(
        app, "--distances", [this] { choose(WithinForm::distances); },
        "Signed distance of each sphere from the ball's center; nearest first");
    box_.declare(app);
    add_amount(app, "--ball-radius", "Radius of the balls of --points, in the scene's unit", domain_limit,
               "a length, 0 or more and at most 2^200", [this](double r) { ball_radius_ = r; })
        .type_name("R");
  }

  void prepare(const Prepared& scene) {
    box_.take(scene.file, scene.options.path);
    if (points_.empty() == ball_radius_.has_value())
      throw UsageError("--points and --ball-radius: give both, or --balls with a radius in each row");
  }

  std::filesystem::path& alternative_file() { return points_; }
  const std::filesystem::path& alternative_file() const { return points_; }

  files::QueryChunk<Ball> queries_of(const files::QueryChunk<Vec3>& points, const Scene&) const {
    files::QueryChunk<Ball> balls{points.first, {}, {}};
    for (const Vec3& point : points.queries) balls.queries.push_back({point, *ball_radius_});
    return balls;
  }

  std::vector<files::Column> columns_out() const {
    switch (form_) {
      case WithinForm::ids:
        break;
      case WithinForm::distances:
        return asks_scene_ ? sphere_distances.list() : ball_distances.list();
      case WithinForm::counts:
        return asks_scene_ ? sphere_counts.list() : ball_counts.list();
    }
    return asks_scene_ ? sphere_ids.list() : ball_ids.list();
  }

  bool& asks_scene() { return asks_scene_; }
  bool asks_scene() const { return asks_scene_; }

  static std::uint64_t scene_query_count(const Scene& scene) { return scene.spheres().size(); }
  static files::QueryChunk<Ball> scene_queries(const Scene& scene, std::uint64_t first, std::size_t count) {
    return queries_of_spheres(scene, first, count,
                              [](const Sphere& sphere) { return Ball{sphere.center, sphere.radius}; });
  }

  void place(LoadedScene& file, const SceneOptions& options, const Console& console) const {
    box_.place(file, options.path, console);
  }
  void begin(const AnswerRun& run) const { box_.check(run.scene); }
  files::PlaceRule place_rule(const Scene& scene) {
    files::PlaceRule rule = box_.balls(scene);
    if (!rule || !ball_radius_) return rule;
    return [rule, radius = *ball_radius_](Vec3& center, double, std::int64_t number) {
      rule(center, radius, number);
    };
  }
  void finish(const AnswerRun& run) const {
    box_.note_moved(points_.empty() ? "ball" : "point", run.console);
  }

  WithinAnswers answer(const Scene& scene, std::span<const Ball> balls, QueryOptions options) const {
    WithinAnswers answers;
    const auto own = asks_scene_ ? options.ignore : std::span<const std::int64_t>();
    options.box = box_.edges();
    if (asks_scene_) options.check_inputs = true;  // a sphere may not fit in the box
    switch (form_) {
      case WithinForm::ids:
        answers.ids = ask_about_own(own, [&] { return scene.within(balls, options); });
        break;
      case WithinForm::distances:
        answers.neighbors = ask_about_own(own, [&] { return scene.neighbors_within(balls, options); });
        break;
      case WithinForm::counts:
        answers.counts = ask_about_own(own, [&] { return scene.count_within(balls, options); });
        break;
    }
    return answers;
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Ball&,
             const WithinAnswers::One& found) const {
    const auto write_row = [&](const auto& of_ball, const auto& of_sphere, const WithinRow& row) {
      asks_scene_ ? of_sphere.write(rows, row) : of_ball.write(rows, row);
    };
    if (form_ == WithinForm::counts)
      return write_row(ball_counts, sphere_counts, {.ball = number, .count = found.count});
    for (const std::int64_t sphere : found.ids) write_row(ball_ids, sphere_ids, {number, sphere});
    for (const auto& [distance, sphere] : found.neighbors)
      write_row(ball_distances, sphere_distances, {number, sphere, distance});
  }

 private:
  void choose(WithinForm form) {
    if (form_ != WithinForm::ids && form_ != form)
      throw UsageError("--count and --distances: give one of them; counts have no distances");
    form_ = form;
  }

  WithinForm form_ = WithinForm::ids;
  bool asks_scene_ = false;
  PeriodicBox box_;
  std::filesystem::path points_;
  std::optional<double> ball_radius_;
};

}  // namespace

const VerbEntry within_verb{"within", "the spheres that touch each ball", make_verb<QueryVerb<Within>>};

}  // namespace sphaera::tool
