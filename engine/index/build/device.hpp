#pragma once
/// \file An Embree device: its errors become ours, its memory is counted with that of our own arrays, its
/// progress reports are one number for the whole build.

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <index/build/embree.hpp>
#include <sphaera/scene.hpp>
#include <stop_token>

namespace sphaera::index {

struct BuildControl {
  BuildQuality quality = BuildQuality::balanced;
  std::uint64_t memory_limit = 0;  ///< bytes, 0: none
  std::stop_token stop{};
  std::function<void(double)> progress{};
  const char* embree_options =
      "";  ///< more of rtcNewDevice's, e.g. ",isa=sse2": tests go through all of them
};

/// What the caller's progress callback threw, whatever it is: on its way up no handler of the library's own
/// errors may take it for one of these.
struct CallbackError {
  std::exception_ptr thrown;
};

/// Embree's builder gave up: its cuts lie deeper than it was allowed to go.
struct TooDeep {};

/// A part of a build, from one share of the whole to another.
struct BuildPhase {
  const BuildControl* control;
  double first = 0, last = 1;

  /// The part of this one between two shares of it.
  BuildPhase subtree(double from, double to) const;
  /// False: stop was requested. `phase` is a BuildPhase; Embree calls it from any thread. Throws
  /// CallbackError.
  static bool report(void* phase, double share);
  /// Reports its end: Embree says nothing of a small build. Throws where stop was requested.
  void finish() const;
};

class Device {
 public:
  explicit Device(const BuildControl& control);
  Device(const Device&) = delete;

  RTCDevice get() const { return handle_.get(); }
  /// Throws what Embree has reported to this thread since the last call: TooDeep or Error.
  void check() const;

  /// Counts bytes of our own; more than the limit throws out_of_memory, and nothing is counted.
  void reserve(std::uint64_t bytes);
  void release(std::uint64_t bytes) { memory_.now -= static_cast<std::int64_t>(bytes); }
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(memory_.now.load()); }
  std::uint64_t peak_bytes() const { return static_cast<std::uint64_t>(memory_.peak.load()); }

 private:
  struct Memory {
    std::atomic<std::int64_t> now{0}, peak{0};
    std::int64_t limit = 0;

    bool add(std::int64_t bytes);
  };

  Memory memory_;  // outlives the device, which reports to it
  DeviceHandle handle_;
};

/// Bytes counted for as long as it lives.
class Reservation {
 public:
  Reservation(Device& device, std::uint64_t bytes) : device_(device), bytes_(bytes) { device.reserve(bytes); }
  ~Reservation() { device_.release(bytes_); }
  Reservation(const Reservation&) = delete;

 private:
  Device& device_;
  std::uint64_t bytes_;
};

}  // namespace sphaera::index
