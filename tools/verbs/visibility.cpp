#include <fmt/core.h>

#include <io/formats/npy.hpp>
#include <tools/answers/queries_of_spheres.hpp>
#include <tools/answers/query_verb.hpp>
#include <tools/drawing/sight_picture.hpp>
#include <tools/receivers/sight_points.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

struct SightRow {
  std::uint64_t from;
  std::int64_t to = -1;
  std::uint64_t count = 0;
};

constexpr files::ResultColumns looker{
    column::integer("from", "number of the point, from 0 in the order of the file", &SightRow::from)};
constexpr files::ResultColumns sphere_looker{column::sphere(
    "of", "with --from-spheres, in place of from: id of the sphere that looks", &SightRow::from)};
constexpr files::ResultColumns target{column::integer(
    "to", "number of the target that it sees, from 0 in the order of its file", &SightRow::to)};
constexpr files::ResultColumns sphere_target{column::sphere(
    "sphere", "with --to-spheres, in place of to: id of the sphere that it sees", &SightRow::to)};
constexpr files::ResultColumns seen_count{
    column::integer("count", "number of targets that it sees", &SightRow::count)};
constexpr auto pairs_of_points = looker + target;
constexpr auto pairs_to_spheres = looker + sphere_target;
constexpr auto pairs_from_spheres = sphere_looker + target;
constexpr auto pairs_of_spheres = sphere_looker + sphere_target;
constexpr auto counts_of_points = looker + seen_count;
constexpr auto counts_of_spheres = sphere_looker + seen_count;

/// The targets that consecutive points see.
struct Sights {
  SightTable table;

  struct One {
    const SightTable* table;
    std::size_t row;
  };
  One operator[](std::size_t i) const { return {&table, i}; }
  std::uint64_t bytes() const { return std::span(table.bits).size_bytes(); }
};

class Visibility {
 public:
  using Query = Vec3;
  static constexpr const char* option = "--from";
  static constexpr const char* query_help = R"(
A line does not meet the sphere whose id is in the column `ignore` of one of its ends (empty or -1: none), nor, with
--from-spheres or --to-spheres, the sphere at its end. No sphere sees itself.
)";
  struct SceneQueries {
    static constexpr const char* option = "--from-spheres";
    static constexpr const char* what = "Instead of --from: the centers of the scene's own spheres";
  };
  static constexpr const char* either =
      "give either --from FILE or --from-spheres; see 'sphaera visibility --help'";
  static constexpr const char* no_times = no_sight_times;

  static constexpr const char* about = R"(
Which targets each point sees: all pairs whose straight line meets no sphere, not even by a touch. Exact for the numbers
as given.)";
  static std::string help() {
    return R"(
Result: one row a pair that sees each other, ascending by both numbers.
)" + (looker + sphere_looker + target + sphere_target).help() +
           "With --count: one row a point.\n" + seen_count.help() + R"(
The other way round, how many points see each target: exchange the two files.

With --picture: a row of cells a point, from above, a column a target; of more than 1024 of either several share a
cell. A picture of how much each place of a plane or globe sees: 'sphaera map' with --show seen.

