/// \file Memory runs out at every allocation of a build and of each query in turn: an Error, no crash,
/// nothing changed. An executable of its own, since it replaces operator new, posix_memalign and mmap. Only
/// calls of operator new from this executable fail (Sphaera is linked into it), and Embree's calls of the
/// others, for its large blocks. oneTBB does not survive a failure within itself, nor Embree that of its own
/// operator new: its threads keep pointers to what it has freed.

#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <base/sanitizers.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <io/scene/scene_formats.hpp>
#include <io/scene/scene_read.hpp>
#include <memory_resource>
#include <new>
#include <scene/state.hpp>
#include <sphaera/error.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/scene_buffer.hpp>
#include <sphaera/starlight.hpp>
#include <star_light/star_view.hpp>
#include <thread>
#include <tools/workload/workload.hpp>

#include <tests/catch.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/scratch_files.hpp>

extern "C" char __executable_start, etext;  // by the linker

namespace {

enum class Fails : std::uint8_t { one, it_and_all_later };
std::atomic<long> allocations_left{-1};  // negative: not armed
std::atomic<Fails> which_fail{Fails::one};
std::atomic<bool> has_failed{false};     // since `arm`
thread_local long allocations_made = 0;  // by all callers, the standard library's too
std::atomic<long> allocations_of_all_threads{0};
thread_local std::size_t largest_allocation = 0;  // bytes

/// The code of the library Embree: from `begin` to `end`.
struct EmbreeCode {
  std::uintptr_t begin = 0, end = 0;

  EmbreeCode() { dl_iterate_phdr(note, this); }
  static int note(dl_phdr_info* library, std::size_t, void* self) {
    if (!std::strstr(library->dlpi_name, "libembree")) return 0;
    auto& code = *static_cast<EmbreeCode*>(self);
    for (const auto& part : std::span(library->dlpi_phdr, library->dlpi_phnum)) {
      if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
      code.begin = library->dlpi_addr + part.p_vaddr, code.end = code.begin + part.p_memsz;
    }
    return 1;
  }
};

bool calls_from_here(void* caller) {
  return caller >= static_cast<void*>(&__executable_start) && caller < static_cast<void*>(&etext);
}
[[maybe_unused]] bool calls_from_embree(void* caller) {
  static const EmbreeCode embree;
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  return at >= embree.begin && at < embree.end;
}

/// Does this allocation fail? It counts if `counts(caller)`.
bool fails(void* caller, bool (*counts)(void*)) {
  if (allocations_left.load() < 0 || !counts(caller) || allocations_left.fetch_sub(1) > 0) return false;
  allocations_left = which_fail == Fails::one ? -1 : 0;
  has_failed = true;
  return true;
}

/// The allocation after the next n fails.
void arm(long n, Fails which) {
  which_fail = which, has_failed = false;
  allocations_left = n;
}
void disarm() { allocations_left = -1; }

void* allocate(std::size_t size, std::size_t alignment, void* caller) {
  ++allocations_made, ++allocations_of_all_threads;
  largest_allocation = std::max(largest_allocation, size);
  if (fails(caller, calls_from_here)) throw std::bad_alloc();
  void* p = alignment <= alignof(std::max_align_t)
                ? std::malloc(size ? size : 1)
                : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!p) throw std::bad_alloc();
  return p;
}

void* allocate_or_null(std::size_t size, void* caller) noexcept {
  try {
    return allocate(size, 1, caller);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, 1, __builtin_return_address(0)); }
