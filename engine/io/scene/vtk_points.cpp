#include <algorithm>
#include <io/scene/vtk_points.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

constexpr std::uint64_t most_components = 9;  // of a tensor

/// "radius"; "velocity_x", "velocity_y", "velocity_z"; "stress_0" … "stress_8".
void add_names(std::string_view name, std::size_t components, std::vector<std::string>& names) {
  for (std::size_t i = 0; i < components; ++i) {
    names.emplace_back(name);
    if (components == 1) continue;
    names.back() += '_';
    names.back() += components <= 3 ? std::string(1, "xyz"[i]) : std::to_string(i);
  }
}

std::vector<std::string> names_of(const VtkPiece& piece) {
  std::vector<std::string> names;
  add_names(piece.points.name, piece.points.components, names);
  for (const VtkArray& array : piece.arrays) add_names(array.name, array.components, names);
  return names;
}

}  // namespace

VtkPoints::VtkPoints(std::string file, const SceneInput& input, SceneBuilder& builder)
    : file_(std::move(file)),
      input_(input),
      builder_(builder),
      terms_{"array",
             "arrays",
             " of the points",
             {{"x", "Points_x"},
              {"y", "Points_y"},
              {"z", "Points_z"},
              {"r", "radius"},
              {"vx", "velocity_x"},
              {"vy", "velocity_y"},
              {"vz", "velocity_z"}}} {}

bool VtkPoints::wants(std::string_view name, std::uint64_t components) const {
  if (components == 0 || components > most_components) return false;
  std::vector<std::string> names;
  add_names(name, components, names);
  return SphereColumns::knows(std::vector<std::string_view>(names.begin(), names.end()), terms_,
                              input_.options);
}

void VtkPoints::find_columns(const VtkPiece& piece) {
  std::vector<std::string> names = names_of(piece);
  if (columns_) {
    if (names != names_) fail(file_, "the pieces have different arrays; merge them before they are saved");
    return;
  }
  names_ = std::move(names);
  columns_.emplace(std::vector<std::string_view>(names_.begin(), names_.end()), terms_, input_,
                   FileLine{file_, 1}, builder_, piece.ignored);
}

void VtkPoints::add(const VtkPiece& piece) {
  const std::size_t count = piece.points.values.size() / 3;
  std::vector<const VtkArray*> arrays{&piece.points};
  for (const VtkArray& array : piece.arrays) arrays.push_back(&array);
  for (const VtkArray* array : arrays) {
    if (count != piece.count || array->values.size() != count * array->components)
      fail(file_, "array " + shown(array->name) + " has " + std::to_string(array->values.size()) +
                      " values for " + std::to_string(piece.count) + " points");
  }
  if (count == 0) {
    builder_.layer(input_.layer, {file_, 1});
    return;
  }
  find_columns(piece);
  struct Place {
    const double* first;
    std::size_t stride;
  };
  std::vector<Place> places;  // of each name
  for (const VtkArray* array : arrays)
    for (std::size_t i = 0; i < array->components; ++i)
      places.push_back({array->values.data() + i, array->components});
  builder_.reserve(count, columns_->has_velocity(), file_);
  const bool has_layers = columns_->has(SphereColumns::layer) && input_.options.layer_by != AtomLayers::none;
  const int file_layer = has_layers ? 0 : builder_.layer(input_.layer, {file_, 1});
  NumberedLayers layers(builder_);
  SphereColumns::Values values{};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t column = 0; column < values.size(); ++column) {
      if (!columns_->has(column)) continue;
      const Place& place = places[static_cast<std::size_t>((*columns_)[column])];
      values[column] = place.first[i * place.stride];
    }
    const FileLine place{file_, builder_.size() + 1};
    builder_.sphere(columns_->sphere(values),
                    has_layers ? layers.layer(values[SphereColumns::layer], place) : file_layer, place);
    if (columns_->has(SphereColumns::name)) name_by(values[SphereColumns::name], builder_);
    if (columns_->has_velocity()) builder_.velocity(SphereColumns::velocity(values), place);
  }
}

}  // namespace sphaera::io
