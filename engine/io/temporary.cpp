#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <io/fail.hpp>
#include <io/temporary.hpp>
#include <random>

namespace sphaera::io {
namespace {

// A signal handler may not allocate or lock: the names lie in fixed slots, and a slot's state says whether
// its name is whole. (O_TMPFILE needs no names, but cannot replace a file and is missing from some file
// systems.)
enum class State : int { free, filling, named };

struct Slot {
  std::atomic<State> state{State::free};
  char name[PATH_MAX];
};
static_assert(std::atomic<State>::is_always_lock_free);

constexpr int slots = 16;  // outputs open at once; the tool has two or three
Slot table[slots];

int take_slot(const std::string& name) {
  for (int i = 0; i < slots; ++i) {
    State expected = State::free;
    if (!table[i].state.compare_exchange_strong(expected, State::filling)) continue;
    std::memcpy(table[i].name, name.c_str(), name.size() + 1);
    table[i].state.store(State::named);
    return i;
  }
  return -1;
}

std::string random_name() {
  std::random_device random;
  char name[40];
  std::snprintf(name, sizeof name, ".sphaera-%08x%08x.tmp", random(), random());
  return name;
}

}  // namespace

Temporary::Temporary(const std::filesystem::path& target) : target_(target) {
  const std::string name = (target.parent_path() / random_name()).string();
  if (name.size() >= PATH_MAX) fail_io(target_.string(), "cannot write it", ENAMETOOLONG);
  // The name is known to the handler before the file exists, so that no moment leaves one behind.
  slot_ = take_slot(name);
  if (slot_ < 0) fail_io(target_.string(), "too many outputs at once", EMFILE);
  fd_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    const int reason = errno;
    table[slot_].state.store(State::free);
    fail_io(target_.string(), "cannot create a temporary file beside it", reason);
  }
  struct stat old{};
  if (::stat(target_.c_str(), &old) == 0) static_cast<void>(::fchmod(fd_, old.st_mode & 07777));
}

Temporary::~Temporary() {
  if (fd_ >= 0) {
    ::close(fd_);
    ::unlink(table[slot_].name);
  }
  table[slot_].state.store(State::free);
}

void Temporary::publish() {
  if (::fsync(fd_) != 0) fail_io(target_.string(), "cannot write it", errno);
  if (::rename(table[slot_].name, target_.c_str()) != 0)
    fail_io(target_.string(), "cannot replace it", errno);
  ::close(fd_);
  fd_ = -1;
  sync_folder();
}

/// Makes the new name survive a power cut. Some file systems cannot, and the file is whole all the same.
void Temporary::sync_folder() const {
  const std::filesystem::path folder = target_.has_parent_path() ? target_.parent_path() : ".";
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  static_cast<void>(::fsync(fd));
  ::close(fd);
}

void remove_temporaries() noexcept {
  for (const Slot& slot : table) {
    if (slot.state.load() == State::named) ::unlink(slot.name);
  }
}

}  // namespace sphaera::io
