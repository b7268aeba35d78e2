#include <tools/answers/query_verb.hpp>
#include <tools/answers/ray_queries.hpp>

namespace sphaera::tool {
namespace {

struct First : RayVerb {
  static constexpr const char* about = R"(
The sphere that each ray meets first: the least (max(tmin, t1), id), where t1 ≤ t2 are the parameters at which
the ray's line crosses the sphere. The winner is exact for the numbers as given.)";
  static constexpr const char* help = R"(
Result: one row a ray; a miss has sphere -1 and the rest empty.
  ray           number of the ray, from 0 in the order of the file
  sphere        id of the sphere
  t_enter       t1, or tmin where the ray starts inside
  t_exit        t2, not cut at tmax
  contact       enters (tmin ≤ t1 ≤ tmax; a tangent too) or starts_inside (t1 < tmin ≤ t2); in NPY 1 and 2
  x,y,z         the point at t_enter
  nx,ny,nz      outward unit normal there, (P−C)/|P−C|; 0 at the center

Example:
  sphaera first molecule.csv.gz --rays rays.npy --output hits.npy --threads 8
)";

  std::vector<io::Column> columns_out() const {
    using io::Column;
    return {Column::integer("ray"),   Column::integer("sphere"), Column::number("t_enter"),
            Column::number("t_exit"), contact_column(),          Column::number("x"),
            Column::number("y"),      Column::number("z"),       Column::number("nx"),
            Column::number("ny"),     Column::number("nz")};
  }

  auto answer(const Scene& scene, std::span<const Ray> rays, const QueryOptions& options) const {
    return scene.first_surface_hit(rays, options);
  }

  void write(io::TableRows& rows, std::uint64_t number, const Scene&, const Ray&,
             const SurfaceHit& hit) const {
    rows.integer(static_cast<std::int64_t>(number)).integer(hit.sphere);
    if (hit.contact == sphaera::Contact::miss) {
      rows.empty().empty().empty();                          // t_enter, t_exit, contact
      rows.empty().empty().empty().empty().empty().empty();  // x, y, z, nx, ny, nz
    } else {
      const Vec3 &p = hit.point, &n = hit.normal;
      rows.number(hit.t_enter).number(hit.t_exit).word(static_cast<std::uint8_t>(hit.contact));
      rows.number(p.x).number(p.y).number(p.z).number(n.x).number(n.y).number(n.z);
    }
    rows.end_row();
  }
};

}  // namespace

std::unique_ptr<Verb> first_verb() { return std::make_unique<QueryVerb<First>>(); }

}  // namespace sphaera::tool
