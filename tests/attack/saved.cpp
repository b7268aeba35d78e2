#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <tests/attack/examples.hpp>
#include <tests/attack/saved.hpp>
#include <tests/attack/use.hpp>
#include <tests/inputs/saved_scene_bytes.hpp>
#include <tests/queries/every_query.hpp>
#include <tools/workload/workload.hpp>

namespace sphaera::attack {
namespace {

/// A crowd on a planet: frames within frames.
Scene nested() {
  std::vector<Sphere> bodies{{{0, 0, 0}, 6.4e6}, {{4e8, 0, 0}, 1.7e6}};
  for (int i = 0; i < 40; ++i) bodies.push_back({{6.4e6 + 1, 2.0 * (i % 8), 2.0 * (i / 8)}, 0.4});
  return Scene::build(bodies, {.threads = 1});
}

Scene moving() {
  std::vector<Sphere> bodies;
  std::vector<Vec3> velocities;
  std::vector<std::uint32_t> owners;
  for (int i = 0; i < 20; ++i) {
    bodies.push_back({{2.0 * i, 0.1 * i * i, 0}, 0.5});
    velocities.push_back({0, 0.1 * i, 1});
    owners.push_back(static_cast<std::uint32_t>(i % 3));
  }
  BuildOptions options{.owners = owners, .velocities = velocities, .horizon = {-1, 5}, .threads = 1};
  options.generations = true;
  Scene scene = Scene::build(bodies, options);
  scene.erase(4);
  scene.set_enabled(std::vector<std::int64_t>{7}, false);
  return scene;
}

std::string saved(const Scene& scene, std::span<const std::byte> attachment,
                  const std::filesystem::path& scratch) {
  const std::string path = (scratch / "example.sphi").string();
  scene.save(path, {.attachment = attachment});
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A file in memory, by its name in /proc.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : file_(::memfd_create("saved", MFD_CLOEXEC)) {
    require(file_ >= 0 && ::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
            "no file in memory can be made");
  }
  ~MemoryFile() { ::close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

void ask(const Scene& scene) {
  test::Questions questions = test::questions_along(
      {{{-20, 0.1, 0.2}, {1, 0, 0}}, {{0, 0, 0}, {0.3, 0.2, 0.1}}, {{6.4e6 + 3, 1, 1}, {-1, 0.01, 0.02}}}, 3);
  questions.spheres = 8;
  for (const test::Query* query : test::every_query()) {
    try {
      query->rows(scene, questions, query->fitting(scene, questions, {.threads = 1}));
    } catch (const Error& error) {
      if (error.code() == ErrorCode::bad_file) throw;  // the first use checks the file
      // Such as a bullet that starts before the horizon.
      require(error.code() == ErrorCode::invalid_argument,
              std::string("a query of an opened scene: ") + error.what());
    }
  }
}

}  // namespace

std::vector<std::string> saved_examples(const std::filesystem::path& scratch) {
  std::vector<std::string> files;
  for (const SceneFile& file : example_scenes()) {
    const Scene scene =
        Scene::build(file.spheres, {.layers = file.layers, .quality = BuildQuality::compact, .threads = 1});
    files.push_back(saved(scene, file.attachment(), scratch));
  }
  files.push_back(saved(nested(), {}, scratch));
  files.push_back(saved(moving(), {}, scratch));
  return files;
}

Outcome open_saved(const Format&, std::string_view bytes) {
  std::string sealed(bytes);
  test::seal(sealed);
  const MemoryFile file(sealed);
  try {
    Scene scene = Scene::open(file.path());
    ask(scene);
    scene.erase(scene.insert(Sphere{{1, 2, 3}, 0.5}));
    ask(scene);
    return Outcome::accepted;
  } catch (const Error& error) {
    require(error.code() == ErrorCode::bad_file, std::string("no bad_file: ") + error.what());
    require(error.subject() == file.path(), std::string("no path: ") + error.what());
    return Outcome::refused;
  }
}

}  // namespace sphaera::attack
