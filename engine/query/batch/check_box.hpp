#pragma once
/// \file Checks of a periodic box (QueryOptions::box), made before any query is answered.

#include <query/neighbors/reach.hpp>
#include <scene/state.hpp>
#include <type_traits>

namespace sphaera::query {

inline bool has_box(const QueryOptions& options) { return options.box != Vec3{}; }

/// Do queries about these inputs see the images of spheres?
template <class Input>
inline constexpr bool sees_images = std::is_same_v<Input, Vec3> || std::is_same_v<Input, Ball> ||
                                    std::is_same_v<Input, Sphere> || std::is_same_v<Input, Reach>;

[[noreturn, gnu::cold]] void refuse_box();
/// Throws unless the box has valid edges and holds the scene; computes state.center_bounds. Do not call this
/// within parallel work. Precondition: has_box.
void check_box(const SceneState& state, const QueryOptions& options);
/// The same for queries about such inputs; throws for a box if they see no images.
template <class Input>
void check_box_for(const SceneState& state, const QueryOptions& options) {
  if (!has_box(options)) [[likely]]
    return;
  if (!sees_images<Input>) refuse_box();
  check_box(state, options);
}
/// Throws unless each pair so near has one nearest image. Precondition: check_box has passed.
void check_box_reach(const SceneState& state, const QueryOptions& options, double distance);

/// Is the input within an edge of all centers, and a ball so small that it meets one image of a sphere?
bool in_box(const SceneState& state, const QueryOptions& options, const Vec3& point);
bool in_box(const SceneState& state, const QueryOptions& options, const Ball& ball);
/// Throws if in_box is false.
void check_in_box(const SceneState& state, const QueryOptions& options, const Vec3& point,
                  std::int64_t element);
void check_in_box(const SceneState& state, const QueryOptions& options, const Ball& ball,
                  std::int64_t element);

/// May a query be a caller's point or ball that lies outside the box? Spheres of the scene lie in it.
template <class Input>
inline constexpr bool may_leave_box = std::is_same_v<Input, Vec3> || std::is_same_v<Input, Ball>;
template <class Input>
bool fits_box(const SceneState& state, const QueryOptions& options, const Input& input) {
  if constexpr (may_leave_box<Input>) return !has_box(options) || in_box(state, options, input);
  return true;
}
template <class Input>
void check_fits_box(const SceneState& state, const QueryOptions& options, const Input& input,
                    std::int64_t element) {
  if constexpr (may_leave_box<Input>)
    if (has_box(options)) check_in_box(state, options, input, element);
}

}  // namespace sphaera::query
