#include <algorithm>
#include <base/validate.hpp>
#include <io/ephemeris/ephemeris.hpp>
#include <io/formats/file_kind.hpp>
#include <io/formats/numbers.hpp>
#include <io/scene/atom_radii.hpp>
#include <io/scene/frames.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_read.hpp>
#include <io/streams/file_error.hpp>
#include <new>
#include <system_error>

namespace sphaera::io {
namespace {

namespace fs = std::filesystem;

/// True for `-` and for a pipe without an extension.
bool is_nameless(const fs::path& path) {
  std::error_code unknown;
  return path == "-" ||
         (!find_scene_format(path) && (fs::is_fifo(path, unknown) || fs::is_character_file(path, unknown)));
}

/// The format of a pipe, by its first bytes; what is unknown is CSV.
const SceneFormat& format_of(std::unique_ptr<ByteSource>& source) {
  auto peeked = std::make_unique<PeekedSource>(std::move(source));
  const FileKind* const kind = kind_of(peeked->beginning());
  source = std::move(peeked);
  const auto found = std::ranges::find_if(
      scene_formats, [&](const SceneFormat* format) { return kind && format->name == kind->format; });
  return found == scene_formats.end() ? csv_scene : **found;
}

/// Loads a scene and all files that it names.
class Loader : public JsonFiles {
 public:
  Loader(const SceneLoadOptions& options, std::vector<FileDigest>* digests)
      : options_(options), digests_(digests) {
    if (options.skip_bad_rows) builder_.skip_bad_rows();
    builder_.radius_of_points(options.radius);
  }

  void load(const fs::path& path, std::string_view layer) {
    const SceneFormat* const named = is_nameless(path) ? nullptr : &scene_format(path);
    auto source = open(path);
    const SceneFormat& format = named ? *named : format_of(source);
    std::error_code unknown;
    open_.push_back(fs::canonical(path, unknown));
    load(*source, format, path.parent_path(), layer);
    if (digests_) source->read_to_end();  // a reader may stop behind the frame that it wants
    open_.pop_back();
  }

  void load(ByteSource& source, const SceneFormat& format, const fs::path& folder, std::string_view layer) {
    folders_.push_back(folder.empty() ? "." : folder);
    if (!radii_) radii_ = options_.radii.empty() ? AtomRadii() : AtomRadii(*open(options_.radii));
    const SceneInput input{layer, options_, *this, *radii_, folders_.size() > 1};
    if (!format.has_frames) refuse_frame(source.name(), input);
    format.read(source, input, builder_);
    folders_.pop_back();
  }

  void scene(const JsonDocument& document, const JsonReference& file) override {
    // A named layer exists even if its file is empty.
    if (!file.layer.empty()) builder_.layer(file.layer, {document.name(), document.line(file.place)});
    const fs::path path = find(document, file);
    std::error_code unknown;
    if (std::find(open_.begin(), open_.end(), fs::canonical(path, unknown)) != open_.end()) {
      document.fail(file.place, "file " + shown(file.path) + " names itself, directly or through others");
    }
    load(path, file.layer);
  }

  Motion ephemeris(const JsonDocument& document, const EphemerisReference& reference) override {
    const auto& [file, target, center, from, to] = reference;
    return read_ephemeris(open(find(document, file)),
                          {builder_.epoch(), builder_.scene().unit, std::string(target), std::string(center),
                           from, to, options_.csv, &builder_.scene().warnings});
  }

  SceneFile finish() { return builder_.finish(); }

 private:
  std::unique_ptr<ByteSource> open(const fs::path& path) {
    builder_.scene().sources.push_back(path);
    return open_source(path, {options_.stop, options_.progress, digests_});
  }

  /// Path of the file that the document names. Throws if the file is missing, is not a plain file, lies
  /// outside the permitted folder or exceeds the number of files.
  fs::path find(const JsonDocument& document, const JsonReference& file) {
    const auto refuse = [&](const std::string& what) {
      document.fail(file.place, "file " + shown(file.path) + ' ' + what);
    };
    if (++files_ > max_scene_files) refuse("is one too many; a scene names at most 4096 files");
    if (file.path.find('\0') != std::string_view::npos) refuse("has a zero byte in its name");
    std::error_code error;
    fs::path path = folders_.back() / file.path;
    const fs::path real = fs::canonical(path, error);
    if (error) refuse("cannot be opened: " + error.message() + " (paths count from the scene's folder)");
    if (options_.scope == FileScope::scene_folder) {
      const fs::path folder = fs::canonical(folders_.back(), error);
      const auto [rest, _] = std::mismatch(folder.begin(), folder.end(), real.begin(), real.end());
      if (error || rest != folder.end()) refuse("lies outside the scene's folder; move or copy it there");
    }
    if (!fs::is_regular_file(real, error)) refuse("is not a plain file");
    return path;
  }

