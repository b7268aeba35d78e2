/// \file The functions of <sphaera/scene_file.hpp>.

#include <algorithm>
#include <base/floating_point_environment.hpp>
#include <io/scene/attachment.hpp>
#include <io/scene/scene_check.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_read.hpp>
#include <io/streams/byte_reader.hpp>
#include <io/streams/output.hpp>
#include <sphaera/scene_file.hpp>

namespace sphaera {
SceneFile SceneFile::load(const std::filesystem::path& path, const SceneLoadOptions& options) {
  const base::FloatingPointEnvironment mode;
  return io::read_scene(path, options);
}

SceneFile SceneFile::parse(std::string_view bytes, const std::filesystem::path& name,
                           const SceneLoadOptions& options) {
  const base::FloatingPointEnvironment mode;
  const io::SceneFormat& format = io::scene_format(name);
  const auto source = io::memory_source(name.string(), bytes);
  return io::read_scene(*source, format, name.parent_path(), options);
}

std::vector<std::string> SceneFile::save(const std::filesystem::path& path) const {
  const base::FloatingPointEnvironment mode;
  const io::SceneFormat& format = io::written_format(path);
  io::check_scene(*this);
  io::Output output(path);
  std::vector<std::string> left_out = io::write_scene(*this, format, output);
  output.commit();
  return left_out;
}

std::vector<std::byte> SceneFile::attachment() const {
  const base::FloatingPointEnvironment mode;
  io::check_scene(*this);
  try {
    return io::attachment_of(*this, true);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "not enough memory for the attachment");
  }
}

int SceneFile::find_layer(std::string_view name) const {
  const auto found = std::find(layer_names.begin(), layer_names.end(), name);
  return found == layer_names.end() ? -1 : static_cast<int>(found - layer_names.begin());
}

}  // namespace sphaera
