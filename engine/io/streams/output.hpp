#pragma once
/// \file Byte output: a file that appears whole or not at all, or standard output.

#include <base/files/temporary.hpp>  // remove_temporaries, for signal handlers
#include <cstdint>
#include <filesystem>
#include <io/streams/byte_reader.hpp>
#include <memory>
#include <string>
#include <string_view>

namespace sphaera::io {

/// Bytes go to a temporary file; `commit` flushes it to the disk and gives it the target's name. Until then
/// an older file of that name stays unchanged. If the Output is destroyed before `commit`, the temporary
/// file is removed. A killed process may leave it behind (temporary.hpp); the next Output for the same target
/// then removes it.
/// The new file keeps the older file's mode, owner and group as far as permitted.
/// Links are followed, also to a missing file. If the name ends in `.gz`, the bytes are compressed. An
/// existing device or pipe is written directly, and so is an open descriptor (/dev/stdout, /dev/fd/N). The
/// process should ignore SIGPIPE and SIGXFSZ; then a closed pipe or a file-size limit gives an Error, like a
/// full disk.
class Output {
 public:
  enum class Access : std::uint8_t {
    sequential,  ///< bytes are written in order; uncompressed, no flush splits the bytes of one `write`
    patched,  ///< `patch` will be called; a pipe or device, and a descriptor that appends, gets all bytes in
              ///< `finish`, from a file in the temporary folder (spool.hpp)
  };

  /// An empty `target` is standard output. Throws Error io for faults that are detectable before the first
  /// byte: a name that is too long, a folder that is missing or not writable, a closed stream.
  explicit Output(const std::filesystem::path& target, Access access = Access::sequential);
  ~Output();
  Output(Output&&) noexcept;
  Output& operator=(Output&&) noexcept;

  const std::string& name() const;  ///< as given, or "standard output"

  void write(std::string_view bytes);                        ///< throws Error io (disk full, closed pipe)
  void flush();                                              ///< writes the buffered bytes
  void patch(std::uint64_t offset, std::string_view bytes);  ///< overwrites bytes written before
  /// Call when all bytes are written; afterwards only `digest` and `commit` may be called. Use it if several
  /// outputs must appear together. A `commit` after `finish` allocates no memory.
  void finish();
  /// Digest of the finished file. Precondition: the target is a plain file; not checked. Throws Error io.
  FileDigest digest() const;
  void commit();  ///< finishes the file and gives it its name; no other call may follow

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sphaera::io
