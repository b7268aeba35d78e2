#include <tools/answers/query_verb.hpp>
#include <tools/answers/ray_queries.hpp>
#include <tools/verbs/verbs.hpp>

namespace sphaera::tool {
namespace {

struct FirstRow {
  std::uint64_t ray;
  std::int64_t sphere;
  const SurfaceHit* hit;  ///< null: a miss
};

constexpr files::ResultColumns first_columns{
    column::integer("ray", ray_number, &FirstRow::ray),
    column::sphere("sphere", "id of the sphere", &FirstRow::sphere),
    column::number("t_enter", "t1, or tmin where the ray starts inside",
                   column::of(&FirstRow::hit, &SurfaceHit::t_enter)),
    column::number("t_exit", "t2, not cut at tmax", column::of(&FirstRow::hit, &SurfaceHit::t_exit)),
    column::word("contact", contact_words,
                 "enters (tmin ≤ t1 ≤ tmax; a tangent too) or starts_inside (t1 < tmin ≤ t2); in NPY 1 and 2",
                 column::of(&FirstRow::hit, &SurfaceHit::contact)),
    column::number("x,y,z", "the point at t_enter", column::of(&FirstRow::hit, &SurfaceHit::point)),
    column::number("nx,ny,nz", "outward unit normal there, (P−C)/|P−C|; 0 at the center",
                   column::of(&FirstRow::hit, &SurfaceHit::normal))};

struct First : RayVerb {
  static constexpr const char* about = R"(
The sphere that each ray meets first: the least (max(tmin, t1), id), where t1 ≤ t2 are the parameters at which
the ray's line crosses the sphere. The winner is exact for the numbers as given.)";
  static std::string help() {
    return R"(
Result: one row a ray; a miss has sphere -1 and the rest empty.
)" + first_columns.help() +
           R"(
Example:
  sphaera first molecule.csv.gz --rays rays.npy --output hits.npy --threads 8
)";
  }

  static std::vector<files::Column> columns_out() { return first_columns.list(); }

  auto answer(const Scene& scene, std::span<const Ray> rays, const QueryOptions& options) const {
    return scene.first_surface_hit(rays, options);
  }

  void write(files::TableRows& rows, std::uint64_t number, const Scene&, const Ray&,
             const SurfaceHit& hit) const {
    first_columns.write(rows, FirstRow{number, hit.sphere, hit.contact == Contact::miss ? nullptr : &hit});
  }
};

}  // namespace

const VerbEntry first_verb{"first", "the sphere that each ray meets first", make_verb<QueryVerb<First>>};

}  // namespace sphaera::tool
