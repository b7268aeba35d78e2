#pragma once
/// \file Scratch folders, scenes and queries as bytes, and the errors of their readers.

#include <unistd.h>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_read.hpp>
#include <io/streams/byte_reader.hpp>
#include <io/streams/output.hpp>
#include <iterator>
#include <sphaera/error.hpp>
#include <string>
#include <string_view>
#include <tests/catch.hpp>
#include <tests/folders.hpp>
#include <tools/files/queries/query_file.hpp>

namespace sphaera::test {

namespace fs = std::filesystem;

/// A folder that is removed at the end of the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "sphaera-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path operator/(const fs::path& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

  fs::path write(const fs::path& name, std::string_view bytes) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }

  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

inline std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline fs::path data(const std::string& name) { return fs::path(data_folder()) / name; }

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The message of the Error that `f` must throw.
inline std::string error_of(const std::function<void()>& f, ErrorCode code = ErrorCode::bad_file) {
  try {
    f();
  } catch (const Error& error) {
    CHECK(error.code() == code);
    return error.what();
  }
  FAIL_CHECK("no error");
  return {};
}

/// As io::write_scene, to a file.
inline std::vector<std::string> write_scene(const SceneFile& scene, const io::SceneFormat& format,
                                            const fs::path& path) {
  io::Output output(path);
  std::vector<std::string> left_out = io::write_scene(scene, format, output);
  output.commit();
  return left_out;
}

inline SceneFile scene_of(std::string_view bytes, const std::string& name,
                          const SceneLoadOptions& options = {}) {
  return io::read_scene(*io::memory_source(name, bytes), io::scene_format(name), "/nowhere", options);
}

inline std::string scene_error(std::string_view bytes, const std::string& name,
                               const SceneLoadOptions& options = {}) {
  return error_of([&] { scene_of(bytes, name, options); });
}

template <class Query>
files::QueryChunk<Query> queries_of(std::string_view bytes, const std::string& name,
                                    std::uint64_t spheres = UINT64_MAX) {
  files::QueryReadOptions options;
  options.spheres = spheres;
  files::QueryReader<Query> reader(io::memory_source(name, bytes), options);
  files::QueryChunk<Query> all, chunk;
  while (reader.next(chunk, 3)) {
    CHECK(chunk.first == all.queries.size());
    all.queries.insert(all.queries.end(), chunk.queries.begin(), chunk.queries.end());
    all.ignore.insert(all.ignore.end(), chunk.ignore.begin(), chunk.ignore.end());
  }
  return all;
}

template <class Query>
std::string query_error(std::string_view bytes, const std::string& name, std::uint64_t spheres = UINT64_MAX) {
  return error_of([&] { queries_of<Query>(bytes, name, spheres); });
}

/// An NPY file with the header dictionary as given.
inline std::string npy_file(std::string header, std::string_view body, int version = 1) {
  std::string file = "\x93NUMPY";
  file += {static_cast<char>(version), '\0', static_cast<char>(header.size() & 255),
           static_cast<char>(header.size() >> 8)};
  if (version > 1) file += {'\0', '\0'};
  return file + header + std::string(body);
}

inline std::string npy_matrix(const std::vector<double>& values, std::size_t columns) {
  return npy_file("{'descr': '<f8', 'fortran_order': False, 'shape': (" +
                      std::to_string(values.size() / columns) + ", " + std::to_string(columns) + "), }\n",
                  {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

/// Doubles as bits: −0 differs from 0, and NaNs differ from each other.
inline bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
inline bool same_bits(const Vec3& a, const Vec3& b) {
  return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

}  // namespace sphaera::test