void* operator new[](std::size_t size) { return allocate(size, 1, __builtin_return_address(0)); }
void* operator new(std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a), __builtin_return_address(0));
}
void* operator new[](std::size_t size, std::align_val_t a) {
  return allocate(size, static_cast<std::size_t>(a), __builtin_return_address(0));
}
// Under AddressSanitizer the standard library's nothrow `new` does not call the operators above.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, __builtin_return_address(0));
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return allocate_or_null(size, __builtin_return_address(0));
}
#ifndef SPHAERA_SANITIZED  // sanitizers replace these functions themselves
// Embree's memory.
extern "C" int posix_memalign(void** p, std::size_t alignment, std::size_t size) {
  if (fails(__builtin_return_address(0), calls_from_embree)) return ENOMEM;
  *p = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  return *p ? 0 : ENOMEM;
}
extern "C" void* mmap(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {
  if ((flags & MAP_ANONYMOUS) && fails(__builtin_return_address(0), calls_from_embree)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, address, size, protection, flags, file, offset));
}
#endif
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
// Inlined, its `free` would look to GCC like a mismatch of operator new.
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace sphaera {
namespace {

using test::all_rows, test::AllRows, test::AnswerPlace, test::differing, test::every_query, test::Query,
    test::Questions, test::questions_along;

constexpr int max_allocations = 4000;

/// By default large arrays come from the system, whose failures no test can provoke. This resource takes them
/// from operator new, as the rest is taken.
class ArraysFail final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return ::operator new(bytes, std::align_val_t{alignment});
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    ::operator delete(p, bytes, std::align_val_t{alignment});
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
} arrays_fail;

/// Calls attempt(n, which) for each kind of failure and n = 0, 1, …, until no allocation fails. An attempt
/// arms and disarms the failure. Returns the number of failures. More than `max_allocations` of a kind are a
/// failure of the test.
template <class Attempt>
int fail_each_allocation(const Attempt& attempt) {
  int failures = 0;
  for (const Fails which : {Fails::one, Fails::it_and_all_later}) {
    has_failed = true;
    for (int n = 0; has_failed; ++n) {
      if (n == max_allocations) FAIL("more than " << n << " allocations: some would never fail");
      CAPTURE(n, which);
      attempt(n, which);
      failures += has_failed;
    }
  }
  return failures;
}

/// Does the work, in which allocations fail. Returns false if it throws, which must be an Error
/// out_of_memory.
bool is_done(int n, Fails which, const std::function<void()>& work) {
  arm(n, which);
  try {
    work();
    disarm();
    return true;
  } catch (const Error& error) {
    disarm();
    INFO(error.what());
    REQUIRE(error.code() == ErrorCode::out_of_memory);
  } catch (...) {
    disarm();
    FAIL("something else than an Error is thrown");
  }
  return false;
}

/// The same for work that may throw an Error out_of_memory.
int fail_every_allocation(const std::function<void()>& work) {
  return fail_each_allocation([&](int n, Fails which) { is_done(n, which, work); });
}

}  // namespace

TEST_CASE("a copy of an error allocates nothing", "[memory]") {
  const std::string long_text(1000, 'x');
  const long before_first = allocations_made;
  const Error error(ErrorCode::bad_file, long_text, long_text, 3);
  CHECK(allocations_made > before_first);
  const long before = allocations_made;
  const Error copy = error;
  Error assigned = copy;
  assigned = error;
  const bool same = assigned.subject() == error.subject() && copy.reason() == error.reason();
  const long made = allocations_made - before;
  CHECK(made == 0);
  CHECK(same);
}

TEST_CASE("a build survives the failure of any allocation of ours", "[memory]") {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::uniform, 1000, 1);
  const int failures = fail_every_allocation([&] {
    const Scene scene = Scene::build(spheres, {.threads = 1, .memory = &arrays_fail});
    disarm();
    CHECK(scene.spheres().size() == 1000);
  });
  CHECK(failures > 0);
}

TEST_CASE("a build within a limit of memory either fits or fails, at any limit", "[memory]") {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::uniform, 20000, 1);
  const std::uint64_t peak = Scene::build(spheres).info().index_peak_bytes;
  int fits = 0, fails = 0;
  for (int i = 0; i <= 40; ++i) {
    const std::uint64_t limit = 1 + peak * static_cast<std::uint64_t>(i) / 20;
    try {
      const Scene scene = Scene::build(spheres, {.memory_limit = limit});
      fits += scene.spheres().size() == spheres.size();
    } catch (const Error& error) {
      REQUIRE(error.code() == ErrorCode::out_of_memory);
      ++fails;
    }
  }
  CHECK(fits > 5);
  CHECK(fails > 5);
}

