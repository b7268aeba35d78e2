#pragma once
/// \file Scene file output.

#include <io/scene/scene_file.hpp>
#include <io/streams/output.hpp>
#include <string>
#include <vector>

namespace sphaera::io {

/// Writes a scene so that reading it gives the same doubles. A .json file holds everything but ephemerides
/// and layers without spheres; .csv holds spheres, velocities, names and layers; .npy and .ply (binary
/// little-endian doubles) hold spheres and velocities. Returns a sentence for each omitted property. The
/// caller commits `output`. Throws Error: io, out_of_memory.
std::vector<std::string> write_scene(const SceneFile& scene, SceneFormat format, Output& output);

/// Buffer that writes to an output in large pieces.
class OutputText {
 public:
  explicit OutputText(Output& output) : output_(output) {}

  std::string text;

  void row_done() {
    if (text.size() > piece) hand_over();
  }
  void hand_over() {
    output_.write(text);
    text.clear();
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 18;
  Output& output_;
};

/// One writer for each format.
void write_csv_scene(const SceneFile& scene, OutputText& out);
void write_npy_scene(const SceneFile& scene, OutputText& out);
void write_ply_scene(const SceneFile& scene, OutputText& out);
void write_json_scene(const SceneFile& scene, OutputText& out);

}  // namespace sphaera::io
