#include <query/batch.hpp>
#include <string>

namespace sphaera {
namespace {

/// Boxes hold time 0, too, and what a moment's rounding, u of a time in the horizon, adds.
index::Bodies moving(std::span<const Sphere> spheres, std::span<const Vec3> velocities,
                     const Horizon& horizon) {
  const double spare = 4 * exact::u * std::max(std::fabs(horizon.from), std::fabs(horizon.to));
  return {spheres, velocities, std::min(horizon.from - spare, 0.0), std::max(horizon.to + spare, 0.0)};
}

constexpr std::size_t most_spheres = 0xfffffffe;  // ids are 32 bits, the last is no_sphere

void check_layers(std::span<const Sphere> spheres, std::span<const std::uint8_t> layers) {
  if (layers.empty()) return;
  if (layers.size() != spheres.size()) {
    throw Error(ErrorCode::invalid_argument, "there are " + std::to_string(layers.size()) + " layers for " +
                                                 std::to_string(spheres.size()) +
                                                 " spheres; give none or one for each sphere");
  }
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i] >= max_layers) {
      throw Error(ErrorCode::invalid_argument,
                  "sphere " + std::to_string(i) + " is on layer " + std::to_string(layers[i]) +
                      "; layers go from 0 to " + std::to_string(max_layers - 1),
                  static_cast<std::int64_t>(i));
    }
  }
}

/// Velocities that a scene can hold, and a horizon over which its spheres stay within the domain.
void check_motion(std::span<const Sphere> spheres, std::span<const Vec3> velocities, const Horizon& horizon) {
  if (velocities.empty()) return;
  if (velocities.size() != spheres.size()) {
    throw Error(ErrorCode::invalid_argument, "there are " + std::to_string(velocities.size()) +
                                                 " velocities for " + std::to_string(spheres.size()) +
                                                 " spheres; give none or one for each sphere");
  }
  if (!(horizon.from <= horizon.to) || !geometry::in_domain(horizon.from) ||
      !geometry::in_domain(horizon.to)) {
    throw Error(ErrorCode::invalid_argument,
                "the horizon of spheres that move is not valid; give a finite one with from ≤ to");
  }
  const index::Bodies bodies = moving(spheres, velocities, horizon);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const index::Bounds swept = bodies.swept(i, {});
    if (geometry::in_domain(velocities[i]) && geometry::in_domain(swept.lower) &&
        geometry::in_domain(swept.upper))
      continue;
    throw Error(ErrorCode::invalid_argument,
                "sphere " + std::to_string(i) +
                    ": velocity is not finite or carries it beyond 2^200 within the horizon",
                static_cast<std::int64_t>(i));
  }
}

template <class Item>
index::HugeArray<Item> copy_of(std::span<const Item> items) {
  index::HugeArray<Item> copy(items.size());
  index::parallel_pieces(items.size(), 1 << 16, [&](std::size_t begin, std::size_t end) {
    std::copy(items.begin() + static_cast<std::ptrdiff_t>(begin),
              items.begin() + static_cast<std::ptrdiff_t>(end), copy.data() + begin);
  });
  return copy;
}

/// Adds a level and those below it to the list, by depth.
void list_frames(const index::Level& level, std::size_t depth, std::vector<FrameLevel>& frames) {
  if (frames.size() == depth) frames.push_back({.half_size_min = infinity});
  const double half = level.frame().largest_half_size();
  FrameLevel& at = frames[depth];
  ++at.frames;
  at.spheres += level.spheres();
  at.half_size_min = std::min(at.half_size_min, half), at.half_size_max = std::max(at.half_size_max, half);
  at.inflation = std::max(at.inflation, index::Frame::inflation * half);
  for (const auto& child : level.children()) list_frames(*child, depth + 1, frames);
}

}  // namespace

Scene::Scene()
    : state_(query::with_memory_errors([] { return std::make_unique<const query::SceneState>(); })) {}
Scene::~Scene() = default;
Scene::Scene(Scene&&) noexcept = default;
Scene& Scene::operator=(Scene&&) noexcept = default;

Scene Scene::build(std::span<const Sphere> spheres, const BuildOptions& options) {
  if (spheres.size() > most_spheres) {
    throw Error(ErrorCode::invalid_argument,
                "there are " + std::to_string(spheres.size()) + " spheres; a scene holds 2^32 − 2 at most");
  }
  check_layers(spheres, options.layers);
  check_motion(spheres, options.velocities, options.horizon);
  Scene scene;
  query::with_memory_errors([&] {
    auto state = std::make_unique<query::SceneState>();
    index::in_arena(options.threads, [&] {
      query::check_inputs(spheres);
      if (options.stop.stop_requested()) query::throw_cancelled();
      state->spheres = copy_of(spheres);
      state->layers = copy_of(options.layers);
      state->velocities = copy_of(options.velocities);
      state->horizon = options.horizon;
      if (spheres.empty()) return;
      const index::Bodies bodies = moving(state->spheres.span(), state->velocities.span(), options.horizon);
      state->extent = index::extent_of(bodies);
      const index::FramePlan plan = index::plan_frames(bodies, state->extent);
      state->tree = std::make_unique<index::Tree>(
          bodies, plan,
          index::BuildControl{options.quality, options.memory_limit, options.stop, options.progress});
    });
    scene.state_ = std::move(state);
  });
  return scene;
}

std::span<const Sphere> Scene::spheres() const { return state_->spheres.span(); }
std::span<const std::uint8_t> Scene::layers() const { return state_->layers.span(); }
std::span<const Vec3> Scene::velocities() const { return state_->velocities.span(); }

SceneInfo Scene::info() const {
  SceneInfo info;
  info.spheres = state_->spheres.span().size();
  info.sphere_bytes = state_->spheres.bytes() + state_->layers.bytes() + state_->velocities.bytes();
  if (!state_->tree) return info;
  const index::Tree& tree = *state_->tree;
  const index::Extent& extent = state_->extent;
  info.lower = extent.lower, info.upper = extent.upper;
  info.radius_min = extent.radius_min, info.radius_max = extent.radius_max;
  info.frame_center = tree.top().frame().center();
  info.frame_half_size = tree.top().frame().half_size();
  info.inflation = index::Frame::inflation * tree.top().frame().largest_half_size();
  list_frames(tree.top(), 0, info.frames);
  info.index_bytes = tree.bytes();
  info.index_peak_bytes = tree.peak_bytes();
  return info;
}

}  // namespace sphaera
