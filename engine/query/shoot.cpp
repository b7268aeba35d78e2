#include <geometry/impact.hpp>
#include <query/flight.hpp>
#include <query/lists.hpp>
#include <string>

namespace sphaera {
namespace {

void check_flight(const query::SceneState& state, const FlightOptions& flight) {
  const auto refuse = [](const std::string& what, std::int64_t element = Error::no_element) {
    throw Error(ErrorCode::invalid_argument, what, element);
  };
  if (!(flight.budget >= 0)) refuse("the budget is negative or no number; give 0 or more, or inf");
  if (!(flight.restitution >= 0 && flight.restitution <= 1)) refuse("restitution goes from 0 to 1");
  if (!(flight.friction >= 0 && geometry::is_finite(flight.friction)))
    refuse("friction is negative or not finite; give 0 or more");
  const std::size_t spheres = state.spheres.span().size();
  if (flight.resistances.empty()) return;
  if (flight.resistances.size() != spheres) {
    refuse("there are " + std::to_string(flight.resistances.size()) + " resistances for " +
           std::to_string(spheres) + " spheres; give none or one for each sphere");
  }
  for (std::size_t i = 0; i < spheres; ++i) {
    if (!(flight.resistances[i] >= 0)) {
      refuse("sphere " + std::to_string(i) + ": resistance is negative or no number; give 0 or more, or inf",
             static_cast<std::int64_t>(i));
    }
  }
}

/// All meetings of a flight.
struct AllImpacts : query::FlightQuery {
  std::vector<query::Meeting>* found = nullptr;
  bool out_of_memory = false;

  using FlightQuery::FlightQuery;

  template <class Arithmetic>
  SPHAERA_INLINE static index::Next see(AllImpacts& q, std::uint32_t id) {
    const query::Meeting met = q.meeting(Arithmetic{}, id);
    if (met.contact == Contact::miss) return index::Next::go_on;
    try {
      q.found->push_back(met);
    } catch (const std::exception&) {
      q.out_of_memory = true;
      return index::Next::stop;
    }
    return index::Next::go_on;
  }
};

/// One bullet on its way, from impact to impact.
class Trajectory {
 public:
  Trajectory(const query::SceneState& state, const FlightOptions& rules, const QueryOptions& options,
             QueryStats& stats)
      : state_(state), rules_(rules), options_(options), stats_(stats) {}

  /// The first impact of bullet i.
  template <class Arithmetic>
  SPHAERA_INLINE Impact first(const Bullet& bullet, std::size_t i) {
    begin(bullet, i);
    const query::Meeting met =
        query::first_impact<Arithmetic>(state_, flight_, passing_, eligible_, options_, stats_);
    return met.contact == Contact::miss ? Impact{} : impact_of(met);
  }

  /// Appends all impacts of bullet i.
  template <class Arithmetic>
  SPHAERA_INLINE void all(const Bullet& bullet, std::size_t i, std::vector<Impact>& impacts) {
    begin(bullet, i);
    do {
      find_meetings<Arithmetic>();
    } while (follow(impacts));
  }

 private:
  void begin(const Bullet& bullet, std::size_t i) {
    flight_ = query::flight_of(state_, bullet);
    duration_ = bullet.duration;
    passing_.left = index::no_sphere, passing_.within.clear(), passing_.bounced = false;
    passing_.start_inside = rules_.start_inside;
    eligible_ = query::Eligible(state_, options_, i);
    bounces_ = rules_.bounces, pierces_ = rules_.pierces, budget_ = rules_.budget, impacts_ = 0;
  }

  /// Those of the present leg that are of interest, in order: all where some may be passed through.
  template <class Arithmetic>
  SPHAERA_INLINE void find_meetings() {
    meetings_.clear();
    const bool wait_inside = rules_.start_inside == StartInside::leaves && !passing_.bounced;
    if (wait_inside && bounces_ > 0) note_start<Arithmetic>();
    if (pierces_ == 0) {
      const query::Meeting met =
          query::first_impact<Arithmetic>(state_, flight_, passing_, eligible_, options_, stats_);
      if (met.contact != Contact::miss) meetings_.push_back(met);
    } else {
      walk_all<Arithmetic>(passing_);
    }
  }

  template <class Arithmetic>
  SPHAERA_INLINE void walk_all(const query::Passing& passing) {
    if (query::sees_nothing(state_, options_) || !(flight_.path.t_min <= flight_.path.t_max)) return;
    AllImpacts walk(state_, flight_, flight_.radius,
                    query::visit_of<AllImpacts, index::PathWalk, Arithmetic>(), passing, eligible_);
    walk.found = &meetings_;
    query::walk_scene<Arithmetic, AllImpacts, index::FlightWalk>(state_, options_, walk,
                                                                 &index::Tree::any_impact);
    if (walk.out_of_memory) geometry::throw_out_of_memory();
    std::sort(meetings_.begin(), meetings_.end(),
              [&](const query::Meeting& a, const query::Meeting& b) { return walk.earlier(a, b); });
    query::count(walk, stats_);
  }

  /// The spheres that hold the muzzle and are to be left first.
  template <class Arithmetic>
  SPHAERA_INLINE void note_start() {
    const exact::Flight whole = flight_;
    flight_.path.t_max = flight_.path.t_min;
    query::Passing hits;
    walk_all<Arithmetic>(hits);
    for (const query::Meeting& m : meetings_)
      if (m.contact == Contact::starts_inside) passing_.within.push_back(m.sphere);
    flight_ = whole;
    meetings_.clear();
  }

