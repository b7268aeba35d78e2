/// Outputs: a file appears whole or not at all.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <io/output.hpp>
#include <io/table.hpp>

#include "child.hpp"
#include "support.hpp"

using namespace sphaera;
using namespace sphaera::test;
using io::Output;

namespace {

constexpr int io_error = error_exit + static_cast<int>(ErrorCode::io);

const std::string big(1 << 20, 'n');

/// Turns descriptor 1 of a child into something else.
void become_stdout(int fd) { REQUIRE(::dup2(fd, STDOUT_FILENO) == STDOUT_FILENO); }

}  // namespace

TEST_CASE("a file appears at commit, and an old one stays until then", "[io]") {
  Folder folder;
  const fs::path path = folder.write("out.csv", "old");
  {
    Output output(path);
    output.write("new ");
    output.write(big);
    output.flush();
    CHECK(contents(path) == "old");
    CHECK(folder.files() == 2);
    output.commit();
    CHECK(contents(path) == "new " + big);
  }
  CHECK(folder.files() == 1);
  {
    Output output(path);
    output.write("newer");
  }
  CHECK(contents(path) == "new " + big);
  CHECK(folder.files() == 1);
  Output(folder / "empty").commit();
  CHECK(contents(folder / "empty").empty());
}

TEST_CASE("an output keeps the old file's mode and follows links", "[io]") {
  Folder folder;
  const fs::path path = folder.write("out.csv", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_symlink("out.csv", folder / "link.csv");
  Output output(folder / "link.csv");
  output.write("new");
  output.commit();
  CHECK(fs::is_symlink(folder / "link.csv"));
  CHECK(contents(path) == "new");
  CHECK(fs::status(path).permissions() ==
        (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
}

TEST_CASE("what cannot be written is an error", "[io]") {
  Folder folder;
  CHECK(contains(error_of([&] { Output(folder / "none/out.csv"); }, ErrorCode::io),
                 "out.csv: cannot create a temporary file beside it: No such"));
  CHECK(contains(error_of([&] { Output(folder.path()); }, ErrorCode::io), "Is a directory"));
  const std::string full = error_of(
      [] {
        Output output("/dev/full");
        output.write("something");
        output.commit();
      },
      ErrorCode::io);
  CHECK(full == "/dev/full: cannot write to it: No space left on device");
  // A device is written, not replaced.
  Output null("/dev/null");
  null.write("nothing");
  null.commit();
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a full disk leaves the old file and no temporary", "[io]") {
  Folder folder;
  const fs::path path = folder.write("out.csv", "old");
  const auto child = [&] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{3 << 20, 3 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    Output output(path);
    for (int i = 0; i < 10; ++i) output.write(big);
    output.commit();
    return 0;
  };
  CHECK(run_child(child) == io_error);
  CHECK(contents(path) == "old");
  CHECK(folder.files() == 1);
}

TEST_CASE("killed at any moment, the file is the old one or the new one", "[io]") {
  Folder folder;
  const fs::path path = folder.write("out.csv", "old");
  const std::string whole = big + big + big;
  for (int milliseconds = 0; milliseconds < 12; ++milliseconds) {
    const pid_t pid = start_child([&] {
      for (;;) {
        Output output(path);
        for (int i = 0; i < 3; ++i) output.write(big);
        output.commit();
      }
      return 0;
    });
    ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
    ::kill(pid, SIGKILL);
    CHECK(finish_child(pid) == -SIGKILL);
    const std::string now = contents(path);
    CHECK((now == "old" || now == whole));
  }
}

TEST_CASE("a signal handler can remove the temporaries", "[io]") {
  Folder folder;
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t pid = start_child([&] {
    std::signal(SIGTERM, [](int) {
      io::remove_temporaries();
      ::_exit(130);
    });
    Output one(folder / "one.csv"), two(folder / "two.csv"), done(folder / "done.csv");
    one.write(big);
    done.write("done");
    done.commit();
    if (::write(ready[1], "!", 1) != 1) return 1;
    for (;;) ::pause();
  });
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  CHECK(folder.files() == 3);
  ::kill(pid, SIGTERM);
  CHECK(finish_child(pid) == 130);
  CHECK(folder.files() == 1);
  CHECK(contents(folder / "done.csv") == "done");
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("too many outputs at once are an error", "[io]") {
  Folder folder;
  std::vector<Output> outputs;
  error_of(
      [&] {
        for (int i = 0; i < 100; ++i) outputs.emplace_back(folder / std::to_string(i));
      },
      ErrorCode::io);
  CHECK(outputs.size() >= 8);
  outputs.clear();
  CHECK(folder.files() == 0);
  Output(folder / "again").commit();
}

TEST_CASE("standard output", "[io]") {
  Folder folder;
  const fs::path path = folder / "stdout";
  const auto writing = [&](io::TableFormat format) {
    return [&, format] {
      become_stdout(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600));
      io::TableWriter table({}, format, {io::Column::integer("ray"), io::Column::flag("blocked")});
      io::TableRows rows = table.rows();
      for (int i = 0; i < 3; ++i) rows.integer(i).flag(i == 1).end_row();
      table.write(rows);
      table.commit();
      return 0;
    };
  };
  CHECK(run_child(writing(io::TableFormat::csv)) == 0);
  CHECK(contents(path) == "ray,blocked\n0,0\n1,1\n2,0\n");
  CHECK(run_child(writing(io::TableFormat::npy)) == 0);
  const std::string npy = contents(path);
  CHECK(npy.size() % 64 == 27);
  CHECK(contains(npy, "'shape': (3,), }"));

  SECTION("closed at the other end") {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    ::close(ends[0]);
    const auto child = [&] {
      std::signal(SIGPIPE, SIG_IGN);
      become_stdout(ends[1]);
      Output output({});
      output.write("x");
      output.commit();
      return 0;
    };
    CHECK(run_child(child) == io_error);
    ::close(ends[1]);
  }
  SECTION("an error before the first row leaves it empty") {
    const auto child = [&] {
      become_stdout(::open(path.c_str(), O_WRONLY | O_TRUNC));
      io::TableWriter table({}, io::TableFormat::csv, {io::Column::integer("ray")});
      return 0;
    };
    CHECK(run_child(child) == 0);
    CHECK(contents(path).empty());
  }
}
