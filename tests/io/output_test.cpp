/// Outputs: a file appears whole or not at all.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <base/files/target.hpp>
#include <csignal>
#include <io/streams/output.hpp>
#include <tools/files/results/table.hpp>

#include <tests/io/child.hpp>
#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;
using io::Output;

namespace {

const std::string big(1 << 20, 'n');

/// Makes `fd` the standard output of a child process.
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

TEST_CASE("an output follows a link to a file that is not there yet", "[io]") {
  Folder folder;
  fs::create_directory(folder / "away");
  fs::create_symlink("away/new.csv", folder / "one");
  fs::create_symlink(folder / "one", folder / "two");
  Output output(folder / "two");
  output.write("new");
  output.commit();
  CHECK(fs::is_symlink(folder / "one"));
  CHECK(fs::is_symlink(folder / "two"));
  CHECK(contents(folder / "away/new.csv") == "new");
}

TEST_CASE("what cannot be written is an error", "[io]") {
  Folder folder;
  CHECK(contains(error_of([&] { Output(folder / "none/out.csv"); }, ErrorCode::io),
                 "out.csv: cannot open its folder: No such"));
  CHECK(contains(error_of([&] { Output(folder / std::string(300, 'n')); }, ErrorCode::io), "name too long"));
  CHECK(contains(error_of([&] { Output(folder / "new/"); }, ErrorCode::io), "cannot open its folder"));
  fs::create_symlink("round", folder / "round");
  CHECK(contains(error_of([&] { Output(folder / "round"); }, ErrorCode::io), "levels of symbolic links"));
  CHECK(contains(error_of([&] { Output(folder.path()); }, ErrorCode::io), "Is a directory"));
  const std::string full = error_of(
      [] {
        Output output("/dev/full");
        output.write("something");
        output.commit();
      },
      ErrorCode::io);
  CHECK(full == "/dev/full: cannot write to it: No space left on device");
  // A device is written to, not replaced.
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
  const auto writing = [&](files::TableFormat format) {
    return [&, format] {
      become_stdout(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600));
      files::TableWriter table({}, format, {files::Column::integer("ray"), files::Column::flag("blocked")});
      files::TableRows rows = table.rows();
      for (int i = 0; i < 3; ++i) rows.integer(i).flag(i == 1).end_row();
      table.write(rows);
      table.commit();
      return 0;
    };
  };
  CHECK(run_child(writing(files::TableFormat::csv)) == 0);
  CHECK(contents(path) == "ray,blocked\n0,0\n1,1\n2,0\n");
  CHECK(run_child(writing(files::TableFormat::npy)) == 0);
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
      files::TableWriter table({}, files::TableFormat::csv, {files::Column::integer("ray")});
      return 0;
    };
    CHECK(run_child(child) == 0);
    CHECK(contents(path).empty());
  }
}

TEST_CASE("names of open descriptors are written as they are", "[io]") {
  Folder folder;
  const fs::path path = folder.write("log", "before ");
  const fs::path link = folder / "link.csv";
  fs::create_symlink("/dev/stdout", link);
  for (const fs::path& name : {fs::path(), fs::path("/dev/stdout"), fs::path("/dev/fd/1"), link}) {
    INFO(name);
    const auto child = [&] {
      become_stdout(::open(path.c_str(), O_WRONLY));
      if (::lseek(STDOUT_FILENO, 7, SEEK_SET) != 7) return 1;
      Output output(name);
      output.write("after");
      output.commit();
      return 0;
    };
    CHECK(run_child(child) == 0);
    CHECK(contents(path) == "before after");
  }
  CHECK(fs::is_symlink(link));
}

TEST_CASE("a descriptor that is closed, read-only or one of the process's own is an error", "[io]") {
  Folder folder;
  const auto fails = [&](const fs::path& name, const std::function<void()>& prepare) {
    return run_child([&] {
             prepare();
             Output output(name);
             return 0;
           }) == io_error;
  };
  CHECK(fails({}, [] { ::close(STDOUT_FILENO); }));
  CHECK(fails({}, [] { ::dup2(::open("/", O_PATH), STDOUT_FILENO); }));
  CHECK(fails("/dev/stdout", [] { ::dup2(::open("/dev/null", O_RDONLY), STDOUT_FILENO); }));
  CHECK(fails("/dev/fd/77", [] {}));
  CHECK(fails("/dev/fd/77", [] { ::dup3(STDOUT_FILENO, 77, O_CLOEXEC); }));
  CHECK(!fails("/dev/fd/77", [] { ::dup2(STDOUT_FILENO, 77); }));
}

