#pragma once
/// \file Byte input: a file, a gzip file or memory, read once from beginning to end in bounded memory.

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

/// Digest of a file's content: length and XXH3 (128 bits) of its bytes as stored on disk (compressed for
/// `.gz`).
struct FileDigest {
  std::string name;
  std::uint64_t bytes = 0;
  std::array<std::uint64_t, 2> hash{};  ///< the high half first

  bool same_bytes(const FileDigest& other) const { return bytes == other.bytes && hash == other.hash; }
};

/// Compares the passes over a file that is read several times, by name: it may be replaced or written
/// meanwhile.
class SameBytes {
 public:
  /// Takes what a pass read, to the end. Throws Error bad_file unless the first pass read the same bytes.
  void check(const FileDigest& pass);

 private:
  std::optional<FileDigest> first_;
};

/// Observation and cancellation of a long read.
struct ReadControl {
  std::stop_token stop{};  ///< a stop makes the read throw ErrorCode::cancelled
  /// Called after each read of a plain file with the fraction of the file read so far, 0 … 1.
  std::function<void(double)> progress{};
  std::vector<FileDigest>* digests =
      nullptr;  ///< gets the digest of each opened file, for the bytes read so far
};

/// A stream of bytes with a name for error messages.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills the front of `buffer` (not empty) and returns the number of bytes: 0 only at the end.
  /// Throws Error: bad_file (unreadable, damaged gzip), cancelled.
  virtual std::size_t read(std::span<char> buffer) = 0;

  /// Bytes left, if known exactly (plain files, memory). Readers check the sizes in headers against it.
  virtual std::optional<std::uint64_t> remaining() const = 0;

  /// Fraction of the bytes that `read` has returned, 0 … 1; an estimate for packed ones. Empty if unknown.
  virtual std::optional<double> fraction() const { return std::nullopt; }

  /// Reads the bytes left, packed ones as they are stored, so that the digest is that of the whole file.
  virtual void read_to_end();

  /// Suggested size of a read: 256 KiB, or less if fewer bytes are known to be left.
  std::size_t chunk_size() const;

  /// Fills `buffer` completely unless the source ends. Returns the number of bytes.
  std::size_t read_fully(std::span<char> buffer);

  const std::string& name() const { return name_; }

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

/// The share of `done` in `all`, 0 … 1; of none all are done.
inline double share(std::uint64_t done, std::uint64_t all) {
  return done < all ? static_cast<double>(done) / static_cast<double>(all) : 1;
}
/// The fraction of a source's bytes that its reader has taken: `waiting` of the `read` bytes it has not.
/// Empty if unknown.
inline std::optional<double> fraction_taken(const ByteSource& source, std::uint64_t waiting,
                                            std::uint64_t read) {
  std::optional<double> fraction = source.fraction();
  if (fraction && read > 0) *fraction *= 1 - static_cast<double>(waiting) / static_cast<double>(read);
  return fraction;
}

/// A source whose first bytes can be seen before they are read.
class PeekedSource : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> source);

  std::string_view beginning() const { return beginning_; }  ///< 512 bytes, or all if there are fewer
  std::size_t read(std::span<char> buffer) override;
  std::optional<std::uint64_t> remaining() const override;
  std::optional<double> fraction() const override { return source_->fraction(); }
  void read_to_end() override { source_->read_to_end(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string beginning_;
  std::size_t taken_ = 0;  // bytes of it
};

/// Opens a file; `-` is standard input. What is packed by gzip is decompressed, whatever its name, also if it
/// has several members; a name that ends in `.gz` promises it. Throws Error bad_file.
std::unique_ptr<ByteSource> open_source(const std::filesystem::path& path, const ReadControl& control = {});

/// Digest of an open file, independent of its current position. Throws Error io.
FileDigest digest_of(int file, const std::string& name);

/// Source of bytes in memory; the caller keeps them alive as long as the source. They are decompressed as
/// those of a file.
std::unique_ptr<ByteSource> memory_source(std::string name, std::string_view bytes);

}  // namespace sphaera::io
