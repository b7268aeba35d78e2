#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>
#include <limits>

namespace sphaera::io {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// MemAvailable and SwapFree: free swap counts, since the system uses it before it kills processes.
std::uint64_t available() {
  std::ifstream file("/proc/meminfo");
  std::uint64_t sum = 0, kibibytes = 0;
  bool known = false;
  for (std::string key, unit; file >> key >> kibibytes; std::getline(file, unit)) {
    known = known || key == "MemAvailable:";
    if (key == "MemAvailable:" || key == "SwapFree:") sum += kibibytes << 10;
  }
  return known ? sum : unlimited;
}

/// The smallest memory limit of this process's control group and its ancestors (v2) and of the groups mounted
/// at /sys/fs/cgroup (v2 or v1).
std::uint64_t control_group_limit() {
  std::uint64_t least = unlimited;
  const auto read_limit = [&](const std::string& path) {
    std::ifstream file(path);
    if (std::uint64_t bytes = 0; file >> bytes) least = std::min(least, bytes);  // "max" is not a number
  };
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("0::")) continue;
    for (std::string group = line.substr(3); !group.empty(); group.resize(group.rfind('/')))
      read_limit("/sys/fs/cgroup" + group + "/memory.max");
  }
  read_limit("/sys/fs/cgroup/memory.max");
  read_limit("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  return least;
}

/// Limit of `ulimit -v`. The system refuses larger allocations, but with a less helpful message.
std::uint64_t address_space() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : unlimited;
}

}  // namespace

std::uint64_t machine_memory() {
  static const std::uint64_t bytes = std::min({available(), control_group_limit(), address_space()});
  return bytes;
}

std::uint64_t memory_beside(std::uint64_t held) {
  const std::uint64_t all = machine_memory();
  return all == unlimited ? 0 : all - std::min(held, all - 1);
}

void check_memory(std::uint64_t bytes, const std::string& file) {
  if (bytes <= machine_memory()) return;
  throw Error(ErrorCode::out_of_memory, file,
              "its rows need more memory than the " + std::to_string(machine_memory() >> 20) +
                  " MiB available; give fewer rows");
}

}  // namespace sphaera::io
