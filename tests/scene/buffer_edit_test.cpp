/// \file A buffer against a scene that gets the same changes: the same ids, answers, results and errors, and
/// snapshots that stay as they were.

#include <sphaera/error.hpp>
#include <sphaera/scene_buffer.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <thread>

namespace sphaera {
namespace {

using test::AllRows, test::Bytes, test::Questions, test::SceneKind, test::Random;
using Rebuild = UpdateOptions::Rebuild;
using Ids = std::vector<std::int64_t>;

/// All that a scene holds and answers.
struct Shown {
  Bytes data;
  AllRows rows;
  friend bool operator==(const Shown&, const Shown&) = default;
};

Shown all_of(const Scene& scene, const Questions& questions) {
  Bytes out;
  out.put(scene.spheres()), out.put(scene.velocities()), out.put(scene.layers());
  for (const std::uint32_t owner : scene.owners()) out.put(std::uint64_t{owner});
  for (std::size_t i = 0; i < scene.spheres().size() + 2; ++i)
    out.put(scene.contains(static_cast<std::int64_t>(i))),
        out.put(scene.is_enabled(static_cast<std::int64_t>(i)));
  out.put(std::uint64_t{scene.size()});
  return {out, test::all_rows(scene, questions)};
}

/// A change of a Scene or a SceneBuffer, and what came of it: results, or what was refused.
template <class Target, class Edit>
Bytes outcome(Target& target, const Edit& edit) {
  Bytes out;
  try {
    edit(target, out);
  } catch (const Error& error) {
    out.put(error.code()), out.put(error.element());
    for (const char c : std::string(error.what())) out.put(std::uint8_t(c));
  }
  return out;
}

class Twins {
 public:
  Twins(SceneKind scene_kind, std::size_t n, std::size_t keep, bool background, Random& random)
      : random_(random),
        scene_kind_(scene_kind),
        background_(background),
        start_(test::make_spheres(scene_kind, n, random)),
        moving_(n > 0 && random.one_in(3)),
        questions_(test::draw_questions({start_, velocities(), {0, 1}}, 12, 4, random)),
        scene_(built()),
        buffer_(built(), {.keep = keep}),
        keep_(keep) {
    remember();
  }

  void step() {
    if (random_.one_in(12)) return adopt();
    if (random_.one_in(12)) return change_and_throw();
    if (random_.one_in(5)) return change_several();
    if (random_.one_in(8)) return move_and_change();
    any_edit([&](const auto& edit) {
      const std::shared_ptr<const Scene> before = buffer_.current();
      const Bytes expected = outcome(scene_, edit), got = outcome(buffer_, edit);
      CHECK((got == expected));
      if (buffer_.current() == before) return ++refused_, void();
      remember();
    });
  }

  void check() {
    const std::shared_ptr<const Scene> now = buffer_.current();
    const Shown expected = all_of(scene_, questions_);
    CHECK((all_of(*now, questions_).data == expected.data));
    for (const Search search : {Search::index, Search::brute_force})
      CHECK(test::differing(test::all_rows(*now, questions_, {.search = search}), expected.rows) == "");
    if (!background_) CHECK((info_of(*now) == info_of(scene_)));  // the same index
    std::vector<Segment> short_ways;                              // to each sphere
    for (const auto& [center, radius] : scene_.spheres())
      short_ways.push_back({center - Vec3{3 * radius, 0, radius}, center});
    CHECK(test::all_same(now->first_hit(short_ways), scene_.first_hit(short_ways)));
    CHECK(buffer_.snapshots() == std::min(keep_ + 1, answers_.size()));
    for (std::size_t k = 0; k < keep_ + 3; ++k) {
      const std::shared_ptr<const Scene> past = buffer_.past(k);
      CHECK((past != nullptr) == (k < buffer_.snapshots()));
      if (past) CHECK((all_of(*past, questions_) == answers_[k]));
    }
    for (const auto& [scene, answers] : held_) CHECK((all_of(*scene, questions_) == answers));
    // A snapshot's Embree index is freed with it. ThreadSanitizer does not know Embree's threads.
    if (!moving_ && !test::sanitized() && random_.one_in(2))
      CHECK(now->blocked(questions_.rays, {.search = Search::embree}) == now->blocked(questions_.rays));
  }
  int refused() const { return refused_; }

