#include <fmt/core.h>

#include <cmath>
#include <sphaera/error.hpp>
#include <tools/answers/query_verb.hpp>
#include <tools/answers/ray_queries.hpp>
#include <tools/drawing/shot_picture.hpp>
#include <tools/options/flight_options.hpp>
#include <tools/scene/query_times.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

/// The impacts of each bullet and, if requested, its near miss.
struct Shots {
  struct One {
    std::span<const Impact> impacts;
    const NearMiss* near_miss;  ///< null: not requested
  };

  ImpactLists impacts;
  std::vector<NearMiss> near_misses;

  One operator[](std::size_t i) const {
    return {impacts[i], near_misses.empty() ? nullptr : &near_misses[i]};
  }
};

/// An impact of a bullet, or none. A part that is null leaves its cells empty.
struct ShotRow {
  std::uint64_t bullet;
  const Impact* impact;  ///< null: nothing is hit
  const Impact* flight;  ///< the same, or null: a bullet that is refused has no numbers
  const NearMiss* miss;  ///< in the first row of a bullet
};

/// Columns of numbers of the impact.
template <class Value>
constexpr auto in_flight(const char* names, const char* meaning, Value Impact::* member) {
  return column::number(names, meaning, column::of(&ShotRow::flight, member));
}

/// Words in the order of Outcome. NPY stores their positions.
constexpr std::array<std::string_view, 6> outcome_words{"none",  "ricochets", "passes",
                                                        "stops", "refused",   "stuck"};

constexpr files::ResultColumns impact_columns{
    column::integer("bullet", "number of the bullet, from 0 in the order of the file", &ShotRow::bullet),
    column::integer("bounce", "number of the impact, from 0; passing through counts, too",
                    column::of(&ShotRow::impact, &Impact::bounce)),
    column::sphere("sphere", "id of the sphere",
                   [](const ShotRow& row) { return row.impact ? row.impact->sphere : -1; }),
    in_flight("time", "of the impact, the scene's", &Impact::time),
    in_flight("x,y,z", "the point hit, on the sphere", &Impact::point),
    in_flight("nx,ny,nz",
              "outward unit normal of the sphere there; 0 where the bullet's center is the sphere's",
              &Impact::normal),
    in_flight("vx,vy,vz", "velocity of the bullet after the impact", &Impact::velocity),
    in_flight("ricochet_angle",
              "between the velocity relative to the sphere and the tangent plane: 0 to pi/2", &Impact::angle),
    in_flight("distance", "along the bullet's path since its start or last ricochet", &Impact::distance),
    in_flight("exit_time", "when it would leave the sphere if nothing deflected it, not cut at its end",
              &Impact::exit_time),
    in_flight("cx,cy,cz", "the bullet's center at the impact", &Impact::center),
    in_flight("exit_x,exit_y,exit_z", "where it would leave, on the sphere", &Impact::exit_point),
    column::word(
        "outcome", outcome_words,
        "ricochets (the flight goes on), passes, stops (no more is allowed, or gravity holds it there; "
        "the velocity is that of a ricochet), refused (not fired, so without numbers) or stuck (a "
        "hundred ricochets in a row have not moved it, as between spheres that squeeze it); in NPY 1 to 5",
        column::of(&ShotRow::impact, &Impact::outcome)),
    column::word("contact", contact_words,
                 "enters, or starts_inside (the bullet started within the sphere); in NPY 1 and 2",
                 column::of(&ShotRow::impact, &Impact::contact))};

constexpr files::ResultColumns near_miss_columns{
    column::sphere("miss_sphere",
                   "id of the sphere passed most closely without a touch before the first impact, -1: none "
                   "within DISTANCE",
                   column::of(&ShotRow::miss, &NearMiss::sphere)),
    column::number("miss_distance", "the least gap between bullet and sphere",
                   [](const ShotRow& row) {
                     return row.miss && row.miss->sphere >= 0 ? row.miss->distance : Impact::none;
                   }),
    column::number("miss_time", "when it is least", column::of(&ShotRow::miss, &NearMiss::time))};
constexpr auto impact_and_miss_columns = impact_columns + near_miss_columns;

class Shoot {
 public:
  using Query = Bullet;
  static constexpr const char* option = "--bullets";
  static constexpr const char* query_help = R"(
Bullets are balls whose center is at (x,y,z) at the scene's time `start` and moves by (vx,vy,vz), of any length,
for `duration`. radius and start default to 0, duration to inf. A `start` before 0 lets a late shot meet the
targets where they were. `ignore` is the id of a sphere that the bullet never hits, such as its shooter (empty
or -1: none). Ids of spheres count from 0 in the order of the scene file; a sphere is where the file says at
time 0, and its "velocity" (vx,vy,vz) moves it.
)";

  static constexpr const char* about = R"(
What bullets hit among spheres that stand or move, how they ricochet, what they pass through and which
spheres they narrowly miss. Nothing tunnels: impacts are found in continuous time. Which spheres are hit, and in
which order, is exact for the numbers as given, after a ricochet for the rounded numbers of that impact.)";
  static std::string help() {
    return R"(
At an impact a bullet passes through if it may (--pierce), else bounces off if it may (--bounces), else stops.

Result: one row an impact, in order of time; a bullet that hits nothing has one row with sphere -1 and the rest
empty.
)" + impact_columns.help() +
           "With --near-miss, in the row of a bullet's first impact or of none:\n" +
           near_miss_columns.help() + R"(
With --picture: spheres and the paths of the first 1000 bullets (of the shard), seen from above.

