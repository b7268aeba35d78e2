/// \file Temporary files: however a process ends, the old file or the new one is there, and no temporary
/// stays.

#include <fcntl.h>
#include <sys/stat.h>

#include <base/files/temporary.hpp>
#include <climits>
#include <csignal>

#include <tests/io/child.hpp>
#include <tests/scratch_files.hpp>
#include <tests/skipped.hpp>

using namespace sphaera;
using namespace sphaera::test;
using base::Temporary;

namespace {

using Kind = Temporary::Kind;

constexpr uid_t nobody = 65534;

const std::string whole(1 << 20, 'n');

void write_all(const Temporary& temporary, const std::string& bytes) {
  if (::write(temporary.fd(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
}

void replace(const fs::path& path, Kind kind, const std::string& bytes) {
  Temporary temporary(path, path.filename(), kind);
  write_all(temporary, bytes);
  temporary.publish();
}

mode_t mode_of(const fs::path& path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

/// A child process that holds a named temporary until it is killed.
class Holder {
 public:
  explicit Holder(const fs::path& path, void (*on_end)(int) = SIG_DFL) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    pid_ = start_child([&] {
      std::signal(SIGTERM, on_end);
      Temporary temporary(path, "held", Kind::named);
      write_all(temporary, "held");
      if (::write(ends[1], "!", 1) != 1) return 1;
      for (;;) ::pause();
    });
    char byte = 0;
    REQUIRE(::read(ends[0], &byte, 1) == 1);
    ::close(ends[0]), ::close(ends[1]);
  }
  int end(int signal) const {
    ::kill(pid_, signal);
    return finish_child(pid_);
  }

 private:
  pid_t pid_ = 0;
};

}  // namespace

TEST_CASE("publish gives a temporary the name of the output; without it the temporary is removed", "[io]") {
  Folder folder;
  const fs::path path = folder / "out.csv";
  for (const Kind kind : {Kind::unnamed, Kind::named}) {
    replace(path, kind, "one");  // a new file
    replace(path, kind, "two");  // replaces a file
    CHECK(contents(path) == "two");
    {
      const Temporary dropped(path, "out.csv", kind);
    }
    CHECK(folder.files() == 1);
    fs::remove(path);
  }
  const Temporary named(path, "out.csv", Kind::named);
  CHECK(fs::exists(folder / ".out.csv.sphaera-0.tmp"));
}

TEST_CASE("the next run removes temporaries of killed processes and keeps those of running ones", "[io]") {
  Folder folder;
  const fs::path path = folder.write("out.csv", "old");
  const Holder holder(path);
  CHECK(folder.files() == 2);
  for (const Kind kind : {Kind::unnamed, Kind::named}) {
    replace(path, kind, "new");
    CHECK(folder.files() == 2);
  }
  CHECK(holder.end(SIGKILL) == -SIGKILL);
  CHECK(folder.files() == 2);
  replace(folder / "other.csv", Kind::unnamed, "other");
  CHECK(folder.files() == 3);
  replace(path, Kind::unnamed, "newer");
  CHECK(folder.files() == 2);
  CHECK(contents(path) == "newer");
}

TEST_CASE("if the process is killed at any moment, the file is the old one or the new one", "[io]") {
  for (const Kind kind : {Kind::unnamed, Kind::named}) {
    Folder folder;
    const fs::path path = folder.write("out.csv", "old");
    for (int milliseconds = 0; milliseconds < 12; ++milliseconds) {
      const pid_t pid = start_child([&] {
        for (;;) replace(path, kind, whole);
        return 0;
      });
      ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
      ::kill(pid, SIGKILL);
      CHECK(finish_child(pid) == -SIGKILL);
      const std::string now = contents(path);
      CHECK((now == "old" || now == whole));
      CHECK(folder.files() <= 2);
    }
    replace(path, kind, "last");
    CHECK(folder.files() == 1);
  }
}

TEST_CASE("a signal handler removes temporaries that have a name", "[io]") {
  Folder folder;
  const Holder holder(folder / "out.csv", [](int) {
    base::remove_temporaries();
    ::_exit(130);
  });
  CHECK(folder.files() == 1);
  CHECK(holder.end(SIGTERM) == 130);
  CHECK(folder.files() == 0);
}

TEST_CASE("a new file gives no user rights that the old file did not give", "[io]") {
  Folder folder;
  const fs::path path = folder.write("out.csv", "old");
  const mode_t before = ::umask(0);
  ::chmod(path.c_str(), 0600);
  {
    Temporary temporary(path, "out.csv", Kind::named);
    CHECK(mode_of(folder / ".out.csv.sphaera-0.tmp") == 0600);
  }
  for (const mode_t mode : {0600, 0604, 0666}) {
    for (const Kind kind : {Kind::unnamed, Kind::named}) {
      ::chmod(path.c_str(), mode | S_ISUID);
      replace(path, kind, "new");
      CHECK(mode_of(path) == mode);
    }
  }
  ::umask(before);
}

TEST_CASE("owner and group are kept where that is permitted", "[io]") {
  if (::geteuid() != 0) return skipped("owner and group of a replaced file: the user is not root");
  Folder folder;
  const fs::path path = folder.write("out.csv", "old");
  ::chmod(folder.path().c_str(), 0777);
  REQUIRE(::chown(path.c_str(), 1234, 2345) == 0);
  ::chmod(path.c_str(), 0660);
  replace(path, Kind::unnamed, "by root");
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK(status.st_uid == 1234);
  CHECK(status.st_gid == 2345);
  CHECK(mode_of(path) == 0660);

  const auto as_nobody = [&] {
    if (::setgid(nobody) != 0 || ::setuid(nobody) != 0) return 1;
    replace(path, Kind::unnamed, "by nobody");
    return 0;
  };
  CHECK(run_child(as_nobody) == 0);
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK(status.st_uid == nobody);
  CHECK(mode_of(path) == 0600);  // the group differs from the old file's, so its rights are dropped

  // In a folder with the sticky bit only owners replace their files.
  REQUIRE(::chown(path.c_str(), 1234, 2345) == 0);
  ::chmod(folder.path().c_str(), 01777);
  CHECK(run_child(as_nobody) == io_error);
  // A folder that can be written to but not listed.
  ::chmod(folder.path().c_str(), 0733);
  REQUIRE(::chown(path.c_str(), nobody, nobody) == 0);
  CHECK(run_child(as_nobody) == 0);
  ::chmod(folder.path().c_str(), 0755);
  CHECK(run_child(as_nobody) == io_error);
}

TEST_CASE("names of the greatest length have temporaries, too", "[io]") {
  Folder folder;
  std::string name;
  while (name.size() + 2 <= NAME_MAX) name += "ä";
  for (const Kind kind : {Kind::unnamed, Kind::named}) {
    replace(folder / name, kind, "one");
    replace(folder / name, kind, "two");
    CHECK(contents(folder / name) == "two");
    CHECK(folder.files() == 1);
  }
}

TEST_CASE("the number of temporaries for one file is limited", "[io]") {
  Folder folder;
  std::vector<std::unique_ptr<Temporary>> held;
  error_of(
      [&] {
        for (int i = 0; i < 100; ++i)
          held.push_back(std::make_unique<Temporary>(folder / "out", "out", Kind::named));
      },
      ErrorCode::io);
  CHECK(held.size() == 16);
  held.clear();
  CHECK(folder.files() == 0);
}
