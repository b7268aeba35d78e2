#pragma once
/// \file Bytes in: a file, a gzip file or memory, read forwards once in bounded memory.

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

/// What tells one file's content from another's: the length and XXH3 (128 bits) of its bytes, packed ones as
/// they lie on the disk.
struct FileDigest {
  std::string name;
  std::uint64_t bytes = 0;
  std::array<std::uint64_t, 2> hash{};  ///< the high half first
};

/// How a long read can be followed and stopped.
struct Watch {
  std::stop_token stop{};                  ///< a stop makes the read throw ErrorCode::cancelled
  std::function<void(double)> progress{};  ///< called now and then with the share of the file read, 0 … 1
  std::vector<FileDigest>* digests =
      nullptr;  ///< gets one of each file opened, of what was read of it so far
};

/// A stream of bytes with the name that error messages carry.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills the front of `buffer` (not empty) and returns how much: 0 only at the end.
  /// Throws Error: bad_file (unreadable, damaged gzip), cancelled.
  virtual std::size_t read(std::span<char> buffer) = 0;

  /// Bytes still to come, where that is known for sure (plain files, memory). What a header promises is
  /// believed only up to here.
  virtual std::optional<std::uint64_t> remaining() const = 0;

  /// A plain file whose last byte is no newline: perhaps a text that was cut short.
  virtual bool ends_inside_line() const { return false; }

  /// How much to ask for at once: 256 KiB, or less if less is known to be left.
  std::size_t chunk_size() const;

  /// Fills `buffer` as far as the bytes reach; less than its size only at the end.
  std::size_t read_fully(std::span<char> buffer);

  const std::string& name() const { return name_; }

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// Opens a file; one whose name ends in `.gz` is unpacked (several gzip members too); `-` is standard input.
/// Throws Error bad_file.
std::unique_ptr<ByteSource> open_source(const std::filesystem::path& path, const Watch& watch = {});

/// Of a whole file, which is read for it. Throws Error bad_file.
FileDigest digest_of(const std::filesystem::path& path);
/// Of an open file, wherever it is read or written. Throws Error io.
FileDigest digest_of(int file, const std::string& name);

/// Bytes held by the caller for as long as the source lives; a name that ends in `.gz` is unpacked.
std::unique_ptr<ByteSource> memory_source(std::string name, std::string_view bytes);

}  // namespace sphaera::io