 private:
  static Bytes info_of(const Scene& scene) {
    Bytes out;
    out.put(scene.info());
    return out;
  }
  std::vector<Vec3> velocities() const {
    return {moving_ ? start_.size() : 0, Vec3{start_.empty() ? 0 : start_[0].radius, 0, 0}};
  }
  Scene built() const { return Scene::build(start_, {.velocities = velocities(), .horizon = {0, 1}}); }
  /// Notes the answers of the new snapshot; sometimes holds the oldest one for a while, as a reader may.
  void remember() {
    answers_.push_front(all_of(*buffer_.current(), questions_));
    if (answers_.size() > keep_ + 1) answers_.pop_back();
    if (random_.one_in(4)) held_.push_back({buffer_.past(answers_.size() - 1), answers_.back()});
    if (held_.size() > 3 || (!held_.empty() && random_.one_in(3))) held_.erase(held_.begin());
  }

  UpdateOptions options() {
    if (background_) return {.rebuild = Rebuild::in_background};
    if (random_.one_in(6)) return {.rebuild = Rebuild::always};
    return {.rebuild = random_.one_in(2) ? Rebuild::when_degraded : Rebuild::never};
  }
  /// Some ids, sometimes one that stands for no sphere or comes twice.
  Ids some_ids() {
    Ids ids;
    const auto all = static_cast<std::int64_t>(scene_.spheres().size());
    const int share = random_.one_in(8) ? 1 : 6;
    for (std::int64_t id = 0; id < all; ++id)
      if (scene_.contains(id) && random_.one_in(share)) ids.push_back(id);
    if (random_.one_in(8)) ids.push_back(random_.whole(-1, static_cast<int>(all)));
    return ids;
  }
  std::vector<Sphere> strangers(std::size_t n) { return test::make_spheres(scene_kind_, n, random_); }
  Vec3 near(const Sphere& sphere) {
    const Vec3 moved = sphere.center + random_.in_cube(sphere.radius);
    const auto in_domain = [](double x) { return std::clamp(x, -0x1p198, 0x1p198); };
    return {in_domain(moved.x), in_domain(moved.y), in_domain(moved.z)};
  }

  /// Draws one edit and calls use(edit); edit(target, out) carries it out, on several targets if need be.
  template <class Use>
  void any_edit(const Use& use) {
    switch (random_.below(8)) {
      case 0:
        return insert(use);
      case 1:
      case 2:
        return move_all(use);
      case 3:
        return move_some(use);
      default:
        return change_some(use);
    }
  }
  template <class Use>
  void insert(const Use& use) {
    const std::vector<Sphere> spheres = strangers(static_cast<std::size_t>(random_.whole(0, 20)));
    std::vector<std::uint8_t> layers(random_.one_in(3) ? spheres.size() : 0, 2);
    std::vector<std::uint32_t> owners(random_.one_in(4) ? spheres.size() : 0, 7);
    const InsertOptions how{.layers = layers, .owners = owners, .velocities = {}, .update = options()};
    use([&](auto& target, Bytes& out) { out.put(target.insert(spheres, how)); });
  }
  template <class Use>
  void move_all(const Use& use) {
    std::vector<Vec3> centers, velocities;
    for (const Sphere& sphere : scene_.spheres()) {
      centers.push_back(random_.one_in(30) ? scene_.spheres()[0].center : near(sphere));
      if (moving_) velocities.push_back({0, sphere.radius, 0});
    }
    if (!centers.empty() && random_.one_in(4)) centers.back().x = infinity;
    if (random_.one_in(2)) velocities.clear();
    const UpdateOptions how = options();
    use([&](auto& target, Bytes& out) { put(out, target.update(centers, velocities, how)); });
  }
  template <class Use>
  void move_some(const Use& use) {
    const Ids ids = some_ids();
    std::vector<Vec3> centers;
    for (const Sphere& sphere : strangers(ids.size())) centers.push_back(sphere.center);
    const UpdateOptions how = options();
    use([&](auto& target, Bytes& out) { put(out, target.update(ids, centers, {}, how)); });
  }
  template <class Use>
  void change_some(const Use& use) {
    const Ids ids = some_ids();
    const std::vector<double> radii(ids.size(), start_.empty() ? 1 : start_[0].radius);
    const std::vector<std::uint8_t> layers(ids.size(), static_cast<std::uint8_t>(random_.below(3)));
    const UpdateOptions how = options();
    const int kind = random_.below(5);
    use([&](auto& target, Bytes&) {
      if (kind == 0) target.erase(ids, how);
      if (kind == 1) target.set_enabled(ids, false, how);
      if (kind == 2) target.set_enabled(ids, true, how);
      if (kind == 3) target.set_radii(ids, radii, how);
      if (kind == 4) target.set_layers(ids, layers);
    });
  }
  void put(Bytes& out, const UpdateResult& result) const {
    if (!background_) out.put(result);
  }

