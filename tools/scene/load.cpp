#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <base/errors.hpp>
#include <base/validate.hpp>
#include <exact/numbers/power_of_two.hpp>
#include <functional>
#include <io/formats/dates.hpp>
#include <io/formats/numbers.hpp>
#include <io/formats/spelling.hpp>
#include <io/scene/attachment.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_read.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>
#include <scene/state.hpp>
#include <tools/scene/light_time.hpp>
#include <tools/scene/load.hpp>
#include <tools/scene/motions.hpp>
#include <tools/scene/stars.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/progress.hpp>
#include <utility>

namespace sphaera::tool {
namespace {

/// Calls work(). Adds the body, the time and `element` to an Error that work() throws.
template <class Work>
void naming(const std::string& body, double time, std::int64_t element, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    throw base::located(fmt::format("{} at time {}", body, time), error, element);
  }
}

void check_position(const Vec3& position) {
  if (base::in_domain(position)) return;
  throw Error(ErrorCode::invalid_argument, "it is beyond 2^200; give a time nearer to 0");
}

/// Moves spheres and stars by their velocities, to exactly the positions that `eclipse` uses.
void drift(SceneFile& scene, double time) {
  for (std::size_t i = 0; i < scene.velocities.size(); ++i) {
    Vec3& center = scene.spheres[i].center;
    center = Motion::linear(center, scene.velocities[i]).at(time);
    if (!base::in_domain(center)) [[unlikely]]
      naming(sphere_text(scene, i), time, static_cast<std::int64_t>(i), [&] { check_position(center); });
  }
  for (std::size_t i = 0; i < scene.stars.size(); ++i) {
    SceneStar& star = scene.stars[i];
    if (!star.is_ball() || star.ephemeris) continue;
    Vec3& center = star.star.center;
    center = Motion::linear(center, star.velocity).at(time);
    naming(star_text(i, star.name), time, Error::no_element, [&] { check_position(center); });
  }
}

/// Calls use(ephemeris, center) for every body with an ephemeris; errors name the body.
void along_ephemerides(SceneFile& scene, double time, const std::function<void(const Motion&, Vec3&)>& use) {
  for (const SceneFile::Orbit& orbit : scene.orbits) {
    const auto i = static_cast<std::size_t>(orbit.sphere);
    naming(sphere_text(scene, i), time, orbit.sphere, [&] { use(orbit.ephemeris, scene.spheres[i].center); });
  }
  for (std::size_t i = 0; i < scene.stars.size(); ++i) {
    SceneStar& star = scene.stars[i];
    if (!star.ephemeris) continue;
    naming(star_text(i, star.name), time, Error::no_element, [&] { use(*star.ephemeris, star.star.center); });
  }
}

/// Finds the owners that the options ask for, and notes what they are.
void find_owners(LoadedScene& scene, const SceneOptions& options, const Console& console) {
  if (options.owner_by == OwnerBy::nothing) return;
  const std::string column = options.owner_column.empty() ? "name" : options.owner_column;
  scene.owners = owners_by(options.owner_by, scene.names);
  if (scene.owners.named.empty())
    throw UsageError(options.owner_by == OwnerBy::name
                         ? "--owner-by: the scene has no column or key " + io::shown(column) + "; name one"
                         : "--owner-by: no name of an atom has that part; give another word");
  const auto& columns = options.reading.csv.columns;
  const auto named = std::ranges::find(columns, "name", &CsvOptions::Column::name);
  if (named != columns.end() && !options.owner_column.empty() && named->in_file != options.owner_column)
    console.warn(fmt::format("--columns name={}: spheres have their names from {}, by --owner-by",
                             named->in_file, options.owner_column));
  const auto owned =
      std::ssize(scene.owners.of_spheres) - std::ranges::count(scene.owners.of_spheres, no_owner);
  console.note(fmt::format("{} of {} spheres belong to {} owner{}", owned, scene.bodies().size(),
                           scene.owners.named.size(), scene.owners.named.size() == 1 ? "" : "s"));
}

constexpr const char* sphi_extension = ".sphi";

bool is_saved(const std::filesystem::path& path) { return path.extension() == sphi_extension; }

bool is_one_of(const io::SceneFormat* format, std::initializer_list<const io::SceneFormat*> formats) {
  return std::ranges::find(formats, format) != formats.end();
}

/// Refuses options that say how a file is read where this file is not read so.
void check_reading(const SceneOptions& options) {
  const ReadingOptions& reading = options.reading;
  const std::string path = options.path.string();
  const io::SceneFormat* const format = io::find_scene_format(options.path);
  const AtomLayers by = reading.layer_by;
  if ((by == AtomLayers::chain || by == AtomLayers::residue) &&
      is_one_of(format, {&io::csv_scene, &io::npy_scene, &io::ply_scene, &io::vtp_scene, &io::vtk_scene,
                         &io::lammpstrj_scene}))
    throw UsageError("--layer-by: chain and residue are of molecules, and " + path +
                     " is a table; name a column: --columns layer=NAME");
  if (!options.owner_column.empty() &&
      is_one_of(format, {&io::pdb_scene, &io::cif_scene, &io::pqr_scene, &io::gro_scene, &io::xyz_scene}))
    throw UsageError("--owner-by: atoms have no column " + io::shown(options.owner_column) + "; " +
                     io::suggested(options.owner_column,
                                   std::array<std::string, 3>{"chain", "residue", "name"},
                                   "give chain, residue or name"));
  if (!is_saved(options.path)) return;
  const char* const given = reading.radius           ? "--radius"
                            : !reading.radii.empty() ? "--radii"
                            : reading.frame_is_given ? "--frame"
                            : by != AtomLayers{}     ? "--layer-by"
                                                     : nullptr;
  if (given)
    throw UsageError(std::string(given) + ": " + path +
                     " is indexed already; give the option to 'sphaera index'");
}

}  // namespace

