#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <tests/catch.hpp>
#include <thread>
#include <tools/answers/run_both.hpp>

using sphaera::tool::run_both;

TEST_CASE("one thread reads after it has answered", "[answers]") {
  std::string order;
  tbb::task_arena(1).execute([&] {
    run_both([&] { tbb::parallel_for(0, 100, [&](int i) { order += i == 0 ? "answered " : ""; }); },
             [&] { order += "read"; });
  });
  CHECK(order == "answered read");
}

TEST_CASE("two threads read and answer at the same time", "[answers]") {
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  std::atomic<int> started{0};
  const auto meet = [&] {
    ++started;
    while (started < 2) std::this_thread::yield();
  };
  tbb::task_arena(2).execute([&] { run_both(meet, meet); });
  CHECK(started == 2);
}

TEST_CASE("both end before an error is thrown, that of answering first", "[answers]") {
  const auto fail = [](const char* what) { throw std::runtime_error(what); };
  std::atomic<bool> ended{false};
  CHECK_THROWS_WITH(run_both([&] { fail("answering"); }, [&] { ended = true; }), "answering");
  CHECK(ended);
  ended = false;
  CHECK_THROWS_WITH(run_both([&] { ended = true; }, [&] { fail("reading"); }), "reading");
  CHECK(ended);
  CHECK_THROWS_WITH(run_both([&] { fail("answering"); }, [&] { fail("reading"); }), "answering");
}
