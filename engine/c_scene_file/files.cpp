#include <c/rows.hpp>
#include <c/sized.hpp>
#include <c_scene_file/object.hpp>
#include <cmath>
#include <limits>

// Scene files from and to the disk.

namespace sphaera::c {

template <>
SphaeraSceneFileOptions defaults() {
  SphaeraSceneFileOptions options{};
  options.size = sizeof options;
  options.radius = std::numeric_limits<double>::quiet_NaN();
  return options;
}

namespace {

/// The handle of a stop belongs to sphaera-c, which says whether it was requested.
void look_at(const SphaeraStop* stop) {
  std::int32_t requested = 0;
  if (sphaera_stop_requested(stop, &requested) != SPHAERA_OK)
    refuse(sphaera_error_subject(), sphaera_error_reason());
  if (requested != 0) throw Error(ErrorCode::cancelled, "stop", "was requested");
}

CsvOptions csv_options(const SphaeraSceneFileOptions& given) {
  if (given.delimiter < 0 || given.delimiter > 127) refuse("delimiter", "is no character of ASCII");
  CsvOptions csv{.delimiter = static_cast<char>(given.delimiter)};
  for (const SphaeraCsvColumn& column :
       span_of<const SphaeraCsvColumn>(given.columns, given.column_count, "columns"))
    csv.columns.push_back(
        {text_of(column.name, "name of a column"), text_of(column.in_file, "column in a file")});
  return csv;
}

SceneLoadOptions load_options(const SphaeraSceneFileOptions* options) {
  const SphaeraSceneFileOptions given = read(options, "scene file options");
  if (given.scope != SPHAERA_FILE_SCOPE_SCENE_FOLDER && given.scope != SPHAERA_FILE_SCOPE_ANYWHERE)
    refuse("scope", "is unknown");
  if (given.stop != nullptr) look_at(given.stop);
  SceneLoadOptions result;
  result.scope = enumerator<FileScope>(given.scope, "scope");
  result.csv = csv_options(given);
  if (!std::isnan(given.radius)) result.radius = given.radius;
  if (given.frame < -1) refuse("frame", "is below -1; give its number from 0, or -1 for the last");
  result.frame = given.frame;
  if (given.radii != nullptr) result.radii = given.radii;
  if (given.layer_by < SPHAERA_ATOM_LAYERS_ELEMENT || given.layer_by > SPHAERA_ATOM_LAYERS_NONE)
    refuse("layer_by", "is unknown");
  result.layer_by = enumerator<AtomLayers>(given.layer_by, "layer_by");
  result.progress = [given](double fraction) {
    if (given.stop != nullptr) look_at(given.stop);
    if (given.progress != nullptr && given.progress(given.progress_user, fraction) != 0) stop_for("progress");
  };
  return result;
}

/// A new handle of what make() gives.
SphaeraStatus give_file(SphaeraSceneFile** file, auto make) noexcept {
  return call([&] {
    place(file, "file");
    give(std::make_unique<SceneFileObject>(make()), file);
  });
}

}  // namespace
}  // namespace sphaera::c

using namespace sphaera;
using namespace sphaera::c;

static_assert(static_cast<int>(FileScope::scene_folder) == SPHAERA_FILE_SCOPE_SCENE_FOLDER);
static_assert(static_cast<int>(FileScope::anywhere) == SPHAERA_FILE_SCOPE_ANYWHERE);
static_assert(static_cast<int>(AtomLayers::element) == SPHAERA_ATOM_LAYERS_ELEMENT);
static_assert(static_cast<int>(AtomLayers::chain) == SPHAERA_ATOM_LAYERS_CHAIN);
static_assert(static_cast<int>(AtomLayers::residue) == SPHAERA_ATOM_LAYERS_RESIDUE);
static_assert(static_cast<int>(AtomLayers::none) == SPHAERA_ATOM_LAYERS_NONE);

SphaeraStatus sphaera_scene_file_options_init(SphaeraSceneFileOptions* options, size_t size) {
  return call([&] { write_defaults(options, size); });
}
SphaeraStatus sphaera_scene_file_attachment(SphaeraSceneFile* file, const void** bytes, size_t* count) {
  return call([&] {
    const Sole<SceneFileObject> object(file);
    place(bytes, "the place for bytes"), place(count, "count");
    object->attachment = object->file.attachment();
    *bytes = object->attachment.data(), *count = object->attachment.size();
  });
}

SphaeraStatus sphaera_scene_file_load(const char* path, const SphaeraSceneFileOptions* options,
                                      SphaeraSceneFile** file) {
  return give_file(file, [&] { return SceneFile::load(text_of(path, "path"), load_options(options)); });
}
SphaeraStatus sphaera_scene_file_parse(const void* bytes, size_t count, const char* name,
                                       const SphaeraSceneFileOptions* options, SphaeraSceneFile** file) {
  return give_file(file, [&] {
    const auto given = span_of<const char>(static_cast<const char*>(bytes), count, "bytes");
    return SceneFile::parse({given.data(), given.size()}, text_of(name, "name"), load_options(options));
  });
}
SphaeraStatus sphaera_scene_file_create(SphaeraSceneFile** file) {
  return give_file(file, [] { return SceneFile(); });
}
SphaeraStatus sphaera_scene_file_save(SphaeraSceneFile* file, const char* path) {
  return call([&] {
    const Sole<SceneFileObject> object(file);
    object->left_out = names_of(object->file.save(text_of(path, "path")));
  });
}
SphaeraStatus sphaera_scene_file_destroy(SphaeraSceneFile* file) { return destroy<SceneFileObject>(file); }
