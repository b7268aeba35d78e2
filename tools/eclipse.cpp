#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <io/fail.hpp>
#include <io/numbers.hpp>
#include <io/query_file.hpp>
#include <io/scene_build.hpp>
#include <sphaera/contact_times.hpp>
#include <tools/exit.hpp>
#include <tools/light_words.hpp>
#include <tools/load.hpp>
#include <tools/motions.hpp>
#include <tools/ordered.hpp>
#include <tools/progress.hpp>
#include <tools/stars.hpp>
#include <tools/verb.hpp>

namespace sphaera::tool {
namespace {

constexpr const char* about = R"(
When eclipses, transits and occultations begin and end: the times at which a body's disc comes into and out of
contact with a star's, for observers at rest or moving.)";

constexpr const char* help = R"(
Bodies and stars move by their "velocity" from time 0, or along their "ephemeris" (cubic Hermite between
samples), which must cover the interval. An observer of --observers is at rest, or with `on` moves as that
sphere does: its place is that at time 0. That sphere does not count, and there is no horizon.

Result: one row a contact, by observer, star, time and body; those with --from < time ≤ --to.
  observer  number of the observer, from 0 in the order of the file
  star      number of the star, from 0
  time      in the scene's unit of time, to the last bit of the motions' rounding
  body      id of the sphere; -1 with --together
  before    lit, penumbra, umbra or antumbra: how the star is seen behind that body alone (or behind all) just
            before
  after     and from this time on. Lit to penumbra is first contact, penumbra to umbra or antumbra second, and
            so back
No row: the class does not change in the interval; which it is `starlight --time` tells.

Example:
  sphaera eclipse sky.json --observers places.csv --from 0 --to 86400 --output contacts.csv
)";

/// What is looked for.
struct Wanted {
  double resolution = 1e-3;
  bool together = false;  ///< the class behind all bodies, not behind each
};

struct Contact {
  std::int64_t star;
  ContactTime contact;  ///< of the sphere `body`, or of all together
};

/// The sky over an interval, for observers of all sorts.
class MovingSky {
 public:
  MovingSky(const io::SceneFile& file, const std::vector<io::Star>& stars, const Interval& interval,
            LayerMask layers)
      : interval_(interval), radii_(radii_of(file)), motions_(sphere_motions(file, interval)) {
    for (std::size_t i = 0; i < file.spheres.size(); ++i)
      if (layers >> (file.layers.empty() ? 0 : file.layers[i]) & 1)
        bodies_.push_back(static_cast<std::int64_t>(i));
    for (const io::Star& star : stars) {
      stars_.push_back({placed(star, file), star_motion(star, motions_, interval)});
      ties_.push_back(star.form == io::Star::Form::sphere ? star.sphere : no_sphere);
    }
  }

  /// From a place at time 0, moving as sphere `on` does, or at rest.
  std::vector<Contact> contacts(const Vec3& place, std::int64_t on, const Wanted& wanted) const {
    if (on < 0) return contacts(Motion::at_rest(place), on, wanted);
    Motion motion = motions_[static_cast<std::size_t>(on)];
    const Vec3 from_center = place - motion.at(0);
    for (MotionSample& sample : motion.samples) sample.position = sample.position + from_center;
    return contacts(motion, on, wanted);
  }

  /// Of all stars; sphere `without` does not count.
  std::vector<Contact> contacts(const Motion& observer, std::int64_t without, const Wanted& wanted) const {
    std::vector<Contact> all;
    for (std::size_t j = 0; j < stars_.size(); ++j) {
      std::vector<std::int64_t> ids;
      std::vector<MovingSphere> bodies;
      for (const std::int64_t id : bodies_) {
        if (id == without || id == ties_[j]) continue;
        ids.push_back(id);
        bodies.push_back({motions_[static_cast<std::size_t>(id)], radii_[static_cast<std::size_t>(id)]});
      }
      for (const ContactTime& contact : times(stars_[j], observer, bodies, ids, wanted))
        all.push_back({static_cast<std::int64_t>(j), contact});
    }
    return all;
  }

 private:
  static constexpr std::int64_t no_sphere = -1;

