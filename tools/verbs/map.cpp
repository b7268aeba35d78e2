#include <fmt/core.h>

#include <algorithm>
#include <io/formats/numbers.hpp>
#include <io/streams/file_error.hpp>
#include <numeric>
#include <random>
#include <tools/answers/each_time.hpp>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/drawing/map_output.hpp>
#include <tools/drawing/map_titles.hpp>
#include <tools/files/results/table_columns.hpp>
#include <tools/options/column_options.hpp>
#include <tools/options/sky_settings.hpp>
#include <tools/receivers/plane_sections.hpp>
#include <tools/receivers/sight_points.hpp>
#include <tools/receivers/surface_options.hpp>
#include <tools/scene/light_column.hpp>
#include <tools/scene/load.hpp>
#include <tools/shards/part_record.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/terminal/plural.hpp>
#include <tools/terminal/progress.hpp>
#include <tools/verbs/verbs.hpp>
#include <tools/workload/random.hpp>

namespace sphaera::tool {
namespace {

/// True if the extension names an unsupported picture format. A table must not get such a name.
bool is_other_picture(const std::filesystem::path& path) {
  constexpr std::array extensions{".jpg", ".jpeg", ".gif", ".webp", ".tif", ".tiff", ".bmp", ".svg", ".pdf"};
  return std::ranges::find(extensions, path.extension()) != extensions.end();
}

class Map : public Verb {
  static constexpr const char* about = R"(
Starlight and the open sky over a surface: as a picture (.png), or a table of its receivers. Each receiver is a small
flat surface; on a globe it lies on the ground. x,y,z of --observers is the place at --time (in eclipse at time 0,
then turning).)";
  static std::string help() {
    return R"(
Result, as .png: a picture of the quantity of --show, with axes, colors and units. 0 (night, or umbra) is black;
gray means that there is no number (inside a star, or a sphere cuts the star). White lines outline the bodies that a
--plane cuts, at most 10,000. On a --disc gray lines are longitudes and latitudes.
Result, as .csv, .jsonl or .npy: one row a receiver.
)" + MapColumns::help() +
           R"(fraction, flux and light are of the star that --of names. Stars of a JSON scene may have a "limb_darkening", such
as {"quadratic": [0.4, 0.26]} ('sphaera --help' lists the laws; default: uniform), and a "luminosity" in watts.

Of several quantities or stars (--of), or at several --times, the maps are on one picture, each with a title; irradiance has one
scale.

--show sky is the share of the sky that no sphere hides, sky_by_cosine that of the light of an even sky, as in
'sphaera sky': on a globe and at --observers of the half above the ground; on a plane of the whole sky, or of the half
above --up. --show seen is the share of the targets of --to, or of all centers, that each place sees, as in
'sphaera visibility'; also the share of these points that see the place. All three need no star.

Example:
  sphaera map solar_system.json --globe Jupiter --output jupiter.png
  sphaera map moons.json --globe Jupiter --disc star --output face.png
  sphaera map moons.json --globe Jupiter --show light,irradiance --times 0:7200:1800 --output series.png
  sphaera map crowd.csv --plane 0,0,1.6,40,0,0,0,40,0 --show sky --up 0,0,1 --output open_sky.png
  sphaera map level.json --plane 0,0,1.6,40,0,0,0,40,0 --show seen --to cameras.csv --output seen.png
  sphaera map belt.csv --star 0,0,0,1e9 --plane=-9e11,-9e11,1e9,1.8e12,0,0,0,1.8e12,0 --output belt.png
)";
  }

 public:
  void declare(CLI::App& app) override {
    describe(app, about, help());
    surface_.declare(app);
    add_callback(
        app, "--show", [this](const std::string& words) { set_shown(words); },
        "What a picture shows: fraction, flux (default), light or irradiance of stars; sky or sky_by_cosine; "
        "seen. "
        "Several, with commas between them: a map of each")
        .some_of({quantity_names.begin(), quantity_names.end()})
        .type_name("QUANTITY,...");
    sky_.declare(app,
                 "Of --show sky on a plane: the normal of its receivers; default: they see the whole sky");
    add_query_file(app, "--to", to_, "Targets of --show seen", files::query_columns<Vec3>().text());
    add_flag(app, "--to-spheres", to_spheres_, "Instead of --to: the centers of the scene's own spheres");
    add_text(app, "--of", of_,
             "The star to show, by number or name; default 0. Of a "
             "picture also several, with commas between them, or all: a map of each")
        .type_name("STAR,...");
    star_options_.declare(app);
    add_text(app, "--title", title_, "Of a picture; default: what is shown, and where").type_name("TEXT");
    std::vector<std::string> formats{"png"};
    formats.insert(formats.end(), files::table_formats.begin(), files::table_formats.end());
    add_text(
        app, "--format", format_,
        io::joined(formats, " or ") + ". Default: by the output's extension; csv if that names no format")
        .one_of(formats)
        .type_name("FORMAT");
    columns_.declare(app);
    answer_.declare(app, EmbreeAnswers::no);
    layers_.declare(app);
    scene_.declare(app);
    scene_.declare_times(app);
    scene_.declare_light_time(app);
    index_.declare(app);
    common_.declare(app);
    part_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      check();
      const Console console = common_.console();
      if (is_picture()) {
        picture_.emplace(io::Output(common_.output));
      } else {
        std::vector<files::Column> all = columns().list();
        add_time_columns(all, scene_);
        const std::vector<std::size_t> chosen = columns_.shown_of(all);
        table_.emplace(common_.output, table_format(), columns(), std::move(all), chosen);
        part_.open(common_, answer_.shard, table_format());
      }
      SceneOptions loading = scene_;
      loading.reading.elsewhere = {"x", "y", "z"};  // of --observers and --to
      LoadedScene file = open_scene(loading, console, stop, part_.scene_files());
      common_.protect_files_of(file);
      scene_.given_times ? map_times(file, console, stop) : map(scene_, answer_, file, console, stop);
      part_.commit(sink().finish());
    });
  }

 private:
  MapColumns columns() const { return MapColumns(shown_); }
  bool shows(Quantity quantity) const { return std::ranges::find(shown_, quantity) != shown_.end(); }
  bool shows_stars() const { return std::ranges::any_of(shown_, is_of_stars); }
  bool shows_light_alone() const { return std::ranges::all_of(shown_, is_of_stars); }
  Sink& sink() { return picture_ ? static_cast<Sink&>(*picture_) : *table_; }

  /// Maps all times, or of a table those of a shard.
  void map_times(const LoadedScene& file, const Console& console, const std::stop_token& stop) {
    times_ = times_of(scene_, file).count;
    at_each_time(scene_, answer_, file, part_, console, stop, [&](RunAtTime run) {
      if (table_) set_time(table_->table(), run.moment);
      moment_ = run.moment;
      move_to(run.file, run.scene);
      map(run.scene, run.answers, run.file, run.console, stop);
    });
  }

  /// Maps the scene at the time of the options.
  void map(const SceneOptions& scene_options, const AnswerOptions& asked, LoadedScene& file,
           const Console& console, const std::stop_token& stop) {
    const LayerMask mask = layers_.mask(file);
    std::vector<NamedStar> stars;
    if (shows_stars() || surface_.is_seen_from_star()) stars = stars_of(file, star_options_, scene_.path);
    MapWords words{.stars = stars, .chosen = stars_called(stars), .unit = file.unit};
    MapQuestion question = question_about(words);
    if (shows(Quantity::seen)) question.targets = targets_of(file, console, stop);
    const NamedStar* const star = stars.empty() ? nullptr : &stars[words.chosen.front()];
    const PlacedSurface placed =
        surface_.place(file, star, scene_.reading.csv, console, stop, part_.query_files());
    words.where = placed.where, words.view = placed.view;
    if (question.targets) words.targets = question.targets->points.size();
    if (question.light) note_radii(stars, file, mask, console);
    if (picture_) picture_->begin(frames_of(*placed.surface, words, scene_options, file, mask));
    const Scene scene = index_scene(file, index_.quality, console, stop);
    const QueryOptions options{.layers = mask, .search = asked.search, .stop = stop};
    if (question.targets) note_hidden_targets(*question.targets, scene, options, console);
    if (question.light) leave_out_cut_stars(stars, *question.light, scene, file, options, console);
    fill(*placed.surface, question, scene, options, asked.shard, console);
    verify(*placed.surface, question, scene, options, asked, console);
  }

  /// Throws Error bad_file if no star has the irradiance that a picture is to show.
  MapQuestion question_about(const MapWords& words) const {
    MapQuestion question;
    if (shows_stars()) question.light.emplace(words.stars, words.chosen);
    if (shows(Quantity::irradiance) && is_picture() && !question.light->has_irradiance())
      io::fail(scene_.path.string(),
               "no star has a luminosity; give one \"luminosity\", in watts, in a JSON scene");
    if (std::ranges::any_of(shown_, is_of_sky))
      question.sky = {sky_.options, surface_.is_plane() ? std::optional(sky_.up) : std::nullopt};
    return question;
  }

  SightPoints targets_of(const LoadedScene& file, const Console& console, const std::stop_token& stop) {
    if (to_spheres_) return centers_of(file);
    SightPoints to = read_targets(
        to_,
        {.spheres = file.bodies().size(),
         .rows = {.names = &file.names, .csv = scene_.reading.csv, .skip_bad = scene_.reading.skip_bad_rows},
         .no_times = no_sight_times,
         .control = {stop, {}, part_.query_files()}},
        console);
    if (to.points.empty()) io::fail(to_.string(), "it has no target; give one or more");
    return to;
  }

  void note_hidden_targets(const SightPoints& to, const Scene& scene, const QueryOptions& options,
                           const Console& console) const {
    const std::uint64_t hidden = hidden_targets(to, scene, options);
    if (hidden == 0) return;
    console.note(
        fmt::format("--show seen: {} of {} lie in a sphere, so that nothing sees them; {}leave it out by "
                    "--not-layers",
                    hidden, counted(to.points.size(), "target"),
                    to_spheres_ ? "" : "name it in the column ignore of --to, or "));
  }

  /// Names the stars that a sphere cuts, before the work.
  void leave_out_cut_stars(const std::vector<NamedStar>& stars, Lighting& lighting, const Scene& scene,
                           const SceneFile& file, const QueryOptions& options, const Console& console) const {
    const std::vector<CutStar> cut = cut_stars(stars, scene, options);
    warn_of(cut, stars, file, "it has no numbers, and the irradiance is that of the other stars", console);
    lighting.leave_out(cut);
    if (shows(Quantity::irradiance) && is_picture() && !lighting.has_irradiance())
      io::fail(scene_.path.string(), "each star with a luminosity is cut by a sphere; see 'sphaera info'");
  }

  void set_shown(const std::string& words) {
    shown_.clear();
    for (const std::string& word : split(words)) {
      const auto quantity =
          static_cast<Quantity>(std::ranges::find(quantity_names, word) - quantity_names.begin());
      if (shows(quantity)) refuse_value("--show", word + " comes twice; give each once");
      shown_.push_back(quantity);
    }
  }

  bool is_picture() const {
    return format_.empty() ? common_.output.extension() == ".png" : format_ == "png";
  }

  files::TableFormat table_format() const {
    const auto named = std::ranges::find(files::table_formats, format_);
    if (named != files::table_formats.end())
      return static_cast<files::TableFormat>(named - files::table_formats.begin());
    return result_format(common_.output).value_or(files::TableFormat::csv);
  }

  /// Checks that need no scene.
  void check() {
    surface_.check();
    check_sky();
    check_times(scene_);
    check_targets();
    if (scene_.given_times) check_read_at_each_time(surface_.observers()), check_read_at_each_time(to_);
    if (!is_picture()) part_.add_output(common_);
    common_.protect("the scene", scene_.path);
    common_.protect("the file of observers", surface_.observers());
    common_.protect("the file of targets", to_);
    if (format_.empty() && is_other_picture(common_.output))
      throw UsageError("--output: pictures are PNG; give a name that ends in .png, or a --format");
    if (!is_picture()) return check_compression(common_.output, table_format());
    if (!surface_.is_grid())
      throw UsageError("--observers: a picture needs --pixels WxH, the receivers in a row and in a column");
    if (!columns_.shown.empty())
      throw UsageError("--output-columns: a picture has none; give --format, or a table's name");
    if (answer_.shard.count > 1)
      throw UsageError("--shard: a picture needs all of its receivers; shard a table, and merge it");
  }

  void check_targets() const {
    if (!shows(Quantity::seen) && (to_spheres_ || !to_.empty()))
      throw UsageError("--to, --to-spheres: these targets are for --show seen; give it, or leave them out");
    if (shows(Quantity::seen) && to_.empty() != to_spheres_)
      throw UsageError("--show: seen needs targets; give either --to FILE or --to-spheres");
  }

  void check_sky() const {
    if (sky_.up != Vec3{} && !surface_.is_plane())
      throw UsageError("--up: only a --plane needs it; a globe and --observers have normals of their own");
    if (shows(Quantity::sky_by_cosine) && surface_.is_plane() && sky_.up == Vec3{})
      throw UsageError("--show: sky_by_cosine needs a normal; give --up, such as --up 0,0,1");
  }

  /// The stars of --of: all, one, or several with commas between them.
  std::vector<std::size_t> stars_called(const std::vector<NamedStar>& stars) const {
    if (stars.empty()) return {};
    if (of_.empty()) return {0};
    std::vector<std::size_t> called;
    if (std::ranges::find(stars, of_, &NamedStar::name) != stars.end()) {
      called = {star_called(of_, stars)};
    } else if (of_ == "all") {
      called.resize(stars.size());
      std::iota(called.begin(), called.end(), std::size_t{0});
    } else {
      for (const std::string& word : split(of_)) {
        const std::size_t star = star_called(word, stars);
        if (std::ranges::find(called, star) != called.end())
          throw UsageError("--of: " + word + " comes twice; give each star once");
        called.push_back(star);
      }
    }
    if (called.size() > 1 && !is_picture())
      throw UsageError("--of: a table has the light of one star; give one, or a picture's name");
    return called;
  }

  static std::size_t star_called(const std::string& word, const std::vector<NamedStar>& stars) {
    std::int64_t number = 0;
    if (io::parse_integer(word, number) == io::Parse::ok && number >= 0 &&
        static_cast<std::uint64_t>(number) < stars.size()) {
      return static_cast<std::size_t>(number);
    }
    const auto found = std::ranges::find(stars, word, &NamedStar::name);
    if (found == stars.end()) {
      throw UsageError(fmt::format("--of: there is no star {}; give a name, a number from 0 to {}, or all",
                                   io::shown(word), stars.size() - 1));
    }
    return static_cast<std::size_t>(found - stars.begin());
  }

  /// All of the maps of a time but their colors and keys. Throws UsageError if all maps are too many.
  MapFrames frames_of(const Surface& surface, const MapWords& words, const SceneOptions& options,
                      const LoadedScene& file, LayerMask mask) const {
    Picture map;
    map.pixels = surface.pixels();
    map.aspect = surface.aspect();
    map.across = surface.across(), map.up = surface.up();
    map.graticule = surface.has_graticule();
    if (const std::optional<DiscView> disc = surface.disc()) map.disc = graticule_on(*disc);
    map.bodies = outlines(surface, file, mask);
    const std::vector<Shown> shown = shown_of(words);
    const std::uint64_t maps = times_ * shown.size();
    if (maps > 1 && !fit_on_sheet(map, maps, shown.size())) {
      throw UsageError(fmt::format(
          "{}: {} maps do not fit on a picture of {} pixels an edge; give {}fewer --pixels",
          moment_ ? "--times" : "--pixels", maps, longest_edge, moment_ ? "a longer STEP, or " : ""));
    }
    MapFrames frames{.title = title_.empty() ? title_of(words, shown) : title_,
                     .subtitle = subtitle_of(words, options, file, surface),
                     .shown = shown};
    for (const Shown& one : shown) {
      frames.maps.push_back(map);
      frames.maps.back().title = panel_title(words, one, shown.size());
      if (one.quantity != Quantity::light) frames.maps.back().bar = ColorBar{words.bar_label(one)};
    }
    return frames;
  }

  /// A map of each quantity, of those of one star a map of each chosen one.
  std::vector<Shown> shown_of(const MapWords& words) const {
    std::vector<Shown> maps;
    for (const Quantity quantity : shown_) {
      const std::size_t count = is_of_one_star(quantity) ? words.chosen.size() : 1;
      for (std::size_t star = 0; star < count; ++star) maps.push_back({quantity, star});
    }
    return maps;
  }

  static std::string title_of(const MapWords& words, std::span<const Shown> shown) {
    if (shown.size() == 1) return words.title(shown.front());
    return fmt::format("{} maps {}", shown.size(), words.where);
  }

  std::string panel_title(const MapWords& words, const Shown& shown, std::size_t maps) const {
    if (!moment_) return words.title(shown);
    const std::string when = moment_->date ? *moment_->date : fmt::format("time {}", moment_->time);
    return maps == 1 ? when : when + ": " + words.bar_label(shown);
  }

  std::string subtitle_of(const MapWords& words, const SceneOptions& options, const LoadedScene& file,
                          const Surface& surface) const {
    constexpr const char* gap = "   ";
    const double time = options.time(file);
    std::string text = scene_.path.filename().string();
    if (!moment_ && time != 0) {
      const std::optional<io::Instant>& date = options.given_time->date;
      text += date ? " at " + io::date_text(*date) : fmt::format(" at time {}", time);
    }
    for (const std::string& part : {words.view, words.stars_shown(shown_)})
      if (!part.empty()) text += gap + part;
    const auto& [columns, rows] = surface.pixels();
    return text + gap + counted(file.bodies().size(), "sphere") + gap +
           (surface.disc() ? counted(surface.count(), "receiver")
                           : fmt::format("{} × {} receivers", columns, rows));
  }

  /// Of the bodies that the plane cuts; at most 10,000, those of low ids.
  static std::vector<MapEllipse> outlines(const Surface& surface, const LoadedScene& file, LayerMask mask) {
    constexpr std::size_t most = 10'000;
    std::vector<MapEllipse> found;
    const std::optional<Plane> plane = surface.plane();
    for (std::size_t i = 0; plane && i < file.bodies().size() && found.size() < most; ++i) {
      if (!on_layers(file, mask, i)) continue;
      if (const auto ellipse = section(*plane, file.bodies()[i])) found.push_back(*ellipse);
    }
    return found;
  }

  struct Piece {
    std::uint64_t first = 0;
    std::vector<Receiver> receivers{};
    std::vector<MapAnswer> answers{};
  };

  /// Passes the answers of the receivers of this shard to the output, in order.
  void fill(const Surface& surface, const MapQuestion& question, const Scene& scene,
            const QueryOptions& options, const files::Shard& shard, const Console& console) {
    constexpr std::uint64_t piece_size = 1 << 10;
    const auto& [index, count] = shard;
    std::uint64_t next = files::shard_begin(surface.count(), index - 1, count);
    const std::uint64_t begin = next, end = files::shard_begin(surface.count(), index, count);
    part_.answered({begin, end - begin, surface.count()});
    Progress progress(console, "mapping");
    in_order<Piece>(
        [&]() -> std::unique_ptr<Piece> {
          if (next == end) return nullptr;
          auto piece = std::make_unique<Piece>(Piece{next});
          next = std::min(next + piece_size, end);
          for (std::uint64_t i = piece->first; i < next; ++i) piece->receivers.push_back(surface.receiver(i));
          return piece;
        },
        [&](Piece& piece, const Turn&) { piece.answers = question.answers(scene, piece.receivers, options); },
        [&](Piece& piece) {
          for (std::size_t i = 0; i < piece.answers.size(); ++i)
            sink().take(surface.pixel(piece.first + i), piece.receivers[i], piece.answers[i]);
          const std::uint64_t done = piece.first + piece.answers.size() - begin;
          progress.set_fraction(static_cast<double>(done) / static_cast<double>(end - begin));
        });
  }

  /// Answers random receivers of the whole surface, or all of them, by both searches.
  void verify(const Surface& surface, const MapQuestion& question, const Scene& scene,
              const QueryOptions& options, const AnswerOptions& asked, const Console& console) const {
    const std::uint64_t wanted = std::min(asked.verify, surface.count());
    if (wanted == 0) return;
    const std::uint64_t seed = asked.seed ? *asked.seed : std::random_device{}();
    QueryOptions other = options;
    other.search = asked.verifier(EmbreeAnswers::no);
    Progress progress(console, "verifying");
    workload::Random random(seed, workload::Purpose::ray, 0);
    for (std::uint64_t i = 0; i < wanted; ++i) {
      const std::uint64_t number = asked.verify == verify_all ? i : random.bits() % surface.count();
      const std::vector<Receiver> one{surface.receiver(number)};
      if (!same(one[0], question.answers(scene, one, options)[0], question.answers(scene, one, other)[0])) {
        throw Mismatch(fmt::format("receiver {}: {} differ{}; please report this scene and surface",
                                   surface.pixel(number), both_of(options.search, other.search),
                                   asked.seed_note(seed)));
      }
      progress.set_fraction(static_cast<double>(i + 1) / static_cast<double>(wanted));
    }
    progress.clear();
    console.note(fmt::format(
        "{} of {} receivers answered again by {}: {}{}", wanted, surface.count(), name_of(other.search),
        shows_light_alone() ? "the same light" : "the same answers", asked.seed_note(seed)));
  }

  /// The same row, and the same of what no column shows.
  bool same(const Receiver& receiver, const MapAnswer& a, const MapAnswer& b) const {
    return columns().same({0, &receiver, &a}, {0, &receiver, &b}) &&
           std::ranges::equal(a.lit.seen, b.lit.seen, same_light);
  }

  static bool same_light(const Visibility& a, const Visibility& b) {
    return files::cells::same(a.fraction, b.fraction) && files::cells::same(a.flux, b.flux) &&
           light_word(a) == light_word(b) && a.dominant == b.dominant && a.occluders == b.occluders;
  }

  CommonOptions common_;
  SceneOptions scene_;
  LayerOptions layers_;
  IndexOptions index_;
  AnswerOptions answer_;
  StarOptions star_options_;
  SurfaceOptions surface_;
  SkySettings sky_;
  std::filesystem::path to_;
  bool to_spheres_ = false;
  std::vector<Quantity> shown_{Quantity::flux};
  std::string of_, title_, format_;
  PartRecord part_;
  ColumnOptions columns_;
  std::optional<TableSink> table_;
  std::optional<PictureSink> picture_;  // if it is no table
  std::optional<Moment> moment_;        // with --times: that of the map
  std::uint64_t times_ = 1;             // of the maps
};

}  // namespace

const VerbEntry map_verb{"map", "starlight or open sky over a plane or a globe, as a picture or a table",
                         make_verb<Map>};

}  // namespace sphaera::tool
