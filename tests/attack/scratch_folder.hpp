#pragma once
/// \file A folder that is removed at the end of the attack.

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace sphaera::attack {

class Scratch {
 public:
  Scratch() {
    std::string name = (parent() / "sphaera-attack-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder for scratch files");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  /// A folder in memory if there is one. On a disk, flushing the outputs would take most of the time of an
  /// attack.
  static std::filesystem::path parent() {
    std::error_code none;
    const bool memory = !std::getenv("TMPDIR") && std::filesystem::is_directory("/dev/shm", none);
    return memory ? "/dev/shm" : std::filesystem::temp_directory_path();
  }

  std::filesystem::path path_;
};

}  // namespace sphaera::attack