namespace {

/// Which allocate nothing when they are asked alone, without a Scratch.
bool needs_no_memory(const Query& query) {
  for (const char* const name :
       {"blocked", "first_hit", "first_surface_hit", "nearest", "nearest of k", "count_within"})
    if (query.name == name || query.name.starts_with(std::string(name) + " of ")) return true;
  return query.name == "first_impact";
}

/// How often memory runs out while the query is asked alone, in its forms that write into a span and that
/// return a vector.
int fail_alone(const Query& query, const Scene& scene, const Questions& questions,
               const QueryOptions& options) {
  const std::unique_ptr<AnswerPlace> place = query.place(scene, questions);
  const int failures = fail_every_allocation([&] { place->ask_alone(scene, questions, 0, options); });
  if (!query.lists) return failures;
  return failures + fail_every_allocation([&] { query.ask_alone(scene, questions, 0, options); });
}

}  // namespace

TEST_CASE("queries survive the failure of any allocation, and the scene goes on answering", "[memory]") {
  const Scene scene = Scene::build(workload::spheres(workload::Kind::uniform, 1000, 1));
  const Questions questions = questions_along(workload::rays(workload::Kind::uniform, 600, 1000, 2), 600);
  const AllRows before = all_rows(scene, questions);
  for (const Query* query : every_query()) {
    INFO(query->name);
    const QueryOptions serial{.threads = 1};
    CHECK(fail_every_allocation([&] { query->ask(scene, questions, serial); }) > 0);
    if (!query->single) continue;
    const int failures = fail_alone(*query, scene, questions, serial);
    if (needs_no_memory(*query)) CHECK(failures == 0);
    const bool finds_some = query->alone(scene, questions, 0) != query->miss(questions);
    if (query->lists && finds_some) CHECK(failures > 0);
  }
  CHECK(fail_every_allocation([&] { (void)scene.info(); }) > 0);
  CHECK(differing(all_rows(scene, questions), before) == "");
}

namespace {

/// Every query of a scene, by batches and alone, into places that are there already.
struct AllQueries {
  AllQueries() {
    questions.k = 40;
    for (const Query* query : every_query()) places.push_back(query->place(scene, questions));
  }

  /// Calls `ask(name, work)` for each query, in a batch and alone, with the options that it takes.
  template <class Ask>
  void each(const QueryOptions& options, const Ask& ask) {
    constexpr std::size_t one = 7;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Query& query = *every_query()[i];
      const QueryOptions fitting = query.fitting(scene, questions, options);
      AnswerPlace& place = *places[i];
      ask(query.name, [&] { place.ask(scene, questions, fitting); });
      if (!query.single) continue;
      ask(query.name + ", alone", [&] { place.ask_alone(scene, questions, one, fitting); });
    }
    // A nearest neighbor and an impact need no scratch.
    ask("nearest, alone without a scratch", [&] { (void)scene.nearest(questions.points[0]); });
    ask("first_impact, alone without a scratch", [&] { (void)scene.first_impact(questions.bullets[0]); });
  }

  // So many spheres and rays that a batch sorts its rays.
  const Scene scene = Scene::build(workload::spheres(workload::Kind::crowd, 30000, 1));
  Questions questions = questions_along(workload::rays(workload::Kind::crowd, 6000, 30000, 2), 6000);
  std::vector<std::unique_ptr<AnswerPlace>> places;
};

}  // namespace

TEST_CASE("batches and single queries with a Scratch and one thread call no heap", "[memory][plain]") {
  AllQueries queries;
  Scratch scratch;
  const std::thread::id mine = std::this_thread::get_id();
  bool elsewhere = false;
  const QueryOptions options{.accept =
                                 [&](std::size_t, std::int64_t) {
                                   elsewhere |= std::this_thread::get_id() != mine;
                                   return true;
                                 },
                             .threads = 1,
                             .scratch = &scratch};
  for (int round = 0; round < 2; ++round)
    queries.each(options, [](const std::string&, const auto& work) { work(); });
  queries.each(options, [](const std::string& name, const auto& work) {
    INFO(name);
    const long before = allocations_made;
    work();
    CHECK(allocations_made == before);
  });
  CHECK_FALSE(elsewhere);
}

TEST_CASE("batches with a Scratch and two threads call no heap", "[memory]") {
  AllQueries queries;
  Scratch scratch;
  QueryOptions options{.threads = 1, .grain = 64, .scratch = &scratch};
  const auto ask = [](const std::string&, const auto& work) { work(); };
  for (int round = 0; round < 2; ++round) queries.each(options, ask);
  // From here on a second thread takes pieces, whose memory it has never needed before.
  options.threads = 2;
  queries.places[0]->ask(queries.scene, queries.questions, options);
  for (int round = 0; round < 3; ++round) {
    queries.each(options, [](const std::string& name, const auto& work) {
      INFO(name);
      const long before = allocations_of_all_threads;
      work();
      CHECK(allocations_of_all_threads == before);
    });
  }
}

