#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <io/fail.hpp>
#include <io/gzip_packer.hpp>
#include <io/output.hpp>
#include <io/temporary.hpp>
#include <optional>
#include <string>
#include <system_error>

namespace sphaera::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = std::size_t{1} << 18;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A descriptor to write to directly: standard output, a device or a pipe.
class Direct {
 public:
  Direct() = default;
  explicit Direct(const fs::path& path) : fd_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail_io(path.string(), "cannot open it", errno);
  }
  ~Direct() {
    if (fd_ != STDOUT_FILENO) ::close(fd_);
  }
  Direct(const Direct&) = delete;
  Direct& operator=(const Direct&) = delete;

  int fd() const { return fd_; }

 private:
  int fd_ = STDOUT_FILENO;
};

bool is_special(const fs::path& path) {
  std::error_code unknown;
  const fs::file_status status = fs::status(path, unknown);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// What a name stands for: a link is followed, so that renaming replaces the file and not the link.
fs::path behind_links(const fs::path& path) {
  std::error_code unknown;
  fs::path real = fs::is_symlink(path, unknown) ? fs::weakly_canonical(path, unknown) : path;
  return unknown ? path : real;
}

}  // namespace

struct Output::State {
  State(const fs::path& target, Access access) : name(target.empty() ? "standard output" : target.string()) {
    if (target.empty()) {
      direct.emplace();
    } else if (is_special(target)) {
      direct.emplace(target);
    } else {
      temporary.emplace(behind_links(target));
    }
    if (target.extension() == ".gz") {
      if (access == Access::patched)
        fail_io(name, "this format cannot be packed; drop .gz from the name", EINVAL);
      packer.emplace();
    }
    if (direct && access == Access::patched) {
      spool.reset(std::tmpfile());
      if (!spool) fail_io(name, "cannot create a temporary file to hold the result", errno);
    }
  }

  int fd() const { return spool ? ::fileno(spool.get()) : direct ? direct->fd() : temporary->fd(); }

  void put(int fd, std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail_io(name, "cannot write to it", errno);
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

  /// Hands the spooled bytes over to what cannot seek.
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

  std::string name;
  std::string buffer;
  std::optional<Direct> direct;
  std::optional<Temporary> temporary;
  std::optional<GzipPacker> packer;
  std::unique_ptr<std::FILE, CloseFile> spool;
};

Output::Output(const fs::path& target, Access access) : state_(std::make_unique<State>(target, access)) {}
Output::~Output() = default;
Output::Output(Output&&) noexcept = default;
Output& Output::operator=(Output&&) noexcept = default;

void Output::write(std::string_view bytes) { state_->write(bytes); }

void Output::flush() { state_->flush(); }

void Output::patch(std::uint64_t offset, std::string_view bytes) {
  state_->flush();
  const ssize_t n = ::pwrite(state_->fd(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
  if (n != static_cast<ssize_t>(bytes.size()))
    fail_io(state_->name, "cannot write to it", n < 0 ? errno : EIO);
}

void Output::commit() {
  if (state_->packer) state_->packer->finish(state_->buffer);
  state_->flush();
  if (state_->spool) state_->unspool();
  if (state_->temporary) state_->temporary->publish();
}

}  // namespace sphaera::io
