#include <tbb/parallel_for.h>

#include <bench/measure/scenes.hpp>
#include <bench/measure/sort_rays.hpp>

namespace sphaera::bench {
namespace {

using workload::Kind;

/// Calls use(generator) with the generator of the scene.
template <class Use>
void with_generator(const SceneSpec& spec, std::uint64_t seed, const Use& use) {
  if (spec.place == Place::own) return use(workload::Generator(spec.kind, spec.spheres, seed));
  if (spec.kind == Kind::astronomical)
    return use(workload::Astronomical(spec.spheres, seed, 1 / workload::Astronomical::belt_unit));
  use(workload::Crowd(spec.spheres, seed));
}

template <class Element, class Make>
HugeVector<Element> make_all(std::size_t n, const Make& make) {
  HugeVector<Element> all(n);
  tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) { all[i] = make(i); });
  return all;
}

SortBy coherent(Kind kind) {
  return kind == Kind::belt || kind == Kind::hard_belt || kind == Kind::astronomical ? SortBy::direction
                                                                                     : SortBy::origin;
}

}  // namespace

bool is_moved(Kind kind) { return kind == Kind::astronomical || kind == Kind::earth || kind == Kind::planet; }

SceneSpec at_origin(const SceneSpec& spec) {
  return {spec.kind, spec.spheres, is_moved(spec.kind) ? Place::at_origin : Place::own};
}

std::string name(const SceneSpec& spec) {
  return std::string(workload::name(spec.kind)) + (spec.place == Place::at_origin ? "@origin" : "");
}

std::string short_number(std::uint64_t n) {
  int zeros = 0;
  std::uint64_t digit = n;
  for (; digit >= 10 && digit % 10 == 0; digit /= 10) ++zeros;
  if (digit >= 10 || zeros == 0) return std::to_string(n);
  std::string text = std::to_string(digit);
  text += 'e';
  return text += std::to_string(zeros);
}

std::string label(const SceneSpec& spec) { return name(spec) + "/" + short_number(spec.spheres); }

std::string_view name(Order order) {
  constexpr std::array<std::string_view, orders.size()> names{"random", "sorted"};
  return names[static_cast<std::size_t>(order)];
}

HugeVector<Sphere> make_spheres(const SceneSpec& spec, std::uint64_t seed) {
  HugeVector<Sphere> spheres;
  with_generator(spec, seed, [&](const auto& generator) {
    spheres = make_all<Sphere>(spec.spheres, [&](std::size_t i) { return generator.sphere(i); });
  });
  return spheres;
}

HugeVector<Ray> make_rays(const SceneSpec& spec, std::size_t n, Order order, std::uint64_t seed) {
  HugeVector<Ray> rays;
  with_generator(spec, seed, [&](const auto& generator) {
    if (n > 0) generator.ray(0);  // builds the index that rays of a hard_belt need, by all threads
    rays = make_all<Ray>(n, [&](std::size_t i) { return generator.ray(i); });
  });
  if (order == Order::sorted) sort_rays(rays, coherent(spec.kind));
  return rays;
}

}  // namespace sphaera::bench
