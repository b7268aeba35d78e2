#pragma once
/// \file Bytes out: a file that appears whole or not at all, or standard output.

#include <cstdint>
#include <filesystem>
#include <io/streams/bytes.hpp>
#include <io/streams/temporary.hpp>  // remove_temporaries, for signal handlers
#include <memory>
#include <string>
#include <string_view>

namespace sphaera::io {

/// A file goes to a temporary, which `commit` flushes to the disk and gives the name: until then an older
/// file of that name stays as it was, and if the Output is destroyed first, or the process killed, nothing is
/// left of it. It keeps the older file's mode, owner and group as far as the process may; a link is followed,
/// also to a file that is not there yet. A name that ends in `.gz` is packed. What is there and is not a
/// plain file (a device, a pipe) is written directly, and so is an open descriptor, which /dev/stdout and
/// /dev/fd/N name. The process should ignore SIGPIPE and SIGXFSZ: a closed pipe or a file-size limit is then
/// an Error, as a full disk is.
class Output {
 public:
  enum class Access : std::uint8_t {
    sequential,  ///< bytes leave as they come, in whole calls of `write`
    patched,     ///< `patch` will be called: what cannot seek gets all its bytes at commit
  };

  /// `target` empty: standard output. Throws Error io for all that can be known before the first byte: a name
  /// that is too long, a folder that is missing or cannot be written to, a stream that is closed.
  explicit Output(const std::filesystem::path& target, Access access = Access::sequential);
  ~Output();
  Output(Output&&) noexcept;
  Output& operator=(Output&&) noexcept;

  const std::string& name() const;  ///< as given, or "standard output"

  void write(std::string_view bytes);                        ///< throws Error io (disk full, closed pipe)
  void flush();                                              ///< hands over what is buffered
  void patch(std::uint64_t offset, std::string_view bytes);  ///< overwrites bytes written before
  /// All is written, only `digest` and `commit` may follow: where several outputs must appear or none. After
  /// it `commit` takes no memory.
  void finish();
  FileDigest digest() const;  ///< of a finished file; throws Error io
  void commit();              ///< finishes it and names the file; nothing may follow

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sphaera::io