TEST_CASE("flights under gravity allocate nothing for each bullet", "[memory]") {
  const Scene scene = Scene::build(workload::spheres(workload::Kind::crowd, 10'000, 1));
  std::vector<Bullet> bullets;
  for (const Ray& ray : workload::rays(workload::Kind::crowd, 2000, 10'000, 2))
    bullets.push_back({ray.origin, 20 * ray.direction + Vec3{0, 0, 5}, 0.05, 0, 3});
  std::vector<Impact> impacts(bullets.size());
  const FlightOptions falls{.gravity = {0, 0, -9.81}};
  const auto allocations = [&](std::size_t count) {
    const long before = allocations_made;
    scene.first_impact(std::span(bullets).first(count), std::span(impacts).first(count), falls,
                       {.threads = 1});
    return allocations_made - before;
  };
  (void)allocations(256);
  const long few = allocations(256), many = allocations(bullets.size());  // 256 bullets share a traversal
  const auto hits = std::ranges::count_if(impacts, [](const Impact& m) { return m.sphere >= 0; });
  CHECK(hits > 100);
  CHECK(many == few);
  const long before = allocations_made;
  for (const Bullet& bullet : bullets) (void)scene.first_impact(bullet, falls);
  const long singly = allocations_made - before;
  CHECK(singly == 0);
  // Lists of a piece's impacts and candidates grow, and are used again.
  const FlightOptions through{.bounces = 1, .pierces = 2, .gravity = {0, 0, -9.81}};
  const long before_all = allocations_made;
  (void)scene.all_impacts(bullets, through, {.threads = 1});
  const long in_lists = allocations_made - before_all;
  CHECK(in_lists < 300);
}

TEST_CASE("Search::embree survives the failure of any allocation, in its build and after", "[memory]") {
  const std::vector<Sphere> spheres = workload::spheres(workload::Kind::uniform, 1000, 1);
  const Questions questions = questions_along(workload::rays(workload::Kind::uniform, 600, 1000, 2), 600);
  const QueryOptions serial{.search = Search::embree, .threads = 1};
  const auto fresh = [&](const auto& ask) {
    const Scene scene = Scene::build(spheres);
    return fail_every_allocation([&] { ask(scene); });
  };
  const Scene scene = Scene::build(spheres);
  CHECK(fresh([&](const Scene& s) { (void)s.blocked(questions.rays[0], serial); }) > 0);
  for (const Query* query : every_query()) {
    INFO(query->name);
    if (query->takes(scene, serial))
      CHECK(fresh([&](const Scene& s) { query->ask(s, questions, serial); }) > 0);
  }
  CHECK(differing(all_rows(scene, questions, serial), all_rows(scene, questions)) == "");
  // Single queries of these kinds allocate nothing once the index is there.
  for (const Query* query : every_query()) {
    INFO(query->name);
    if (query->takes(scene, serial) && (query->function == "blocked" || query->function == "first_hit"))
      CHECK(fail_alone(*query, scene, questions, serial) == 0);
  }
}

namespace {

/// Moves the scene there and back until no allocation fails. It must be moved each time; `rebuild` may turn
/// into a refit.
void fail_moves(const std::vector<Sphere>& start, std::span<const Vec3> there,
                UpdateOptions::Rebuild rebuild) {
  std::vector<Vec3> here;
  for (const Sphere& s : start) here.push_back(s.center);
  Scene scene = Scene::build(start, {.memory = &arrays_fail});
  int fitted = 0, rebuilt = 0;
  fail_each_allocation([&](int n, Fails which) {
    const std::span<const Vec3> to = n % 2 ? there : here;
    arm(n, which);
    const UpdateResult result = scene.update(to, {}, {.rebuild = rebuild, .threads = 1});
    disarm();
    (result.rebuilt ? rebuilt : fitted) += 1;
    for (std::size_t i = 0; i < start.size(); i += 97) {
      CHECK(scene.spheres()[i].center == to[i]);
      CHECK(scene.nearest(to[i]).distance < 0);
    }
  });
  CHECK(fitted > 0);
  CHECK((rebuilt > 0) == (rebuild != UpdateOptions::Rebuild::never));
}

}  // namespace

TEST_CASE("an update survives the failure of any allocation: the scene is moved, or as it was", "[memory]") {
  using Rebuild = UpdateOptions::Rebuild;
  const std::vector<Sphere> start = workload::spheres(workload::Kind::uniform, 1000, 1);
  std::vector<Vec3> there;
  for (const Sphere& s : start) there.push_back(s.center);
  std::ranges::reverse(there);
  // A refit does without memory for its list of outliers. If a rebuild runs out of memory, the index is
  // refitted instead, without an error.
  for (const Rebuild rebuild : {Rebuild::never, Rebuild::always}) fail_moves(start, there, rebuild);
}

TEST_CASE("a rebuild of a nested frame survives the failure of any allocation", "[memory]") {
  std::vector<Sphere> planets{{{0, 0, -1.7e6}, 1.7e6}, {{4e8, 0, -6.4e6}, 6.4e6}};
  const std::vector<Sphere> people = workload::spheres(workload::Kind::crowd, 500, 1);
  for (const std::size_t planet : {0, 1})
    for (const Sphere& s : people) {
      const Sphere& ground = planets[planet];
      planets.push_back({s.center + ground.center + Vec3{0, 0, ground.radius + 5}, s.radius});
    }
  REQUIRE(Scene::build(planets).info().frames.size() >= 2);
  std::vector<Vec3> there;
  for (const Sphere& s : planets) there.push_back(s.center);
  const auto crowd = std::span(there).last(people.size());
  for (std::size_t i = 0; i < crowd.size(); ++i) std::swap(crowd[i], crowd[i * 7919 % crowd.size()]);
  fail_moves(planets, there, UpdateOptions::Rebuild::when_degraded);
}

TEST_CASE("a build in the background survives the failure of any allocation: the scene moves all the same",
          "[memory]") {
  const std::vector<Sphere> start = workload::spheres(workload::Kind::uniform, 500, 1);
  std::vector<Vec3> there;
  for (const Sphere& s : start) there.push_back(s.center);
  std::ranges::reverse(there);
  const UpdateOptions options{.rebuild = UpdateOptions::Rebuild::in_background, .threads = 1};
  const int failures = fail_each_allocation([&](int n, Fails which) {
    Scene scene = Scene::build(start, {.memory = &arrays_fail});
    query::SceneState& state = *query::SceneAccess::own(scene);
    bool rebuilt = false;
    arm(n, which);
    for (int frame = 0; frame < 3; ++frame) {
      rebuilt |= scene.update(there, {}, options).rebuilt;
      while (state.background && !state.background->is_idle()) std::this_thread::yield();
    }
    disarm();
    REQUIRE((has_failed || rebuilt));
    for (std::size_t i = 0; i < there.size(); i += 50) {
      REQUIRE(scene.spheres()[i].center == there[i]);
      REQUIRE(scene.nearest(there[i]).distance < 0);
    }
  });
  CHECK(failures > 0);
}

TEST_CASE("edits survive the failure of any allocation: the scene is edited, or as it was", "[memory]") {
  const std::vector<Sphere> start = workload::spheres(workload::Kind::uniform, 500, 1),
                            more = workload::spheres(workload::Kind::uniform, 100, 2);
  const std::vector<std::int64_t> some{3, 7, 499};
  const std::vector<double> radii{1, 2, 3};
  const std::vector<Vec3> centers{{1, 1, 1}, {2, 2, 2}, {1e9, 0, 0}};
  const std::vector<std::uint8_t> layers{1, 2, 3};
  const std::vector<std::function<void(Scene&)>> edits{
      [&](Scene& s) { s.insert(more, {.update = {.threads = 1}}); },
      [&](Scene& s) { s.erase(some, {.threads = 1}); },
      [&](Scene& s) { s.set_enabled(some, false, {.threads = 1}); },
      [&](Scene& s) { s.update(some, centers, {}, {.threads = 1}); },
      [&](Scene& s) { s.set_radii(some, radii, {.threads = 1}); },
      [&](Scene& s) { s.set_layers(some, layers); }};
  const Ray ray{{-1e3, 0, 0}, {1, 0.001, 0.002}};
  for (const auto& edit : edits) {
    Scene done = Scene::build(start);
    edit(done);
    const int failures = fail_each_allocation([&](int n, Fails which) {
      Scene scene = Scene::build(start, {.memory = &arrays_fail});
      const Hit before = scene.first_hit(ray);
      arm(n, which);
      try {
        edit(scene);
        disarm();
        CHECK(scene.first_hit(ray).sphere == done.first_hit(ray).sphere);
        CHECK(scene.size() == done.size());
      } catch (const Error& error) {
        disarm();
        REQUIRE(error.code() == ErrorCode::out_of_memory);
        REQUIRE(scene.size() == start.size());
        REQUIRE(scene.spheres().size() == start.size());
        REQUIRE(scene.first_hit(ray).sphere == before.sphere);
        REQUIRE(scene.first_hit(ray, {.search = Search::brute_force}).sphere == before.sphere);
      }
    });
    CHECK(failures > 0);
  }
}

TEST_CASE("a buffer in steady state allocates nothing, nor when it takes over an index from the background",
          "[memory]") {
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 6000, 1);
  SceneBuffer buffer(start, {.threads = 1, .memory = &arrays_fail}, {.keep = 3});
  const UpdateOptions options{.rebuild = UpdateOptions::Rebuild::in_background, .threads = 1};
  std::vector<Vec3> centers;
  for (const Sphere& s : start) centers.push_back(s.center);
  std::vector<std::int64_t> ids(20);
  std::vector<Sphere> born(ids.size());
  const query::BackgroundBuild* background = nullptr;  // the buffer's
  const auto replace = [&](Scene& scene) {
    scene.erase(ids, options);
    scene.insert(born, ids, {.update = options});
    background = query::SceneAccess::own(scene)->background.get();
  };
  int taken_over = 0, allocating = 0;
  for (std::size_t frame = 0; frame < 600 && taken_over < 3; ++frame) {
    // People change places, half of them as newcomers: the crowd stays as it is.
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::size_t a = (frame * ids.size() + i) % 3000, b = 3000 + (a * 1237 + frame) % 3000;
      std::swap(centers[a], centers[b]);
      ids[i] = static_cast<std::int64_t>(a), born[i] = {centers[a], start[a].radius};
    }
    // Few such jumps are repaired. Many at once wear the index out.
    for (std::size_t i = 0; i < 1500 && frame % 50 == 30; ++i) std::swap(centers[i], centers[3000 + 2 * i]);
    const long before = allocations_made;
    const UpdateResult result = buffer.update(centers, {}, options, std::ref(replace));
    const bool steady = frame >= 20;  // every snapshot has been written
    allocating += steady && allocations_made > before, taken_over += steady && result.rebuilt;
    // A pass in the background ends within a frame, on a busy machine, too.
    while (background && !background->is_idle()) std::this_thread::yield();
  }
  CHECK(taken_over >= 3);
  CHECK(allocating == 0);
}

TEST_CASE("the first changes of a buffer allocate nothing that grows with the scene", "[memory]") {
  const std::vector<Sphere> start = workload::spheres(workload::Kind::crowd, 20'000, 1);
  const std::vector<std::uint8_t> first(start.size(), 1), layers(20, 3);
  const std::vector<double> radii(20, 0.25);
  std::vector<std::int64_t> ids(20);
  std::vector<Vec3> places(ids.size());
  std::vector<Sphere> born(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = static_cast<std::int64_t>(500 * i);
    born[i] = start[500 * i + 250], places[i] = born[i].center;
  }
  const UpdateOptions serial{.threads = 1};
  const std::vector<std::function<void(SceneBuffer&)>> changes{
      [&](SceneBuffer& b) { b.update(ids, places, {}, serial); },
      [&](SceneBuffer& b) { b.set_enabled(ids, false, serial); },
      [&](SceneBuffer& b) { b.set_radii(ids, radii, serial); },
      [&](SceneBuffer& b) { b.set_layers(ids, layers); },
      [&](SceneBuffer& b) {
        const auto replace = [&](Scene& scene) {
          scene.erase(ids, serial);
          scene.insert(born, ids, {.update = serial});
        };
        b.change(std::ref(replace));
      }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SceneBuffer buffer(start, {.layers = first, .threads = 1, .memory = &arrays_fail}, {.keep = 5});
    largest_allocation = 0;
    for (int n = 0; n < 10; ++n) changes[i](buffer);
    INFO("change " << i << ": " << largest_allocation << " bytes");
    CHECK(largest_allocation < start.size());
  }
}

TEST_CASE("the reading of a JSON scene survives the failure of any allocation", "[memory]") {
  const std::string text = R"({"sphaera": 1, "unit": "k\u006d", "spheres": [
    {"center": [1, 2, 3], "radius": 0.5, "na\u006de": "Zo\u00eb \"the\" moon, of a name that no small string holds"}]})";
  const int failures = fail_every_allocation([&] {
    const long armed = allocations_left.exchange(-1);
    const std::unique_ptr<io::ByteSource> source = io::memory_source("scene.json", text);
    allocations_left = armed;
    const SceneFile file = [&] {
      try {
        return io::read_scene(*source, io::json_scene, {});
      } catch (const std::bad_alloc&) {  // no memory for a message that names the file
        throw Error(ErrorCode::out_of_memory, "");
      }
    }();
    disarm();
    CHECK(file.spheres.size() == 1);
    CHECK(file.spheres[0].radius == 0.5);
    CHECK(file.names[0] == "Zoë \"the\" moon, of a name that no small string holds");
  });
  CHECK((failures > 10 && failures < max_allocations));
}

