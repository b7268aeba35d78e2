#include <base/errors.hpp>
#include <base/floating_point_environment.hpp>
#include <base/validate.hpp>
#include <memory>
#include <new>
#include <sphaera/starlight.hpp>
#include <star_light/star_view.hpp>
#include <string>

namespace sphaera::inline SPHAERA_ABI {
namespace {

void check_ground(const Observer& observer, std::span<const Sphere> spheres) {
  if (observer.on == Observer::nowhere) return;
  if (observer.on < 0 || observer.on >= static_cast<std::int64_t>(spheres.size())) {
    throw Error(ErrorCode::invalid_argument, "observer",
                "on is " + std::to_string(observer.on) + "; give -1 for none or the id of one of the " +
                    std::to_string(spheres.size()) + " spheres");
  }
  if (observer.position == spheres[observer.on].center) {
    throw Error(ErrorCode::invalid_argument, "observer",
                "at the center of the sphere that it stands on, where up is undefined; move it");
  }
}

}  // namespace

Visibility starlight(const Star& star, const Observer& observer, std::span<const Sphere> spheres) {
  const base::FloatingPointEnvironment mode;
  base::check(star);
  base::check(observer);
  base::check_all(spheres);
  check_ground(observer, spheres);
  exact::Counts counts;
  try {
    const auto scratch = std::make_unique<star_light::StarViewScratch>();
    star_light::StarView view(star, observer.position, *scratch, counts);
    for (std::int64_t id = 0; id < static_cast<std::int64_t>(spheres.size()); ++id) {
      if (id == observer.on) {
        view.stand_on(spheres[id], id);
      } else {
        view.add(spheres[id], id);
      }
    }
    return view.result();
  } catch (const std::bad_alloc&) {
    base::throw_out_of_memory();
  }
}

}  // namespace sphaera::inline SPHAERA_ABI
