#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <base/errors.hpp>
#include <base/files/descriptor.hpp>
#include <base/files/mapped_file.hpp>
#include <base/huge_array.hpp>
#include <base/strict_math.hpp>
#include <cerrno>
#include <memory>
#include <system_error>

namespace sphaera::base {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Error(ErrorCode::bad_file, path, what);
}

std::size_t size_of_plain_file(int file, const std::string& path) {
  struct stat status{};
  if (::fstat(file, &status) != 0) refuse(path, "cannot be read: " + std::generic_category().message(errno));
  if (!S_ISREG(status.st_mode)) refuse(path, "is not a plain file");
  return static_cast<std::size_t>(status.st_size);
}

}  // namespace

/// The mapping begins at a multiple of a huge page, since some file systems keep files in huge pages.
MappedFile::MappedFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file) refuse(path, "cannot be opened: " + std::generic_category().message(errno));
  const std::size_t bytes = size_of_plain_file(file.get(), path);
  if (bytes == 0) return;
  region_bytes_ = bytes + huge_page;
  region_ = ::mmap(nullptr, region_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region_ == MAP_FAILED) throw_out_of_memory();
  void* at = region_;
  std::size_t room = region_bytes_;
  std::align(huge_page, bytes, at, room);
  if (::mmap(at, bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.get(), 0) == MAP_FAILED) {
    const int reason = errno;
    ::munmap(region_, region_bytes_);
    if (reason == ENOMEM) throw_out_of_memory();
    refuse(path, "cannot be mapped: " + std::generic_category().message(reason));
  }
  ::madvise(at, bytes, MADV_HUGEPAGE);  // a hint: failure only costs speed
  bytes_ = {static_cast<const std::byte*>(at), bytes};
}

MappedFile::~MappedFile() {
  if (region_) ::munmap(region_, region_bytes_);
}

}  // namespace sphaera::base