  /// Each edit is drawn from the state of scene_, so scene_ gets an edit before the next one is drawn.
  void change_several() {
    const int edits = random_.whole(0, 4);
    buffer_.change([&](Scene& next) {
      for (int i = 0; i < edits; ++i)
        any_edit([&](const auto& edit) { CHECK((outcome(next, edit) == outcome(scene_, edit))); });
    });
    remember();
  }
  /// A move of all, then edits, in one snapshot.
  void move_and_change() {
    std::vector<Vec3> centers;
    for (const Sphere& sphere : scene_.spheres()) centers.push_back(near(sphere));
    const UpdateOptions how = options();
    Bytes expected, got;
    put(expected, scene_.update(centers, {}, how));
    put(got, buffer_.update(centers, {}, how, [&](Scene& next) {
      any_edit([&](const auto& edit) { CHECK((outcome(next, edit) == outcome(scene_, edit))); });
    }));
    CHECK((got == expected));
    remember();
  }
  void change_and_throw() {
    const std::shared_ptr<const Scene> before = buffer_.current();
    const auto edit = [&](Scene& next) {
      any_edit([&](const auto& one) { (void)outcome(next, one); });
      if (random_.one_in(4)) next = Scene::build(strangers(5));
      throw 7;
    };
    CHECK_THROWS_AS(buffer_.change(edit), int);
    CHECK(buffer_.current() == before);
  }
  void adopt() {
    start_ = strangers(static_cast<std::size_t>(random_.whole(1, 60)));
    scene_ = built();
    buffer_.adopt(built());
    remember();
  }

  Random& random_;
  SceneKind scene_kind_;
  bool background_;
  std::vector<Sphere> start_;
  bool moving_;
  Questions questions_;
  Scene scene_;
  SceneBuffer buffer_;
  std::size_t keep_;
  std::deque<Shown> answers_;  ///< of the snapshots, the current one first
  struct Held {
    std::shared_ptr<const Scene> scene;
    Shown answers;
  };
  std::vector<Held> held_;
  int refused_ = 0;
};

void run_twins(int rounds, bool background) {
  const int steps = test::smaller() ? 6 : 16;
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    for (const SceneKind scene_kind : test::kinds_to_try()) {
      if (scene_kind == SceneKind::huge || scene_kind == SceneKind::extremes)
        continue;  // moves leave the domain
      // One scene has so many spheres that its index has two levels of nodes.
      const bool large = round == 0 && scene_kind == SceneKind::crowd && !background && !test::sanitized();
      for (const std::size_t n : {0, 1, 60, large ? 3000 : 100}) {
        Random random(test::seed(), 100'000 * static_cast<std::uint64_t>(round) +
                                        1000 * static_cast<std::uint64_t>(scene_kind) + n);
        const std::size_t keep = std::array{0, 1, 3}[static_cast<std::size_t>(random.below(3))];
        INFO(test::name(scene_kind) << ", " << n << " spheres, " << keep << " kept, round " << round);
        Twins twins(scene_kind, n, keep, background, random);
        for (int i = 0; i < steps; ++i) {
          twins.step();
          if (i % 2 == 1) twins.check();
        }
        refused += twins.refused();
      }
    }
  }
  CHECK(refused > 0);
}

}  // namespace

TEST_CASE("a buffer gives ids, answers and errors of a scene with the same changes, and keeps the past",
          "[scene][buffer][sized]") {
  run_twins(test::fewer_unless_all(4), false);
}

TEST_CASE("a buffer whose index is built in the background answers as a scene", "[scene][buffer][sized]") {
  run_twins(test::fewer_unless_all(3), true);
}

TEST_CASE("a buffer's move of all that is refused leaves nothing behind", "[scene][buffer]") {
  SceneBuffer buffer(std::vector<Sphere>{{{0, 0, 0}, 1}, {{9, 0, 0}, 1}});
  const Ray ray{{5, -9, 0}, {0, 1, 0}};
  const UpdateOptions refit{.rebuild = Rebuild::never};
  for (const double x : {3, 4, 5}) buffer.update(std::vector<Vec3>{{x, 0, 0}, {9, 0, 0}}, {}, refit);
  CHECK_THROWS_AS(buffer.update(std::vector<Vec3>{{8, 0, 0}, {infinity, 0, 0}}, {}, refit), Error);
  CHECK(buffer.current()->spheres()[0].center.x == 5);
  buffer.set_radii(Ids{1}, std::vector<double>{2}, refit);
  CHECK(buffer.current()->spheres()[0].center.x == 5);
  CHECK(buffer.current()->first_hit(ray).sphere == 0);
}

