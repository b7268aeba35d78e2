#include <algorithm>
#include <base/strict_math.hpp>
#include <cmath>
#include <limits>
#include <query/sky/sky_map.hpp>

namespace sphaera::query {
namespace {

/// The faces: an axis and its side. A direction (w, u, v), w > 0, lies at (u/w, v/w), in a square of size 2.
struct Face {
  std::size_t axis, right, up;
  double side;
};
constexpr Face face_of(std::size_t i) { return {i % 3, (i + 1) % 3, (i + 2) % 3, i < 3 ? 1.0 : -1.0}; }

/// Cells are divided down to this share of a disc's sine.
constexpr double finest_share = 0.15;
constexpr std::size_t most_depth = 14;

/// Room for roundings: a disc hides a cell only if it reaches so far beyond, by the cosine.
constexpr double cosine_margin = 0x1p-44;

/// The sine of an angle that no part of a cell is farther away from its middle: half its diagonal, since a
/// length in the plane of a face is greater than its angle, and an angle at most 45° has a sine of at least
/// 0.9 of it. Not for whole faces.
struct DiscReach {
  double sine, cosine;

  explicit DiscReach(double size) : sine(size * 0.7072), cosine(std::sqrt(std::max(0.0, 1 - sine * sine))) {}
};

/// The quotients of the numbers from x0 to x1 by those from w0 to w1 > 0, of which the latter may be ≤ 0.
struct Quotients {
  double low, high;

  Quotients(double x0, double x1, double w0, double w1) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    low = x0 >= 0 ? x0 / w1 : w0 > 0 ? x0 / w0 : -infinity;
    high = x1 <= 0 ? x1 / w1 : w0 > 0 ? x1 / w0 : infinity;
  }
};

}  // namespace

/// As seen by a face.
struct SkyMap::Disc {
  double w, u, v, cosine, sine;
};

void SkyMap::clear() { faces_.fill(open), parts_.clear(); }

void SkyMap::cover(const Vec3& axis, double cosine) {
  const double sine = std::sqrt(std::max(0.0, (1 - cosine) * (1 + cosine)));
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const Face face = face_of(i);
    const auto along = [&](std::size_t k) { return axis[static_cast<int>(k)]; };
    const Disc disc{face.side * along(face.axis), along(face.right), along(face.up), cosine, sine};
    faces_[i] = covered(faces_[i], {-1, -1, 2}, 0, disc);
  }
}

/// What becomes of a cell.
SkyMap::Cell SkyMap::covered(Cell cell, const Square& square, std::size_t depth, const Disc& disc) {
  if (cell == hidden) return hidden;
  const DiscReach reach(square.size);
  if (depth > 0) {
    const double half = square.size / 2, u = square.u + half, v = square.v + half,
                 length = std::sqrt(1 + u * u + v * v), at = disc.w + u * disc.u + v * disc.v;
    const double both = disc.cosine * reach.cosine, cross = disc.sine * reach.sine;
    if (at < (both - cross) * length) return cell;
    if (disc.sine > reach.sine && at > (both + cross + cosine_margin) * length) return hidden;
    if (reach.sine < 2 * finest_share * disc.sine || depth == most_depth) return cell;
  }
  if (cell == open) {
    cell = static_cast<Cell>(parts_.size()) + first_parts;
    parts_.push_back({});
  }
  bool all = true;
  for (std::size_t i = 0; i < 4; ++i) {
    const Cell part = covered(parts_[cell - first_parts][i], square.part(i), depth + 1, disc);
    parts_[cell - first_parts][i] = part, all &= part == hidden;
  }
  return all ? hidden : cell;
}

bool SkyMap::covers(const std::array<double, 3>& lower, const std::array<double, 3>& upper) const {
  for (std::size_t i = 0; i < faces_.size(); ++i) {
    const Face f = face_of(i);
    const double w0 = f.side > 0 ? lower[f.axis] : -upper[f.axis],
                 w1 = f.side > 0 ? upper[f.axis] : -lower[f.axis];
    if (!(w1 > 0)) continue;
    const Quotients u(lower[f.right], upper[f.right], w0, w1), v(lower[f.up], upper[f.up], w0, w1);
    if (!covers(faces_[i], {-1, -1, 2}, {u.low, u.high, v.low, v.high})) return false;
  }
  return true;
}

bool SkyMap::covers(Cell cell, const Square& square, const Rectangle& seen) const {
  if (cell == hidden || seen.u0 > square.u + square.size || seen.u1 < square.u ||
      seen.v0 > square.v + square.size || seen.v1 < square.v)
    return true;
  if (cell == open) return false;
  for (std::size_t i = 0; i < 4; ++i)
    if (!covers(parts_[cell - first_parts][i], square.part(i), seen)) return false;
  return true;
}

}  // namespace sphaera::query
