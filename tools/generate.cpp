#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <array>
#include <io/fail.hpp>
#include <io/scene_write.hpp>
#include <tools/exit.hpp>
#include <tools/matrix_file.hpp>
#include <tools/options.hpp>
#include <tools/ordered.hpp>
#include <tools/verb.hpp>
#include <workload/workload.hpp>

namespace sphaera::tool {
namespace {

constexpr const char* about = R"(
Makes up a scene, and rays that fit it, the same bits on every machine for the same KIND, N and seed.)";

constexpr const char* help = R"(
Kinds (their density stays the same as N grows):
  crowd         people in groups of 5 to 60 on rolling terrain, radii 0.25 to 0.6 m; rays are bullets, nearly
                level, 200 m long
  belt          bodies in a thick disc around the origin, radii by a power law; rays are lines of sight from
                places in the disc to its centre
  uniform       spheres strewn evenly over a cube, one a unit of volume, radii 0.05 to 0.3; rays go from
                everywhere to everywhere, without end
  astronomical  such a belt in metres: 1e11 to 1e12 from the centre, radii 1e2 to 1e7; each line of sight passes a
                body within twice its radius
  earth         the crowd in Earth-centred coordinates, 6.4e6 m from the origin
  planet        six crowds on a planet of 6.4e6 m with moons, in a solar system of 1e13 m (the first 16 spheres);
                rays are bullets in the crowds

Result: a scene with x,y,z,r as .csv, .npy, .json or .ply; and with --rays a file of
ox,oy,oz,dx,dy,dz,tmin,tmax, in NPY if its name ends in .npy, else CSV. .csv and .npy are written piece by
piece, the other formats from memory.

Example:
  sphaera generate crowd --spheres 1e6 --seed 7 --output crowd.npy --rays 1e6 --rays-output shots.npy
)";

constexpr std::array<std::string_view, 4> sphere_columns{"x", "y", "z", "r"};
constexpr std::array<std::string_view, 8> ray_columns{"ox", "oy", "oz", "dx", "dy", "dz", "tmin", "tmax"};

class Generate : public Verb {
 public:
  void declare(CLI::App& app) override {
    describe(app, about, help);
    app.add_option_function<std::string>(
           "KIND",
           [this](const std::string& name) {
             kind_ = workload::kind_named(name);
             if (!kind_)
               throw CLI::ValidationError("KIND", io::shown(name) + " is none; give " + kind_list());
           },
           kind_list())
        ->type_name("")
        ->required();
    add_count(
        app, "--spheres", [this](std::uint64_t n) { spheres_ = n; }, "Spheres in the scene", 0)
        ->required();
    add_seed(app, [this](std::uint64_t seed) { seed_ = seed; })->description("Default 1");
    CLI::Option* rays = add_count(
        app, "--rays", [this](std::uint64_t n) { rays_ = n; }, "Rays to go with it", 0);
    CLI::Option* rays_output =
        app.add_option("--rays-output", rays_output_, "Where the rays go; -: standard output")
            ->type_name("FILE");
    rays->needs(rays_output);
    rays_output->needs(rays);
    format_.declare(app);
    common_.declare(app);
  }

  void run(const std::stop_token& stop) override {
    on_threads(common_.threads, [&] {
      const workload::Generator generator(*kind_, spheres_, seed_);
      const io::SceneFormat format = format_.format_for(common_.output);
      if (!rays_) return write_spheres(generator, format, stop);
      if (rays_output_ == "-" && common_.output.empty()) {
        throw UsageError("spheres and rays cannot both go to standard output; give --output a file");
      }
      io::Output rays(rays_output_ == "-" ? "" : rays_output_);
      write_rays(generator, rays, stop);
      write_spheres(generator, format, stop);
      rays.commit();
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

  void write_rays(const workload::Generator& generator, io::Output& output,
                  const std::stop_token& stop) const {
    const auto fill = [&](std::uint64_t first, std::span<double> numbers) {
      for (auto to = numbers.begin(); to != numbers.end(); ++first) {
        const auto& [o, d, t_min, t_max] = generator.ray(first);
        to = std::ranges::copy(std::array{o.x, o.y, o.z, d.x, d.y, d.z, t_min, t_max}, to).out;
      }
    };
    const MatrixFormat format = rays_output_.extension() == ".npy" ? MatrixFormat::npy : MatrixFormat::csv;
    write_matrix({"rays", ray_columns, *rays_, fill}, format, output, common_.console(), stop);
  }

  void write_spheres(const workload::Generator& generator, io::SceneFormat format,
                     const std::stop_token& stop) const {
    if (format == io::SceneFormat::json || format == io::SceneFormat::ply) {
      io::SceneFile scene;
      scene.spheres = workload::spheres(*kind_, spheres_, seed_);
      io::write_scene(scene, format, common_.output);
      return;
    }
    const auto fill = [&](std::uint64_t first, std::span<double> numbers) {
      for (auto to = numbers.begin(); to != numbers.end(); ++first) {
        const auto& [c, r] = generator.sphere(first);
        to = std::ranges::copy(std::array{c.x, c.y, c.z, r}, to).out;
      }
    };
    io::Output output(common_.output);
    write_matrix({"spheres", sphere_columns, spheres_, fill},
                 format == io::SceneFormat::npy ? MatrixFormat::npy : MatrixFormat::csv, output,
                 common_.console(), stop);
    output.commit();
  }

  CommonOptions common_;
  SceneFormatOptions format_;
  std::optional<workload::Kind> kind_;
  std::uint64_t spheres_ = 0, seed_ = 1;
  std::optional<std::uint64_t> rays_;
  std::filesystem::path rays_output_;
};

}  // namespace

std::unique_ptr<Verb> generate_verb() { return std::make_unique<Generate>(); }

}  // namespace sphaera::tool
