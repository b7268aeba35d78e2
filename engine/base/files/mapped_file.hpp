#pragma once
/// \file A file mapped into memory, read-only. Processes that map one file share its pages.

#include <cstddef>
#include <span>
#include <string>

namespace sphaera::base {

class MappedFile {
 public:
  /// Throws Error: bad_file, if it is no plain file or cannot be opened; out_of_memory.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;

  /// Valid as long as this object. A program that cuts the file meanwhile ends this process (SIGBUS); one
  /// that replaces it does not disturb.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  void* region_ = nullptr;
  std::size_t region_bytes_ = 0;
  std::span<const std::byte> bytes_;
};

}  // namespace sphaera::base
