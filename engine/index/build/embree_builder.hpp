#pragma once
/// \file Runs Embree's builder on our callbacks.

#include <atomic>
#include <base/happens_before.hpp>
#include <exception>
#include <index/build/device.hpp>
#include <span>
#include <utility>

namespace sphaera::index {

/// The callbacks of rtcBuildBVH, called from any thread. `State` has on_node(allocator), on_leaf(primitives),
/// on_children(node, children) and `progress`, a ProgressRange.
template <class State>
class Builder {
 public:
  Builder(State& state, std::exception_ptr& thrown) : state_(state), thrown_(thrown) {}

  /// Returns the root. Throws Embree's error, or the exception of the caller's progress callback. That
  /// exception bypasses Embree, which would report it as an unknown error.
  static void* run(const Device& device, RTCBuildArguments& arguments, State& state) {
    arguments.createNode = on_node;
    arguments.createLeaf = on_leaf;
    arguments.setNodeChildren = on_children;
    arguments.setNodeBounds = on_bounds;  // required by Embree
    arguments.buildProgress = on_progress;
    void* root = nullptr;
    std::exception_ptr thrown;
    {
      Builder builder(state, thrown);
      arguments.userPtr = &builder;
      root = rtcBuildBVH(&arguments);
    }
    if (thrown) {
      (void)rtcGetDeviceError(device.get());  // clears the cancellation that we requested
      std::rethrow_exception(thrown);
    }
    device.check();
    return root;
  }

 private:
  template <class Work>
  static auto part_of(void* self, const Work& work) {
    auto& builder = *static_cast<Builder*>(self);
    const base::Fork::Part part(builder.fork_);
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
  static void on_bounds(void*, const RTCBounds**, unsigned, void*) {}
  static bool on_progress(void* self, double share) {
    return part_of(self, [&](State& state) {
      try {
        return ProgressRange::report(&state.progress, share);
      } catch (...) {
        static_cast<Builder*>(self)->keep(std::current_exception());
        return false;
      }
    });
  }
  /// Keeps the first exception if several threads throw.
  void keep(std::exception_ptr thrown) {
    if (!has_thrown_.test_and_set()) thrown_ = std::move(thrown);
  }

  State& state_;
  std::exception_ptr& thrown_;
  std::atomic_flag has_thrown_;
  base::Fork fork_;  // last member: starts when all others are initialized
};

}  // namespace sphaera::index