namespace {

/// Makes a change of a buffer with each allocation failing in turn, until it succeeds: the current snapshot
/// stays the same until then. Returns the number of failures.
int fail_every_allocation_of(SceneBuffer& buffer, const std::function<void(SceneBuffer&)>& change) {
  const Ray ray{{-1e3, 0, 0}, {1, 0.001, 0.002}};
  const std::shared_ptr<const Scene> before = buffer.current();
  const Hit hit = before->first_hit(ray);
  const std::size_t size = before->size();
  for (int failures = 0; failures < max_allocations; ++failures) {
    arm(failures, Fails::it_and_all_later);
    try {
      change(buffer);
      disarm();
      return failures;
    } catch (const Error& error) {
      disarm();
      REQUIRE(error.code() == ErrorCode::out_of_memory);
      REQUIRE(buffer.current() == before);
      REQUIRE(before->size() == size);
      REQUIRE(before->first_hit(ray).sphere == hit.sphere);
    }
  }
  FAIL("more than " << max_allocations << " allocations: some would never fail");
  return max_allocations;
}

}  // namespace

TEST_CASE("a save survives the failure of any allocation: the file is the old or the new one",
          "[memory][save]") {
  const test::Folder folder;
  const Scene old = Scene::build(workload::spheres(workload::Kind::uniform, 100, 1));
  const Scene scene = Scene::build(workload::spheres(workload::Kind::uniform, 1000, 2));
  const std::string path = (folder / "s.sphi").string();
  scene.save(path);
  const std::string after = test::contents(path);
  old.save(path);
  const std::string before = test::contents(path);
  CHECK(fail_each_allocation([&](int n, Fails which) {
          old.save(path);
          const bool saved = is_done(n, which, [&] { scene.save(path); });
          REQUIRE((test::contents(path) == (saved ? after : before)));
          REQUIRE(folder.files() == 1);
        }) > 0);
}

