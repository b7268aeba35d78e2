#include <algorithm>
#include <base/errors.hpp>
#include <base/floating_point_environment.hpp>
#include <index/device/device.hpp>
#include <limits>
#include <sphaera/error.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace sphaera::index {
namespace {

/// Embree has no error code for a tree that is too deep. It calls on_error on the thread that called Embree.
/// That thread then reads the flag in `Device::check`.
thread_local bool depth_limit_reached = false;

void on_error(void*, RTCError code, const char* text) {
  depth_limit_reached = code == RTC_ERROR_UNKNOWN && text &&
                        std::string_view(text).find("depth limit") != std::string_view::npos;
}

[[noreturn]] void throw_cancelled() { throw Error(ErrorCode::cancelled, "the build was cancelled"); }

[[noreturn]] void throw_too_large(std::int64_t limit) {
  throw Error(ErrorCode::out_of_memory, "the index needs more than its memory_limit, " +
                                            std::to_string(limit) +
                                            " bytes; raise it, or give fewer spheres");
}

[[noreturn]] void throw_embree_error(RTCError code) {
  if (code == RTC_ERROR_OUT_OF_MEMORY) base::throw_out_of_memory();
  if (code == RTC_ERROR_CANCELLED) throw_cancelled();
  throw Error(ErrorCode::internal, "Embree reports error " + std::to_string(static_cast<int>(code)));
}

/// No `threads=`: it would limit the threads of the whole process. A user's .embree file is ignored where
/// Embree has an option for that.
std::string device_configuration(const char* more) {
#if RTC_VERSION_MAJOR >= 4
  return std::string("hugepages=1,ignore_config_files=1") + more;
#else
  return std::string("hugepages=1") + more;
#endif
}

}  // namespace

ProgressRange ProgressRange::part(double from, double to) const {
  const double size = last - first;
  return {control, first + from * size, first + to * size};
}

bool ProgressRange::report(void* range_pointer, double share) {
  const auto& range = *static_cast<const ProgressRange*>(range_pointer);
  if (range.control->stop.stop_requested()) return false;
  if (range.control->progress) {
    try {
      base::call_out(range.control->progress,
                     range.first + std::clamp(share, 0.0, 1.0) * (range.last - range.first));
    } catch (...) {
      throw CallbackError{std::current_exception()};
    }
  }
  return !range.control->stop.stop_requested();  // the callback may have requested the stop
}

void ProgressRange::finish() const {
  ProgressRange range = *this;
  if (!report(&range, 1)) throw_cancelled();
}

Device::Device(const BuildControl& control)
    : handle_(rtcNewDevice(device_configuration(control.embree_options).c_str())) {
  if (!handle_) throw_embree_error(take_error(nullptr));
  constexpr std::uint64_t no_limit = std::numeric_limits<std::int64_t>::max();
  memory_.limit = static_cast<std::int64_t>(std::min(control.memory_limit, no_limit));
  lasting_ = control.memory;
  rtcSetDeviceErrorFunction(handle_.get(), on_error, nullptr);
  const auto on_memory = [](void* memory, ssize_t bytes, bool) {
    auto& m = *static_cast<Memory*>(memory);
    return m.add(bytes) || bytes <= 0;
  };
  rtcSetDeviceMemoryMonitorFunction(handle_.get(), on_memory, &memory_);
}

void Device::check() const {
  const RTCError code = take_error(handle_.get());
  if (std::exchange(depth_limit_reached, false)) throw TooDeep{};
  if (code == RTC_ERROR_OUT_OF_MEMORY) throw_out_of_memory();
  if (code != RTC_ERROR_NONE) throw_embree_error(code);
}

void Device::throw_out_of_memory() const {
  if (memory_.exceeded) throw_too_large(memory_.limit);
  base::throw_out_of_memory();
}

bool Device::Memory::add(std::int64_t bytes) {
  const std::int64_t total = now += bytes;
  std::int64_t known = peak;
  while (total > known && !peak.compare_exchange_weak(known, total)) {
  }
  if (limit == 0 || total <= limit) return true;
  exceeded = true;
  return false;
}

void Device::reserve(std::uint64_t bytes) {
  if (memory_.add(static_cast<std::int64_t>(bytes))) return;
  release(bytes);
  throw_too_large(memory_.limit);
}

}  // namespace sphaera::index
