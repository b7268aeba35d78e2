/// \file Scene::update: moves all spheres and updates the index.

#include <base/first_bad.hpp>
#include <cmath>
#include <cstring>
#include <exact/numbers/instruction_sets.hpp>
#include <scene/check_changes.hpp>
#include <utility>

SPHAERA_SET_BEGIN
namespace sphaera::inline SPHAERA_SET {
namespace {

/// Moves a part of the spheres: writes their new centers, and velocities if there are any, into the scene,
/// and adds the volumes that they sweep to bounds.
class Move {
 public:
  Move(query::SceneState& state, std::span<const Vec3> centers, std::span<const Vec3> velocities)
      : state_(state),
        set_(state.sphere_set()),
        from_(set_.start()),
        centers_(centers.data()),
        velocities_(velocities.empty() ? nullptr : velocities.data()) {}

  /// For scenes whose spheres are all enabled.
  SPHAERA_INLINE void all(std::size_t begin, std::size_t end, index::BoundsAboutSum& sum) const {
    Sphere* const spheres = state_.spheres.data();
    Vec3* const velocities = state_.velocities.data();
    const bool move = set_.move();
    for (std::size_t i = begin; i < end; ++i) {
      index::Lanes center, sphere, velocity;
      const double radius = spheres[i].radius;
      index::load<exact::Arithmetic>(center, centers_[i]);
      index::load(sphere, spheres[i]);
      sphere = __builtin_shufflevector(center, sphere, 0, 1, 2, 7);  // with its radius
      index::store(spheres[i], sphere);
      if (!move) {
        sum.add(sphere, radius);
        continue;
      }
      index::load<exact::Arithmetic>(velocity, velocities_ ? velocities_[i] : velocities[i]);
      if (velocities_) index::store(velocities[i], velocity);
      sum.add(sphere, radius, from_, set_.to, velocity);
    }
  }
  /// For all other scenes.
  SPHAERA_INLINE void some(std::size_t begin, std::size_t end, index::BoundsAboutSum& sum) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (!state_.contains(i)) continue;
      state_.spheres.data()[i].center = centers_[i];
      if (velocities_) state_.velocities.data()[i] = velocities_[i];
      if (state_.is_enabled(static_cast<std::uint32_t>(i))) sum.add(exact::Arithmetic{}, set_, i);
    }
  }

 private:
  query::SceneState& state_;
  index::SphereSet set_;
  double from_;
  const Vec3 *centers_, *velocities_;
};

}  // namespace

/// Moves spheres begin … end − 1. Returns the bounds, relative to a point, of the volumes that the enabled
/// ones sweep.
index::BoundsAbout move_part(query::SceneState& state, std::span<const Vec3> centers,
                             std::span<const Vec3> velocities, std::size_t begin, std::size_t end,
                             const Vec3& about) {
  const Move move(state, centers, velocities);
  index::BoundsAboutSum sum(about);
  state.enabled == state.spheres.size() ? move.all(begin, end, sum) : move.some(begin, end, sum);
  return sum.bounds();
}

/// Are the numbers at `at` … `last` − 1, in whole twelves, at most `limit` ≥ 0 in absolute value? Sets `at`
/// to what is left.
bool twelves_within(const double*& at, const double* last, double limit) {
  const index::Lanes most = index::Lanes{} + limit;
  auto all = most >= index::Lanes{};
  const double* next = at;
  for (; last - next >= 12; next += 12) {
    index::Lanes x, y, z;
    std::memcpy(&x, next, sizeof x), std::memcpy(&y, next + 4, sizeof y);
    std::memcpy(&z, next + 8, sizeof z);
    all &= (x <= most) & (x >= -most) & (y <= most) & (y >= -most) & (z <= most) & (z >= -most);
  }
  at = next;
  return (all[0] & all[1] & all[2] & all[3]) != 0;
}

}  // namespace sphaera::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera {

SPHAERA_IN_BOTH_SETS(index::BoundsAbout move_part(query::SceneState& state, std::span<const Vec3> centers,
                                                  std::span<const Vec3> velocities, std::size_t begin,
                                                  std::size_t end, const Vec3& about);
                     bool twelves_within(const double*& at, const double* last, double limit);)

}  // namespace sphaera

