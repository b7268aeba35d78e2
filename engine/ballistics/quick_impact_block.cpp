#include <ballistics/quick_curved_impact.hpp>
#include <ballistics/quick_impact_block.hpp>
#include <cmath>
#include <exact/numbers/dispatch.hpp>

namespace sphaera::ballistics {
namespace {

/// exact::drifted without its branches. An axis along which most digits cancel counts as unknown.
template <class Arithmetic>
SPHAERA_INLINE exact::LongOffset drifted(double o, double c, double w, double time) {
  exact::LongOffset l = exact::drifted<Arithmetic>(o, c, w, time);
  l.known = __builtin_fabs(l.value) >= 0x1p-31 * l.size;
  return l;
}

}  // namespace

template <class Arithmetic, QuickImpactBlock::Targets targets>
SPHAERA_INLINE ImpactTerms QuickImpactBlock::terms(std::size_t slot) const {
  const Vec3 o = origin_[slot], v = direction_[slot], c = center_[slot],
             w = targets == Targets::in_motion ? velocity_[slot] : Vec3{};
  const double start = start_[slot];
  ImpactTerms t{exact::prepared({o, v, {}, 0, last_[slot], 0, 0}),
                {},
                {},
                {},
                {c, radius_[slot]},
                w,
                v,
                flight_radius_[slot],
                start};
  if constexpr (targets == Targets::in_motion) t.path = exact::relative_path(t.path, w);
  t.x = drifted<Arithmetic>(o.x, c.x, w.x, start), t.y = drifted<Arithmetic>(o.y, c.y, w.y, start);
  t.z = drifted<Arithmetic>(o.z, c.z, w.z, start);
  return t;
}

template <class Arithmetic, QuickImpactBlock::Targets targets, class NumbersOf>
SPHAERA_INLINE void QuickImpactBlock::compute_slots(std::size_t count, const NumbersOf& numbers_of) {
  // Computes whole groups of slots: the values in unused slots do not matter.
  for (std::size_t row = 0; row < count; row += group_size) {
    for (std::size_t lane = 0; lane < group_size; ++lane) {
      const std::size_t i = row + lane;
      const ImpactNumbers n = numbers_of(Arithmetic{}, terms<Arithmetic, targets>(i), i);
      elapsed_[i] = n.elapsed, time_[i] = n.time, exit_time_[i] = n.exit_time, distance_[i] = n.distance;
      inward_[i] = n.inward, along_[i] = n.along;
      point_.set(i, n.point), impact_center_.set(i, n.center), normal_.set(i, n.normal);
      velocity_after_.set(i, n.velocity), exit_point_.set(i, n.exit_point);
      accurate_[i] = n.accurate ? 1 : 0, floor_[i] = n.floor;
    }
  }
}

template <class NumbersOf>
void QuickImpactBlock::compute_with(std::size_t count, Targets targets, const NumbersOf& numbers_of) {
  exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA {
    using Arithmetic = decltype(arithmetic);
    if (targets == Targets::in_motion) {
      compute_slots<Arithmetic, Targets::in_motion>(count, numbers_of);
    } else {
      compute_slots<Arithmetic, Targets::at_rest>(count, numbers_of);
    }
  });
}

void QuickImpactBlock::compute(std::size_t count, Targets targets, double restitution) {
  compute_with(count, targets,
               [&](auto arithmetic, const ImpactTerms& terms, std::size_t) SPHAERA_INLINE_LAMBDA {
                 return QuickImpact<decltype(arithmetic)>::numbers(terms, restitution);
               });
}

void QuickImpactBlock::compute_curved(std::size_t count, Targets targets, double restitution,
                                      const Vec3& gravity) {
  compute_with(count, targets,
               [&](auto arithmetic, const ImpactTerms& terms, std::size_t i) SPHAERA_INLINE_LAMBDA {
                 return QuickCurvedImpact<decltype(arithmetic)>::numbers(terms, gravity, low_[i], high_[i],
                                                                         restitution);
               });
  for (std::size_t i = 0; i < count; ++i)
    if (std::isnan(distance_[i])) distance_[i] = arc_length(direction_[i], gravity, elapsed_[i]);
}

bool QuickImpactBlock::write(std::size_t slot, Impact& impact, double& elapsed) const {
  const ImpactNumbers numbers{.elapsed = elapsed_[slot],
                              .time = time_[slot],
                              .exit_time = exit_time_[slot],
                              .distance = distance_[slot],
                              .inward = inward_[slot],
                              .along = along_[slot],
                              .point = point_[slot],
                              .center = impact_center_[slot],
                              .normal = normal_[slot],
                              .velocity = velocity_after_[slot],
                              .exit_point = exit_point_[slot],
                              .accurate = accurate_[slot] != 0,
                              .floor = floor_[slot]};
  if (!numbers.known()) return false;
  numbers.write(impact);
  elapsed = numbers.elapsed;
  return true;
}

}  // namespace sphaera::ballistics
