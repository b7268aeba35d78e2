#include <fcntl.h>
#include <linux/stat.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <base/errors.hpp>
#include <base/files/temporary.hpp>
#include <base/strict_math.hpp>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

namespace sphaera::base::inline SPHAERA_ABI {

/// Name of a temporary file that a signal handler can find and remove: no function allocates memory or takes
/// a lock.
class TemporaryName {
 public:
  bool take() {
    State expected = State::free;
    return state_.compare_exchange_strong(expected, State::taken);
  }
  void set(int folder, int file, const std::string& name) {
    folder_ = folder, file_ = file;
    std::memcpy(name_, name.c_str(), name.size() + 1);
    state_.store(State::named);
  }
  bool is_set() const { return state_.load() == State::named; }
  const char* get() const { return name_; }
  void forget() { state_.store(State::taken); }
  void give_back() { state_.store(State::free); }

  /// Another process may own the name by now, so only this file is removed.
  void remove() const noexcept {
    struct stat mine{}, there{};
    if (::fstat(file_, &mine) == 0 && ::fstatat(folder_, name_, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
        mine.st_dev == there.st_dev && mine.st_ino == there.st_ino) {
      ::unlinkat(folder_, name_, 0);
    }
  }

 private:
  enum class State : int { free, taken, named };
  static_assert(std::atomic<State>::is_always_lock_free);

  std::atomic<State> state_{State::free};
  int folder_ = -1, file_ = -1;
  char name_[NAME_MAX + 1]{};
};

namespace {

TemporaryName temporary_names[16];  // outputs open at the same time; the tool has at most three

constexpr int max_beside = 16;  // named temporaries for one target

/// Whether outputs may still get their names. One atomic decides between the thread that gives the names and
/// the thread that ends the process.
enum class Outputs : std::uint8_t { open, naming, published, abandoned };
std::atomic<Outputs> outputs{Outputs::open};
std::atomic<pthread_t> publisher;

/// While an object exists, no other thread can abandon the outputs. If another thread has abandoned them, the
/// constructor waits for the end of the process. Objects may be nested.
class Naming {
 public:
  Naming() : after_(begin()) {}
  ~Naming() { outputs = after_; }
  Naming(const Naming&) = delete;
  Naming& operator=(const Naming&) = delete;

  void published() { after_ = Outputs::published; }

 private:
  static Outputs begin() {
    publisher = pthread_self();
    Outputs now = Outputs::open;
    if (outputs.compare_exchange_strong(now, Outputs::naming)) return Outputs::open;
    while (outputs == Outputs::abandoned) pause();
    return now;
  }

