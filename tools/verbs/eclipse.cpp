#include <fmt/core.h>

#include <base/errors.hpp>
#include <cmath>
#include <io/ephemeris/ephemeris.hpp>
#include <io/streams/file_error.hpp>
#include <random>
#include <tools/answers/contact_table.hpp>
#include <tools/answers/open_queries.hpp>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/answers/shadow_table.hpp>
#include <tools/files/queries/query_file.hpp>
#include <tools/options/column_options.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/stars.hpp>
#include <tools/shards/part_record.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/interrupt.hpp>
#include <tools/terminal/progress.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

class Eclipse : public Verb {
  static constexpr const char* about = R"(
When eclipses, transits and occultations begin and end, and when stars rise and set: the times at which a body's
disc, or the horizon, comes into and out of contact with a star's, for observers at rest or moving.)";
  static std::string help() {
    return R"(
Bodies and stars move by their "velocity" from time 0, or along their "ephemeris" (cubic Hermite between
samples), which must cover the interval. Spheres of a JSON scene turn by their "spin": {"axis": [x, y, z],
"period": time of a turn, "meridian": [x, y, z]}, the axis to the north, a negative period the other way, the
meridian (default 1,0,0) towards longitude 0 at time 0.
An observer of --observers is at rest, or fixed in the sphere `on`, moving and turning with it: x,y,z is its
place at time 0 (in starlight and map: at --time), and an "ephemeris" of the sphere must cover that time.
What an observer stands on, if on the --layers, hides the half of the sky below its tangent plane.
)" + std::string(stations_help) +
           R"(
Result: one row a contact, by observer, star, time and body; those with --from < time ≤ --to.
)" + ContactTable::columns_help(ContactTable::Rows::contacts) +
           "With --intervals: one row an eclipse, by observer, star, start and body.\n" +
           ContactTable::columns_help(ContactTable::Rows::intervals) +
           "With --in-shadow: one row a contact, by star and time.\n" + ShadowTable::columns_help() +
           R"(Each body is taken alone: its contacts are listed by night, too, and behind other bodies. --together lists the
contacts of the view behind all bodies.
)" + dates_help() +
           R"(stderr says how many pairs of observer and star have no contact, and how those stars are seen (behind all
bodies, at --from).

