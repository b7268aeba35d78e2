#include <sys/resource.h>
#include <unistd.h>

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

/// A mounted tree of control groups that limits memory.
struct GroupTree {
  const char* folder;
  const char* limit;  // the file in the folder of each group
};
constexpr GroupTree version_1{"sys/fs/cgroup/memory", "memory.limit_in_bytes"};
constexpr GroupTree version_2{"sys/fs/cgroup", "memory.max"};

/// The least limit of the group at `path` and the groups around it.
std::uint64_t least_limit(const std::filesystem::path& root, const GroupTree& tree, std::string path) {
  std::uint64_t least = unlimited;
  for (;; path.resize(path.rfind('/'))) {
    std::ifstream file(root / (tree.folder + path) / tree.limit);
    if (std::uint64_t bytes = 0; file >> bytes) least = std::min(least, bytes);  // "max" is not a number
    if (path.find('/') == std::string::npos) return least;
  }
}

/// Limit of `ulimit -v`. The system refuses larger allocations, but with a less helpful message.
std::uint64_t address_space() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : unlimited;
}

}  // namespace

std::uint64_t control_group_limit(const std::filesystem::path& root) {
  // In a container the path may be that of the host; the mounted tree is then the container's group itself.
  std::uint64_t least = std::min(least_limit(root, version_1, {}), least_limit(root, version_2, {}));
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string number, controllers, path;
       std::getline(file, number, ':') && std::getline(file, controllers, ':') && std::getline(file, path);) {
    if (controllers.empty()) least = std::min(least, least_limit(root, version_2, path));
    if ((',' + controllers + ',').find(",memory,") != std::string::npos)
      least = std::min(least, least_limit(root, version_1, path));
  }
  return least;
}

std::uint64_t machine_memory() {
  static const std::uint64_t bytes = std::min({available(), control_group_limit("/"), address_space()});
  return bytes;
}

std::uint64_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t mapped = 0, resident = 0;  // in pages
  return file >> mapped >> resident ? resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
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
