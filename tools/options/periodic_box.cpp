#include <algorithm>
#include <array>
#include <sphaera/sphere.hpp>
#include <tools/options/periodic_box.hpp>

namespace sphaera::tool {

void add_box(CLI::App& app, Vec3& box) {
  add_parsed(app, "--box",
             "Edges of a periodic box, in the scene's unit: of each sphere the nearest image counts; 0: no "
             "period along that axis",
             "three lengths, 0 or more and at most 2^200",
             [&box](const std::string& text) {
               std::array<double, 3> edges{};
               const auto fits = [](double edge) { return edge >= 0 && edge <= domain_limit; };
               if (!parse_numbers(text, edges) || !std::ranges::all_of(edges, fits)) return false;
               box = {edges[0], edges[1], edges[2]};
               return true;
             })
      .type_name("X,Y,Z");
}

}  // namespace sphaera::tool
