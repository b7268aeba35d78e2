#pragma once
/// \file Temporary files that become an output at once, and leave nothing behind.

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <io/streams/descriptor.hpp>
#include <optional>
#include <string>

namespace sphaera::io {

class TemporaryName;

/// A new, empty file that `publish` gives the name `target`. Until then an older file of that name stays as
/// it is, whatever ends the process.
///
/// Where the file system can, the temporary has no name (O_TMPFILE) and goes with the process. Else, and for
/// the moment in which it replaces an older file, it is called `.NAME.sphaera-N.tmp` and locked: a process
/// that was killed leaves it unlocked, and the next Temporary for the same target removes it.
class Temporary {
 public:
  enum class Kind : std::uint8_t { unnamed, named };  ///< unnamed: where the file system can

  /// `target` is no link; messages call it `shown`. Throws Error io for all that keeps a file from being
  /// written there.
  Temporary(const std::filesystem::path& target, std::string shown, Kind kind = Kind::unnamed);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  int fd() const { return file_.get(); }
  /// Gives it the older file's mode, and its owner and group where that is permitted, and flushes it to the
  /// disk. A new file has the mode that the umask leaves. What will replace an older file gets its name
  /// beside it. Throws Error io.
  void finish();
  /// Finishes it and gives it the target's name; throws Error io. Of a finished one this is a system call or
  /// two and takes no memory, unless a file of that name has appeared since.
  void publish();

 private:
  [[noreturn]] void fail(const char* what, int reason) const;
  void open_folder(const std::filesystem::path& folder);
  void check_target();
  void sweep() const;
  void create_named();
  bool link_as(const char* name) const;
  void link_beside();
  void keep_owner_and_mode(const struct stat& old) const;
  std::string name_beside(int number) const;
  std::optional<struct stat> status_of_target() const;

  std::string name_;  // within the folder
  std::string shown_;
  Descriptor folder_, file_;
  std::string link_;                 // a path to file_
  std::optional<struct stat> old_;   // of the target
  TemporaryName* beside_ = nullptr;  // the name of the temporary, where it has one
  bool finished_ = false;
};

/// Removes all that have a name. Safe in a signal handler that ends the process afterwards.
void remove_temporaries() noexcept;

}  // namespace sphaera::io
