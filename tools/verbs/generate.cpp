#include <fmt/core.h>

#include <array>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>
#include <tools/answers/matrix_file.hpp>
#include <tools/answers/ordered_pipeline.hpp>
#include <tools/options/shared_options.hpp>
#include <tools/terminal/exit.hpp>
#include <tools/verbs/verbs.hpp>
#include <tools/workload/workload.hpp>

namespace sphaera::tool {
namespace {

constexpr std::array<std::string_view, 7> sphere_columns{"x", "y", "z", "r", "vx", "vy", "vz"};
constexpr std::size_t columns_at_rest = 4;
constexpr std::size_t ray_numbers = 8, bullet_numbers = 9;  // all but `ignore`

/// Copies the numbers to `to` and moves `to` past the last one.
template <std::size_t n>
void put(double*& to, const std::array<double, n>& numbers) {
  to = std::ranges::copy(numbers, to).out;
}

/// A file of queries that goes with the scene: how many, and where.
struct Companion {
  std::string option;  ///< such as "--rays"
  std::optional<std::uint64_t> count{};
  std::filesystem::path output{};

  void declare(CLI::App& app, const std::string& what) {
    const DeclaredOption number =
        add_count(app, option, [this](std::uint64_t n) { count = n; }, "Number of " + what, 0);
    const DeclaredOption file =
        add_file(app, option + "-output", output, "Where the " + option.substr(2) + " go; -: standard output")
            .type_name("FILE");
    number.needs(file);
    file.needs(number);
  }
  OutputName name() const { return {option + "-output", output == "-" ? "" : output}; }
  const io::MatrixFormat& format() const { return *files::query_format(output.string()).matrix; }

  void check() const {
    std::vector<std::string> known, words;
    for (const files::QueryFormat* format : files::query_formats) {
      const std::string extension = format->extension();
      if (output.extension() == extension) return;
      if (format->is_text) known.push_back(extension);
      words.push_back(extension + (format->is_text ? ", perhaps with .gz," : ""));
    }
    check_extension(output, known, option + "-output writes " + io::joined(words, " or ") + "; rename it");
  }
  /// Opens the output; empty if this file is not requested.
  std::optional<io::Output> open() const {
    return count ? std::optional<io::Output>(std::in_place, name().file) : std::nullopt;
  }
};

class Generate : public Verb {
  static constexpr const char* about = R"(
Generates a scene, and rays or bullets that fit it: the same bits on every machine for the same KIND, N and seed.)";
  /// The formats of scenes that are matrices are written piece by piece.
  enum class Written : bool { at_once, in_pieces };
  static std::string extensions(Written written, const char* last) {
    std::vector<std::string> names;
    for (const io::SceneFormat* format : io::written_formats)
      if (Written{format->matrix != nullptr} == written) names.push_back(format->extension());
    return io::joined(names, last);
  }

