#include <algorithm>
#include <array>
#include <base/arena.hpp>
#include <cmath>
#include <index/frames/neighborhood.hpp>
#include <span>

namespace sphaera::index {
namespace {

/// A ball is worth having if it reaches this many times as far as its frame: bullets fly out of a crowd.
constexpr double least_share = 4;
/// Farther out a path's part in the frame takes longer to find.
constexpr double greatest_share = Frame::near_limit;

/// The levels below a level that hold the most spheres, those below them included.
class Largest {
 public:
  explicit Largest(const Level& top) {
    for (const auto& child : top.children()) add(*child);
  }
  std::span<const Level* const> levels() const { return {levels_.data(), size_}; }

 private:
  std::size_t add(const Level& level) {
    std::size_t spheres = level.spheres();
    for (const auto& child : level.children()) spheres += add(*child);
    std::size_t at = size_;
    while (at > 0 && spheres_[at - 1] < spheres) --at;
    if (at == levels_.size()) return spheres;
    size_ = std::min(size_ + 1, levels_.size());
    for (std::size_t i = size_ - 1; i > at; --i) levels_[i] = levels_[i - 1], spheres_[i] = spheres_[i - 1];
    levels_[at] = &level, spheres_[at] = spheres;
    return spheres;
  }

  std::array<const Level*, Neighborhoods::max_size> levels_;
  std::array<std::size_t, Neighborhoods::max_size> spheres_;
  std::size_t size_ = 0;
};

/// No less than how far a body goes from where it is at time 0: a product and two sums round by 3u, and that
/// it is taken from a gap by u more.
constexpr double drift_slack = 1 + 8 * exact::u;
double drift(const Bodies& bodies, std::size_t i) {
  if (!bodies.move()) return 0;
  const Vec3& v = bodies.velocities[i];
  return drift_slack * std::max(-bodies.from, bodies.to) * (std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z));
}

double greatest_drift(const Bodies& bodies) {
  if (!bodies.move()) return 0;
  return base::parallel_fold(
      bodies.size(), 0.0,
      [&](std::size_t begin, std::size_t end, double greatest) {
        for (std::size_t i = begin; i < end; ++i) greatest = std::max(greatest, drift(bodies, i));
        return greatest;
      },
      [](double a, double b) { return std::max(a, b); });
}

/// The spheres outside a level that come nearest to the centre of its frame.
struct Outside : PointWalk {
  static constexpr std::size_t wanted = Neighborhood::max_others + 1;

  std::array<std::uint32_t, wanted> ids;
  std::array<double, wanted> gaps;  ///< no more than what lies between the centre and their surfaces, ever

  Outside(const Level& top, const Level& level, double greatest)
      : PointWalk(level.frame().center(), see_packet), bodies_(top.bodies()) {
    ids.fill(no_sphere), gaps.fill(infinity);
    except = &level, drift = greatest;
    top.around(*this);
  }

 private:
  static Next see_packet(PointWalk& walk, const PacketIds& ids, Touch touch) {
    auto& outside = static_cast<Outside&>(walk);
    for (LaneSet lanes = touch.maybe; lanes != 0; lanes &= lanes - 1)
      if (const std::uint32_t id = ids[static_cast<unsigned>(std::countr_zero(lanes))]; id != no_sphere)
        outside.see(id);
    outside.reach = outside.gaps.back();
    return Next::shrunk;
  }
  void see(std::uint32_t id) {
    const Sphere& s = bodies_.spheres[id];
    const exact::filter::Estimate d = exact::filter::distance<exact::Plain>(point - s.center, s.radius);
    const double gap = (d.value - d.error) - index::drift(bodies_, id);
    std::size_t at = wanted;
    while (at > 0 && gap < gaps[at - 1]) --at;
    if (at == wanted) return;
    for (std::size_t i = wanted - 1; i > at; --i) ids[i] = ids[i - 1], gaps[i] = gaps[i - 1];
    ids[at] = id, gaps[at] = gap;
  }

  const Bodies& bodies_;
};

/// A neighbourhood, and the radius of its ball.
struct Found {
  Neighborhood neighborhood;
  double radius;
};

}  // namespace

Neighborhood::Neighborhood(const Level& level, std::span<const std::uint32_t> others)
    : level_(&level), size_(others.size()) {
  const Bodies& bodies = level.bodies();
  others_.fill(no_sphere);
  for (std::size_t i = 0; i < size_; ++i) {
    others_[i] = others[i], spheres_[i] = bodies.spheres[others[i]];
    at_rest_[i] = !bodies.move() || bodies.velocities[others[i]] == Vec3{};
  }
}

Neighborhoods::Neighborhoods(const Level& top) {
  const double greatest = top.children().empty() ? 0 : greatest_drift(top.bodies());
  const Largest largest(top);
  std::array<Found, max_size> found{};
  for (const Level* level : largest.levels()) {
    const Vec3& half = level->frame().half_size();
    const double size = std::sqrt(dot(half, half));
    const Outside outside(top, *level, greatest);
    // The fewest without which a ball of that size is empty.
    const auto others = static_cast<std::size_t>(std::ranges::lower_bound(outside.gaps, least_share * size) -
                                                 outside.gaps.begin());
    if (others == Outside::wanted) continue;
    found[size_++] = {Neighborhood(*level, std::span(outside.ids).first(others)),
                      std::min(outside.gaps[others], greatest_share * size)};
  }
  std::sort(found.data(), found.data() + size_,
            [](const Found& a, const Found& b) { return a.radius < b.radius; });
  for (std::size_t i = 0; i < size_; ++i) {
    neighborhoods_[i] = found[i].neighborhood;
    Balls& balls = balls_[i / lanes];
    const Vec3& center = neighborhoods_[i].level().frame().center();
    balls.x[i % lanes] = center.x, balls.y[i % lanes] = center.y, balls.z[i % lanes] = center.z;
    balls.radius[i % lanes] = ball_share * found[i].radius;
  }
}

}  // namespace sphaera::index
