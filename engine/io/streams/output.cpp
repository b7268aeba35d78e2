#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <io/streams/descriptor.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/gzip_packer.hpp>
#include <io/streams/output.hpp>
#include <io/streams/target.hpp>
#include <optional>
#include <string>

namespace sphaera::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = std::size_t{1} << 18;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

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
  DirectTarget(const Target& target, const std::string& name) : fd_(target.fd) {
    if (target.kind == Target::Kind::descriptor) {
      check_descriptor(fd_, name);
      return;
    }
    opened_ = Descriptor(::open(target.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (!opened_) fail_io(name, "cannot open it", errno);
    fd_ = opened_.get();
  }

  int fd() const { return fd_; }

 private:
  int fd_;
  Descriptor opened_;
};

}  // namespace

struct Output::State {
  State(const fs::path& given, Access access) : name(given.empty() ? "standard output" : given.string()) {
    const Target target = target_of(given);
    if (target.kind == Target::Kind::file) {
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
      spool.reset(std::tmpfile());
      if (!spool) fail_io(name, "cannot create a temporary file to hold the result", errno);
    }
  }

  int fd() const { return spool ? ::fileno(spool.get()) : direct ? direct->fd() : temporary->fd(); }

  [[noreturn]] void fail_to_write(int reason) const {
    fail_io(name,
            reason == EFBIG ? "cannot write to it: the limit of file sizes (ulimit -f) is reached"
                            : "cannot write to it",
            reason);
  }

  void put(int fd, std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && errno == EAGAIN && wait_until_ready(fd, POLLOUT)) continue;
      if (n < 0) fail_to_write(errno);
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
      const ssize_t n = ::pread(::fileno(spool.get()), bytes.data(), bytes.size(), offset);
      if (n < 0) fail_io(name, "cannot read the temporary file that holds the result", errno);
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
  std::optional<DirectTarget> direct;
  std::optional<Temporary> temporary;
  std::optional<GzipPacker> packer;
  std::unique_ptr<std::FILE, CloseFile> spool;
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
  const ssize_t n = ::pwrite(state_->fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
  if (n != static_cast<ssize_t>(bytes.size())) state_->fail_to_write(n < 0 ? errno : EIO);
}

void Output::finish() { state_->finish(); }

FileDigest Output::digest() const { return digest_of(state_->temporary->fd(), state_->name); }

void Output::commit() {
  state_->finish();
  if (state_->temporary) state_->temporary->publish();
}

}  // namespace sphaera::io