Example:
  sphaera eclipse sky.json --observers places.csv --from 0 --to 86400 --output contacts.csv
  printf 'longitude,latitude,on\n-0.1,51.5,0\n' | sphaera eclipse earth.json --stations - --from 0 --to 86400
)";
  }

 public:
  void declare(CLI::App& app) override {
    describe(app, about, help());
    add_query_file(app, "--observers", observers_, "Observers", files::query_columns<Observer>().text());
    add_query_file(app, "--stations", stations_, "Observers on spheres",
                   files::query_columns<files::Station>().text());
    add_latitude(app, latitude_);
    add_file(app, "--path", path_,
             "One moving observer: an ephemeris, such as a CSV with t,x,y,z,vx,vy,vz, t ascending")
        .type_name("FILE");
    add_text(app, "--on", on_, "The sphere, by id or name, that the observer of --path stands on")
        .type_name("SPHERE");
    add_text(app, "--in-shadow", in_shadow_,
             "Instead of observers: a whole sphere, by id or name, such as the Moon in a lunar eclipse")
        .type_name("SPHERE");
    add_time(app, "--from", from_, "Start of the interval").required();
    add_time(app, "--to", to_, "Its end").required();
    add_flag(app, "--dates", dates_, "Adds the column date");
    add_finite(
        app, "--resolution", wanted_.resolution,
        fmt::format("Every phase that lasts at least this long is found; default {}", wanted_.resolution));
    add_flag(app, "--together", wanted_.together,
             "How each star is seen behind all bodies together, not behind each alone");
    add_flag(
        app, "--intervals", [this] { rows_of_ = ContactTable::Rows::intervals; },
        "A row for each eclipse, from its first contact to its last, not for each contact");
    star_options_.declare(app);
    layers_.declare(app);
    scene_.declare_path(app);
    scene_.declare_light_time(app);
    add_skip_misses(app, skip_misses_);
    add_shard(app, shard_);
    add_verify(app, verify_, seed_,
               "Checks N random observers by direct queries of each star: at, between and just before "
               "contacts, and at random times");
    table_.declare(app);
    columns_.declare(app);
    columns_.declare_names(app);
    columns_.declare_keep(app);
    columns_.declare_by(app);
    common_.declare(app);
    part_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      check();
      const Console console = common_.console();
      const files::TableFormat format = table_.format_for(common_.output);
      check_compression(common_.output, format);
      files::TableWriter table =
          columns_.open(common_.output, format, columns_out(), console, path_.empty() && in_shadow_.empty());
      part_.open(common_, shard_, format);
      SceneOptions loading = scene_;
      loading.reading.elsewhere = {"x", "y", "z", "vx", "vy", "vz"};  // of --observers and --path
      const LoadedScene file = load_scene(loading, console, stop, part_.scene_files());
      common_.protect_files_of(file);
      name_spheres(table, columns_, file, console);
      rows_ = {.names = &file.names,
               .csv = scene_.reading.csv,
               .kept = columns_.kept_fields,
               .keeps_numbers = format == files::TableFormat::npy,
               .skip_bad = scene_.reading.skip_bad_rows,
               .skip_misses = skip_misses_};
      const LayerMask mask = layers_.mask(file);
      place_in_time(file, console);
      warn_of_resolution(file, console);
      note_radii(stars_of(file, star_options_, scene_.path), file, mask, console);
      const SceneOverTime sky = sky_of(file, mask);
      wanted_.stop = stop;
      if (!in_shadow_.empty()) {
        answer_shadows(sky, file, table);
        part_.commit(table.finish());
        return;
      }
      ContactTable contacts(sky, wanted_, {verify_, seed_ ? *seed_ : std::random_device{}()}, table, rows_of_,
                            dates_ ? epoch_ : std::nullopt);
      answer(sky, file, contacts, console, stop);
      contacts.finish(console, stop);
      part_.commit(table.finish());
    });
  }

 private:
  void check() {
    if (!observers_.empty() + !stations_.empty() + !path_.empty() + !in_shadow_.empty() != 1)
      throw UsageError(
          "give one of --observers, --stations, --path and --in-shadow; see 'sphaera eclipse --help'");
    if (!in_shadow_.empty()) check_shadow();
    if (!on_.empty() && path_.empty())
      throw UsageError("--on needs --path; files of observers have a column 'on'");
    if (wanted_.together && rows_of_ == ContactTable::Rows::intervals)
      throw UsageError("--intervals: they are of each body alone; leave out --together");
    columns_.check_by(shard_);
    if (!(wanted_.resolution > 0)) throw UsageError("--resolution: give a time greater than 0");
    if (!path_.empty() && shard_.count > 1)
      throw UsageError("--shard: --path is one observer and cannot be split; leave --shard out");
    if (!path_.empty() && !columns_.kept_fields.empty())
      throw UsageError("--keep: --path has no rows of observers; leave --keep out");
    part_.add_output(common_);
    common_.protect("the scene", scene_.path);
    common_.protect("the file of observers", observers_);
    common_.protect("the file of stations", stations_);
    common_.protect("the path", path_);
  }

  void check_shadow() const {
    const auto refuse = [](bool given, const char* option) {
      if (given) throw UsageError(std::string(option) + ": --in-shadow has no observers; leave it out");
    };
    refuse(shard_.count > 1, "--shard");
    refuse(!columns_.kept_fields.empty(), "--keep");
    refuse(verify_ > 0, "--verify");
    refuse(wanted_.together, "--together");
    refuse(rows_of_ == ContactTable::Rows::intervals, "--intervals");
  }

  std::vector<files::Column> columns_out() const {
    return in_shadow_.empty() ? ContactTable::columns(rows_of_, dates_) : ShadowTable::columns(dates_);
  }

  void answer_shadows(const SceneOverTime& sky, const LoadedScene& file, files::TableWriter& table) const {
    const std::size_t sphere = sphere_called("--in-shadow", in_shadow_, file);
    try {
      ShadowTable::write(table, sky.shadows(sphere, wanted_), dates_ ? epoch_ : std::nullopt);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;
      throw base::located(scene_.path.string(), error, error.element());
    }
  }

  void place_in_time(const LoadedScene& file, const Console& console) {
    interval_ = {from_->in(file), to_->in(file)};
    if (!(interval_.from < interval_.to))
      throw UsageError("--to: the end is not after --from; give a later one");
    if (dates_ || !file.epoch.empty()) epoch_ = epoch_of(file, "--dates");
    if (dates_ || from_->date || to_->date) note_late_dates(console, file, interval_.to);
  }

  /// The search may miss a phase shorter than the resolution. If the resolution exceeds half a turn of a
  /// sphere, it may miss every night there.
  void warn_of_resolution(const LoadedScene& file, const Console& console) const {
    const auto warn = [&](const std::string& than_what) {
      console.warn(fmt::format("--resolution: {} is {}; contacts may be missed: give a shorter time",
                               wanted_.resolution, than_what));
    };
    if (wanted_.resolution >= interval_.to - interval_.from)
      return warn("no shorter than the interval from --from to --to");
    for (const auto& [sphere, spin, _] : file.rotations) {
      if (wanted_.resolution <= std::fabs(spin.period) / 2) continue;
      return warn("longer than half a turn of " + sphere_text(file, static_cast<std::size_t>(sphere)));
    }
  }

  SceneOverTime sky_of(const LoadedScene& file, LayerMask mask) const {
    std::vector<SceneStar> stars = file.stars;
    stars.insert(stars.end(), star_options_.stars.begin(), star_options_.stars.end());
    try {
      return {file, stars, interval_, mask, latitude_};
    } catch (const Error& error) {
      throw base::located(scene_.path.string(), error, error.element());
    }
  }

  void answer(const SceneOverTime& sky, const LoadedScene& file, ContactTable& contacts,
              const Console& console, const std::stop_token& stop) {
    if (!path_.empty()) return answer_path(file, contacts, console, stop);
    if (!stations_.empty()) {
      return answer_file<files::Station>(stations_, file, contacts, console, stop,
                                         [&](const files::Station& station) { return sky.station(station); });
    }
    answer_file<Observer>(observers_, file, contacts, console, stop, [&](const Observer& observer) {
      return sky.observer(observer.position, observer.on);
    });
  }

  void answer_path(const LoadedScene& file, ContactTable& contacts, const Console& console,
                   const std::stop_token& stop) {
    const std::int64_t on =
        on_.empty() ? Observer::nowhere : static_cast<std::int64_t>(sphere_called("--on", on_, file));
    ContactTable::Found found = contacts.nothing();
    try {
      std::vector<std::string> warnings;
      const Motion path = io::read_ephemeris(
          io::open_source(path_, {.stop = stop, .digests = part_.query_files()}),
          {.epoch = epoch_, .unit = file.unit, .csv = scene_.reading.csv, .warnings = &warnings});
      for (const std::string& warning : warnings) console.warn(warning);
      check_cover(path, interval_, file.epoch, "the path");
      Turns turns(0);
      contacts.answer(0, {path, on}, found, {turns, 0});
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;
      throw base::located(path_.string(), error, error.element());
    }
    contacts.take(found);
    part_.answered({0, 1, 1});
  }

  template <class Query>
  struct Piece {
    files::QueryChunk<Query> chunk;
    ContactTable::Found found;
    std::optional<double> end{};  ///< the fraction of all observers up to its own
    std::optional<Error> error{};
  };

  /// Answers each row of the file; `observer_of` makes an observer of a row.
  template <class Query, class ObserverOf>
  void answer_file(const std::filesystem::path& path, const LoadedScene& file, ContactTable& contacts,
                   const Console& console, const std::stop_token& stop, const ObserverOf& observer_of) {
    auto reader = open_queries<Query>(path,
                                      {.spheres = file.spheres.size(),
                                       .grounds = file.spheres,
                                       .rows = rows_,
                                       .shard = shard_,
                                       .control = {stop, {}, part_.query_files()}},
                                      console);
    Progress progress(console, "observers");
    const auto warn = [&] {
      progress.clear();
      for (const std::string& warning : reader.take_warnings()) console.warn(warning);
    };
    warn();
    in_order<Piece<Query>>(
        [&]() -> std::unique_ptr<Piece<Query>> {
          auto piece = std::make_unique<Piece<Query>>(Piece<Query>{{}, contacts.nothing()});
          if (!reader.next(piece->chunk, 1)) return nullptr;
          piece->end = reader.fraction();
          return piece;
        },
        [&](Piece<Query>& piece, const Turn& turn) {
          throw_if_interrupted(stop);
          const std::uint64_t first = piece.chunk.first;
          try {
            if (!piece.chunk.kept.empty()) piece.found.rows.rows().keep(piece.chunk.kept, 0);
            contacts.answer(first, observer_of(piece.chunk.queries[0]), piece.found, turn);
          } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            // Kept in the piece: the error of the first observer is reported, whatever the threads.
            piece.error = base::located(fmt::format("{}: observer {}", path.string(), first), error,
                                        static_cast<std::int64_t>(first));
          }
        },
        [&](Piece<Query>& piece) {
          if (piece.error) throw *piece.error;
          contacts.take(piece.found);
          progress.add(1, piece.end);
        });
    warn();
    if (const std::string skipped = reader.skipped(); !skipped.empty()) console.note(skipped);
    part_.answered(reader.read_so_far());
  }

  CommonOptions common_;
  SceneOptions scene_;
  LayerOptions layers_;
  TableOptions table_;
  ColumnOptions columns_;
  files::RowOptions rows_{};
  StarOptions star_options_;
  std::filesystem::path observers_, stations_, path_;
  Latitude latitude_ = Latitude::geodetic;
  std::string on_, in_shadow_;
  files::Shard shard_{};
  bool skip_misses_ = false;
  std::optional<GivenTime> from_, to_;
  Interval interval_{0, 0};
  bool dates_ = false;
  ContactTable::Rows rows_of_ = ContactTable::Rows::contacts;
  Wanted wanted_;
  std::uint64_t verify_ = 0;
  std::optional<std::uint64_t> seed_;
  PartRecord part_;
  std::optional<io::Instant> epoch_;
};

}  // namespace

const VerbEntry eclipse_verb{"eclipse", "when each body comes into contact with each star",
                             make_verb<Eclipse>};

}  // namespace sphaera::tool
