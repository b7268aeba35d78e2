#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL  // nothing to link
#include <xxhash.h>
#include <zlib.h>

#include <algorithm>
#include <base/files/descriptor.hpp>
#include <cerrno>
#include <cstring>
#include <io/streams/byte_reader.hpp>
#include <io/streams/file_error.hpp>
#include <limits>
#include <system_error>
#include <vector>

namespace sphaera::io {
namespace {

/// True also for a descriptor that only reserves its number (opened by the tool in place of a closed one).
bool is_closed(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  return flags < 0 || (flags & O_PATH) != 0;
}

/// Updates the digest of a file while it is read.
class DigestUpdater {
 public:
  /// Adds a digest to the list.
  DigestUpdater(std::vector<FileDigest>& digests, const std::string& name)
      : digests_(digests), number_(digests.size()), state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
    digests_.push_back({name});
    add({});
  }

  void add(std::span<const char> bytes) {
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    FileDigest& digest = digests_[number_];
    digest.bytes += bytes.size();
    digest.hash = {hash.high64, hash.low64};
  }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };

  std::vector<FileDigest>& digests_;
  std::size_t number_;
  std::unique_ptr<XXH3_state_t, Free> state_;
};

class FileSource : public ByteSource {
 public:
  FileSource(const std::filesystem::path& path, const ReadControl& control)
      : ByteSource(shown_name(path)), control_(control) {
    fd_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0) fail(name(), "cannot open it: " + std::generic_category().message(errno));
    if (is_closed(fd_)) fail(name(), "it is closed; give the name of a file, or connect it to one");
    struct stat status{};
    if (::fstat(fd_, &status) == 0 && S_ISREG(status.st_mode))
      size_ = static_cast<std::uint64_t>(status.st_size);
    if (control_.digests) digest_updater_.emplace(*control_.digests, name());
  }

  ~FileSource() override {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }

  std::size_t read(std::span<char> buffer) override {
    if (control_.stop.stop_requested()) throw Error(ErrorCode::cancelled, name(), "reading was cancelled");
    ssize_t got = 0;
    do got = ::read(fd_, buffer.data(), buffer.size());
    while (got < 0 && (errno == EINTR || (errno == EAGAIN && base::wait_until_ready(fd_, POLLIN))));
    if (got < 0) fail(name(), "cannot read it: " + std::generic_category().message(errno));
    done_ += static_cast<std::uint64_t>(got);
    if (digest_updater_) digest_updater_->add(buffer.first(static_cast<std::size_t>(got)));
    if (control_.progress && size_ && *size_ > 0) control_.progress(*fraction());
    return static_cast<std::size_t>(got);
  }

  /// The first bytes of a plain file.
  std::string_view peek(std::span<char> buffer) const {
    const ssize_t got = ::pread(fd_, buffer.data(), buffer.size(), 0);
    return {buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
  }

  std::optional<std::uint64_t> remaining() const override {
    if (!size_) return std::nullopt;
    return *size_ - std::min(done_, *size_);
  }

  std::optional<double> fraction() const override {
    if (!size_) return std::nullopt;
    return share(done_, *size_);
  }

 private:
  static std::string shown_name(const std::filesystem::path& path) {
    return path == "-" ? "standard input" : path.string();
  }

  ReadControl control_;
  int fd_ = -1;
  std::optional<std::uint64_t> size_;
  std::uint64_t done_ = 0;
  std::optional<DigestUpdater> digest_updater_;
};

