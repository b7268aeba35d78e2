#include <tools/answers/query_verb.hpp>
#include <tools/answers/ray_queries.hpp>

namespace sphaera::tool {
namespace {

struct Blocked : RayVerb {
  static constexpr const char* about = R"(
Whether each ray is blocked: one of its points, tmin ≤ t ≤ tmax, lies in a closed ball. A touch counts, and so
does a start inside. Exact for the numbers as given.)";
  static constexpr const char* help = R"(
Result: one row a ray.
  ray      number of the ray, from 0 in the order of the file
  blocked  1 or 0

Example:
  sphaera blocked crowd.csv --rays rays.csv --output blocked.csv --verify 1000
)";

  std::vector<io::Column> columns_out() const {
    return {io::Column::integer("ray"), io::Column::flag("blocked")};
  }

  auto answer(const Scene& scene, std::span<const Ray> rays, const QueryOptions& options) const {
    return scene.blocked(rays, options);
  }

  void write(io::TableRows& rows, std::uint64_t number, const Scene&, const Ray&,
             std::uint8_t blocked) const {
    rows.integer(static_cast<std::int64_t>(number)).flag(blocked != 0).end_row();
  }
};

}  // namespace

std::unique_ptr<Verb> blocked_verb() { return std::make_unique<QueryVerb<Blocked>>(); }

}  // namespace sphaera::tool
