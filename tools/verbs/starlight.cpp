#include <base/validate.hpp>
#include <limits>
#include <tools/answers/query_verb.hpp>
#include <tools/receivers/stations.hpp>
#include <tools/scene/cut_stars.hpp>
#include <tools/scene/light_column.hpp>
#include <tools/scene/stars.hpp>
#include <tools/terminal/plural.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

/// Visibilities of all stars, observer by observer.
struct Views {
  std::size_t stars;
  std::vector<Visibility> items;

  std::span<const Visibility> operator[](std::size_t i) const {
    return std::span(items).subspan(i * stars, stars);
  }
};

struct StarlightRow {
  std::uint64_t observer, star;
  const Visibility& seen;
  double irradiance;

  const Visibility* counted =
      seen.status == StarStatus::ok ? &seen : nullptr;  ///< null: there are no numbers
};

constexpr files::ResultColumns starlight_columns{
    column::integer("observer", "number of the observer, from 0 in the order of the file",
                    &StarlightRow::observer),
    column::integer("star", "number of the star, from 0", &StarlightRow::star),
    column::number("fraction", "solid angle of the star's visible part ÷ solid angle of its whole disc",
                   column::of(&StarlightRow::counted, &Visibility::fraction)),
    column::number("flux", "light of the star's visible part ÷ light of its whole disc, with limb darkening",
                   column::of(&StarlightRow::counted, &Visibility::flux)),
    column::word(
        "light", light_words,
        "lit: no body overlaps the disc; umbra: nothing is seen; antumbra: a part and the whole limb are "
        "seen; penumbra: any other part is seen. inside_star (the observer is in the star) and "
        "intersects_star (a sphere's surface cuts the star's): the results beside it are empty",
        [](const StarlightRow& row) { return light_word(row.seen); }),
    column::flag("blocked", "1 if a body hides the star's center, else 0",
                 column::of(&StarlightRow::counted, &Visibility::blocked)),
    column::integer("occluders", "number of bodies that overlap the disc, hidden ones and `on` included",
                    column::of(&StarlightRow::counted, &Visibility::occluders)),
    column::sphere("dominant", "id of the body that on its own covers most of the disc, -1: none",
                   column::of(&StarlightRow::counted, &Visibility::dominant)),
    column::number(
        "magnitude",
        "of the eclipse by that body: the share of the star's diameter that it covers, or the body's "
        "diameter ÷ the star's if one disc lies in the other; 0 where lit",
        column::of(&StarlightRow::counted, &Visibility::magnitude)),
    column::number("irradiance",
                   "W per square unit of length on a surface that faces the star; empty for a star without "
                   "\"luminosity\" or at infinity",
                   &StarlightRow::irradiance)};

class StarLight {
 public:
  using Query = Observer;
  static constexpr bool embree_answers = false, sees_stars = true;
  static constexpr const char* option = "--observers";
  struct AlternativeFile {
    using Row = files::Station;
    static constexpr const char* option = "--stations";
    static constexpr const char* what = "Instead of --observers: places on spheres";
  };
  static constexpr const char* either =
      "give either --observers or --stations; see 'sphaera starlight --help'";
  static constexpr const char* query_help = R"(
`on` is the id or, in CSV, the name of the sphere that the observer stands on (empty or -1: none). That sphere
hides the half of the sky below its tangent plane at the observer, even if rounding put the observer above or
below its surface; without `on`, half of such observers are in the sphere by a hair, and see nothing.
x,y,z is the position at --time (in eclipse: at time 0; with `on`, it moves and turns with that sphere). The
sphere's "spin" turns a station until --time. Lengths are in the scene's unit.
)";

  static constexpr const char* about = R"(
How much of each star is seen from each position, behind any number of bodies. Which bodies overlap the star and
whether its center is hidden are exact; fraction and flux are good to 1e-12. Stars are those of the scene file's
"stars", then those of --star; stderr shows the radii of the first eight.)";
  static std::string help() {
    return std::string(stations_help) + R"(
A sphere that is the star, or lies inside it, hides nothing of it. Stars of a JSON scene may have a
"limb_darkening", such as {"quadratic": [0.4, 0.26]} ('sphaera --help' lists the laws; default: uniform), and a
"luminosity" in watts.

Result: one row for each observer and star, ordered by observer, then star.
)" + starlight_columns.help() +
           R"(