Example:
  sphaera visibility level.json --from guards.csv --to doors.csv --output seen.csv
  sphaera visibility crowd.csv --from cameras.csv --to-spheres --count
  sphaera visibility crowd.csv --from-spheres --to-spheres --count --matrix who_sees_whom.npy --output counts.csv
  sphaera visibility crowd.csv --from-spheres --to-spheres --count --picture who_sees_whom.png --output counts.csv
)";
  }

  void declare(CLI::App& app) {
    add_query_file(app, "--to", to_path_, "Targets", files::query_columns<Vec3>().text());
    add_flag(app, "--to-spheres", to_spheres_, "Instead of --to: the centers of the scene's own spheres");
    add_flag(app, "--count", count_, "Number of targets that each point sees, no rows of pairs");
    add_file(app, "--matrix", matrix_path_,
             "Also writes a bit for each pair, as NPY: a row of bytes for each point, read by "
             "numpy.unpackbits with "
             "axis=1, bitorder='little' and count=TARGETS")
        .type_name("FILE.npy");
    add_file(app, "--picture", picture_path_, "Also draws which targets each point sees, as PNG")
        .type_name("FILE.png");
  }

  std::vector<OutputName> outputs() const {
    std::vector<OutputName> names;
    if (!matrix_path_.empty()) names.push_back({"--matrix", matrix_path_});
    if (!picture_path_.empty()) names.push_back({"--picture", picture_path_});
    return names;
  }

  void open(const AnswerOptions& options) {
    if (to_path_.empty() != to_spheres_)
      throw UsageError("give either --to FILE or --to-spheres; see 'sphaera visibility --help'");
    if (!matrix_path_.empty() && matrix_path_.extension() != ".npy")
      throw UsageError("--matrix: the matrix is NPY; give a name that ends in .npy");
    if (!picture_path_.empty() && picture_path_.extension() != ".png")
      throw UsageError("--picture: pictures are PNG; give a name that ends in .png");
    if (!picture_path_.empty() && options.shard.count > 1)
      throw UsageError("--picture: it shows all points; leave out --shard");
    if (!matrix_path_.empty())
      matrix_ = std::make_shared<io::Output>(matrix_path_, io::Output::Access::patched);
    if (!picture_path_.empty()) picture_output_ = std::make_shared<io::Output>(picture_path_);
  }

  void prepare(const Prepared& scene) {
    to_ = to_spheres_ ? centers_of(scene.file) : targets_of(scene);
    if (matrix_) matrix_->write(matrix_header());
    if (!picture_output_) return;
    picture_.emplace(to_.points.size());
    words_ = {.scene = scene.options.path.filename().string(),
              .points = asks_scene_ ? "sphere that looks, id" : "point of --from, in order",
              .targets = to_spheres_ ? "sphere that is seen, id" : "target of --to, in order"};
  }

  /// Renamed columns that the file of points may lack.
  const std::vector<std::string>& renamed_elsewhere() const { return to_.renamed; }

  std::vector<files::Column> columns_out() const {
    if (count_) return asks_scene_ ? counts_of_spheres.list() : counts_of_points.list();
    if (to_spheres_) return asks_scene_ ? pairs_of_spheres.list() : pairs_to_spheres.list();
    return asks_scene_ ? pairs_from_spheres.list() : pairs_of_points.list();
  }

  bool& asks_scene() { return asks_scene_; }
  bool asks_scene() const { return asks_scene_; }
  static std::uint64_t scene_query_count(const Scene& scene) { return scene.spheres().size(); }
  static files::QueryChunk<Vec3> scene_queries(const Scene& scene, std::uint64_t first, std::size_t count) {
    return queries_of_spheres(scene, first, count, [](const Sphere& sphere) { return sphere.center; });
  }

  Sights answer(const Scene& scene, std::span<const Vec3> points, const QueryOptions& options) const {
    Sights sights{scene.visibility(points, to_.targets(), options)};
    if (asks_scene_ && to_spheres_)
      for (std::size_t i = 0; i < points.size(); ++i)
        sights.table.hide(i, static_cast<std::size_t>(options.ignore[i]));
    return sights;
  }
  std::uint64_t answer_bytes(const Scene&) const { return SightTable::row_bytes(to_.points.size()) + 1; }

  void look(const AnswerRun&, std::span<const Vec3> points, const Sights& sights) {
    rows_ += points.size();
    if (picture_) picture_->take(sights.table);
    if (!matrix_) return;
    if (to_.points.empty()) return matrix_->write(std::string(points.size(), '\0'));
    matrix_->write({reinterpret_cast<const char*>(sights.table.bits.data()), sights.table.bits.size()});
  }
  void finish(const AnswerRun&) {
    if (matrix_) matrix_->patch(0, matrix_header());
    if (matrix_) matrix_->finish();
    if (!picture_) return;
    picture_output_->write(picture_->png(words_));
    picture_output_->finish();
  }
  void commit() {
    if (matrix_) matrix_->commit();
    if (picture_output_) picture_output_->commit();
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Vec3&,
             const Sights::One& seen) const {
    if (count_) {
      const SightRow row{.from = number, .count = seen.table->seen_from(seen.row)};
      return asks_scene_ ? counts_of_spheres.write(rows, row) : counts_of_points.write(rows, row);
    }
    for (std::size_t j = 0; j < to_.points.size(); ++j)
      if (seen.table->sees(seen.row, j)) write_pair(rows, {.from = number, .to = to_.numbers[j]});
  }

 private:
  void write_pair(files::TableRows& rows, const SightRow& row) const {
    if (to_spheres_)
      return asks_scene_ ? pairs_of_spheres.write(rows, row) : pairs_to_spheres.write(rows, row);
    return asks_scene_ ? pairs_from_spheres.write(rows, row) : pairs_of_points.write(rows, row);
  }

  /// Without targets a row is an empty byte, since NPY rows of no bytes have no number.
  std::string matrix_header() const {
    return io::npy_header("'|u1'", rows_, std::max<std::size_t>(1, SightTable::row_bytes(to_.points.size())));
  }

  SightPoints targets_of(const Prepared& scene) const {
    files::RowOptions rows = scene.rows;
    rows.kept.clear();
    if (!asks_scene_)  // else the file of points must have them
      for (const auto& [column, in_file] : rows.csv.columns) rows.elsewhere.push_back(column);
    return read_targets(to_path_,
                        {.spheres = scene.file.bodies().size(),
                         .rows = rows,
                         .no_times = no_times,
                         .control = {scene.stop, {}, scene.part.query_files()}},
                        scene.console);
  }

  std::filesystem::path to_path_, matrix_path_, picture_path_;
  SightPoints to_;
  std::shared_ptr<io::Output> matrix_, picture_output_;  // with --times, none of them is there
  std::optional<SightPicture> picture_;
  SightWords words_;
  std::uint64_t rows_ = 0;
  bool asks_scene_ = false, to_spheres_ = false, count_ = false;
};

}  // namespace

const VerbEntry visibility_verb{"visibility", "which targets each point sees",
                                make_verb<QueryVerb<Visibility>>};

}  // namespace sphaera::tool