Example:
  sphaera shoot crowd.csv --bullets bullets.csv --bounces 3 --near-miss 0.5 --output impacts.csv --verify 100
  sphaera shoot crowd.csv --bullets bullets.csv --bounces 1 --output impacts.csv --picture shots.png
  sphaera shoot crowd.csv --bullets bullets.csv --gravity 0,0,-9.81 --pierce 2 --horizon=-1,5 --output lobbed.csv
)";
  }

  static constexpr const char* less = " (fewer --bounces, or bullets that end)";

  void declare(CLI::App& app) {
    settings_.declare(app);
    add_file(app, "--picture", picture_path_, "Also draws the flights and impacts, as PNG")
        .type_name("FILE.png");
  }

  std::vector<OutputName> outputs() const {
    if (picture_path_.empty()) return {};
    return {{"--picture", picture_path_}};
  }

  void open(const AnswerOptions& answer) {
    if (picture_path_.empty()) return;
    if (picture_path_.extension() != ".png")
      throw UsageError("--picture: pictures are PNG; give a name that ends in .png");
    if (!can_be_read_twice(answer.queries))
      throw UsageError("--picture: bullets are read again to draw them; give a plain file");
    picture_output_.emplace(picture_path_);
  }

  void prepare(const Prepared& scene) {
    if (scene.options.time(scene.file) != 0)
      scene.console.warn("--time has no effect in shoot; see 'sphaera shoot --help'");
    refuse_orbits(scene.file, scene.layers, scene.options.path, "shoot");
    for (const double resistance : scene.file.resistances)
      resistances_.push_back(std::isnan(resistance) ? 1 : resistance);
    if (settings_.max_near_miss && settings_.rules.gravity != Vec3{})
      throw UsageError("--near-miss supports straight flights only; leave out --near-miss or --gravity");
    picture_title_ = "Shots into " + scene.options.path.filename().string(), unit_ = scene.file.unit;
  }

  /// Empty if all spheres are at rest and no --horizon is given.
  std::optional<Horizon> horizon(const Prepared& scene) const {
    const std::uint64_t moving = moving_spheres(scene.file, scene.layers);
    if (settings_.horizon || moving == 0) return settings_.horizon;
    const Horizon span = span_of_bullets(scene.answer.queries,
                                         {.spheres = scene.file.bodies().size(),
                                          .rows = scene.rows,
                                          .passes = &scene.passes,
                                          .control = {.stop = scene.stop}},
                                         scene.console);
    scene.console.note(fmt::format("{} sphere{} within {} … {}, the time range of the flights", moving,
                                   moving == 1 ? " moves" : "s move", span.from, span.to));
    return span;
  }

  /// Bullets end within the time range of the flights.
  bool takes_longer_horizon() const { return !settings_.horizon; }

  void finish(const AnswerRun& run) {
    if (!picture_output_) return;
    picture_output_->write(png_of(picture_of(run)));
    picture_output_->finish();
  }

  void commit() {
    if (picture_output_) picture_output_->commit();
  }

  std::vector<files::Column> columns_out() const {
    return settings_.max_near_miss ? impact_and_miss_columns.list() : impact_columns.list();
  }

  bool embree_answers_in(const Scene&) const {
    return settings_.rules.gravity == Vec3{} && !settings_.max_near_miss;
  }

  Shots answer(const Scene& scene, std::span<const Bullet> bullets, const QueryOptions& options) const {
    Shots shots{scene.all_impacts(bullets, rules(), options), {}};
    if (settings_.max_near_miss)
      shots.near_misses = scene.near_misses(bullets, *settings_.max_near_miss, options);
    return shots;
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Bullet&,
             const Shots::One& shot) const {
    if (shot.impacts.empty()) write_row(rows, {number, nullptr, nullptr, shot.near_miss});
    for (const Impact& impact : shot.impacts) {
      write_row(rows, {number, &impact, impact.outcome == Outcome::refused ? nullptr : &impact,
                       impact.bounce == 0 ? shot.near_miss : nullptr});
    }
  }

 private:
  FlightOptions rules() const {
    FlightOptions rules = settings_.rules;
    rules.resistances = resistances_;
    return rules;
  }

  /// Reads the first bullets again and follows them.
  ShotPicture picture_of(const AnswerRun& run) const {
    constexpr std::size_t max_bullets = 1000;  // more would hide one another
    files::RowOptions rows = run.rows;
    rows.kept.clear();
    files::QueryReader<Bullet> reader(
        run.options.queries,
        {.rows = rows, .shard = run.options.shard, .passes = &run.passes, .control = {run.stop, {}}});
    files::QueryChunk<Bullet> shots;
    reader.next(shots, max_bullets);
    reader.end();
    const ImpactLists impacts =
        run.scene.all_impacts(shots.queries, rules(), run.query_options(run.options.search, shots.own()));
    ShotPicture picture = shot_picture(run.scene, run.layers, shots.queries, impacts,
                                       settings_.horizon.value_or(Horizon{0, infinity}).to);
    picture.title = picture_title_, picture.unit = unit_, picture.gravity = settings_.rules.gravity;
    return picture;
  }

  void write_row(files::TableRows& rows, const ShotRow& row) const {
    settings_.max_near_miss ? impact_and_miss_columns.write(rows, row) : impact_columns.write(rows, row);
  }

  FlightSettings settings_;
  std::vector<double> resistances_;  ///< by sphere; empty: 1 each
  std::filesystem::path picture_path_;
  std::optional<io::Output> picture_output_;
  std::string picture_title_, unit_;
};

}  // namespace

const VerbEntry shoot_verb{"shoot", "what bullets hit among moving spheres, and where they go next",
                           make_verb<QueryVerb<Shoot>>};

}  // namespace sphaera::tool