  /// Goes through the leg's meetings; true: a ricochet has begun another leg.
  bool follow(std::vector<Impact>& impacts) {
    for (const query::Meeting& met : meetings_) {
      const Impact impact = impact_of(met);
      impacts.push_back(impact);
      if (impact.outcome == Outcome::ricochets) {
        bounce(impact);
        return true;
      }
      if (impact.outcome != Outcome::passes) return false;
      passing_.within.push_back(met.sphere);
    }
    return false;
  }

  exact::InMotion pair(std::uint32_t id) const {
    const std::span<const Vec3> velocities = state_.velocities.span();
    return {exact::Plain{}, flight_, state_.spheres.span()[id],
            velocities.empty() ? nullptr : &velocities[id]};
  }

  /// The impact and what becomes of the bullet, whose allowances shrink.
  Impact impact_of(const query::Meeting& met) {
    Impact impact;
    const bool within = met.contact == Contact::starts_inside && !passing_.bounced;
    if (within && rules_.start_inside == StartInside::refuses) {
      impact.sphere = met.sphere, impact.contact = met.contact, impact.outcome = Outcome::refused;
      return impact;
    }
    impact = geometry::impact(pair(met.sphere), met.sphere, met.contact,
                              {rules_.restitution, rules_.friction}, elapsed_);
    impact.bounce = impacts_++;
    impact.outcome = outcome_of(met.sphere);
    if (impact.outcome == Outcome::passes) impact.velocity = flight_.path.direction;
    return impact;
  }

  Outcome outcome_of(std::uint32_t sphere) {
    const double resistance = rules_.resistances.empty() ? 1 : rules_.resistances[sphere];
    if (pierces_ > 0 && resistance <= budget_) {
      --pierces_, budget_ -= resistance;
      return Outcome::passes;
    }
    if (bounces_ == 0) return Outcome::stops;
    --bounces_;
    return Outcome::ricochets;
  }

  /// Starts the next leg from where the last impact was.
  void bounce(const Impact& impact) {
    duration_ = std::max(0.0, duration_ - elapsed_);
    flight_ =
        query::flight_of(state_, {impact.center, impact.velocity, flight_.radius, impact.time, duration_});
    passing_.left = static_cast<std::uint32_t>(impact.sphere), passing_.bounced = true;
    // A straight leg that begins or passes within a ball and ends within it has not left it.
    exact::Counts counts;
    std::erase_if(passing_.within, [&](std::uint32_t id) {
      return exact::sign_power(pair(id), flight_.path.t_min, counts) >= 0;
    });
    stats_.double_double += counts.double_double, stats_.exact += counts.exact;
  }

  const query::SceneState& state_;
  const FlightOptions& rules_;
  const QueryOptions& options_;
  QueryStats& stats_;

  exact::Flight flight_{};
  query::Eligible eligible_{state_, options_, 0};
  query::Passing passing_;
  std::vector<query::Meeting> meetings_;
  double duration_ = 0, elapsed_ = 0, budget_ = 0;
  std::uint32_t bounces_ = 0, pierces_ = 0, impacts_ = 0;
};

auto path_in(const query::SceneState& state) {
  return [&](const Bullet& bullet) SPHAERA_INLINE_LAMBDA { return query::flight_of(state, bullet).path; };
}

}  // namespace

void Scene::shoot(std::span<const Bullet> bullets, std::span<Impact> out, const FlightOptions& flight,
                  const QueryOptions& options) const {
  query::check_output(out.size(), bullets.size());
  check_flight(*state_, flight);
  query::run_pieces<query::WalkOrder::coherent>(
      *state_, bullets, options,
      [&](auto arithmetic, const query::Piece<Bullet>& piece, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
        Trajectory trajectory(*state_, flight, options, stats);
        piece.each_into(out, [&](std::size_t i) SPHAERA_INLINE_LAMBDA {
          out[i] = trajectory.first<decltype(arithmetic)>(bullets[i], i);
        });
      },
      path_in(*state_));
}

ImpactLists Scene::shoot(std::span<const Bullet> bullets, const FlightOptions& flight,
                         const QueryOptions& options) const {
  check_flight(*state_, flight);
  return query::run_lists<query::WalkOrder::coherent, Impact>(
      *state_, bullets, options,
      [&](auto arithmetic, const query::ListPiece<Bullet, Impact>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            Trajectory trajectory(*state_, flight, options, stats);
            piece.each([&](std::size_t i) SPHAERA_INLINE_LAMBDA {
              trajectory.all<decltype(arithmetic)>(bullets[i], i, piece.items);
            });
          },
      path_in(*state_));
}

Impact Scene::shoot(const Bullet& bullet, const FlightOptions& flight, const QueryOptions& options) const {
  check_flight(*state_, flight);
  Impact impact;
  query::run_single(*state_, bullet, options, [&](auto arithmetic, QueryStats& stats) SPHAERA_INLINE_LAMBDA {
    impact = Trajectory(*state_, flight, options, stats).first<decltype(arithmetic)>(bullet, 0);
  });
  return impact;
}

}  // namespace sphaera
