#include <tools/workload/workload.hpp>

namespace sphaera::workload {
namespace {

constexpr std::array<std::string_view, kinds.size()> names{"crowd", "belt",   "uniform",   "astronomical",
                                                           "earth", "planet", "hard_belt", "people"};

AnyScene scene_of(Kind kind, std::uint64_t spheres, std::uint64_t seed) {
  switch (kind) {
    case Kind::crowd:
      return Crowd(spheres, seed);
    case Kind::belt:
      return Belt(spheres, seed);
    case Kind::astronomical:
      return Astronomical(spheres, seed);
    case Kind::earth:
      return Earth(spheres, seed);
    case Kind::planet:
      return Planet(spheres, seed);
    case Kind::hard_belt:
      return HardBelt(spheres, seed);
    case Kind::people:
      return People(spheres, seed);
    case Kind::uniform:
      break;
  }
  return Uniform(spheres, seed);
}

}  // namespace

std::string_view name(Kind kind) { return names[static_cast<std::size_t>(kind)]; }

std::optional<Kind> kind_named(std::string_view text) {
  for (const Kind kind : kinds)
    if (name(kind) == text) return kind;
  return std::nullopt;
}

bool has_people(Kind kind) {
  return kind == Kind::crowd || kind == Kind::earth || kind == Kind::planet || kind == Kind::people;
}

Generator::Generator(Kind kind, std::uint64_t n, std::uint64_t seed) : scene_(scene_of(kind, n, seed)) {}

Sphere Generator::sphere(std::uint64_t i) const {
  return std::visit([&](const auto& scene) { return scene.sphere(i); }, scene_);
}

Vec3 Generator::velocity(std::uint64_t i) const {
  return std::visit(
      [&](const auto& scene) -> Vec3 {
        if constexpr (requires { scene.velocity(i); }) return scene.velocity(i);
        return {};
      },
      scene_);
}

Bullet Generator::bullet(std::uint64_t i) const {
  return std::visit(
      [&](const auto& scene) -> Bullet {
        if constexpr (requires { scene.bullet(i); }) return scene.bullet(i);
        const Ray ray = scene.ray(i);
        return {ray.origin, ray.direction, 0, 0, ray.t_max};
      },
      scene_);
}

Ray Generator::ray(std::uint64_t i) const {
  return std::visit([&](const auto& scene) { return scene.ray(i); }, scene_);
}

void Generator::spheres(std::uint64_t first, std::span<Sphere> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = sphere(first + i);
}

void Generator::velocities(std::uint64_t first, std::span<Vec3> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = velocity(first + i);
}

void Generator::bullets(std::uint64_t first, std::span<Bullet> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = bullet(first + i);
}

void Generator::rays(std::uint64_t first, std::span<Ray> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = ray(first + i);
}

std::vector<Sphere> spheres(Kind kind, std::uint64_t n, std::uint64_t seed) {
  std::vector<Sphere> all(n);
  Generator(kind, n, seed).spheres(0, all);
  return all;
}

std::vector<Vec3> velocities(Kind kind, std::uint64_t n, std::uint64_t seed) {
  std::vector<Vec3> all(n);
  Generator(kind, n, seed).velocities(0, all);
  return all;
}

std::vector<Bullet> bullets(Kind kind, std::uint64_t n_bullets, std::uint64_t n_spheres, std::uint64_t seed) {
  std::vector<Bullet> all(n_bullets);
  Generator(kind, n_spheres, seed).bullets(0, all);
  return all;
}

std::vector<Ray> rays(Kind kind, std::uint64_t n_rays, std::uint64_t n_spheres, std::uint64_t seed) {
  std::vector<Ray> all(n_rays);
  Generator(kind, n_spheres, seed).rays(0, all);
  return all;
}

}  // namespace sphaera::workload
