#pragma once
/// \file Searches for contacts: of one body, and of several bodies that hide the star only together.

#include <array>
#include <contacts/contact_scene.hpp>
#include <contacts/phase_search.hpp>
#include <optional>

namespace sphaera::contacts {

/// Finds the contacts of one body.
class BodySearch : public PhaseSearch {
 public:
  BodySearch(ContactScene& scene, std::int64_t id, double resolution, std::vector<ContactTime>& contacts)
      : PhaseSearch(resolution, max_open_parts),
        scene_(scene),
        id_{id},
        constant_position_(constant_position(scene, id)),
        view_bounds_(scene, id_),
        contacts_(contacts) {}

  static constexpr std::uint64_t max_open_parts = std::uint64_t{1}
                                                  << 20;  ///< this many parts take about half a second

  void run(double begin, double end);
  EclipsePhase phase_at(double t) override;

 private:
  void enter_piece(double from) override { view_bounds_.enter_piece(from); }
  bool is_phase_constant(double from, double to) override;
  [[noreturn]] void throw_unresolved(double time) const override;
  void found(double time, EclipsePhase before, EclipsePhase after) override {
    contacts_.push_back({time, id_[0], before, after});
  }

  ContactScene& scene_;
  std::array<std::int64_t, 1> id_;
  RelativePosition constant_position_;  ///< of star and body: see contacts::constant_position
  MovingView view_bounds_;
  std::vector<ContactTime>& contacts_;
};

/// Finds the times at which several bodies together begin or cease to hide the whole star. Precondition: no
/// body hides the whole star alone.
class UnionSearch : public PhaseSearch {
 public:
  UnionSearch(ContactScene& scene, std::span<const std::int64_t> ids, double resolution,
              std::vector<PhaseChange>& changes)
      : PhaseSearch(resolution, max_open_parts),
        scene_(scene),
        ids_(ids),
        view_bounds_(scene, ids),
        changes_(changes) {}

  static constexpr std::uint64_t max_open_parts = std::uint64_t{1}
                                                  << 16;  ///< this many parts take about two seconds

  /// Searches from `begin`, where the phase is `phase`. Returns the phase at `end`.
  EclipsePhase run(double begin, EclipsePhase phase, double end);
  EclipsePhase phase_at(double t) override;

 private:
  void enter_piece(double from) override { view_bounds_.enter_piece(from); }
  bool is_phase_constant(double from, double to) override;
  [[noreturn]] void throw_unresolved(double time) const override;
  std::optional<Visibility> view(const TimeSpan& span, int sign);
  double horizon_rotation(const TimeSpan& span) const;
  void found(double time, EclipsePhase before, EclipsePhase after) override {
    changes_.push_back({time, before, after});
  }

  ContactScene& scene_;
  std::span<const std::int64_t> ids_;
  MovingView view_bounds_;
  std::vector<PhaseChange>& changes_;
};

}  // namespace sphaera::contacts
