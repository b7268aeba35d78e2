#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/files/descriptor.hpp>
#include <base/files/target.hpp>
#include <cerrno>
#include <io/streams/file_error.hpp>
#include <io/streams/gzip_packer.hpp>
#include <io/streams/output.hpp>
#include <io/streams/spool.hpp>
#include <optional>
#include <string>

namespace sphaera::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = std::size_t{1} << 18;

/// Throws unless the descriptor is writable. A descriptor with close-on-exec belongs to this process and is
/// rejected: a name such as /dev/fd/5 means a descriptor inherited at start.
void check_descriptor(int fd, const std::string& name) {
  const int flags = ::fcntl(fd, F_GETFL);
  const bool own = fd > STDERR_FILENO && (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
  if (flags < 0 || (flags & O_PATH) != 0 || own)
    throw Error(ErrorCode::io, name + " is closed; open it, or write the result to a file");
  if ((flags & O_ACCMODE) == O_RDONLY) throw Error(ErrorCode::io, name + " is open for reading only");
}

/// The descriptor of an existing target: one that the process inherited, or an opened device or pipe.
class DirectTarget {
 public:
  DirectTarget(const base::Target& target, const std::string& name) : fd_(target.fd) {
    if (target.kind == base::Target::Kind::descriptor) {
      check_descriptor(fd_, name);
      return;
    }
    opened_ = base::Descriptor(::open(target.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (!opened_) fail_io(name, "cannot open it", errno);
    fd_ = opened_.get();
  }

  int fd() const { return fd_; }

 private:
  int fd_;
  base::Descriptor opened_;
};

/// Where the next byte goes in a plain file whose bytes can be changed later; empty for a pipe, a device, and
/// a file that is open for appending.
std::optional<off_t> patchable_from(int fd) {
  struct stat status{};
  const bool appends = (::fcntl(fd, F_GETFL) & O_APPEND) != 0;
  if (appends || ::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  const off_t position = ::lseek(fd, 0, SEEK_CUR);
  return position >= 0 ? std::optional(position) : std::nullopt;
}

}  // namespace

struct Output::State {
  State(const fs::path& given, Access access) : name(given.empty() ? "standard output" : given.string()) {
    const base::Target target = base::target_of(given);
    if (target.kind == base::Target::Kind::file) {
      temporary.emplace(target.path, name);
    } else {
      direct.emplace(target, name);
    }
    if (given.extension() == ".gz") {
      if (access == Access::patched)
        fail_io(name, "this format cannot be compressed; drop .gz from the name", EINVAL);
      packer.emplace();
    }
    if (direct && access == Access::patched) {
      const std::optional<off_t> position = patchable_from(direct->fd());
      if (!position) spool.emplace(name);
      begin = position.value_or(0);
    }
  }

  int fd() const { return spool ? spool->fd() : direct ? direct->fd() : temporary->fd(); }

  [[noreturn]] void fail_to_write(int to, int reason) const {
    const char* what = reason == EFBIG ? "cannot write to it: the limit of file sizes (ulimit -f) is reached"
                                       : "cannot write to it";
    if (spool && to == spool->fd()) spool->fail(what, reason);
    fail_io(name, what, reason);
  }

  void put(int fd, std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN && base::wait_until_ready(fd, POLLOUT)) continue;
      if (n < 0) fail_to_write(fd, errno);
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }

  void flush() {
    put(fd(), buffer);
    buffer.clear();
  }

  void write(std::string_view bytes) {
    if (packer) {
      packer->pack(bytes, buffer);
    } else if (buffer.size() + bytes.size() <= buffer_size) {
      buffer += bytes;
      return;
    } else {
      flush();
      return put(fd(), bytes);
    }
    if (buffer.size() > buffer_size) flush();
  }

  /// Copies the spooled bytes to the direct target, which may be unable to seek.
  void unspool() const {
    std::string bytes(buffer_size, '\0');
    for (off_t offset = 0;;) {
      const ssize_t n = ::pread(spool->fd(), bytes.data(), bytes.size(), offset);
      if (n < 0) spool->fail("cannot read it", errno);
      if (n == 0) return;
      put(direct->fd(), std::string_view(bytes).substr(0, static_cast<std::size_t>(n)));
      offset += n;
    }
  }

  void finish() {
    if (finished) return;
    if (packer) packer->finish(buffer);
    flush();
    if (spool) unspool();
    if (temporary) temporary->finish();
    finished = true;
  }

  std::string name;
  std::string buffer;
  bool finished = false;
  off_t begin = 0;  // where the first byte lies in what fd() writes
  std::optional<DirectTarget> direct;
  std::optional<base::Temporary> temporary;
  std::optional<GzipPacker> packer;
  std::optional<Spool> spool;
};

Output::Output(const fs::path& target, Access access) : state_(std::make_unique<State>(target, access)) {}
Output::~Output() = default;
Output::Output(Output&&) noexcept = default;
Output& Output::operator=(Output&&) noexcept = default;

const std::string& Output::name() const { return state_->name; }

void Output::write(std::string_view bytes) { state_->write(bytes); }

void Output::flush() { state_->flush(); }

void Output::patch(std::uint64_t offset, std::string_view bytes) {
  state_->flush();
  const ssize_t n =
      ::pwrite(state_->fd(), bytes.data(), bytes.size(), state_->begin + static_cast<off_t>(offset));
  if (n != static_cast<ssize_t>(bytes.size())) state_->fail_to_write(state_->fd(), n < 0 ? errno : EIO);
}

void Output::finish() { state_->finish(); }

FileDigest Output::digest() const { return digest_of(state_->temporary->fd(), state_->name); }

void Output::commit() {
  state_->finish();
  if (state_->temporary) state_->temporary->publish();
}

}  // namespace sphaera::io
