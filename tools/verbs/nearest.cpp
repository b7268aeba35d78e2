#include <algorithm>
#include <tools/answers/query_verb.hpp>

namespace sphaera::tool {
namespace {

/// The k neighbors of each point, one after another.
struct Neighbors {
  std::size_t k;
  std::vector<Neighbor> items;

  std::span<const Neighbor> operator[](std::size_t i) const { return std::span(items).subspan(i * k, k); }
};

class Nearest {
 public:
  using Query = Vec3;
  static constexpr const char* option = "--points";
  static constexpr const char* columns = "x,y,z";
  static constexpr const char* query_help = "";

  static constexpr const char* about = R"(
The K spheres nearest to each point X, nearest first, equally near ones by id. The distance to a sphere of center C
and radius r is |X−C|−r: negative inside the sphere, 0 on it. The order is exact for the numbers as given; the distance is good to 1 ulp.)";
  static constexpr const char* help = R"(
Result: K rows a point. If the scene has fewer than K spheres, the last rows have sphere -1 and no distance.
  point     number of the point, from 0 in the order of the file
  sphere    id of the sphere, from 0 in the order of the scene file
  distance  |X−C|−r, in the scene's unit

Example:
  sphaera nearest crowd.csv --points places.csv --k 3
)";

  void declare(CLI::App& app) {
    add_count(
        app, "--k", [this](std::uint64_t k) { k_ = k; }, "Spheres per point; default 1", 1)
        .type_name("K");
  }

  std::vector<io::Column> columns_out() const {
    return {io::Column::integer("point"), io::Column::integer("sphere"), io::Column::number("distance")};
  }

  /// At most as many neighbors a point as there are spheres; `write` fills up the other rows.
  auto answer(const Scene& scene, std::span<const Vec3> points, const QueryOptions& options) const {
    const std::size_t k = filled(scene);
    return Neighbors{k, scene.nearest(points, k, options)};
  }
  std::uint64_t answer_bytes(const Scene& scene) const { return (filled(scene) + 1) * sizeof(Neighbor); }

  void write(io::TableRows& rows, std::uint64_t number, const Scene&, const Vec3&,
             std::span<const Neighbor> neighbors) const {
    for (std::size_t j = 0; j < k_; ++j) {
      const Neighbor neighbor = j < neighbors.size() ? neighbors[j] : Neighbor{};
      rows.integer(static_cast<std::int64_t>(number)).integer(neighbor.sphere);
      neighbor.sphere < 0 ? rows.empty() : rows.number(neighbor.distance);
      rows.end_row();
    }
  }

 private:
  std::size_t filled(const Scene& scene) const { return std::min(k_, scene.spheres().size()); }

  std::size_t k_ = 1;
};

}  // namespace

std::unique_ptr<Verb> nearest_verb() { return std::make_unique<QueryVerb<Nearest>>(); }

}  // namespace sphaera::tool
