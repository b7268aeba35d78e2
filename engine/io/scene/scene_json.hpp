#pragma once
/// \file JSON scene input: one file's text, and references to other files.

#include <array>
#include <io/formats/dates.hpp>
#include <io/formats/json_document.hpp>
#include <io/scene/scene_builder.hpp>
#include <optional>
#include <sphaera/star.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// Keys of the laws in JSON, by LimbDarkening::Law: `"limb_darkening": {"quadratic": [u1, u2]}`.
inline constexpr std::array<std::string_view, 6> limb_law_names{"uniform", "linear", "quadratic",
                                                                "sqrt",    "power2", "claret4"};
constexpr int coefficient_count(LimbDarkening::Law law) {
  constexpr std::array counts{0, 1, 2, 2, 2, 4};
  return counts[static_cast<std::size_t>(law)];
}

/// Reference of the document to another file.
struct JsonReference {
  std::string_view path;
  std::string_view layer;  ///< layer of a scene file; empty: none
  const char* place;
};

/// Reference of the document to an ephemeris.
struct EphemerisReference {
  JsonReference file;
  std::string_view target{}, center{};  ///< which body of the file, and relative to which; may be empty
  std::optional<Instant> from{}, to{};
};

/// Opens the files that a document names.
class JsonFiles {
 public:
  virtual ~JsonFiles() = default;
  virtual void scene(const JsonDocument& document, const JsonReference& file) = 0;
  virtual Motion ephemeris(const JsonDocument& document, const EphemerisReference& reference) = 0;
};

struct SceneInput;  // scene_read.hpp

/// Reads one JSON scene into the builder.
void read_json_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder);

}  // namespace sphaera::io