TEST_CASE("a non-blocking pipe gets every byte", "[io]") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
  const pid_t pid = start_child([&] {
    become_stdout(ends[1]);
    Output output({});
    output.write(big);
    output.commit();
    return 0;
  });
  ::close(ends[1]);
  ::usleep(50'000);
  std::string got, piece(1 << 16, ' ');
  for (;;) {
    const ssize_t n = ::read(ends[0], piece.data(), piece.size());
    if (n == 0) break;
    if (n > 0) got.append(piece, 0, static_cast<std::size_t>(n));
  }
  CHECK(finish_child(pid) == 0);
  CHECK(got == big);
  ::close(ends[0]);
}

namespace {

/// Writes to standard output "....", the bytes of `big` and, in place of the dots, "head". Returns 0, or 1 if
/// the error is what is expected: its code is io and its message has this part.
int patch_stdout(const std::string& expected_error = {}) {
  try {
    Output output({}, Output::Access::patched);
    output.write("....");
    output.write(big);
    output.patch(0, "head");
    output.commit();
    return 0;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::io || expected_error.empty() || !contains(error.what(), expected_error))
      throw;
    return 1;
  }
}

void set_temporary_folder(const fs::path& folder) { REQUIRE(::setenv("TMPDIR", folder.c_str(), 1) == 0); }

}  // namespace

TEST_CASE("a plain file as standard output is patched in place, without room in the temporary folder",
          "[io]") {
  Folder folder;
  const fs::path path = folder.write("out", "before ");
  CHECK(run_child([&] {
          set_temporary_folder(folder / "none");
          become_stdout(::open(path.c_str(), O_WRONLY));
          ::lseek(STDOUT_FILENO, 0, SEEK_END);
          return patch_stdout() + 2 * static_cast<int>(::write(STDOUT_FILENO, " behind", 7) != 7);
        }) == 0);
  CHECK(contents(path) == "before head" + big + " behind");
}

TEST_CASE("standard output that cannot be patched waits in the temporary folder", "[io]") {
  Folder folder;
  fs::create_directory(folder / "tmp");
  const fs::path path = folder.write("out", "before ");
  const auto appended = [&](const fs::path& temporary, const std::string& expected_error = {}) {
    return run_child([&] {
      set_temporary_folder(temporary);
      become_stdout(::open(path.c_str(), O_WRONLY | O_APPEND));
      return patch_stdout(expected_error);
    });
  };
  CHECK(appended(folder / "none",
                 "standard output in " + (folder / "none").string() + ": cannot create it") == 1);
  CHECK(contents(path) == "before ");
  CHECK(appended(folder / "tmp") == 0);
  CHECK(contents(path) == "before head" + big);
  CHECK(fs::is_empty(folder / "tmp"));
  // A temporary folder that is full, here a limit, is not standard output's fault.
  CHECK(run_child([&] {
          set_temporary_folder(folder / "tmp");
          std::signal(SIGXFSZ, SIG_IGN);
          const rlimit limit{1 << 16, 1 << 16};
          ::setrlimit(RLIMIT_FSIZE, &limit);
          become_stdout(::open("/dev/null", O_WRONLY));
          return patch_stdout("a temporary file for standard output in " + (folder / "tmp").string() +
                              ": cannot write");
        }) == 1);
}

TEST_CASE("two names of one output", "[io]") {
  Folder folder;
  const fs::path old = folder.write("old", "old");
  fs::create_symlink("old", folder / "link");
  fs::create_symlink("new", folder / "dangling");
  fs::create_directory(folder / "sub");
  const auto same = [&](const fs::path& a, const fs::path& b) {
    return base::same_output(base::target_of(a), base::target_of(b));
  };
  CHECK(same(old, folder / "link"));
  CHECK(same(old, folder / "sub/../old"));
  CHECK(same(folder / "new", folder / "dangling"));
  CHECK(same({}, "/dev/fd/1"));
  CHECK(!same(old, folder / "new"));
  CHECK(!same("/dev/null", "/dev/null"));
  CHECK(!same(old, {}));
  CHECK(base::writes_over(base::target_of(folder / "link"), old));
  CHECK(!base::writes_over(base::target_of(folder / "new"), folder / "new"));
  CHECK(!base::writes_over(base::target_of("/dev/null"), "/dev/null"));
}
