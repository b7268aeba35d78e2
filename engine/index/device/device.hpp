#pragma once
/// \file An Embree device. Its errors become Sphaera's errors, its memory counts together with our own
/// arrays, and its progress reports become one number for the whole build.

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <index/device/embree_version.hpp>
#include <memory_resource>
#include <sphaera/scene.hpp>
#include <stop_token>

namespace sphaera::index {

struct BuildControl {
  BuildQuality quality = BuildQuality::balanced;
  std::uint64_t memory_limit = 0;               ///< bytes, 0: none
  std::pmr::memory_resource* memory = nullptr;  ///< for arrays that stay in the index; null: the system's
  std::stop_token stop{};
  std::function<void(double)> progress{};
  const char* embree_options =
      "";  ///< further options of rtcNewDevice, e.g. ",isa=sse2"; tests try every isa
};

/// Wraps any exception from the caller's progress callback. No handler of the library's own errors may catch
/// it on its way up.
struct CallbackError {
  std::exception_ptr thrown;
};

/// Embree's builder gave up: the tree would be deeper than the limit.
struct TooDeep {};

/// A part of a build, from one fraction of the whole to another.
struct ProgressRange {
  const BuildControl* control;
  double first = 0, last = 1;

  /// The part between two fractions of this one.
  ProgressRange part(double from, double to) const;
  /// Embree calls it from any thread; `range` is a ProgressRange. Returns false if stop was requested. Throws
  /// CallbackError.
  static bool report(void* range, double share);
  /// Reports the end of the part, since Embree reports nothing for a small build. Throws if stop was
  /// requested.
  void finish() const;
};

class Device {
 public:
  explicit Device(const BuildControl& control);
  Device(const Device&) = delete;

  RTCDevice get() const { return handle_.get(); }
  /// Throws the error that Embree reported to this thread since the last call: TooDeep or Error.
  void check() const;
  /// Throws out_of_memory; the error says whether that is due to BuildControl::memory_limit.
  [[noreturn]] void throw_out_of_memory() const;

  /// Counts bytes of our own arrays. Beyond the limit it throws out_of_memory and counts nothing.
  void reserve(std::uint64_t bytes);
  void release(std::uint64_t bytes) { memory_.now -= static_cast<std::int64_t>(bytes); }
  std::uint64_t bytes() const { return static_cast<std::uint64_t>(memory_.now.load()); }
  std::uint64_t peak_bytes() const { return static_cast<std::uint64_t>(memory_.peak.load()); }
  /// BuildControl::memory.
  std::pmr::memory_resource* memory() const { return lasting_; }

 private:
  struct Memory {
    std::atomic<std::int64_t> now{0}, peak{0};
    std::int64_t limit = 0;  ///< 0: none
    std::atomic<bool> exceeded{false};

    bool add(std::int64_t bytes);
  };

  std::pmr::memory_resource* lasting_ = nullptr;
  Memory memory_;  // declared before, as it must outlive Embree's device, which reports to it
  DeviceHandle handle_;
};

/// Counts bytes during its lifetime.
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
