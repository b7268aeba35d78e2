#include <tests/queries/every_query.hpp>
#include <tests/queries/query_of.hpp>

namespace sphaera::test {
namespace {

/// Is `in` all inputs of a batch, and not one?
template <class In>
constexpr bool is_batch = requires(const In& in) { in.size(); };

template <class Path>
constexpr const char* of_paths = " of rays";
template <>
constexpr const char* of_paths<Segment> = " of segments";

template <class Path>
struct Blocked : Declaration<Path, std::uint8_t> {
  static constexpr auto function = "blocked", variant = of_paths<Path>;
  static auto ask(const Scene& s, const Questions&, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.blocked(in, out..., o);
  }
};

template <class Path>
struct FirstHit : Declaration<Path, Hit> {
  static constexpr auto function = "first_hit", variant = of_paths<Path>;
  static auto ask(const Scene& s, const Questions&, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.first_hit(in, out..., o);
  }
};

template <class Path>
struct FirstSurfaceHit : Declaration<Path, SurfaceHit> {
  static constexpr auto function = "first_surface_hit", variant = of_paths<Path>;
  static auto ask(const Scene& s, const Questions&, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.first_surface_hit(in, out..., o);
  }
};

template <class Path>
struct AllHits : Declaration<Path, Hit> {
  static constexpr auto function = "all_hits", variant = of_paths<Path>;
  static constexpr bool lists = true;
  static auto ask(const Scene& s, const Questions&, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.all_hits(in, out..., o);
  }
};

/// A bit for each target.
struct Sight : Declaration<Vec3, std::uint8_t> {
  static constexpr auto function = "visibility";
  static constexpr bool single = false;
  static std::size_t row_size(const Questions& q) { return SightTable::row_bytes(q.targets.size()); }
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    if constexpr (sizeof...(out) > 0)
      return s.visibility(in, {q.targets}, out..., o);
    else
      return s.visibility(in, {q.targets}, o).bits;
  }
};

struct Nearest : Declaration<Vec3, Neighbor> {
  static constexpr auto function = "nearest";
  static constexpr Refusals refuses{.box = false};
  static auto ask(const Scene& s, const Questions&, const auto& in, const QueryOptions& o, auto&&... out) {
    if constexpr (is_batch<decltype(in)>)
      return s.nearest(in, 1, out..., o);
    else
      return s.nearest(in, o);
  }
};

struct NearestOfSeveral : Declaration<Vec3, Neighbor> {
  static constexpr auto function = "nearest", variant = " of k";
  static constexpr Refusals refuses{.box = false};
  static std::size_t row_size(const Questions& q) { return q.k; }
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.nearest(in, q.k, out..., o);
  }
  static void ask_alone(const Scene& s, const Questions&, const Vec3& in, const QueryOptions& o,
                        std::span<Neighbor> out) {
    s.nearest(in, out, o);
  }
};

struct Within : Declaration<Ball, std::int64_t> {
  static constexpr auto function = "within";
  static constexpr Refusals refuses{.box = false};
  static constexpr bool lists = true;
  static void put(Bytes& row, std::int64_t id) { row.put_sphere(id); }
  static auto ask(const Scene& s, const Questions&, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.within(in, out..., o);
  }
};

struct CountWithin : Declaration<Ball, std::uint64_t> {
  static constexpr auto function = "count_within";
  static constexpr Refusals refuses{.box = false};
  static auto ask(const Scene& s, const Questions&, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.count_within(in, out..., o);
  }
};

struct NeighborsWithin : Declaration<Ball, Neighbor> {
  static constexpr auto function = "neighbors_within";
  static constexpr Refusals refuses{.box = false};
  static constexpr bool lists = true;
  static auto ask(const Scene& s, const Questions&, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.neighbors_within(in, out..., o);
  }
};

struct NearestToSpheres : Declaration<Sphere, Neighbor> {
  static constexpr auto function = "nearest_to_spheres";
  static constexpr Refusals refuses{.times = "nearest_to_spheres", .ignore = true, .box = false};
  static constexpr bool single = false, about_spheres = true;
  static std::size_t row_size(const Questions& q) { return q.k; }
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    if (in.size() == s.spheres().size()) return s.nearest_to_spheres(q.k, out..., o);
    return s.nearest_to_spheres(IdRange{0, std::ssize(in)}, q.k, out..., o);
  }
  static void ask_alone(const Scene& s, const Questions& q, std::int64_t id, const QueryOptions& o,
                        std::span<Neighbor> out) {
    s.nearest_to_spheres(IdRange{id, 1}, q.k, out, o);
  }
};

struct Contacts : Declaration<Sphere, Neighbor> {
  static constexpr auto function = "contacts";
  static constexpr Refusals refuses{.times = "contacts", .ignore = true, .box = false};
  static constexpr bool lists = true, single = false, about_spheres = true;
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    const auto ids = [&]() -> IdRange {
      if constexpr (is_batch<decltype(in)>)
        return {0, std::ssize(in)};
      else
        return in;
    }();
    if (ids.count == std::ssize(s.spheres())) return s.contacts(q.max_distance, out..., o);
    return s.contacts(ids, q.max_distance, out..., o);
  }
};