LoadedScene load_scene(const SceneOptions& options, const Console& console, const std::stop_token& stop,
                       std::vector<io::FileDigest>* digests) {
  check_reading(options);
  if (is_saved(options.path) && !options.owner_column.empty())
    throw UsageError("--owner-by: " + options.path.string() +
                     " has no columns, only names; give the file that it was made from");
  LoadedScene scene;
  {
    Progress progress(console, "reading " + options.path.string());
    SceneLoadOptions reading = options.loading();
    reading.stop = stop, reading.progress = [&](double done) { progress.set_fraction(done); };
    scene = {io::read_scene(options.path, reading, digests)};
  }
  for (const std::string& warning : scene.warnings) console.warn(warning);
  if (!options.light_time.empty()) see_from(scene, "--light-time", options.light_time);
  find_owners(scene, options, console);
  note_late_dates(options, scene, console);
  move_to(scene, options);
  return scene;
}

void note_late_dates(const SceneOptions& options, const SceneFile& scene, const Console& console) {
  if (options.given_time && options.given_time->date)
    note_late_dates(console, scene, options.given_time->in(scene));
  if (options.given_times && (options.given_times->have_dates() || (options.dates && !scene.epoch.empty())))
    note_late_dates(console, scene, options.given_times->to.in(scene));
}

void move_to(SceneFile& scene, const SceneOptions& options) {
  std::optional<double> time;
  if (options.given_time) time = options.given_time->in(scene);
  try {
    move_to(scene, time);
  } catch (const Error& error) {
    throw base::located(options.path.string(), error, error.element());
  }
}

void move_to(SceneFile& scene, const std::optional<double>& given) {
  const double time = given.value_or(0);
  if (time != 0) {
    drift(scene, time);
    // The direction can have any length. It is scaled first, so that the rotation cannot over- or underflow.
    for (auto& [_, spin, meridian] : scene.rotations)
      meridian = spin.turned(exact::inverse_scale(meridian) * meridian, time);
  }
  along_ephemerides(scene, time, [&](const Motion& ephemeris, Vec3& center) {
    if (!given && !covers(ephemeris, {time, time})) return;
    center = position_at(ephemeris, time, scene.epoch);
    check_position(center);
  });
}

