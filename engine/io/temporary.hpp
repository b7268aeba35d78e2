#pragma once
/// \file Temporary files that a signal handler can find and remove.

#include <filesystem>
#include <string>

namespace sphaera::io {

/// A new, empty file beside `target`, removed again unless renamed over it. A fixed number can exist at once.
class Temporary {
 public:
  /// Throws Error io.
  explicit Temporary(const std::filesystem::path& target);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  int fd() const { return fd_; }
  void publish();  ///< flushes it to the disk and gives it the target's name; throws Error io

 private:
  void sync_folder() const;

  std::filesystem::path target_;
  int slot_ = -1;
  int fd_ = -1;
};

/// Removes all that are left. Safe in a signal handler that ends the process afterwards.
void remove_temporaries() noexcept;

}  // namespace sphaera::io
