/// Any bytes as a saved scene, with right checksums: a bad file, or a scene that answers.

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <string>
#include <tests/inputs/saved_scene_bytes.hpp>
#include <tests/queries/every_query.hpp>

using namespace sphaera;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string file(reinterpret_cast<const char*>(bytes), size);
  test::seal(file);
  const int memory = ::memfd_create("saved", MFD_CLOEXEC);
  if (memory < 0 || ::write(memory, file.data(), file.size()) != static_cast<ssize_t>(file.size()))
    __builtin_trap();
  const std::string path = "/proc/self/fd/" + std::to_string(memory);
  try {
    Scene scene = Scene::open(path);
    (void)scene.size();
    test::Questions questions =
        test::questions_along({{{-20, 0.1, 0.2}, {1, 0, 0}}, {{0, 0, 0}, {0.3, 0.2, 0.1}}}, 2);
    questions.spheres = 4;
    for (const test::Query* query : test::every_query()) {
      try {
        query->rows(scene, questions, query->fitting(scene, questions, {.threads = 1}));
      } catch (const Error& error) {                     // such as a bullet that starts before the horizon
        if (error.code() == ErrorCode::bad_file) throw;  // the first use checks the file
        if (error.code() != ErrorCode::invalid_argument) __builtin_trap();
      }
    }
    scene.erase(scene.insert(Sphere{{1, 2, 3}, 0.5}));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::bad_file || error.subject() != path) __builtin_trap();
  }
  ::close(memory);
  return 0;
}