namespace {

/// Opens a saved scene and checks it.
LoadedScene opened(const std::filesystem::path& path, const Console& console,
                   std::vector<io::FileDigest>* digests) {
  const Progress progress(console, "opening " + path.string());
  std::vector<std::byte> attachment;
  Scene scene = Scene::open(path.string(), {.attachment = &attachment});
  LoadedScene loaded{io::scene_of_attachment(
      attachment, {scene.spheres().size(), scene.layers(), scene.velocities()}, path.string())};
  loaded.opened = std::move(scene);
  loaded.sources.push_back(path);
  if (digests) digests->push_back(io::digest_of_saved_scene(path));
  return loaded;
}

/// Refuses an index that does not fit, with the command for one that does.
[[noreturn]] void refuse_index(const LoadedScene& scene, const std::string& why, const std::string& option) {
  const std::string path = scene.sources.front().string();
  throw Error(ErrorCode::bad_file, path,
              fmt::format("{}; make another: sphaera index {}{} --output NEW.sphi", why, path, option));
}

/// The value of --owner-by.
std::string word_of(const SceneOptions& options) {
  if (!options.owner_column.empty()) return options.owner_column;
  return options.owner_by == OwnerBy::chain     ? "chain"
         : options.owner_by == OwnerBy::residue ? "residue"
                                                : "name";
}

/// Refuses an opened index that does not fit the motion of spheres.
void check_fit(const LoadedScene& scene, const MotionNeeds& needs) {
  const bool moves = !scene.opened->velocities().empty();
  const std::optional<Horizon>& wanted = needs.horizon;
  if (!needs.matters || (!moves && !wanted)) return;
  const Horizon& has = query::SceneAccess::state(*scene.opened).horizon;
  const bool equal = wanted && has.from == wanted->from && has.to == wanted->to;
  const bool longer = wanted && has.from <= wanted->from && has.to >= wanted->to;
  if (moves && (equal || (longer && needs.may_be_longer))) return;
  refuse_index(scene,
               moves ? fmt::format("it was made for --horizon={},{}", has.from, has.to)
                     : "its spheres rest, since it was made without --horizon",
               wanted ? fmt::format(" --horizon={},{}", wanted->from, wanted->to) : "");
}

}  // namespace

bool has_ephemerides(const SceneFile& scene) {
  return !scene.orbits.empty() ||
         std::ranges::any_of(scene.stars, [](const SceneStar& star) { return star.ephemeris.has_value(); });
}

void move_epoch(SceneFile& scene, const SceneOptions& options) {
  constexpr int nanoseconds = 9;  // decimals of a second
  if (scene.epoch.empty() || !options.given_time) return;
  const auto moved = io::later(io::parse_date(scene.epoch), options.time(scene));
  if (!moved) throw UsageError("--time: it is outside the years 1 to 9999");
  scene.epoch = io::date_text(*moved, nanoseconds);
}

LoadedScene open_scene(const SceneOptions& options, const Console& console, const std::stop_token& stop,
                       std::vector<io::FileDigest>* digests) {
  if (!is_saved(options.path)) return load_scene(options, console, stop, digests);
  check_reading(options);
  LoadedScene scene = opened(options.path, console, digests);
  if (!options.light_time.empty()) {
    throw UsageError("--light-time: " + options.path.string() +
                     " is indexed without it; give the scene that it was made of");
  }
  find_owners(scene, options, console);
  if (!scene.owners.of_spheres.empty() &&
      !std::ranges::equal(scene.opened->owners(), scene.owners.of_spheres)) {
    if (options.owner_column.empty())
      refuse_index(scene, "it was made without these owners", " --owner-by " + word_of(options));
    throw Error(ErrorCode::bad_file, options.path.string(),
                "it was made without these owners; make another from the same file: sphaera index FILE "
                "--owner-by " +
                    word_of(options) + " --output NEW.sphi");
  }
  note_late_dates(options, scene, console);
  move_to(scene, options);
  return scene;
}