TEST_CASE("a scene that takes the place of a buffer's within a change is copied as a whole",
          "[scene][buffer]") {
  Random random(test::seed());
  const auto crowd = test::make_spheres(SceneKind::crowd, 300, random),
             pair = test::make_spheres(SceneKind::crowd, 40, random);
  Scene other = Scene::build(pair);
  SceneBuffer buffer(crowd, {}, {.keep = 1});
  for (int i = 0; i < 6; ++i) {
    buffer.change([&](Scene& scene) { std::swap(scene, other); });
    for (int k = 0; k <= i % 3; ++k) buffer.set_radii(Ids{7}, std::vector<double>{1.0 + i});
    std::vector<Sphere> now(i % 2 ? crowd : pair);
    const std::shared_ptr<const Scene> scene = buffer.current();
    REQUIRE(scene->size() == now.size());
    for (int r = 0; r < 50; ++r) {
      const Ray ray{now[static_cast<std::size_t>(r) % now.size()].center + random.in_cube(1),
                    random.direction()};
      REQUIRE(scene->first_hit(ray).sphere == scene->first_hit(ray, {.search = Search::brute_force}).sphere);
    }
    for (std::size_t id = 0; id < now.size(); ++id)
      if (id != 7) REQUIRE(scene->spheres()[id] == now[id]);
  }
}

TEST_CASE("a buffer refuses a change without a function", "[scene][buffer]") {
  SceneBuffer buffer(std::vector<Sphere>{{{}, 1}});
  const auto before = buffer.current();
  const std::vector<Vec3> centers{{1, 2, 3}};
  const test::Refusal no_then = test::refusal([&] { buffer.update(centers, {}, {}, nullptr); });
  CHECK(no_then.code == ErrorCode::invalid_argument);
  CHECK(no_then.message == "`then` is empty; give a function, or leave it out");
  const test::Refusal no_edit = test::refusal([&] { buffer.change(nullptr); });
  CHECK(no_edit.code == ErrorCode::invalid_argument);
  CHECK(no_edit.message == "`edit` is empty; give a function");
  CHECK(buffer.current() == before);
}

TEST_CASE("a buffer keeps its spare scenes when changes fail", "[scene][buffer]") {
  Random random(test::seed());
  const auto crowd = test::make_spheres(SceneKind::crowd, 3000, random);
  std::vector<Vec3> centers;
  for (const Sphere& sphere : crowd) centers.push_back(sphere.center);
  struct : std::pmr::memory_resource {
    std::size_t calls = 0;
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
      if (bytes > 50'000) ++calls;
      return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
      std::pmr::new_delete_resource()->deallocate(p, bytes, alignment);
    }
    bool do_is_equal(const memory_resource& o) const noexcept override { return this == &o; }
  } memory;
  SceneBuffer buffer(crowd, {.threads = 1, .memory = &memory}, {.keep = 6});
  const std::size_t before = memory.calls;
  for (int i = 0; i < 5; ++i) CHECK_THROWS_AS(buffer.change([](Scene&) { throw 7; }), int);
  for (int i = 0; i < 12; ++i) buffer.update(centers, {}, {.rebuild = Rebuild::never, .threads = 1});
  CHECK(memory.calls == before);
}

TEST_CASE("a row that a buffer's update skips stays where it is now", "[scene][buffer]") {
  SceneBuffer buffer(std::vector<Sphere>{{{0, 0, 0}, 1}, {{90, 0, 0}, 1}});
  const std::vector<std::array<float, 3>> bad{{{3, 0, 0}}, {{std::numeric_limits<float>::quiet_NaN(), 0, 0}}};
  const Strided<const float> numbers{bad[0].data(), 2, sizeof bad[0]};
  std::vector<RowStatus> rows(2);
  for (const double x : {91, 92, 93}) {
    buffer.update(std::vector<Vec3>{{0, 0, 0}, {x, 0, 0}});
    buffer.update(std::vector<Vec3>{{1, 0, 0}, {NAN, 0, 0}}, {}, {.statuses = rows});
    CHECK(rows == std::vector{RowStatus::ok, RowStatus::skipped});
    CHECK(buffer.current()->spheres()[0].center.x == 1);
    CHECK(buffer.current()->spheres()[1].center.x == x);
    buffer.update(numbers, VectorRows(), {.statuses = rows});
    CHECK(buffer.current()->spheres()[0].center.x == 3);
    CHECK(buffer.current()->spheres()[1].center.x == x);
    CHECK(buffer.current()->first_hit(Ray{{20, 0, 0}, {1, 0, 0}}).t_enter == x - 21);
    buffer.update(Ids{0}, Strided<const float>{bad[0].data(), 1, 0});
    std::vector<std::int64_t> id(1);
    buffer.insert({.centers = Strided<const float>{bad[0].data(), 1, 0}, .radii = std::vector<double>{2}},
                  id);
    CHECK(id[0] == 2);
    buffer.erase(id);
    buffer.update(std::vector<Vec3>{{0, 0, 0}, {x, 0, 0}, {NAN, NAN, NAN}});
    buffer.adopt(Scene::build({{{0, 0, 0}, 1}, {{x, 0, 0}, 1}}));
  }
}

