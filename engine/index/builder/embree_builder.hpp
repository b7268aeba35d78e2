#pragma once
/// \file Runs Embree's builder on our callbacks.

#include <atomic>
#include <base/happens_before.hpp>
#include <exception>
#include <index/device/device.hpp>
#include <span>
#include <utility>

namespace sphaera::index {

/// The callbacks of rtcBuildBVH, called from any thread. `State` has on_node(allocator), on_leaf(primitives),
/// on_children(node, children) and `progress`, a ProgressRange. If on_node finds no memory, it returns null.
template <class State>
class Builder {
 public:
  /// Returns the root. Throws Embree's error, or the exception of the caller's progress callback. That
  /// exception bypasses Embree, which would report it as an unknown error.
  static void* run(const Device& device, RTCBuildArguments& arguments, State& state) {
    arguments.createNode = on_node;
    arguments.createLeaf = on_leaf;
    arguments.setNodeChildren = on_children;
    arguments.setNodeBounds = on_bounds;  // required by Embree
    arguments.buildProgress = on_progress;
    void* root = nullptr;
    Failure failure;
    {
      Builder builder(state, failure);
      arguments.userPtr = &builder;
      root = rtcBuildBVH(&arguments);
    }
    if (failure.thrown || failure.no_memory)
      (void)take_error(device.get());  // clears the cancellation that we requested
    if (failure.thrown) std::rethrow_exception(failure.thrown);
    if (failure.no_memory) device.throw_out_of_memory();
    device.check();
    return root;
  }

 private:
  /// Why the callbacks ended the build.
  struct Failure {
    std::exception_ptr thrown;
    std::atomic<bool> no_memory{false};
  };

  Builder(State& state, Failure& failure) : state_(state), failure_(failure) {}

  template <class Work>
  static auto part_of(void* self, const Work& work) {
    auto& builder = *static_cast<Builder*>(self);
    const base::Fork::Part part(builder.fork_);
    return work(builder);
  }
  static void* on_node(RTCThreadLocalAllocator allocator, unsigned, void* self) {
    return part_of(self, [&](Builder& builder) {
      void* const node = builder.state_.on_node(allocator);
      if (!node) builder.failure_.no_memory = true;
      return node;
    });
  }
  static void* on_leaf(RTCThreadLocalAllocator, const RTCBuildPrimitive* primitives, std::size_t n,
                       void* self) {
    return part_of(self, [&](Builder& builder) { return builder.state_.on_leaf(std::span(primitives, n)); });
  }
  /// Where a node below is missing, `no_memory` is set: that node was asked for before.
  static void on_children(void* node, void** children, unsigned n, void* self) {
    part_of(self, [&](Builder& builder) {
      if (!builder.failure_.no_memory) builder.state_.on_children(node, std::span(children, n));
    });
  }
  static void on_bounds(void*, const RTCBounds**, unsigned, void*) {}
  static bool on_progress(void* self, double share) {
    return part_of(self, [&](Builder& builder) {
      try {
        return !builder.failure_.no_memory && ProgressRange::report(&builder.state_.progress, share);
      } catch (...) {
        builder.keep(std::current_exception());
        return false;
      }
    });
  }
  /// Keeps the first exception if several threads throw.
  void keep(std::exception_ptr thrown) {
    if (!has_thrown_.test_and_set()) failure_.thrown = std::move(thrown);
  }

  State& state_;
  Failure& failure_;
  std::atomic_flag has_thrown_;
  base::Fork fork_;  // last member: starts when all others are initialized
};

}  // namespace sphaera::index
