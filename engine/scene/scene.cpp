#include <base/first_bad.hpp>
#include <cstring>
#include <scene/check_changes.hpp>
#include <string>

namespace sphaera {
namespace {

using query::SceneState;

/// Refuses the first sphere that is invalid, has a layer out of range, or leaves the domain.
void check_spheres(std::span<const Sphere> spheres, const BuildOptions& options) {
  const std::span<const std::uint8_t> layers = options.layers;
  const std::span<const Vec3> velocities = options.velocities;
  const std::size_t bad = base::first_bad_of(spheres.size(), [&](std::size_t i) {
    return base::valid(spheres[i]) && query::has_valid_layer(layers, i) &&
           (velocities.empty() || query::stays(spheres[i], velocities[i], options.horizon));
  });
  if (bad == spheres.size()) return;
  base::check(spheres[bad], static_cast<std::int64_t>(bad));
  if (query::has_valid_layer(layers, bad)) query::refuse_motion(bad);
  throw Error(ErrorCode::invalid_argument,
              "sphere " + std::to_string(bad) + " is on layer " + std::to_string(layers[bad]) +
                  "; layers go from 0 to " + std::to_string(max_layers - 1),
              static_cast<std::int64_t>(bad));
}

template <class Item>
base::HugeArray<Item> copy_of(std::span<const Item> items, const BuildOptions& options) {
  base::HugeArray<Item> copied(0, options.memory);
  base::copy(copied, items);
  return copied;
}

base::HugeArray<std::uint32_t> zeros(std::size_t n, const BuildOptions& options) {
  base::HugeArray<std::uint32_t> array(n, options.memory);
  std::fill_n(array.data(), n, 0);
  return array;
}

/// Adds the frames of a BVH and its descendants to `frames`, which has one entry per depth.
void list_frames(const index::FrameBvh& bvh, std::size_t depth, std::vector<FrameLevel>& frames) {
  if (frames.size() == depth) frames.push_back({.half_size_min = infinity});
  const double half = bvh.frame().largest_half_size();
  FrameLevel& at = frames[depth];
  ++at.frames;
  at.spheres += bvh.spheres();
  at.half_size_min = std::min(at.half_size_min, half), at.half_size_max = std::max(at.half_size_max, half);
  at.inflation = std::max(at.inflation, index::Frame::inflation * half);
  for (const auto& child : bvh.children()) list_frames(*child, depth + 1, frames);
}

/// The state of a new scene. `take(state)` gives it the spheres.
template <class Take>
std::unique_ptr<SceneState> built(std::span<const Sphere> spheres, const BuildOptions& options,
                                  const Take& take) {
  const base::FloatingPointEnvironment mode;
  query::check_sizes(spheres.size(), options, options.velocities.size());
  std::unique_ptr<SceneState> state;
  query::with_build_errors([&] {
    state = std::make_unique<SceneState>();
    base::in_arena(options.threads, [&] {
      check_spheres(spheres, options);
      if (options.stop.stop_requested()) throw Error(ErrorCode::cancelled, "the build was cancelled");
      state->quality = options.quality, state->memory_limit = options.memory_limit;
      state->memory = options.memory;
      state->layers = copy_of(options.layers, options);
      state->owners = copy_of(options.owners, options);
      state->velocities = copy_of(options.velocities, options);
      state->moving = !options.velocities.empty() || (spheres.empty() && query::is_given(options.horizon));
      if (state->moving) state->horizon = options.horizon;
      state->keeps_generations = options.generations;
      if (options.generations) state->generations = zeros(spheres.size(), options);
      take(*state);
      if (spheres.empty()) return;
      state->enabled = spheres.size();
      query::build_index(*state, options.stop, options.progress);
    });
  });
  return state;
}

}  // namespace

Scene::Scene() noexcept = default;
Scene::Scene(std::unique_ptr<query::SceneState> state) noexcept : state_(std::move(state)) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

Scene Scene::build(std::span<const Sphere> spheres, const BuildOptions& options) {
  if (!options.statuses.empty()) {
    const base::FloatingPointEnvironment mode;
    Scene scene;
    query::with_memory_errors([&] { scene = query::build_skipping(spheres, options); });
    return scene;
  }
  return Scene(
      built(spheres, options, [&](SceneState& state) { state.spheres = copy_of(spheres, options); }));
}

Scene Scene::build(std::vector<Sphere>&& spheres, const BuildOptions& options) {
  if (!options.statuses.empty() || options.memory) return build(std::span<const Sphere>(spheres), options);
  auto state =
      built(spheres, options, [&](SceneState& s) { s.spheres = base::HugeArray<Sphere>::view(spheres); });
  state->spheres = base::HugeArray<Sphere>(std::move(spheres));  // the same memory, so the index stays valid
  return Scene(std::move(state));
}

Scene Scene::build(std::initializer_list<Sphere> spheres, const BuildOptions& options) {
  return build(std::span(spheres.begin(), spheres.size()), options);
}

const SceneState& Scene::state() const {
  static const SceneState empty;
  if (!state_) return empty;
  if (state_->is_unchecked.load(std::memory_order_acquire)) [[unlikely]]
    query::check_file(*state_);
  return *state_;
}

std::size_t Scene::size() const { return state().spheres.size() - state().free_ids.size(); }
bool Scene::contains(std::int64_t id) const {
  return id >= 0 && state().contains(static_cast<std::size_t>(id));
}
bool Scene::contains(std::int64_t id, std::uint32_t generation) const {
  if (!contains(id)) return false;
  const std::span<const std::uint32_t> generations = state().generations.span();
  return generation == (generations.empty() ? 0 : generations[static_cast<std::size_t>(id)]);
}
bool Scene::is_enabled(std::int64_t id) const {
  return contains(id) && state().is_enabled(static_cast<std::uint32_t>(id));
}

std::span<const Sphere> Scene::spheres() const& { return state().spheres.span(); }
std::span<const std::uint8_t> Scene::layers() const& { return state().layers.span(); }
std::span<const std::uint32_t> Scene::owners() const& { return state().owners.span(); }
std::span<const Vec3> Scene::velocities() const& { return state().velocities.span(); }
std::span<const std::uint32_t> Scene::generations() const& { return state().generations.span(); }

namespace {

std::uint32_t owner_of(const SceneState& state, std::int64_t id) {
  const std::span<const std::uint32_t> owners = state.owners.span();
  if (owners.empty() || id < 0 || !state.contains(static_cast<std::size_t>(id))) return no_owner;
  return owners[static_cast<std::size_t>(id)];
}

}  // namespace

std::uint32_t Scene::owner_of(std::int64_t id) const { return sphaera::owner_of(state(), id); }
void Scene::owners_of(const Strided<const std::int64_t>& ids, std::span<std::uint32_t> out) const {
  query::check_count(out.size(), ids.size, "places for owners", "ids");
  const SceneState& known = state();
  const std::byte* const first = reinterpret_cast<const std::byte*>(ids.first);
  for (std::size_t i = 0; i < ids.size; ++i) {
    std::int64_t id;
    std::memcpy(&id, first + static_cast<std::ptrdiff_t>(i) * ids.stride, sizeof id);
    out[i] = sphaera::owner_of(known, id);
  }
}

namespace {

SceneInfo info_of(const SceneState& state) {
  SceneInfo info;
  info.spheres = state.spheres.size() - state.free_ids.size();
  info.sphere_bytes = state.spheres.bytes() + state.layers.bytes() + state.velocities.bytes() +
                      state.owners.bytes() + state.generations.bytes();
  if (!state.scene_index) return info;
  const index::SceneIndex& scene_index = *state.scene_index;
  const index::SceneBounds bounds = query::bounds_of(state);
  info.lower = bounds.lower, info.upper = bounds.upper;
  info.radius_min = bounds.radius_min, info.radius_max = bounds.radius_max;
  info.frame_center = scene_index.top().frame().center();
  info.frame_half_size = scene_index.top().frame().half_size();
  info.inflation = index::Frame::inflation * scene_index.top().frame().largest_half_size();
  list_frames(scene_index.top(), 0, info.frames);
  info.boxes = scene_index.top().cost().boxes();
  info.degradation = scene_index.top().degradation();
  info.viewpoint_index_bytes = state.stars.bytes();
  info.index_bytes = scene_index.bytes() + info.viewpoint_index_bytes;
  info.index_peak_bytes = scene_index.peak_bytes();
  if (const embree_index::EmbreeIndex* const embree = state.embree.get()) info.embree_bytes = embree->bytes();
  return info;
}

}  // namespace

SceneInfo Scene::info() const {
  const base::FloatingPointEnvironment mode;
  return base::with_memory_errors([&] { return info_of(state()); });
}

}  // namespace sphaera
