#include <tools/answers/answer.hpp>

namespace sphaera::tool {
namespace {

struct Within {
  using Query = Ball;
  static constexpr const char* option = "--balls";
  static constexpr const char* columns = "x,y,z,r";
  static constexpr const char* query_help = "";

  static constexpr const char* about = R"(
The spheres that have a point in common with each closed ball: a touch counts, and so does one ball inside the other.
r is 0 (a point) or more. Exact for the numbers as given.)";
  static constexpr const char* help = R"(
Result: one row a sphere, ids ascending; none for a ball that meets nothing.
  ball    number of the ball, from 0 in the order of the file
  sphere  id of the sphere, from 0 in the order of the scene file

Example:
  sphaera within crowd.csv --balls blasts.csv --layers players
)";

  void declare(CLI::App&) const {}

  std::vector<io::Column> columns_out() const {
    return {io::Column::integer("ball"), io::Column::integer("sphere")};
  }

  auto answer(const Scene& scene, std::span<const Ball> balls, const QueryOptions& options) const {
    return scene.within(balls, options);
  }

  void write(io::TableRows& rows, std::uint64_t number, const Scene&, const Ball&,
             std::span<const std::int64_t> spheres) const {
    for (const std::int64_t sphere : spheres) {
      rows.integer(static_cast<std::int64_t>(number)).integer(sphere).end_row();
    }
  }
};

}  // namespace

std::unique_ptr<Verb> within_verb() { return std::make_unique<QueryVerb<Within>>(); }

}  // namespace sphaera::tool