  static std::vector<double> radii_of(const io::SceneFile& file) {
    std::vector<double> radii;
    for (const Sphere& sphere : file.spheres) radii.push_back(sphere.radius);
    return radii;
  }

  std::vector<ContactTime> each(const MovingStar& star, const Motion& observer,
                                const std::vector<MovingSphere>& bodies, const std::vector<std::int64_t>& ids,
                                const ContactOptions& options) const {
    std::vector<ContactTime> contacts =
        contact_times(star, observer, bodies, interval_.from, interval_.to, options);
    for (ContactTime& contact : contacts) contact.body = ids[static_cast<std::size_t>(contact.body)];
    return contacts;
  }

  std::vector<ContactTime> together(const MovingStar& star, const Motion& observer,
                                    const std::vector<MovingSphere>& bodies,
                                    const ContactOptions& options) const {
    std::vector<ContactTime> contacts;
    for (const auto& [time, before, after] :
         light_times(star, observer, bodies, interval_.from, interval_.to, options))
      contacts.push_back({time, no_sphere, before, after});
    return contacts;
  }

  /// By the ids of spheres, which are named in what is thrown, too.
  std::vector<ContactTime> times(const MovingStar& star, const Motion& observer,
                                 const std::vector<MovingSphere>& bodies,
                                 const std::vector<std::int64_t>& ids, const Wanted& wanted) const {
    try {
      const ContactOptions options{.resolution = wanted.resolution};
      return wanted.together ? together(star, observer, bodies, options)
                             : each(star, observer, bodies, ids, options);
    } catch (const Error& error) {
      if (error.element() < 0) throw;
      const std::int64_t id = ids[static_cast<std::size_t>(error.element())];
      const std::string_view what = error.what();
      const std::size_t colon = what.find(": ");  // "body 3: it cuts the star …": 3 counts among these bodies
      throw Error(error.code(),
                  fmt::format("sphere {}{}", id, colon == std::string_view::npos ? "" : what.substr(colon)),
                  id);
    }
  }