void move_to(LoadedScene& scene, const SceneOptions& options) {
  if (!scene.opened) return move_to(static_cast<SceneFile&>(scene), options);
  if (options.given_time && (options.time(scene) != 0 || has_ephemerides(scene)))
    refuse_index(scene, "it was made for time 0", " --time=" + options.given_time->text);
}

Scene index_scene(LoadedScene& file, BuildQuality quality, const Console& console,
                  const std::stop_token& stop, const MotionNeeds& motion) {
  const std::optional<Horizon>& horizon = motion.horizon;
  if (file.opened) {
    check_fit(file, motion);
    return *std::exchange(file.opened, {});
  }
  Progress progress(console, "indexing");
  // Bytes of the spheres, whose memory the scene takes over, and of two copies of velocities and owners: the
  // file's and the scene's.
  const std::uint64_t held =
      file.spheres.capacity() * sizeof(Sphere) +
      2 * (file.velocities.size() * sizeof(Vec3) + file.owners.of_spheres.size() * sizeof(std::uint32_t));
  BuildOptions options{.layers = file.layers,
                       .owners = file.owners.of_spheres,
                       .quality = quality,
                       .memory_limit = io::memory_beside(held),
                       .stop = stop,
                       .progress = [&](double done) { progress.set_fraction(done); }};
  if (horizon) {
    file.velocities.resize(file.spheres.size());
    options.velocities = file.velocities, options.horizon = *horizon;
  }
  try {
    Scene scene = Scene::build(std::move(file.spheres), options);
    file.velocities = {};
    return scene;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::out_of_memory) {
      const char* const smaller = quality == BuildQuality::compact ? "" : "--quality compact or ";
      throw Error(
          error.code(),
          fmt::format("the index does not fit in memory; free some, or give {}fewer spheres", smaller));
    }
    if (!horizon || error.code() != ErrorCode::invalid_argument || error.element() < 0) throw;
    // The values of the file are valid, so a sphere can only leave the domain by its velocity.
    throw Error(
        error.code(),
        fmt::format(
            "{} moves beyond 2^200 between time {} and {}; give --horizon A,B with a shorter interval",
            sphere_text(file, static_cast<std::size_t>(error.element())), horizon->from, horizon->to),
        error.element());
  }
}

std::size_t sphere_called(const std::string& option, const std::string& word, const LoadedScene& scene) {
  const auto refuse = [&](const std::string& what) { throw UsageError(option + ": " + what); };
  std::int64_t id = 0;
  if (io::parse_integer(word, id) == io::Parse::ok) {
    if (id >= 0 && static_cast<std::uint64_t>(id) < scene.bodies().size())
      return static_cast<std::size_t>(id);
    refuse(fmt::format("the scene has no sphere {}; ids go from 0 to {}", word,
                       static_cast<std::int64_t>(scene.bodies().size()) - 1));
  }
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < scene.names.size(); ++i) {
    if (scene.names[i] != word) continue;
    if (found) refuse("several spheres are named " + io::shown(word) + "; give an id");
    found = i;
  }
  if (!found)
    refuse("no sphere is named " + io::shown(word) + "; " +
           io::suggested(word, scene.names, "give an id or another name"));
  return *found;
}

void name_spheres(files::TableWriter& table, const ColumnOptions& columns, const SceneFile& scene,
                  const Console& console) {
  table.name_spheres(&scene.names);
  if (columns.names && scene.names.empty())
    console.warn("--names: no sphere of the scene has a name; its file has no column or key 'name'");
}

std::string sphere_text(const SceneFile& scene, std::size_t id) {
  std::string text = fmt::format("sphere {}", id);
  if (!scene.names.empty() && !scene.names[id].empty()) text += ' ' + io::shown(scene.names[id]);
  return text;
}

}  // namespace sphaera::tool