namespace sphaera {
namespace {

using query::SceneState;

/// Are all coordinates at most `limit` ≥ 0 in absolute value? False if one is NaN.
bool all_within(std::span<const Vec3> vectors, double limit) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return base::parallel_fold(
      vectors.size(), true,
      [&](std::size_t begin, std::size_t end, bool) {
        const double *at = &vectors[begin].x, *const last = at + 3 * (end - begin);
        bool within = SPHAERA_CHOSEN(twelves_within(at, last, limit));
        for (; at < last; ++at) within &= std::fabs(*at) <= limit;
        return within;
      },
      [](bool a, bool b) { return a && b; });
}

/// A quick check: true only if all spheres are valid at their new centers and stay in the domain. For moving
/// spheres, centers, radii and distances must each be at most an eighth of the limit, so roundings do not
/// matter. False if there are disabled spheres or free ids.
bool surely_stay(const SceneState& state, std::span<const Vec3> centers, std::span<const Vec3> velocities) {
  if (state.enabled < state.spheres.size()) return false;
  if (velocities.empty()) return all_within(centers, domain_limit);
  constexpr double share = domain_limit / 8;
  const double longest = std::max(std::fabs(state.horizon.from), std::fabs(state.horizon.to));
  return state.bounds.radius_max <= share && all_within(centers, share) &&
         all_within(velocities, std::min(domain_limit, share / longest));
}

/// Refuses the first sphere whose new center is invalid, or that leaves the domain within the horizon.
void check_places(const SceneState& state, std::span<const Vec3> centers, std::span<const Vec3> velocities) {
  if (surely_stay(state, centers, velocities)) return;
  const auto moved = [&](std::size_t i) { return Sphere{centers[i], state.spheres.span()[i].radius}; };
  const std::size_t bad = base::first_bad_of(centers.size(), [&](std::size_t i) {
    if (!state.contains(i)) return true;
    return base::valid(moved(i)) &&
           (velocities.empty() || query::stays(moved(i), velocities[i], state.horizon));
  });
  if (bad == centers.size()) return;
  base::check(moved(bad), static_cast<std::int64_t>(bad));
  query::refuse_motion(bad);
}

/// Writes all centers, and the velocities if there are any, into the scene. Returns the bounds, relative
/// to a point, of the volumes that the enabled spheres sweep.
index::BoundsAbout move(SceneState& state, std::span<const Vec3> centers, std::span<const Vec3> velocities,
                        const Vec3& about) {
  return base::parallel_fold(
      centers.size(), index::BoundsAbout{about},
      [&](std::size_t begin, std::size_t end, const index::BoundsAbout& start) {
        return united(start, SPHAERA_CHOSEN(move_part(state, centers, velocities, begin, end, about)));
      },
      [](const auto& a, const auto& b) { return united(a, b); });
}

/// Moves the spheres and refits the index.
void refit(SceneState& state, std::span<const Vec3> centers, std::span<const Vec3> velocities,
           index::SceneIndex::Jumps jumps) {
  if (!state.scene_index) return static_cast<void>(move(state, centers, velocities, {}));
  const index::FrameBvh& top = state.scene_index->top();
  const index::BoundsAbout bounds = move(state, centers, velocities, top.frame().center());
  state.bounds.lower = bounds.about + bounds.lower, state.bounds.upper = bounds.about + bounds.upper;
  state.scene_index->refit(top.children().empty() ? &bounds : nullptr, jumps);
}

UpdateResult updated(SceneState& state, std::span<const Vec3> centers, std::span<const Vec3> velocities,
                     const UpdateOptions& options) {
  state.drop_other_indexes();
  using query::Adopted;
  const Adopted adopted = query::adopt_background(state, query::Change::whole);
  state.note_move(!velocities.empty());
  using Jumps = index::SceneIndex::Jumps;
  refit(state, centers, velocities, adopted == Adopted::older ? Jumps::many : Jumps::few);
  if (adopted != Adopted::no) state.background->insert_missing(*state.scene_index);
  return query::finish_update(state, options, query::Change::whole);
}

}  // namespace

UpdateResult Scene::move(std::span<const Vec3> centers, std::span<const Vec3> velocities,
                         const UpdateOptions& options) {
  const base::FloatingPointEnvironment mode;
  query::check_update(options);
  query::refuse_time(options);
  if (!options.statuses.empty()) return update_skipping(centers, velocities, options);
  query::check_moves(*this, centers.size(), velocities.size());
  UpdateResult result;
  if (centers.empty()) return result;
  SceneState& state = *state_;
  const query::BackgroundBuild::Pause pause(state.background);
  query::with_build_errors([&] {
    base::in_arena(options.threads, [&] {
      query::make_own(state);
      check_places(state, centers, velocities.empty() ? state.velocities.span() : velocities);
      result = updated(state, centers, velocities, options);
    });
  });
  return result;
}

}  // namespace sphaera
#endif
