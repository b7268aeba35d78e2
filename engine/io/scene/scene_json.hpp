#pragma once
/// \file JSON scene input: one file's text, and references to other files.

#include <io/formats/json_document.hpp>
#include <io/scene/scene_builder.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// Reference of the document to another file.
struct JsonReference {
  std::string_view path;
  std::string_view layer;  ///< layer of a scene file; empty: none
  const char* place;
};

/// Opens the files that a document names.
class JsonFiles {
 public:
  virtual ~JsonFiles() = default;
  virtual void scene(const JsonDocument& document, const JsonReference& file) = 0;
  virtual Motion ephemeris(const JsonDocument& document, const JsonReference& file) = 0;
};

/// Reads one JSON scene into the builder. Spheres without a layer get `layer`.
void read_json_scene(ByteSource& source, std::string_view layer, SceneBuilder& builder, JsonFiles& files);

}  // namespace sphaera::io