TEST_CASE("an opened scene survives the failure of any allocation, in its opening and its first edit",
          "[memory][save]") {
  const test::Folder folder;
  const std::string path = (folder / "s.sphi").string();
  Scene::build(workload::spheres(workload::Kind::uniform, 1000, 1)).save(path);
  const Questions questions = questions_along(workload::rays(workload::Kind::uniform, 20, 1000, 2), 20);
  const AllRows before = all_rows(Scene::open(path), questions);
  const std::array<std::int64_t, 1> ids{7};
  const std::array<double, 1> radii{9};
  const auto edit = [&](Scene& scene) { scene.set_radii(ids, radii); };
  Scene changed = Scene::open(path);
  edit(changed);
  const AllRows after = all_rows(changed, questions);
  REQUIRE(differing(before, after) != "");
  CHECK(fail_every_allocation([&] {
          const Scene scene = Scene::open(path);
          (void)scene.first_hit(questions.rays.front());  // the first use checks the file
          disarm();
          CHECK(scene.size() == 1000);
        }) > 0);
  CHECK(fail_each_allocation([&](int n, Fails which) {
          Scene scene = Scene::open(path);
          (void)scene.size();
          const bool edited = is_done(n, which, [&] { edit(scene); });
          REQUIRE(differing(all_rows(scene, questions), edited ? after : before) == "");
        }) > 0);
}