  static std::string help() {
    return R"(
Kinds (density stays the same as N grows, but for belts, whose disc has a fixed size):
  crowd         people in groups of 5 to 60 on rolling terrain, radii 0.25 to 0.6 m; rays are bullets, nearly
                level, 200 m long
  belt          bodies in a thick disc around the origin, radii by a power law; rays are lines of sight from
                places in the disc to its center
  uniform       spheres spread evenly over a cube, one per unit of volume, radii 0.05 to 0.3; rays have
                random origins and directions, and no end
  astronomical  such a belt in meters: 1e11 to 1e12 from the center, radii 1e2 to 1e7; each line of sight passes a
                body within twice its radius
  earth         the crowd in Earth-centered coordinates, 6.4e6 m from the origin
  planet        six crowds on a planet of 6.4e6 m with moons, in a solar system of 1e13 m (the first 16 spheres);
                rays are bullets in the crowds
  hard_belt     a belt with fewer large bodies; rays are lines of sight to its center from places outside all
                bodies, found by an index of the scene
  people        the crowd, each person of three spheres (legs, body, head: rows 3p, 3p + 1, 3p + 2), 1.5 to 1.9 m tall

Where there are people (crowd, earth, planet, people), --moving gives them velocities: a group walks at 0.5 to 2 m/s, and
each person deviates a little. Bullets follow the rays: among people at 300 to 900 m/s with a radius of 4 mm,
starting within one second; elsewhere the ray's direction is the velocity.

Result: a scene with x,y,z,r, and with --moving vx,vy,vz; with --rays a file of ox,oy,oz,dx,dy,dz,tmin,tmax,
and with --bullets one of x,y,z,vx,vy,vz,radius,start,duration, in NPY if its name ends in .npy, else CSV.
)" + extensions(Written::in_pieces, " and ") +
           " are written piece by piece; " + extensions(Written::at_once, " and ") +
           R"( scenes are made in memory first.

Example:
  sphaera generate crowd --spheres 1e6 --seed 7 --output crowd.npy --rays 1e6 --rays-output rays.npy
  sphaera generate crowd --spheres 1e6 --moving --output walk.npy --bullets 1e6 --bullets-output bullets.npy
)";
  }

 public:
  void declare(CLI::App& app) override {
    describe(app, about, help());
    add_callback(
        app, "KIND",
        [this](const std::string& name) {
          kind_ = workload::kind_named(name);
          if (!kind_) refuse_value("KIND", io::shown(name) + " is not a kind; give " + kind_list());
        },
        kind_list())
        .type_name("")
        .required();
    add_count(
        app, "--spheres", [this](std::uint64_t n) { spheres_ = n; }, "Spheres in the scene", 0)
        .required();
    add_seed(app, [this](std::uint64_t seed) { seed_ = seed; }).description("Default 1");
    add_flag(app, "--moving", moving_, "People walk: spheres have velocities");
    rays_.declare(app, "rays");
    bullets_.declare(app, "bullets");
    format_.declare(app);
    common_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      check();
      const workload::Generator generator(*kind_, spheres_, seed_);
      const io::SceneFormat& format = format_.format_for(common_.output);
      io::Output spheres(common_.output);
      std::optional<io::Output> rays = rays_.open(), bullets = bullets_.open();
      if (rays) write_rays(generator, *rays, stop);
      if (bullets) write_bullets(generator, *bullets, stop);
      write_spheres(generator, format, spheres, stop);
      spheres.commit();
      if (rays) rays->commit();
      if (bullets) bullets->commit();
    });
  }

 private:
  static std::string kind_list() {
    std::string list;
    for (const workload::Kind kind : workload::kinds) {
      (list += list.empty() ? "" : ", ") += workload::name(kind);
    }
    return list;
  }

  void check() {
    constexpr std::uint64_t max_spheres = 0xfffffffe;
    if (spheres_ > max_spheres)
      throw UsageError("--spheres: a scene holds 2^32 − 2 spheres at most; give fewer");
    for (const Companion* companion : {&rays_, &bullets_}) {
      if (!companion->count) continue;
      companion->check();
      common_.more_outputs.push_back(companion->name());
    }
    common_.check_outputs();
    if (moving_ && !workload::has_people(*kind_))
      throw UsageError("--moving: nothing moves in this kind of scene; give crowd, earth, planet or people");
  }

  void write_rays(const workload::Generator& generator, io::Output& output,
                  const std::stop_token& stop) const {
    const std::vector<std::string_view> columns = files::query_columns<Ray>().names(ray_numbers);
    write({"rays", columns, *rays_.count}, rays_.format(), output, stop, [&](std::uint64_t i, double*& to) {
      const auto& [o, d, t_min, t_max] = generator.ray(i);
      put(to, std::array{o.x, o.y, o.z, d.x, d.y, d.z, t_min, t_max});
    });
  }

  void write_bullets(const workload::Generator& generator, io::Output& output,
                     const std::stop_token& stop) const {
    const std::vector<std::string_view> columns = files::query_columns<Bullet>().names(bullet_numbers);
    write({"bullets", columns, *bullets_.count}, bullets_.format(), output, stop,
          [&](std::uint64_t i, double*& to) {
            const auto& [o, v, radius, start, duration] = generator.bullet(i);
            put(to, std::array{o.x, o.y, o.z, v.x, v.y, v.z, radius, start, duration});
          });
  }

  /// put_row(i, to) writes the numbers of row i to `to` and moves `to` past them.
  template <class Put>
  void write(Matrix matrix, const io::MatrixFormat& format, io::Output& output, const std::stop_token& stop,
             const Put& put_row) const {
    matrix.fill = [&](std::uint64_t first, std::span<double> numbers) {
      for (double* to = numbers.data(); to != numbers.data() + numbers.size(); ++first) put_row(first, to);
    };
    write_matrix(matrix, format, output, common_.console(), stop);
    output.finish();
  }

  void write_spheres(const workload::Generator& generator, const io::SceneFormat& format, io::Output& output,
                     const std::stop_token& stop) const {
    if (format.matrix) return write_rows(generator, *format.matrix, output, stop);
    SceneFile scene;
    scene.spheres = workload::spheres(*kind_, spheres_, seed_);
    if (moving_) scene.velocities = workload::velocities(*kind_, spheres_, seed_);
    for (const std::string& sentence : io::write_scene(scene, format, output))
      common_.console().warn(sentence);
  }

  /// Writes the spheres in bounded memory.
  void write_rows(const workload::Generator& generator, const io::MatrixFormat& format, io::Output& output,
                  const std::stop_token& stop) const {
    const std::span<const std::string_view> columns(sphere_columns);
    write({"spheres", moving_ ? columns : columns.first(columns_at_rest), spheres_}, format, output, stop,
          [&](std::uint64_t i, double*& to) {
            const auto& [c, r] = generator.sphere(i);
            put(to, std::array{c.x, c.y, c.z, r});
            if (!moving_) return;
            const Vec3 v = generator.velocity(i);
            put(to, std::array{v.x, v.y, v.z});
          });
  }

  CommonOptions common_;
  SceneFormatOptions format_;
  std::optional<workload::Kind> kind_;
  std::uint64_t spheres_ = 0, seed_ = 1;
  bool moving_ = false;
  Companion rays_{"--rays"}, bullets_{"--bullets"};
};

}  // namespace

const VerbEntry generate_verb{"generate", "a generated scene, and rays or bullets that fit it",
                              make_verb<Generate>};

}  // namespace sphaera::tool