class MemorySource : public ByteSource {
 public:
  MemorySource(std::string name, std::string_view bytes) : ByteSource(std::move(name)), bytes_(bytes) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t n = bytes_.copy(buffer.data(), buffer.size());
    bytes_.remove_prefix(n);
    return n;
  }

  std::optional<std::uint64_t> remaining() const override { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

class GzipSource : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> packed)
      : ByteSource(packed->name()), packed_(std::move(packed)), input_(packed_chunk) {
    constexpr int gzip_only = 16;  // zlib: added to the window bits
    if (inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
  }

  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> buffer) override {
    const auto room =
        static_cast<uInt>(std::min<std::size_t>(buffer.size(), std::numeric_limits<uInt>::max()));
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = room;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !refill()) {
        if (inside_member_) fail(name(), "the gzip data end early; the file was cut short");
        return 0;
      }
      unpack();
    }
    return room - stream_.avail_out;
  }

  std::optional<std::uint64_t> remaining() const override { return std::nullopt; }
  std::optional<double> fraction() const override {
    return fraction_taken(*packed_, stream_.avail_in, packed_read_);
  }
  void read_to_end() override { packed_->read_to_end(); }

 private:
  static constexpr std::size_t packed_chunk = std::size_t{1} << 16;

  bool refill() {
    const std::size_t n = packed_->read(input_);
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(n);
    packed_read_ += n;
    return n > 0;
  }

  void unpack() {
    inside_member_ = true;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      inside_member_ = false;
      inflateReset(&stream_);
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail(name(), std::string("the gzip data are damaged (") +
                       (stream_.msg ? stream_.msg : "no reason given") +
                       "); compress the file again, or drop .gz from its name if it is not compressed");
    }
  }

  std::unique_ptr<ByteSource> packed_;
  std::vector<char> input_;
  std::uint64_t packed_read_ = 0;
  z_stream stream_{};
  bool inside_member_ = true;  // true at first: an empty file is not a gzip file
};

std::unique_ptr<ByteSource> unpacked(std::unique_ptr<ByteSource> source, std::string_view beginning) {
  if (!source->name().ends_with(".gz") && !beginning.starts_with("\x1f\x8b")) return source;
  return std::make_unique<GzipSource>(std::move(source));
}

}  // namespace

void SameBytes::check(const FileDigest& pass) {
  if (!first_) first_ = pass;
  if (!first_->same_bytes(pass)) {
    fail(pass.name,
         "its bytes changed between two readings of this run; run it again when nothing writes this file");
  }
}

void ByteSource::read_to_end() {
  std::vector<char> buffer(chunk_size());
  while (read(buffer) > 0) {
  }
}

std::size_t ByteSource::chunk_size() const {
  constexpr std::uint64_t most = std::uint64_t{1} << 18;
  return static_cast<std::size_t>(
      std::min(most, remaining().value_or(most) + 1));  // + 1: room for the read that finds the end
}

std::size_t ByteSource::read_fully(std::span<char> buffer) {
  std::size_t have = 0;
  while (have < buffer.size()) {
    const std::size_t n = read(buffer.subspan(have));
    if (n == 0) break;
    have += n;
  }
  return have;
}

PeekedSource::PeekedSource(std::unique_ptr<ByteSource> source)
    : ByteSource(source->name()), source_(std::move(source)), beginning_(512, '\0') {
  beginning_.resize(source_->read_fully(beginning_));
}

std::size_t PeekedSource::read(std::span<char> buffer) {
  if (taken_ == beginning_.size()) return source_->read(buffer);
  const std::size_t n = beginning_.copy(buffer.data(), buffer.size(), taken_);
  taken_ += n;
  return n;
}

std::optional<std::uint64_t> PeekedSource::remaining() const {
  std::optional<std::uint64_t> left = source_->remaining();
  if (left) *left += beginning_.size() - taken_;
  return left;
}

std::unique_ptr<ByteSource> open_source(const std::filesystem::path& path, const ReadControl& control) {
  auto file = std::make_unique<FileSource>(path, control);
  std::array<char, 2> start{};
  if (file->remaining()) {
    const std::string_view beginning = file->peek(start);
    return unpacked(std::move(file), beginning);
  }
  auto pipe = std::make_unique<PeekedSource>(std::move(file));
  const std::string_view beginning = pipe->beginning();
  return unpacked(std::move(pipe), beginning);
}

FileDigest digest_of(int file, const std::string& name) {
  constexpr std::size_t chunk = std::size_t{1} << 18;
  std::vector<FileDigest> digests;
  DigestUpdater updater(digests, name);
  std::vector<char> buffer(chunk);
  for (off_t offset = 0;;) {
    const ssize_t n = ::pread(file, buffer.data(), buffer.size(), offset);
    if (n < 0) fail_io(name, "cannot read back what was written", errno);
    if (n == 0) return digests.front();
    updater.add(std::span<const char>(buffer.data(), static_cast<std::size_t>(n)));
    offset += n;
  }
}

std::unique_ptr<ByteSource> memory_source(std::string name, std::string_view bytes) {
  return unpacked(std::make_unique<MemorySource>(std::move(name), bytes), bytes);
}

}  // namespace sphaera::io
