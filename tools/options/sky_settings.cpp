#include <algorithm>
#include <array>
#include <sphaera/scene.hpp>
#include <tools/options/sky_settings.hpp>

namespace sphaera::tool {
namespace {

std::uint32_t clipped(std::uint64_t n, std::uint32_t most) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, most));
}

}  // namespace

void SkySettings::declare(CLI::App& app, const std::string& up_help) {
  add_parsed(app, "--up", up_help, "three finite numbers, not all 0", [this](const std::string& text) {
    std::array<double, 3> n{};
    if (!parse_numbers(text, n)) return false;
    up = {n[0], n[1], n[2]};
    return up != Vec3{};
  }).type_name("NX,NY,NZ");
  add_amount(app, "--within", "Spheres count only where they reach within R of the point; default: all count",
             domain_limit, "a length, 0 or more and at most 2^200", [this](double r) { options.within = r; })
      .type_name("R");
  add_count(
      app, "--discs", [this](std::uint64_t n) { options.most_discs = clipped(n, UINT32_MAX); },
      "Most spheres for an exact share; 0: sample always. Default 1024; the time grows with its square", 0)
      .type_name("N");
  add_count(
      app, "--rays", [this](std::uint64_t n) { options.rays = clipped(n, most_sky_rays); },
      "Directions to sample where there are more, at most 2^24; default 4096", 1)
      .type_name("N");
}

}  // namespace sphaera::tool