  const SceneLoadOptions& options_;
  std::vector<FileDigest>* digests_;
  SceneBuilder builder_;
  std::optional<AtomRadii> radii_;
  std::vector<fs::path> open_;     // chain of scenes being read, links resolved
  std::vector<fs::path> folders_;  // folders of the scenes being read
  int files_ = 0;
};

SceneFile guarded(const std::string& name, const SceneLoadOptions& options, std::vector<FileDigest>* digests,
                  auto load) {
  if (options.frame < -1)
    throw Error(ErrorCode::invalid_argument, "frame " + std::to_string(options.frame),
                "give its number from 0, or -1 for the last");
  try {
    Loader loader(options, digests);
    load(loader);
    return loader.finish();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, name, "not enough memory for this scene");
  } catch (const std::length_error&) {
    throw Error(ErrorCode::out_of_memory, name, "not enough memory for this scene");
  }
}

}  // namespace

const SceneFormat* find_scene_format(const fs::path& path) {
  const fs::path plain = path.extension() == ".gz" ? path.stem() : path;
  const std::string extension = plain.extension().string();
  if (extension.size() < 2) return nullptr;
  const std::string_view name = std::string_view(extension).substr(1);
  const auto found = std::ranges::find_if(scene_formats, [&](const SceneFormat* format) {
    return format->name == name ||
           std::ranges::find(format->other_extensions, name) != format->other_extensions.end();
  });
  return found == scene_formats.end() ? nullptr : *found;
}

const SceneFormat& scene_format(const fs::path& path) {
  if (const SceneFormat* const format = find_scene_format(path)) return *format;
  std::error_code error;
  if (fs::is_directory(path, error)) fail(path.string(), "is a folder; give a scene file");
  fail(path.string(),
       "a scene's name ends in " + extensions_of(scene_formats) + "; rename or convert the file");
}

const SceneFormat* find_written_format(const fs::path& path) {
  const SceneFormat* const format = find_scene_format(path);
  const fs::path plain = path.extension() == ".gz" ? path.stem() : path;  // .tsv and .vtu are read alone
  return format && format->write && plain.extension() == format->extension() ? format : nullptr;
}

const SceneFormat& written_format(const fs::path& path) {
  if (const SceneFormat* const format = find_written_format(path)) return *format;
  fail(path.string(), "scenes are saved as " + extensions_of(written_formats) + "; give one of these names");
}

std::string extensions_of(std::span<const SceneFormat* const> formats) {
  return joined(formats, " or ", &SceneFormat::extension) + ", and perhaps .gz";
}

SceneFile read_scene(const fs::path& path, const SceneLoadOptions& options,
                     std::vector<FileDigest>* digests) {
  return guarded(path.string(), options, digests, [&](Loader& loader) { loader.load(path, {}); });
}

SceneFile read_scene(ByteSource& source, const SceneFormat& format, const fs::path& folder,
                     const SceneLoadOptions& options) {
  return guarded(source.name(), options, nullptr,
                 [&](Loader& loader) { loader.load(source, format, folder, {}); });
}

SceneStar parse_star(std::string_view text) {
  const auto refuse = [&](const char* what) {
    throw Error(ErrorCode::invalid_argument, "star " + shown(text), what);
  };
  double values[4];
  std::string_view rest = text;
  for (int i = 0; i < 4; ++i) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string_view::npos) != (i == 3) ||
        parse_number(trimmed(rest.substr(0, comma)), values[i]) != Parse::ok) {
      refuse("give four numbers, x,y,z,r");
    }
    if (i < 3) rest.remove_prefix(comma + 1);
  }
  const Star star = Star::at({values[0], values[1], values[2]}, values[3]);
  if (!base::valid(star)) refuse("give finite numbers within 2^200, the radius 0 or more");
  return {star};
}

}  // namespace sphaera::io
