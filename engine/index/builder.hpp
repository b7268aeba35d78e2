#pragma once
/// \file Embree's builder, run on callbacks of ours.

#include <index/device.hpp>
#include <index/happens_before.hpp>
#include <span>

namespace sphaera::index {

/// What rtcBuildBVH calls, from any thread: `State` has on_node(allocator), on_leaf(primitives),
/// on_children(node, children), on_bounds(node, bounds) and a `phase`.
template <class State>
class Builder {
 public:
  explicit Builder(State& state) : state_(state) {}

  /// Returns the root; throws what Embree reports.
  static void* run(const Device& device, RTCBuildArguments& arguments, State& state) {
    arguments.createNode = on_node;
    arguments.createLeaf = on_leaf;
    arguments.setNodeChildren = on_children;
    arguments.setNodeBounds = on_bounds;
    arguments.buildProgress = on_progress;
    void* root = nullptr;
    {
      Builder builder(state);
      arguments.userPtr = &builder;
      root = rtcBuildBVH(&arguments);
    }
    device.check();
    return root;
  }

 private:
  template <class Work>
  static auto part_of(void* self, const Work& work) {
    auto& builder = *static_cast<Builder*>(self);
    const Fork::Part part(builder.fork_);
    return work(builder.state_);
  }
  static void* on_node(RTCThreadLocalAllocator allocator, unsigned, void* self) {
    return part_of(self, [&](State& state) { return state.on_node(allocator); });
  }
  static void* on_leaf(RTCThreadLocalAllocator, const RTCBuildPrimitive* primitives, std::size_t n,
                       void* self) {
    return part_of(self, [&](State& state) { return state.on_leaf(std::span(primitives, n)); });
  }
  static void on_children(void* node, void** children, unsigned n, void* self) {
    part_of(self, [&](State& state) { state.on_children(node, std::span(children, n)); });
  }
  static void on_bounds(void* node, const RTCBounds** bounds, unsigned n, void* self) {
    part_of(self, [&](State& state) { state.on_bounds(node, std::span(bounds, n)); });
  }
  static bool on_progress(void* self, double share) {
    return part_of(self, [&](State& state) { return BuildPhase::report(&state.phase, share); });
  }

  State& state_;
  Fork fork_;  // the last: it begins when the rest is there
};

}  // namespace sphaera::index
