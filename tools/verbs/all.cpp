#include <tools/answers/query_verb.hpp>
#include <tools/answers/ray_queries.hpp>

namespace sphaera::tool {
namespace {

struct All : RayVerb {
  static constexpr const char* about = R"(
All spheres that each ray meets, however many, sorted by max(tmin, t1), then by id. t1 ≤ t2 are the parameters
at which the ray's line crosses the sphere. The answers are exact for the numbers as given.)";
  static constexpr const char* help = R"(
Result: one row a hit; none for a ray that meets nothing.
  ray      number of the ray, from 0 in the order of the file
  sphere   id of the sphere
  t_enter  t1, or tmin where the ray starts inside
  t_exit   t2, not cut at tmax
  contact  enters (tmin ≤ t1 ≤ tmax; also a tangent) or starts_inside (t1 < tmin ≤ t2); NPY: 1 or 2

Example:
  sphaera all belt.csv --rays sightlines.csv --format jsonl
)";

  std::vector<io::Column> columns_out() const {
    using io::Column;
    return {Column::integer("ray"), Column::integer("sphere"), Column::number("t_enter"),
            Column::number("t_exit"), contact_column()};
  }

  auto answer(const Scene& scene, std::span<const Ray> rays, const QueryOptions& options) const {
    return scene.all_hits(rays, options);
  }

  void write(io::TableRows& rows, std::uint64_t number, const Scene&, const Ray&,
             std::span<const Hit> hits) const {
    for (const Hit& hit : hits) {
      rows.integer(static_cast<std::int64_t>(number)).integer(hit.sphere);
      rows.number(hit.t_enter).number(hit.t_exit).word(static_cast<std::uint8_t>(hit.contact)).end_row();
    }
  }
};

}  // namespace

std::unique_ptr<Verb> all_verb() { return std::make_unique<QueryVerb<All>>(); }

}  // namespace sphaera::tool