  Interval interval_;
  std::vector<double> radii_;
  std::vector<Motion> motions_;       ///< of all spheres, by id
  std::vector<std::int64_t> bodies_;  ///< on the layers
  std::vector<MovingStar> stars_;
  std::vector<std::int64_t> ties_;  ///< the sphere that a star is
};

class Eclipse : public Verb {
 public:
  void declare(CLI::App& app) override {
    describe(app, about, help);
    app.add_option("--observers", observers_,
                   "Observers: CSV (perhaps .gz) or NPY with x,y,z[,on]; -: CSV from stdin")
        ->type_name("FILE");
    app.add_option("--path", path_, "One observer who moves: CSV with t,x,y,z,vx,vy,vz, t ascending")
        ->type_name("FILE");
    add_finite(app, "--from", interval_.from, "Begin of the interval")->required();
    add_finite(app, "--to", interval_.to, "Its end")->required();
    add_finite(app, "--resolution", wanted_.resolution,
               "A class that lasts this long is never missed; default 0.001");
    app.add_flag("--together", wanted_.together,
                 "How each star is seen behind all bodies together, not behind each alone");
    star_options_.declare(app);
    layers_.declare(app);
    scene_.declare_path(app);
    add_shard(app, shard_);
    table_.declare(app);
    common_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      check();
      const Console console = common_.console();
      const io::TableFormat format = table_.format_for(common_.output);
      check_packing(common_.output, format);
      io::TableWriter table(common_.output, format, columns());
      const io::SceneFile file = load_scene(scene_, console, stop);
      const LayerMask mask = layers_.mask(file);
      note_radii(stars_of(file, star_options_, scene_.path), file, mask, console);
      const MovingSky sky = sky_of(file, mask);
      path_.empty() ? answer_file(sky, file.spheres, table, console, stop) : answer_path(sky, table, stop);
      table.commit();
    });
  }

 private:
  static std::vector<io::Column> columns() {
    using io::Column;
    return {Column::integer("observer"),
            Column::integer("star"),
            Column::number("time"),
            Column::integer("body"),
            Column::word("before", light_names()),
            Column::word("after", light_names())};
  }

  static void write(io::TableRows& rows, std::uint64_t observer, const std::vector<Contact>& contacts) {
    for (const auto& [star, contact] : contacts) {
      rows.integer(static_cast<std::int64_t>(observer)).integer(star).number(contact.time);
      rows.integer(contact.body).word(static_cast<std::uint8_t>(contact.before));
      rows.word(static_cast<std::uint8_t>(contact.after)).end_row();
    }
  }

  void check() const {
    if (observers_.empty() == path_.empty())
      throw UsageError("give --observers or --path; see 'sphaera eclipse --help'");
    if (!(interval_.from < interval_.to))
      throw UsageError("--to: the end is not after --from; give a later one");
    if (!(wanted_.resolution > 0)) throw UsageError("--resolution: give a time greater than 0");
    if (!path_.empty() && shard_.count > 1)
      throw UsageError("--shard: a path is one observer; it has no parts");
  }

  MovingSky sky_of(const io::SceneFile& file, LayerMask mask) const {
    std::vector<io::Star> stars = file.stars;
    stars.insert(stars.end(), star_options_.stars.begin(), star_options_.stars.end());
    try {
      return {file, stars, interval_, mask};
    } catch (const Error& error) {
      throw Error(error.code(), scene_.path.string() + ": " + error.what(), error.element());
    }
  }

  void answer_path(const MovingSky& sky, io::TableWriter& table, const std::stop_token& stop) const {
    io::TableRows rows = table.rows();
    try {
      const io::Ephemeris path = io::read_ephemeris(*io::open_source(path_, {.stop = stop}));
      write(rows, 0, sky.contacts(motion_of(path, interval_), -1, wanted_));
    } catch (const Error& error) {
      if (error.code() != ErrorCode::invalid_argument) throw;
      throw Error(error.code(), path_.string() + ": " + error.what(), error.element());
    }
    table.write(rows);
  }

  struct Piece {
    explicit Piece(io::TableRows empty) : rows(std::move(empty)) {}
    io::QueryChunk<io::Observer> chunk;
    io::TableRows rows;
    std::optional<Error> error{};
  };

  void answer_file(const MovingSky& sky, std::span<const Sphere> spheres, io::TableWriter& table,
                   const Console& console, const std::stop_token& stop) const {
    Progress progress(console, "observers");
    io::QueryReader<io::Observer> reader(
        observers_,
        {.spheres = spheres.size(), .grounds = spheres, .shard = shard_, .watch = {stop, [&](double done) {
                                                                                     progress.share(done);
                                                                                   }}});
    for (const std::string& warning : reader.warnings()) console.warn(warning);
    in_order<Piece>(
        [&]() -> std::unique_ptr<Piece> {
          auto piece = std::make_unique<Piece>(table.rows());
          if (!reader.next(piece->chunk, 1)) return nullptr;
          return piece;
        },
        [&](Piece& piece) { answer(sky, piece, stop); },
        [&](Piece& piece) {
          if (piece.error) throw *piece.error;
          table.write(piece.rows);
          progress.add(1);
        });
  }

  /// What it throws waits in the piece: of several observers the first is told of, whatever the threads.
  void answer(const MovingSky& sky, Piece& piece, const std::stop_token& stop) const {
    if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "interrupted");
    const auto& [first, queries, ids] = piece.chunk;
    try {
      write(piece.rows, first,
            sky.contacts(queries[0].position, ids.empty() ? Observer::nowhere : ids[0], wanted_));
    } catch (const Error& error) {
      piece.error.emplace(error.code(),
                          fmt::format("{}: observer {}: {}", observers_.string(), first, error.what()),
                          static_cast<std::int64_t>(first));
    }
  }

  CommonOptions common_;
  SceneOptions scene_;
  LayerOptions layers_;
  TableOptions table_;
  StarOptions star_options_;
  std::filesystem::path observers_, path_;
  io::Shard shard_{};
  Interval interval_{0, 0};
  Wanted wanted_;
};

}  // namespace

std::unique_ptr<Verb> eclipse_verb() { return std::make_unique<Eclipse>(); }

}  // namespace sphaera::tool