  Outputs after_;
};

/// Takes the lock. Returns false if another process holds it; true also if the file system has no locks.
bool lock_file(int file) { return ::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

bool is_mount_point(int folder, const char* name) {
  struct statx status{};
  return ::statx(folder, name, AT_SYMLINK_NOFOLLOW, 0, &status) == 0 &&
         (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/// Cuts the text to at most `room` bytes without splitting a UTF-8 character.
std::string cut(const std::string& name, std::size_t room) {
  if (name.size() <= room) return name;
  while (room > 0 && (static_cast<unsigned char>(name[room]) & 0xc0) == 0x80) --room;
  return name.substr(0, room);
}

}  // namespace

Temporary::Temporary(const std::filesystem::path& target, std::string shown, Kind kind)
    : name_(target.filename()), shown_(std::move(shown)) {
  open_folder(target.has_parent_path() ? target.parent_path() : ".");
  check_target();
  sweep();
  auto* const free = std::ranges::find_if(temporary_names, [](TemporaryName& name) { return name.take(); });
  if (free == std::end(temporary_names)) fail("too many outputs at once", EMFILE);
  temporary_name_ = free;
  try {
    // Without /proc the file could not get a name later.
    if (kind == Kind::unnamed && ::access("/proc/self/fd", X_OK) == 0)
      file_ = Descriptor(::openat(folder_.get(), ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0666));
    if (!file_) create_named();
  } catch (...) {
    temporary_name_->give_back();
    throw;
  }
}

Temporary::~Temporary() {
  if (temporary_name_->is_set()) temporary_name_->remove();
  temporary_name_->give_back();
}

void Temporary::fail(const char* what, int reason) const { fail_io(shown_, what, reason); }

void Temporary::open_folder(const std::filesystem::path& folder) {
  folder_ = Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder can be writable without being readable.
  if (!folder_ && errno == EACCES)
    folder_ = Descriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder_) fail("cannot open its folder", errno);
}

std::optional<struct stat> Temporary::status_of_target() const {
  struct stat status{};
  if (::fstatat(folder_.get(), name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) return status;
  if (errno != ENOENT) fail("cannot write it", errno);
  return std::nullopt;
}

/// Reports obstacles to the final name before the work starts.
void Temporary::check_target() {
  if (name_.empty() || name_ == "." || name_ == "..") fail("cannot write it", EISDIR);
  old_ = status_of_target();
  if (!old_) return;
  if (is_mount_point(folder_.get(), name_.c_str())) fail("cannot replace it", EBUSY);
  struct stat folder{};
  const uid_t user = ::geteuid();
  if (::fstat(folder_.get(), &folder) == 0 && (folder.st_mode & S_ISVTX) != 0 && user != 0 &&
      user != folder.st_uid && user != old_->st_uid) {
    fail("cannot replace the file of another user in a folder with the sticky bit", EPERM);
  }
}

std::string Temporary::name_beside(int number) const {
  const std::string end = ".sphaera-" + std::to_string(number) + ".tmp";
  const long longest = std::clamp<long>(::fpathconf(folder_.get(), _PC_NAME_MAX), 64, NAME_MAX);
  return '.' + cut(name_, static_cast<std::size_t>(longest) - 1 - end.size()) + end;
}

/// Removes temporaries of killed processes. A living process holds the lock.
void Temporary::sweep() const {
  for (int number = 0; number < max_beside; ++number) {
    const std::string name = name_beside(number);
    const Descriptor file(
        ::openat(folder_.get(), name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) continue;
    TemporaryName left;
    left.set(folder_.get(), file.get(), name);
    left.remove();
  }
}

void Temporary::create_named() {
  const Naming naming;
  const mode_t mode = old_ ? 0600 : 0666;  // the temporary is no more readable than the older file
  for (int number = 0; number < max_beside; ++number) {
    const std::string name = name_beside(number);
    file_ = Descriptor(::openat(folder_.get(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file_ && errno == EEXIST) continue;
    if (!file_) break;
    temporary_name_->set(folder_.get(), file_.get(), name);
    struct stat mine{};
    // Another process may have removed the file before it was locked (`sweep`).
    if (lock_file(file_.get()) && ::fstat(file_.get(), &mine) == 0 && mine.st_nlink > 0) return;
    temporary_name_->forget();
  }
  fail("cannot create a temporary file beside it", errno);
}

/// Returns false if the name is taken.
bool Temporary::link_as(const char* name) const {
  if (::linkat(AT_FDCWD, link_.c_str(), folder_.get(), name, AT_SYMLINK_FOLLOW) == 0) return true;
  if (errno != EEXIST) fail("cannot write it", errno);
  return false;
}

void Temporary::link_beside() {
  const Naming naming;
  lock_file(file_.get());
  for (int number = 0; number < max_beside; ++number) {
    const std::string name = name_beside(number);
    temporary_name_->set(folder_.get(), file_.get(), name);
    if (link_as(name.c_str())) return;
    temporary_name_->forget();
  }
  fail("cannot create a temporary file beside it", EEXIST);
}

void Temporary::keep_owner_and_mode(const struct stat& old) const {
  struct stat mine{};
  if (::fstat(file_.get(), &mine) != 0) fail("cannot write it", errno);
  mode_t mode = old.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
  const bool same = mine.st_uid == old.st_uid && mine.st_gid == old.st_gid;
  const bool group_kept = same || ::fchown(file_.get(), old.st_uid, old.st_gid) == 0 ||
                          ::fchown(file_.get(), static_cast<uid_t>(-1), old.st_gid) == 0;
  // The permissions of the older file's group must not apply to a different group: it gets at most those of
  // all others.
  const mode_t group_bits_of_others = (mode & S_IRWXO) << 3;
  if (!group_kept) mode &= ~static_cast<mode_t>(S_IRWXG) | group_bits_of_others;
  static_cast<void>(::fchmod(file_.get(), mode));
}

void Temporary::finish() {
  if (finished_) return;
  if (const std::optional<struct stat> now = status_of_target()) old_ = now;
  if (old_) keep_owner_and_mode(*old_);
  if (::fsync(file_.get()) != 0) fail("cannot write it", errno);
  link_ = "/proc/self/fd/" + std::to_string(file_.get());
  if (old_ && !temporary_name_->is_set()) link_beside();
  finished_ = true;
}

void Temporary::publish() {
  finish();
  Naming naming;
  give_target_name();
  naming.published();
}

void Temporary::give_target_name() {
  if (temporary_name_->is_set() || !link_as(name_.c_str())) {
    if (!temporary_name_->is_set()) link_beside();
    if (::renameat(folder_.get(), temporary_name_->get(), folder_.get(), name_.c_str()) != 0)
      fail("cannot replace it", errno);
    temporary_name_->forget();
  }
  file_.close();
  static_cast<void>(
      ::fsync(folder_.get()));  // the name survives a power failure, if the file system supports it
}

bool abandon_outputs() noexcept {
  Outputs expected = Outputs::open;
  return outputs.compare_exchange_strong(expected, Outputs::abandoned) || expected == Outputs::abandoned ||
         pthread_equal(publisher, pthread_self()) != 0;
}

void remove_temporaries() noexcept {
  for (const TemporaryName& name : temporary_names) {
    if (name.is_set()) name.remove();
  }
}

}  // namespace sphaera::base::inline SPHAERA_ABI
