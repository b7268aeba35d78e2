#include <algorithm>
#include <tests/oracle/caps/open_azimuths.hpp>

namespace sphaera::oracle {

OpenAzimuths::OpenAzimuths(const Direction& axis, long double limb)
    : axis_(axis), right_(across(axis)), up_(cross(axis, right_)), limb_(limb), kinks_{0, limb} {}

void OpenAzimuths::add(const Cap& cap) {
  const Long theta = angle(axis_, cap.axis), alpha = radius(cap);
  const Cover cover{static_cast<long double>(theta - alpha), static_cast<long double>(theta + alpha),
                    static_cast<long double>(atan2(dot(cap.axis, up_), dot(cap.axis, right_)))};
  covers_.push_back(cover);
  kink(std::fabs(cover.near)), kink(cover.far), kink(2 * pi - cover.far);
  for (const Cap& earlier : caps_)
    for (const Direction& p : common_points(earlier, cap)) kink(static_cast<long double>(angle(axis_, p)));
  caps_.push_back(cap);
}

/// h by the half-angles of the triangle with sides θ, ρ, α.
long double OpenAzimuths::Cover::half_width(long double rho) const {
  if (rho <= std::fabs(near)) return near < 0 ? pi : 0;
  if (rho >= 2 * pi - far) return pi;
  if (rho >= far) return 0;
  const long double above = std::sin((rho - near) / 2) * std::sin((far - rho) / 2);
  const long double below = std::sin((far + rho) / 2) * std::sin((near + rho) / 2);
  return 2 * std::atan2(std::sqrt(above), std::sqrt(below));
}

const std::vector<OpenAzimuths::Span>& OpenAzimuths::open(long double rho) {
  covered_.clear(), open_.clear();
  for (const Cover& c : covers_) {
    const long double h = c.half_width(rho);
    if (h >= pi) return open_;
    if (h <= 0) continue;
    long double start = std::remainder(c.azimuth - h, 2 * pi);
    if (start < -pi) start = -pi;
    covered_.push_back({start, start + 2 * h});
    if (start + 2 * h > pi) covered_.push_back({-pi, start + 2 * h - 2 * pi});
  }
  std::sort(covered_.begin(), covered_.end());
  long double reached = -pi;
  for (const auto& [start, end] : covered_) {
    if (start > reached) open_.push_back({reached, start});
    reached = std::max(reached, std::min(end, pi));
  }
  if (pi > reached) open_.push_back({reached, pi});
  return open_;
}

}  // namespace sphaera::oracle
