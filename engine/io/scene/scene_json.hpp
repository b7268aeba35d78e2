#pragma once
/// \file JSON scenes in: the text of one file, with what it names but does not hold.

#include <io/formats/json_document.hpp>
#include <io/scene/scene_build.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// Something named in the document that is found elsewhere.
struct JsonReference {
  std::string_view path;
  std::string_view layer;  ///< of a file; empty: none
  const char* place;
};

/// Opens the files that a document names.
class JsonFiles {
 public:
  virtual ~JsonFiles() = default;
  virtual void scene(const JsonDocument& document, const JsonReference& file) = 0;
  virtual Ephemeris ephemeris(const JsonDocument& document, const JsonReference& file) = 0;
};

/// Reads one JSON scene into the builder; spheres without a layer are put on `layer`.
void read_json_scene(ByteSource& source, std::string_view layer, SceneBuilder& builder, JsonFiles& files);

}  // namespace sphaera::io