TEST_CASE("changes of a buffer survive the failure of any allocation and leave the current snapshot alone",
          "[memory]") {
  using Ids = std::vector<std::int64_t>;
  const std::vector<Sphere> start = workload::spheres(workload::Kind::uniform, 500, 1),
                            more = workload::spheres(workload::Kind::uniform, 100, 2);
  const std::vector<double> radii{1, 2, 3};
  const std::vector<Vec3> places{{1, 1, 1}, {2, 2, 2}, {1e9, 0, 0}}, centers(900, {3, 4, 5});
  const std::vector<std::uint8_t> layers{1, 2, 3};
  const UpdateOptions serial{.threads = 1};
  const auto move_all = [&](SceneBuffer& b) {
    b.update(std::span(centers).first(b.current()->spheres().size()), {}, serial);
  };
  const std::vector<std::function<void(SceneBuffer&, const Ids&)>> changes{
      [&](SceneBuffer& b, const Ids&) { move_all(b); },
      [&](SceneBuffer& b, const Ids&) { b.insert(more, {.update = serial}); },
      [&](SceneBuffer& b, const Ids& ids) { b.erase(ids, serial); },
      [&](SceneBuffer& b, const Ids& ids) { b.set_enabled(ids, false, serial); },
      [&](SceneBuffer& b, const Ids& ids) { b.update(ids, places, {}, serial); },
      [&](SceneBuffer& b, const Ids& ids) { b.set_radii(ids, radii, serial); },
      [&](SceneBuffer& b, const Ids& ids) { b.set_layers(ids, layers); },
      [&](SceneBuffer& b, const Ids& ids) {
        const auto both = [&](Scene& scene) {
          scene.update(ids, places, {}, serial);
          scene.erase(ids, serial);
        };
        b.change(std::ref(both));  // a std::function of this allocates nothing
      },
      [&](SceneBuffer& b, const Ids&) { b.adopt(Scene::build(more, {.threads = 1})); }};
  const std::vector<Sphere> larger = workload::spheres(workload::Kind::uniform, 900, 3);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    for (const bool grown : {false, true}) {
      INFO("change " << i << (grown ? " of copies that need more memory" : ""));
      const BuildOptions build{.threads = 1, .memory = &arrays_fail};
      SceneBuffer buffer(start, build, {.keep = 1});
      if (grown) buffer.adopt(Scene::build(larger, build));
      int all = 0;
      for (const Ids& ids : {Ids{3, 7, 99}, {4, 8, 98}, {5, 9, 97}, {6, 10, 96}}) {
        const int failures = fail_every_allocation_of(buffer, [&](SceneBuffer& b) { changes[i](b, ids); });
        CHECK(failures < max_allocations);
        all += failures;
      }
      CHECK(all > 0);
    }
  }
}

TEST_CASE("starlight survives the failure of any allocation and allocates none with used scratch",
          "[memory]") {
  const Star star = Star::at({0, 0, 100}, 1, LimbDarkening::quadratic(0.4, 0.26));
  const std::vector<Sphere> bodies{{{0.05, 0, 10}, 0.1}, {{-0.05, 0, 10}, 0.1}, {{0, 0.1, 10}, 0.06}};
  CHECK(fail_every_allocation([&] { (void)starlight(star, {}, bodies); }) > 0);

  star_light::StarViewScratch scratch;
  exact::Counts counts;
  const auto look = [&] {
    star_light::StarView view(star, {}, scratch, counts);
    for (std::size_t i = 0; i < bodies.size(); ++i) view.add(bodies[i], static_cast<std::int64_t>(i));
    return view.result().fraction;
  };
  const double first = look();
  CHECK(fail_every_allocation([&] { (void)look(); }) == 0);
  CHECK((first > 0 && first < 1 && look() == first));
}

}  // namespace sphaera
