#include <sys/stat.h>
#include <unistd.h>

#include <base/errors.hpp>
#include <base/files/target.hpp>
#include <base/strict_math.hpp>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>
#include <system_error>

namespace sphaera::base::inline SPHAERA_ABI {
namespace {

namespace fs = std::filesystem;

/// Folder of the path, with all links resolved; unresolved if that fails, so that opening it reports the
/// fault.
fs::path folder_of(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::error_code unknown;
  fs::path real = fs::canonical(folder, unknown);
  return unknown ? folder : real;
}

/// The number N of /proc/self/fd/N, to which /dev/stdout and /dev/fd/N lead.
std::optional<int> own_descriptor(const fs::path& path) {
  std::error_code unknown;
  const fs::path folder = path.parent_path();
  if (folder != fs::canonical("/proc/self/fd", unknown) &&
      folder != fs::canonical("/proc/thread-self/fd", unknown)) {
    return std::nullopt;
  }
  const std::string name = path.filename().string();
  int fd = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), fd);
  if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
  return fd;
}

bool is_device(const fs::path& path) {
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  return fs::exists(status) && !fs::is_regular_file(status);
}

std::optional<struct stat> status_of(const Target& target) {
  struct stat status{};
  const int failed = target.kind == Target::Kind::descriptor ? ::fstat(target.fd, &status)
                                                             : ::stat(target.path.c_str(), &status);
  return failed == 0 ? std::optional(status) : std::nullopt;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

Target target_of(const fs::path& name) {
  if (name.empty()) return {Target::Kind::descriptor, STDOUT_FILENO, {}};
  constexpr int max_links = 40;  // the kernel's limit
  const bool device = is_device(name);
  fs::path path = name;
  for (int links = 0; links <= max_links; ++links) {
    path = folder_of(path) / path.filename();
    if (const std::optional<int> fd = own_descriptor(path)) return {Target::Kind::descriptor, *fd, path};
    std::error_code no_link;
    const fs::path link = fs::read_symlink(path, no_link);
    if (no_link && device) return {Target::Kind::device, -1, name};
    if (no_link) return {Target::Kind::file, -1, path};
    path = path.parent_path() / link;
  }
  fail_io(name.string(), "cannot write it", ELOOP);
}

bool same_output(const Target& a, const Target& b) {
  if (a.kind == Target::Kind::descriptor && b.kind == Target::Kind::descriptor && a.fd == b.fd) return true;
  if (a.kind == Target::Kind::file && b.kind == Target::Kind::file && a.path == b.path) return true;
  const std::optional<struct stat> first = status_of(a), second = status_of(b);
  return first && second && same_file(*first, *second) && !S_ISCHR(first->st_mode);
}

bool writes_over(const Target& output, const fs::path& input) {
  struct stat read{};
  const int failed = input == "-" ? ::fstat(STDIN_FILENO, &read) : ::stat(input.c_str(), &read);
  const std::optional<struct stat> written = status_of(output);
  return failed == 0 && written && S_ISREG(read.st_mode) && same_file(read, *written);
}

}  // namespace sphaera::base::inline SPHAERA_ABI
