#pragma once
/// \file Scene file output.

#include <io/streams/output.hpp>
#include <sphaera/scene_file.hpp>
#include <string>
#include <vector>

namespace sphaera::io {

struct SceneFormat;  // scene_formats.hpp

/// Writes a scene so that reading it gives the same doubles. The table of formats (scene_formats.hpp) says
/// what a file can hold; ephemerides and layers without spheres are never written. Returns a sentence for
/// each omitted property. The caller commits `output`. Throws Error: io, out_of_memory.
std::vector<std::string> write_scene(const SceneFile& scene, const SceneFormat& format, Output& output);
/// The bytes of such a file, not compressed.
std::string scene_bytes(const SceneFile& scene, const SceneFormat& format);

/// Buffer that writes to an output in large pieces.
class OutputText {
 public:
  /// null: all text is kept.
  explicit OutputText(Output* output) : output_(output) {}

  std::string text;

  void row_done() {
    if (output_ && text.size() > piece) hand_over();
  }
  void hand_over() {
    output_->write(text);
    text.clear();
  }

 private:
  static constexpr std::size_t piece = std::size_t{1} << 18;
  Output* output_;
};

// Shared by writers.
/// Do spheres name their layers?
bool names_layers(const SceneFile& scene);
/// The rows of NPY and of binary PLY: little-endian doubles.
void write_raw_rows(const SceneFile& scene, OutputText& out);

}  // namespace sphaera::io