Example:
  sphaera starlight solar_system.json --observers places.csv --output light.csv
  printf 'longitude,latitude,on\n-0.1,51.5,0\n' | sphaera starlight earth.json --stations - --time 43200
)";
  }

  void declare(CLI::App& app) {
    add_latitude(app, latitude_);
    star_options_.declare(app);
  }

  void prepare(const Prepared& scene) {
    named_ = stars_of(scene.file, star_options_, scene.options.path);
    for (const NamedStar& named : named_) stars_.push_back(named.star);
    places_.emplace(scene.file, latitude_);
    note_radii(named_, scene.file, scene.layers, scene.console);
  }

  std::filesystem::path& alternative_file() { return stations_; }
  const std::filesystem::path& alternative_file() const { return stations_; }

  files::QueryChunk<Observer> queries_of(const files::QueryChunk<files::Station>& stations,
                                         const Scene& scene) const {
    files::QueryChunk<Observer> observers{stations.first, {}, {}};
    for (const files::Station& station : stations.queries) {
      const auto id = static_cast<std::size_t>(station.on);
      const Sphere& ground = scene.spheres()[id];
      const Vec3 position = ground.center + places_->from_center(station, ground.radius);
      if (!base::valid(position) || position == ground.center)
        refuse_station(stations.number(observers.queries.size()), id);
      observers.queries.push_back({position, station.on});
    }
    return observers;
  }

  static std::vector<files::Column> columns_out() { return starlight_columns.list(); }

  auto answer(const Scene& scene, std::span<const Observer> observers, const QueryOptions& options) const {
    return Views{stars_.size(), scene.starlight(stars_, observers, options)};
  }
  void begin(const AnswerRun& run) const {
    const QueryOptions options = run.query_options(Search::index);
    warn_of(cut_stars(named_, run.scene, options), named_, run.file, "it has no numbers", run.console);
  }

  /// Counts the observers inside spheres.
  void look(const AnswerRun& run, std::span<const Observer> observers, const Views& views) {
    std::vector<Ball> dark;
    for (std::size_t i = 0; i < observers.size(); ++i) {
      if (observers[i].on < 0 && views[i].front().fraction == 0) dark.push_back({observers[i].position, 0});
    }
    const IdLists around = run.scene.within(dark, run.query_options(Search::index));
    for (std::size_t i = 0; i < dark.size(); ++i) {
      if (around[i].empty()) continue;
      if (inside_++ == 0) first_inside_ = {dark[i].center, around[i].front()};
    }
  }

  void finish(const AnswerRun& run) const {
    if (inside_ == 0) return;
    const auto& [place, sphere] = first_inside_;
    run.console.warn(
        fmt::format("{} without 'on' in a sphere, where nothing is seen: the first at {},{},{}, in {}; give "
                    "its id in the column "
                    "'on' if they stand on it",
                    counted(inside_, "observer"), place.x, place.y, place.z,
                    sphere_text(run.file, static_cast<std::size_t>(sphere))));
  }

  std::uint64_t answer_bytes(const Scene&) const { return stars_.size() * sizeof(Visibility); }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Observer& observer,
             std::span<const Visibility> seen) const {
    for (std::size_t j = 0; j < seen.size(); ++j) {
      const Visibility& v = seen[j];
      constexpr double none = std::numeric_limits<double>::quiet_NaN();
      const double irradiance = v.status == StarStatus::ok
                                    ? named_[j].normal_irradiance(observer.position, v.flux).value_or(none)
                                    : none;
      starlight_columns.write(rows, StarlightRow{number, j, v, irradiance});
    }
  }

 private:
  [[noreturn]] void refuse_station(std::uint64_t number, std::size_t on) const {
    throw Error(
        ErrorCode::invalid_argument, fmt::format("{}: station {}", stations_.string(), number),
        fmt::format(
            "its position on sphere {} rounds to the sphere's center or lies beyond 2^200; move the origin "
            "nearer to the sphere, or choose another unit",
            on),
        static_cast<std::int64_t>(number));
  }

  std::filesystem::path stations_;
  StarOptions star_options_;
  Latitude latitude_ = Latitude::geodetic;
  std::optional<StationPlaces> places_;
  std::vector<NamedStar> named_;
  std::vector<Star> stars_;   // the same without names
  std::uint64_t inside_ = 0;  // observers without `on` in a sphere
  struct {
    Vec3 place;
    std::int64_t sphere = -1;
  } first_inside_;
};

}  // namespace

const VerbEntry starlight_verb{"starlight", "how much of each star is seen from each place",
                               make_verb<QueryVerb<StarLight>>};

}  // namespace sphaera::tool