TEST_CASE("a change that leaves the index alone shows what earlier changes have done to it",
          "[scene][buffer]") {
  Random random(test::seed());
  const std::vector<Sphere> spheres = test::make_spheres(SceneKind::crowd, 3000, random);
  SceneBuffer buffer(spheres);
  const UpdateOptions refit{.rebuild = Rebuild::never};
  for (std::size_t i = 0; i < 60; ++i) {
    const Sphere above{spheres[40 * i].center + Vec3{0, 0, 60 + 30.0 * static_cast<double>(i)}, 0.5};
    const Ids id = buffer.insert({&above, 1}, {.update = refit});
    buffer.set_layers(id, std::vector<std::uint8_t>{1});
    const Segment from_above{above.center + Vec3{0, 0, 10}, above.center};
    CHECK(buffer.current()->first_hit(from_above).sphere == id[0]);
    const Segment from_beside{above.center + Vec3{1e5, 1e5, 0}, above.center};
    CHECK(buffer.current()->blocked(from_beside));
    if (i % 2) buffer.erase(id, refit);
  }
}

TEST_CASE("an index that is built in the background of a buffer is taken over", "[scene][buffer]") {
  const std::size_t n = test::sanitized() ? 3'000 : 8'000;
  Random random(test::seed());
  const std::vector<Sphere> spheres = test::make_spheres(SceneKind::crowd, n, random);
  const std::vector<Ray> rays = test::make_rays(spheres, 100, random);
  SceneBuffer buffer(spheres, {}, {.keep = 2});
  const UpdateOptions options{.rebuild = Rebuild::in_background};
  std::vector<Vec3> centers;
  for (const Sphere& sphere : spheres) centers.push_back(sphere.center);
  int adopted = 0;
  for (int frame = 0; adopted < 3 && frame < 20'000; ++frame) {
    // Few swaps at a time are repaired. Many at once wear the index out.
    for (std::size_t i = frame % 64 == 0 ? n / 4 : 40; i > 0; --i)
      std::swap(centers[random.bits() % n], centers[random.bits() % n]);
    const auto id = static_cast<std::int64_t>(random.bits() % n);
    buffer.change([&](Scene& scene) {
      scene.erase({&id, 1}, options);
      adopted += scene.update(centers, {}, options).rebuilt;
      const Sphere back{centers[static_cast<std::size_t>(id)], spheres[static_cast<std::size_t>(id)].radius};
      REQUIRE(scene.insert({&back, 1}, {.update = options}) == Ids{id});
    });
    adopted += buffer.update(centers, {}, options).rebuilt;
    if (frame % 64 == 0)
      REQUIRE(buffer.current()->blocked(rays) ==
              buffer.past(1)->blocked(rays, {.search = Search::brute_force}));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // in which the build goes on
  }
  CHECK(adopted == 3);
}

TEST_CASE("a scene may be taken out of a buffer, and its builds go on or end with it", "[scene][buffer]") {
  const std::vector<Sphere> two{{{0, 0, 0}, 1}, {{9, 0, 0}, 1}};
  const Ray ray{{-9, 0, 0}, {1, 0, 0}};
  SceneBuffer buffer{Scene()};
  CHECK(buffer.current()->size() == 0);
  CHECK(buffer.insert(two) == Ids{0, 1});
  CHECK(buffer.current()->first_hit(ray).sphere == 0);
  Scene taken;
  buffer.change([&](Scene& scene) { taken = std::move(scene); });
  CHECK(buffer.current()->size() == 0);
  CHECK(taken.first_hit(ray).sphere == 0);
  CHECK(buffer.past(1) == nullptr);
  buffer.adopt(std::move(taken));
  CHECK(buffer.current()->first_hit(ray).sphere == 0);
  buffer.erase(Ids{0});
  CHECK(buffer.current()->first_hit(ray).sphere == 1);
  CHECK(buffer.insert(std::vector<Sphere>{{{4, 0, 0}, 1}}) == Ids{0});
}

}  // namespace sphaera
