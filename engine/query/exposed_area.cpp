#include <caps/ball_cap.hpp>
#include <caps/uncovered_part.hpp>
#include <exact/predicates/compare_gap.hpp>
#include <exact/predicates/decide.hpp>
#include <numbers>
#include <query/neighbors/own_answers.hpp>

namespace sphaera {
namespace query {
namespace {

/// What another sphere hides of a sphere, both grown by a probe.
enum class Hiding : std::uint8_t { nothing, cap, all };

/// More than the relative errors of squares of distances and of sums of radii, 12u in all; squares below this
/// have others.
constexpr double square_slack = 0x1p-48, least_square = 0x1p-900;

/// Decides by double, or exactly where a surface is touched up to rounding.
Hiding hiding(const Sphere& sphere, std::int64_t id, const Sphere& other, std::int64_t other_id, double probe,
              exact::Counts& counts) {
  const Vec3 step = other.center - sphere.center;
  const double square = dot(step, step), sum = (sphere.radius + probe) + (other.radius + probe),
               difference = sphere.radius - other.radius;
  const double outer = sum * sum, inner = difference * difference;
  const bool sure = square > least_square && outer > least_square;
  const Ball ball{sphere.center, sphere.radius}, other_ball{other.center, other.radius};
  if (!(sure && square < (1 - square_slack) * outer)) {
    if (sure && square > (1 + square_slack) * outer) return Hiding::nothing;
    if (exact::compare_gap(ball, other_ball, 2 * probe, counts) >= 0) return Hiding::nothing;
  }
  if (sure && square > (1 + square_slack) * inner) return Hiding::cap;
  if (exact::sign_nesting(ball, other_ball, counts) > 0) return Hiding::cap;
  if (sphere.radius != other.radius) return sphere.radius < other.radius ? Hiding::all : Hiding::nothing;
  return other_id < id ? Hiding::all : Hiding::nothing;
}

/// The caps that the spheres about one sphere cut from it.
class FoundCaps {
 public:
  FoundCaps(std::span<const Sphere> spheres, std::uint32_t id, double probe, caps::UncoveredPart& part)
      : spheres_(spheres), id_(id), probe_(probe), part_(part) {
    part_.clear();
  }

  SPHAERA_INLINE bool takes(std::uint32_t id) const { return id != id_; }
  SPHAERA_INLINE void add(std::uint32_t id) {
    if (takes(id)) hide_by(id);
  }
  SPHAERA_INLINE void add_block(const index::LeafIds& ids) {
    for (std::size_t lane = 0; lane < ids.size(); ++lane) add(ids[lane]);
  }
  SPHAERA_INLINE void add_in_order(std::span<const std::uint32_t> ids) {
    for (const std::uint32_t id : ids) add(id);
  }
  void finish(const SpheresAtTime&, exact::Counts& counts) const {
    counts.double_double += counts_.double_double, counts.exact += counts_.exact;
  }

  ExposedArea result() const {
    const double radius = spheres_[id_].radius + probe_, square = radius * radius,
                 sphere = 4 * std::numbers::pi;
    ExposedArea exposed;
    exposed.hider = hider_;
    if (inside_) {
      exposed.exposure = Exposure::inside;
    } else if (hider_ < 0) {
      exposed = {
          .area = sphere * square, .share = 1, .outward = {}, .hider = -1, .exposure = Exposure::whole};
    } else {
      const caps::Uncovered part = part_.find();
      exposed.area = part.area * square, exposed.share = part.area / sphere;
      exposed.outward = square * part.moment;
      exposed.exposure = part.area > 0 ? Exposure::part : Exposure::covered;
    }
    return exposed;
  }

 private:
  void hide_by(std::uint32_t id) {
    const Sphere &sphere = spheres_[id_], &other = spheres_[id];
    switch (hiding(sphere, id_, other, id, probe_, counts_)) {
      case Hiding::nothing:
        return;
      case Hiding::all:
        if (!inside_ || id < hider_) hider_ = id;
        inside_ = true;
        return;
      case Hiding::cap:
        break;
    }
    if (inside_) return;
    const caps::Cap cap = caps::cap_on(sphere, other, probe_);
    part_.add(cap);
    if (hider_ >= 0 && (cap.cosine > least_ || (cap.cosine == least_ && id > hider_))) return;
    least_ = cap.cosine, hider_ = id;
  }

  std::span<const Sphere> spheres_;
  std::uint32_t id_;
  double probe_;
  caps::UncoveredPart& part_;
  exact::Counts counts_;
  std::int64_t hider_ = -1;
  double least_ = 1;     ///< cosine of the largest cap
  bool inside_ = false;  ///< does the sphere lie in another?
};

void check_probe(double probe) {
  if (!(probe >= 0 && base::in_domain(probe))) base::refuse_value("probe", probe, "a number from 0 to 2^200");
}

}  // namespace
}  // namespace query

void Scene::exposed_area(IdRange ids, double probe, std::span<ExposedArea> out,
                         const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_ids(state(), ids);
  query::check_output(out.size(), static_cast<std::size_t>(ids.count));
  query::check_probe(probe);
  if (query::has_box(options)) query::refuse_box();
  query::refuse_times(options, "exposed_area");
  query::refuse_ignore(options);
  query::check_options(state(), options, state().spheres.span().size());
  const std::span<const Sphere> spheres = state().spheres.span();
  query::answer_own(state(), ids, 2 * probe, out, options,
                    [&](std::uint32_t id, query::TaskScratch& scratch) SPHAERA_INLINE_LAMBDA {
                      return query::FoundCaps(spheres, id, probe, scratch.uncovered);
                    });
}

std::vector<ExposedArea> Scene::exposed_area(IdRange ids, double probe, const QueryOptions& options) const {
  query::check_ids(state(), ids);
  return query::filled<ExposedArea>(static_cast<std::size_t>(ids.count),
                                    [&](auto out) { exposed_area(ids, probe, out, options); });
}

void Scene::exposed_area(double probe, std::span<ExposedArea> out, const QueryOptions& options) const {
  exposed_area(query::all_ids(state()), probe, out, options);
}

std::vector<ExposedArea> Scene::exposed_area(double probe, const QueryOptions& options) const {
  return exposed_area(query::all_ids(state()), probe, options);
}

}  // namespace sphaera
