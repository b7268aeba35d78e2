#pragma once
/// \file Searches for contacts: of one body, and of several bodies that hide the star only together.

#include <array>
#include <contacts/contact_scene.hpp>
#include <contacts/phase_search.hpp>
#include <optional>

namespace sphaera::geometry {

/// Finds the contacts of one body.
class BodySearch : public ClassSearch {
 public:
  BodySearch(Setting& setting, std::int64_t id, double resolution, std::vector<ContactTime>& contacts)
      : ClassSearch(resolution, most_open_parts),
        setting_(setting),
        id_{id},
        constant_position_(constant_position(setting, id)),
        sky_(setting, id_),
        contacts_(contacts) {}

  static constexpr std::uint64_t most_open_parts = std::uint64_t{1} << 20;  ///< half a second of queries

  void run(double begin, double end);
  Light light_at(double t) override;

 private:
  void enter_part(double from) override { sky_.enter_part(from); }
  bool is_settled(double from, double to) override;
  [[noreturn]] void give_up(double time) const override;
  void found(double time, Light before, Light after) override {
    contacts_.push_back({time, id_[0], before, after});
  }

  Setting& setting_;
  std::array<std::int64_t, 1> id_;
  RelativePosition constant_position_;
  MovingView sky_;
  std::vector<ContactTime>& contacts_;
};

/// Finds the times at which several bodies, which all cross the limb, together begin or cease to hide the
/// star.
class UnionSearch : public ClassSearch {
 public:
  UnionSearch(Setting& setting, std::span<const std::int64_t> ids, double resolution,
              std::vector<LightTime>& changes)
      : ClassSearch(resolution, most_open_parts),
        setting_(setting),
        ids_(ids),
        sky_(setting, ids),
        changes_(changes) {}

  static constexpr std::uint64_t most_open_parts = std::uint64_t{1} << 16;  ///< two seconds of queries

  /// Searches from `begin`, where the class is `light`. Returns the class at `end`.
  Light run(double begin, Light light, double end);
  Light light_at(double t) override;

 private:
  void enter_part(double from) override { sky_.enter_part(from); }
  bool is_settled(double from, double to) override;
  [[noreturn]] void give_up(double time) const override;
  std::optional<Visibility> view(const TimeSpan& span, int sign);
  double turn_of_horizon(const TimeSpan& span) const;
  void found(double time, Light before, Light after) override { changes_.push_back({time, before, after}); }

  Setting& setting_;
  std::span<const std::int64_t> ids_;
  MovingView sky_;
  std::vector<LightTime>& changes_;
};

}  // namespace sphaera::geometry
