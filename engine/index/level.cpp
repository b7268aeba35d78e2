#include <index/level.hpp>
#include <index/parallel.hpp>

namespace sphaera::index {
namespace {

constexpr double grouping_share = 0.6;  // of the time of a build

Members members_of(const Bodies& bodies, const FramePlan& plan) {
  return {bodies, plan.holds == FramePlan::Holds::all ? nullptr : &plan.own};
}

}  // namespace

Level::Level(Device& device, const Bodies& bodies, const FramePlan& plan, const BuildPhase& phase)
    : bodies_(bodies),
      frame_(plan.frame),
      packets_(device, members_of(bodies, plan), plan.frame, phase.part(0, grouping_share)) {
  build_children(device, plan.children, phase.part(0, grouping_share));
  bvh_ = build_bvh(device, phase.part(grouping_share, 1));
  packets_.reorder(device, bvh_.renumbered(static_cast<std::uint32_t>(packets_.size())).span());
  areas_ = bvh_.areas();
  phase.finish();
}

void Level::build_children(Device& device, std::span<const FramePlan> plans, const BuildPhase& phase) {
  children_.resize(plans.size());
  const auto count = static_cast<double>(plans.size());
  parallel_pieces(plans.size(), 1, [&](std::size_t i, std::size_t) {
    const BuildPhase part = phase.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
    children_[i] = std::make_unique<Level>(device, bodies_, plans[i], part);
  });
}

Bvh Level::build_bvh(Device& device, const BuildPhase& phase) const {
  const auto box_of = [](const void* self, std::size_t i) { return static_cast<const Level*>(self)->box(i); };
  const auto weight_of = [](const void* self, std::size_t i) {
    return static_cast<const Level*>(self)->weight(i);
  };
  return {device, {packets_.size() + children_.size(), this, box_of, weight_of}, phase};
}

LocalBox Level::box(std::size_t primitive) const {
  const Level* level = child(primitive);
  return level ? frame_.box(level->frame_) : packets_.box(primitive, bodies_, frame_);
}

float Level::weight(std::size_t primitive) const {
  return child(primitive) ? 0 : packets_.weight(primitive, bodies_.spheres, frame_);
}

}  // namespace sphaera::index
