#include <tools/answers/query_verb.hpp>
#include <tools/answers/ray_queries.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

struct BlockedRow {
  std::uint64_t ray;
  std::uint8_t blocked;
};

constexpr files::ResultColumns blocked_columns{column::integer("ray", ray_number, &BlockedRow::ray),
                                               column::flag("blocked", "1 or 0", &BlockedRow::blocked)};

struct Blocked : RayVerb {
  static constexpr const char* about = R"(
Whether each ray is blocked: one of its points, tmin ≤ t ≤ tmax, lies in a closed ball. A touch counts, and so
does a start inside. Exact for the numbers as given.)";
  static std::string help() {
    return R"(
Result: one row a ray.
)" + blocked_columns.help() +
           R"(
Example:
  sphaera blocked crowd.csv --rays rays.csv --output blocked.csv --verify 1000
)";
  }

  static std::vector<files::Column> columns_out() { return blocked_columns.list(); }

  auto answer(const Scene& scene, std::span<const Ray> rays, const QueryOptions& options) const {
    return scene.blocked(rays, options);
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Ray&,
             std::uint8_t blocked) const {
    blocked_columns.write(rows, BlockedRow{number, blocked});
  }
};

}  // namespace

const VerbEntry blocked_verb{"blocked", "whether a sphere blocks each ray", make_verb<QueryVerb<Blocked>>};

}  // namespace sphaera::tool
