#pragma once
/// \file Bytes out: a file that appears whole or not at all, or standard output.

#include <cstdint>
#include <filesystem>
#include <io/temporary.hpp>  // remove_temporaries, for signal handlers
#include <memory>
#include <string_view>

namespace sphaera::io {

/// A file goes to a temporary beside it, which `commit` flushes to the disk and renames: until then an older
/// file of that name stays as it was, and if the Output is destroyed first the temporary is removed. A name
/// that ends in `.gz` is packed. What is there and is not a plain file (a device, a pipe) is written
/// directly. The process should ignore SIGPIPE and SIGXFSZ: a closed pipe or a file-size limit is then an
/// Error, as a full disk is.
class Output {
 public:
  enum class Access : std::uint8_t {
    sequential,  ///< bytes leave as they come, in whole calls of `write`
    patched,     ///< `patch` will be called: what cannot seek gets all its bytes at commit
  };

  /// `target` empty: standard output. Throws Error io.
  explicit Output(const std::filesystem::path& target, Access access = Access::sequential);
  ~Output();
  Output(Output&&) noexcept;
  Output& operator=(Output&&) noexcept;

  void write(std::string_view bytes);                        ///< throws Error io (disk full, closed pipe)
  void flush();                                              ///< hands over what is buffered
  void patch(std::uint64_t offset, std::string_view bytes);  ///< overwrites bytes written before
  void commit();                                             ///< the end; nothing may follow

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sphaera::io
