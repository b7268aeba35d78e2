#pragma once
/// \file Temporary files that become an output atomically and leave nothing behind.

#include <sys/stat.h>

#include <base/files/descriptor.hpp>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <sphaera/config/export.hpp>
#include <string>

namespace sphaera::base::inline SPHAERA_ABI {

class TemporaryName;

/// A new, empty file that gets the name `target` in `publish`. Until then an older file of that name stays
/// unchanged, even if the process is killed.
///
/// If the file system supports O_TMPFILE, the temporary has no name and disappears with the process.
/// Otherwise, and for the moment in which it replaces an older file, its name is `.NAME.sphaera-N.tmp` and it
/// is locked. A killed process leaves it unlocked, and the next Temporary for the same target removes it.
class SPHAERA_API Temporary {
 public:
  enum class Kind : std::uint8_t { unnamed, named };  ///< unnamed: if the file system supports it

  /// `target` is not a link; messages call it `shown`. Throws Error io if a file cannot be written there.
  Temporary(const std::filesystem::path& target, std::string shown, Kind kind = Kind::unnamed);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  int fd() const { return file_.get(); }
  /// Gives this file the mode of the older file, and its owner and group if permitted. Without an older file
  /// the umask decides the mode. Flushes the file to the disk. If it will replace an older file, it gets its
  /// temporary name here. Throws Error io.
  void finish();
  /// Finishes the file and gives it the target's name. Throws Error io. After `finish` this allocates no
  /// memory and gives the name in one system call, unless a file of that name has appeared in the meantime.
  void publish();

 private:
  [[noreturn]] void fail(const char* what, int reason) const;
  void give_target_name();
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
  std::string link_;                         // a path to file_
  std::optional<struct stat> old_;           // of the target
  TemporaryName* temporary_name_ = nullptr;  // the temporary's name, if it has one
  bool finished_ = false;
};

/// Call before the process ends without its outputs. One thread must name all outputs of the process; this is
/// not checked. True: no other thread gives an output its name from now
/// on; a thread that tries waits for the end of the process. False: another thread is giving a file its
/// name, or has published an output. Needs no memory.
bool abandon_outputs() noexcept;

/// Removes all temporaries that have a name. Safe in a signal handler that ends the process afterwards.
void remove_temporaries() noexcept;

}  // namespace sphaera::base::inline SPHAERA_ABI