struct CountContacts : Declaration<Sphere, std::uint64_t> {
  static constexpr auto function = "count_contacts";
  static constexpr Refusals refuses{.times = "count_contacts", .ignore = true, .box = false};
  static constexpr bool single = false, about_spheres = true;
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    if (in.size() == s.spheres().size()) return s.count_contacts(q.max_distance, out..., o);
    return s.count_contacts(IdRange{0, std::ssize(in)}, q.max_distance, out..., o);
  }
  static void ask_alone(const Scene& s, const Questions& q, std::int64_t id, const QueryOptions& o,
                        std::span<std::uint64_t> out) {
    s.count_contacts(IdRange{id, 1}, q.max_distance, out, o);
  }
};

struct ExposedAreas : Declaration<Sphere, ExposedArea> {
  static constexpr auto function = "exposed_area";
  static constexpr Refusals refuses{.times = "exposed_area", .ignore = true};
  static constexpr bool single = false, about_spheres = true;
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    if (in.size() == s.spheres().size()) return s.exposed_area(q.max_distance, out..., o);
    return s.exposed_area(IdRange{0, std::ssize(in)}, q.max_distance, out..., o);
  }
  static void ask_alone(const Scene& s, const Questions& q, std::int64_t id, const QueryOptions& o,
                        std::span<ExposedArea> out) {
    s.exposed_area(IdRange{id, 1}, q.max_distance, out, o);
  }
};

/// One item for each star.
struct Starlight : Declaration<Observer, Visibility> {
  static constexpr auto function = "starlight";
  static constexpr Refusals refuses{.times = "starlight", .accept = "starlight", .embree = "starlight"};
  static std::size_t row_size(const Questions& q) { return q.stars.size(); }
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.starlight(q.stars, in, out..., o);
  }
  static void ask_alone(const Scene& s, const Questions& q, const Observer& in, const QueryOptions& o,
                        std::span<Visibility> out) {
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = s.starlight(q.stars[j], in, o);
  }
};

struct Irradiance : Declaration<Receiver, double> {
  static constexpr auto function = "irradiance";
  static constexpr Refusals refuses{.times = "irradiance", .accept = "irradiance", .embree = "irradiance"};
  static constexpr bool single = false;
  static double miss() { return not_a_number; }
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.irradiance(q.sources, in, out..., o);
  }
};

struct Sky : Declaration<SkyPoint, SkyShare> {
  static constexpr auto function = "sky";
  static constexpr Refusals refuses{.times = "sky", .embree = "sky"};
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.sky(in, out..., q.sky, o);
  }
};

/// How bullets fly: all of them, or one.
struct Straight {
  static constexpr auto variant = "";
  static constexpr Refusals refuses{.times = "bullets",
                                    .embree_among_moving = "bullets among spheres that move"};
  static auto& bullets(auto& q) { return q.bullets; }
  static FlightOptions flight(const Questions& q, const auto&) { return q.flight; }
};
struct Falling {
  static constexpr auto variant = " under gravity";
  static constexpr Refusals refuses{.times = "bullets", .embree = "bullets under gravity"};
  static auto& bullets(auto& q) { return q.fallers; }
  static FlightOptions flight(const Questions& q, const auto& in) {
    FlightOptions flight = q.falling();
    if constexpr (!is_batch<decltype(in)>)
      if (!flight.gravities.empty())
        flight.gravities = flight.gravities.subspan(static_cast<std::size_t>(&in - q.fallers.data()), 1);
    return flight;
  }
};

template <class Flight>
struct FirstImpact : Declaration<Bullet, Impact> {
  static constexpr auto function = "first_impact", variant = Flight::variant;
  static constexpr Refusals refuses = Flight::refuses;
  static auto& inputs(auto& questions) { return Flight::bullets(questions); }
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.first_impact(in, out..., Flight::flight(q, in), o);
  }
};

template <class Flight>
struct AllImpacts : Declaration<Bullet, Impact> {
  static constexpr auto function = "all_impacts", variant = Flight::variant;
  static constexpr Refusals refuses = Flight::refuses;
  static auto& inputs(auto& questions) { return Flight::bullets(questions); }
  static constexpr bool lists = true;
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.all_impacts(in, out..., Flight::flight(q, in), o);
  }
};

struct NearMisses : Declaration<Bullet, NearMiss> {
  static constexpr auto function = "near_misses";
  static constexpr Refusals refuses{.times = "bullets", .embree = "near misses"};
  static constexpr bool single = false;
  static auto ask(const Scene& s, const Questions& q, const auto& in, const QueryOptions& o, auto&&... out) {
    return s.near_misses(in, q.max_distance, out..., o);
  }
};

}  // namespace

std::span<const Query* const> every_query() {
  return queries_of<Blocked<Ray>, Blocked<Segment>, FirstHit<Ray>, FirstHit<Segment>, FirstSurfaceHit<Ray>,
                    FirstSurfaceHit<Segment>, AllHits<Ray>, AllHits<Segment>, Sight, Nearest,
                    NearestOfSeveral, Within, CountWithin, NeighborsWithin, NearestToSpheres, Contacts,
                    CountContacts, ExposedAreas, Sky, Starlight, Irradiance, FirstImpact<Straight>,
                    FirstImpact<Falling>, AllImpacts<Straight>, AllImpacts<Falling>, NearMisses>();
}

}  // namespace sphaera::test
