/// Input bytes: pipes and sockets.

#include <fcntl.h>
#include <sys/socket.h>

#include <chrono>
#include <io/streams/byte_reader.hpp>
#include <thread>

#include <tests/io/child.hpp>
#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

TEST_CASE("standard input that does not block waits for a slow writer", "[io]") {
  const bool socket = GENERATE(false, true);
  int ends[2];
  REQUIRE((socket ? ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : ::pipe(ends)) == 0);
  REQUIRE(::fcntl(ends[0], F_SETFL, ::fcntl(ends[0], F_GETFL) | O_NONBLOCK) == 0);
  const std::string text = "x,y,z\n1,2,3\n4,5,6\n";
  const pid_t reader = start_child([&] {
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[1]);
    std::string read(text.size() + 1, '\0');
    const std::size_t n = io::open_source("-")->read_fully(read);
    return read.substr(0, n) == text ? 0 : 1;
  });
  for (const char c : text) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    REQUIRE(::write(ends[1], &c, 1) == 1);
  }
  ::close(ends[1]);
  ::close(ends[0]);
  CHECK(finish_child(reader) == 0);
}
