/// \file After any sequence of edits a scene gives the same answers as a new scene of the spheres that it
/// then holds.

#include <sphaera/error.hpp>
#include <sphaera/scene_buffer.hpp>

#include <algorithm>
#include <map>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/seed.hpp>
#include <utility>

namespace sphaera {
namespace {

using test::AllRows, test::Bytes, test::Questions, test::SceneKind, test::Random;
using Rebuild = UpdateOptions::Rebuild;
using Ids = std::vector<std::int64_t>;

struct Entry {
  Sphere sphere;
  std::uint8_t layer = 0;
  Vec3 velocity;
  bool enabled = true;
};

/// What a scene must hold: a plain list.
struct Plain {
  std::map<std::int64_t, Entry> entries;

  std::int64_t lowest_free() const {
    std::int64_t id = 0;
    for (const auto& entry : entries) {
      if (entry.first != id) break;
      ++id;
    }
    return id;
  }
  Ids some_ids(std::size_t n, Random& random) const {
    Ids ids;
    for (const auto& entry : entries) ids.push_back(entry.first);
    for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.bits() % i]);
    ids.resize(std::min(n, ids.size()));
    return ids;
  }
};

/// A scene built of the enabled entries, and the id of each of its spheres.
struct Fresh {
  std::vector<Sphere> spheres;
  std::vector<std::uint8_t> layers;
  std::vector<Vec3> velocities;
  Ids ids;
  Scene scene;

  Fresh(const Plain& plain, bool moving) {
    for (const auto& [id, entry] : plain.entries) {
      if (!entry.enabled) continue;
      ids.push_back(id), spheres.push_back(entry.sphere), layers.push_back(entry.layer);
      if (moving) velocities.push_back(entry.velocity);
    }
    scene = Scene::build(spheres, {.layers = layers, .velocities = velocities, .horizon = {0, 1}});
  }
  /// The answers with the ids of the plain list, which has so many ids.
  AllRows rows(Questions questions, const QueryOptions& options, std::size_t id_count) const {
    const std::size_t asked = std::min(std::exchange(questions.spheres, ids.size()), id_count);
    AllRows all = test::all_rows(scene, questions, options);
    for (auto& [query, rows] : all) {
      for (Bytes& row : rows)
        row.rename([&](std::int64_t id) { return id < 0 ? id : ids[static_cast<std::size_t>(id)]; });
      if (!query->about_spheres) continue;
      std::vector<Bytes> by_id(id_count, query->miss(questions));
      for (std::size_t i = 0; i < rows.size(); ++i) by_id[static_cast<std::size_t>(ids[i])] = rows[i];
      by_id.resize(asked);
      rows = by_id;
    }
    return all;
  }
};

/// A scene and the list that it is compared with.
class Pair {
 public:
  Pair(SceneKind scene_kind, std::size_t n, Random& random)
      : random_(random), scene_kind_(scene_kind), moving_(random.one_in(3)) {
    std::vector<Sphere> spheres = test::make_spheres(scene_kind, n, random);
    std::vector<std::uint8_t> layers(random.one_in(2) ? n : 0);
    for (std::uint8_t& layer : layers) layer = static_cast<std::uint8_t>(random.below(3));
    std::vector<Vec3> velocities(moving_ ? n : 0);
    for (std::size_t i = 0; i < velocities.size(); ++i) velocities[i] = velocity(spheres[i]);
    const auto quality = static_cast<BuildQuality>(random.below(3));
    const Horizon horizon = moving_ || n > 0 ? Horizon{0, 1} : Horizon::not_given();
    if (n > 0 || moving_ || random.one_in(2))
      scene_ = Scene::build(
          spheres, {.layers = layers, .velocities = velocities, .horizon = horizon, .quality = quality});
    for (std::size_t i = 0; i < n; ++i)
      plain_.entries[static_cast<std::int64_t>(i)] = {
          spheres[i], layers.empty() ? std::uint8_t{0} : layers[i], moving_ ? velocities[i] : Vec3{}};
  }

  /// One edit of any kind, of up to `most` spheres.
  void edit(std::size_t most) {
    const auto n = static_cast<std::size_t>(random_.whole(0, static_cast<int>(most)));
    switch (random_.below(7)) {
      case 0:
        return insert(n);
      case 1:
        return erase(n);
      case 2:
        return enable(n);
      case 3:
        return move_some(n);
      case 4:
        return move_all();
      case 5:
        return set_radii(n);
      default:
        return set_layers(n);
    }
  }

  void check() const {
    const Fresh fresh(plain_, moving_);
    const Questions questions =
        test::draw_questions({fresh.spheres, fresh.velocities, {0, 1}}, 12, 4, random_);
    const LayerMask mask = random_.one_in(2) ? all_layers : random_.bits();
    const AllRows expected = fresh.rows(questions, {.layers = mask}, scene_.spheres().size());
    for (const Search search : {Search::index, Search::brute_force, Search::embree})
      CHECK(test::differing(test::all_rows(scene_, questions, {.layers = mask, .search = search}),
                            expected) == "");
    check_data();
  }

 private:
  Vec3 velocity(const Sphere& sphere) { return random_.in_cube(random_.one_in(4) ? 0 : 4 * sphere.radius); }
  UpdateOptions options() { return {.rebuild = static_cast<Rebuild>(random_.below(4))}; }
  /// New spheres like the others, or of another kind, or where another one is.
  std::vector<Sphere> new_spheres(std::size_t n) {
    const auto kind =
        random_.one_in(4) ? static_cast<SceneKind>(random_.below(test::scene_kind_count)) : scene_kind_;
    std::vector<Sphere> spheres = test::make_spheres(kind, n, random_);
    for (Sphere& sphere : spheres)
      if (!plain_.entries.empty() && random_.one_in(4)) sphere = plain_.entries.begin()->second.sphere;
    return spheres;
  }

  void insert(std::size_t n) {
    const std::vector<Sphere> spheres = new_spheres(n);
    std::vector<std::uint8_t> layers(random_.one_in(2) ? n : 0);
    for (std::uint8_t& layer : layers) layer = static_cast<std::uint8_t>(random_.below(3));
    std::vector<Vec3> velocities(moving_ && random_.one_in(2) ? n : 0);
    for (std::size_t i = 0; i < velocities.size(); ++i) velocities[i] = velocity(spheres[i]);
    const Ids ids = scene_.insert(spheres, {.layers = layers, .velocities = velocities, .update = options()});
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t id = plain_.lowest_free();
      CHECK(ids[i] == id);
      plain_.entries[id] = {spheres[i], layers.empty() ? std::uint8_t{0} : layers[i],
                            velocities.empty() ? Vec3{} : velocities[i]};
    }
  }
  void erase(std::size_t n) {
    const Ids ids = plain_.some_ids(random_.one_in(8) ? plain_.entries.size() : n, random_);
    scene_.erase(ids, options());
    for (const std::int64_t id : ids) plain_.entries.erase(id);
  }
  void enable(std::size_t n) {
    const Ids ids = plain_.some_ids(random_.one_in(8) ? plain_.entries.size() : n, random_);
    const bool on = random_.one_in(2);
    scene_.set_enabled(ids, on, options());
    for (const std::int64_t id : ids) plain_.entries[id].enabled = on;
  }
  void move_some(std::size_t n) {
    const Ids ids = plain_.some_ids(n, random_);
    const std::vector<Sphere> places = new_spheres(ids.size());
    std::vector<Vec3> centers, velocities;
    const bool turn = moving_ && random_.one_in(2);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      Entry& entry = plain_.entries[ids[i]];
      const Vec3 near = entry.sphere.center + random_.in_cube(entry.sphere.radius);
      entry.sphere.center = random_.one_in(2) ? places[i].center : clamped(near);
      centers.push_back(entry.sphere.center);
      if (turn) velocities.push_back(entry.velocity = velocity(entry.sphere));
    }
    scene_.update(ids, centers, velocities, options());
  }
  void move_all() {
    std::vector<Vec3> centers(scene_.spheres().size(), Vec3{NAN, NAN, NAN});  // free ids are not read
    for (auto& [id, entry] : plain_.entries) {
      Vec3& center = entry.sphere.center;
      if (random_.one_in(2)) center = clamped(center + random_.in_cube(entry.sphere.radius));
      if (random_.one_in(20)) center = plain_.entries.begin()->second.sphere.center;
      centers[static_cast<std::size_t>(id)] = center;
    }
    scene_.update(centers, {}, options());
  }
  void set_radii(std::size_t n) {
    const Ids ids = plain_.some_ids(n, random_);
    std::vector<double> radii;
    for (const std::int64_t id : ids) {
      double& radius = plain_.entries[id].sphere.radius;
      radius = std::clamp(radius * random_.log_uniform(0.1, 10), 0x1p-1000, 0x1p198);
      radii.push_back(radius);
    }
    scene_.set_radii(ids, radii, options());
  }
  void set_layers(std::size_t n) {
    const Ids ids = plain_.some_ids(n, random_);
    std::vector<std::uint8_t> layers;
    for (const std::int64_t id : ids)
      layers.push_back(plain_.entries[id].layer = static_cast<std::uint8_t>(random_.below(3)));
    scene_.set_layers(ids, layers);
  }
  static Vec3 clamped(const Vec3& v) {
    const auto in_domain = [](double x) { return std::clamp(x, -0x1p198, 0x1p198); };
    return {in_domain(v.x), in_domain(v.y), in_domain(v.z)};
  }

  void check_data() const {
    CHECK(scene_.size() == plain_.entries.size());
    CHECK(scene_.info().spheres == plain_.entries.size());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < scene_.spheres().size() + 2; ++i) {
      const auto id = static_cast<std::int64_t>(i);
      const auto at = plain_.entries.find(id);
      const bool there = at != plain_.entries.end();
      wrong += scene_.contains(id) != there || scene_.is_enabled(id) != (there && at->second.enabled);
      if (!there) continue;
      wrong += !(scene_.spheres()[i] == at->second.sphere);
      wrong += !scene_.layers().empty() && scene_.layers()[i] != at->second.layer;
      wrong += moving_ && !(scene_.velocities()[i] == at->second.velocity);
    }
    CHECK(wrong == 0);
  }

  Random& random_;
  SceneKind scene_kind_;
  bool moving_;
  Scene scene_;
  Plain plain_;
};

void run_scripts(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (const SceneKind scene_kind : test::kinds_to_try()) {
      if (scene_kind == SceneKind::huge || scene_kind == SceneKind::extremes)
        continue;  // moves leave the domain
      for (const std::size_t n : {0, 1, 9, 60, test::sanitized() ? 100 : 400}) {
        Random random(test::seed(), 100'000 * static_cast<std::uint64_t>(round) +
                                        1000 * static_cast<std::uint64_t>(scene_kind) + n);
        INFO(test::name(scene_kind) << ", " << n << " spheres, round " << round);
        Pair pair(scene_kind, n, random);
        for (int i = 0; i < 12; ++i) {
          pair.edit(n / 3 + 3);
          if (i % 3 == 2) pair.check();
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("an edited scene answers as a new scene of the same spheres", "[scene][edit]") {
  run_scripts(test::sanitized() ? 1 : 3);
}

TEST_CASE("edits refuse bad input, name the element and change nothing", "[scene][edit]") {
  const std::vector<Sphere> spheres{{{0, 0, 0}, 1}, {{5, 0, 0}, 1}, {{9, 0, 0}, 1}};
  Scene scene = Scene::build(spheres);
  const std::vector<std::int64_t> gone{1};
  scene.erase(gone);
  const auto refused = [&](std::int64_t element, const std::string& says, const auto& edit) {
    try {
      edit();
      FAIL("not refused: " << says);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::invalid_argument);
      CHECK(error.element() == element);
      CHECK(std::string(error.what()).find(says) != std::string::npos);
    }
    CHECK(scene.size() == 2);
    CHECK(scene.spheres().size() == 3);
    CHECK(scene.first_hit(Ray{{-9, 0, 0}, {1, 0, 0}}).sphere == 0);
  };
  const std::vector<Vec3> two(2);
  refused(1, "ids[1] is 1, which stands for no sphere", [&] { scene.erase(Ids{0, 1}); });
  refused(0, "ids[0] is 3, which stands for no sphere", [&] { scene.set_enabled(Ids{3}, false); });
  refused(0, "ids[0] is -1, which stands for no sphere",
          [&] { scene.set_layers(Ids{-1}, std::vector<std::uint8_t>{0}); });
  refused(2, "ids[2] is 0, as before; give each id once", [&] { scene.erase(Ids{0, 2, 0}); });
  refused(-1, "2 centers for 1 ids", [&] { scene.update(Ids{0}, two); });
  refused(-1, "velocities are given", [&] { scene.update(Ids{0, 2}, two, two); });
  refused(1, "center", [&] { scene.update(Ids{0, 2}, std::vector<Vec3>{{}, {NAN, 0, 0}}); });
  refused(0, "radius", [&] { scene.set_radii(Ids{0}, std::vector<double>{-1}); });
  refused(-1, "radii", [&] { scene.set_radii(Ids{0}, std::vector<double>{}); });
  refused(1, "layer 64", [&] { scene.set_layers(Ids{0, 2}, std::vector<std::uint8_t>{0, 64}); });
  refused(1, "radius", [&] { scene.insert(std::vector<Sphere>{{{}, 1}, {{}, 0}}); });
  refused(0, "layer 70",
          [&] { scene.insert(std::vector<Sphere>{{{}, 1}}, {.layers = std::vector<std::uint8_t>{70}}); });
  refused(-1, "layers", [&] { scene.insert(spheres, {.layers = std::vector<std::uint8_t>{0}}); });
  refused(-1, "velocities are given",
          [&] { scene.insert(std::vector<Sphere>(2, {{}, 1}), {.velocities = two}); });
  refused(-1, "items in the span of ids", [&] { scene.insert(spheres, std::span<std::int64_t>()); });
  refused(-1, "rebuild is 9", [&] { scene.erase(Ids{0}, {.rebuild = static_cast<Rebuild>(9)}); });
}

TEST_CASE("no observer stands on an erased sphere, and a disabled one hides nothing", "[scene][edit]") {
  Scene scene = Scene::build({{{0, 0, 0}, 1}, {{5, 0, 0}, 1}});
  const Star star = Star::at({100, 0, 0}, 1);
  const Observer observer{.position = {-1, 0, 0}, .on = 0};
  CHECK(scene.starlight(star, observer).fraction == 0);
  const std::vector<std::int64_t> both{0, 1}, ground{0};
  scene.set_enabled(both, false);
  CHECK(scene.starlight(star, observer).fraction == 1);
  CHECK(scene.nearest(Vec3{}).sphere == -1);
  CHECK(scene.info().spheres == 2);
  scene.erase(ground);
  CHECK_THROWS_AS(scene.starlight(star, observer), Error);
  CHECK_FALSE(scene.contains(0));
  CHECK(scene.insert(std::vector<Sphere>{{{3, 0, 0}, 1}}) == ground);
  CHECK(scene.first_hit(Ray{{-9, 0, 0}, {1, 0, 0}}).sphere == 0);
}

TEST_CASE("single spheres come and go without a list", "[scene][edit]") {
  const auto play = [](auto& scene) {
    CHECK(scene.insert(Sphere{{0, 0, 0}, 1}) == 0);
    const std::uint8_t layer = 3;
    CHECK(scene.insert(Sphere{{9, 0, 0}, 1}, {.layers = {&layer, 1}}) == 1);
    scene.erase(0);
    RowStatus status{};
    CHECK(scene.insert(Sphere{{0, 0, 0}, -1}, {.statuses = {&status, 1}}) == -1);
    CHECK(status == RowStatus::skipped);
    CHECK(test::refusal([&] { scene.insert(Sphere{{0, 0, 0}, -1}); }).element == 0);
    CHECK(test::refusal([&] { scene.erase(0); }).element == 0);
  };
  Scene scene;
  SceneBuffer buffer{Scene()};
  play(scene), play(buffer);
  for (const Scene* const now : {&std::as_const(scene), buffer.current().get()}) {
    CHECK(now->size() == 1);
    CHECK(now->layers()[1] == 3);
    CHECK(now->first_hit(Ray{{-5, 0, 0}, {1, 0, 0}}).sphere == 1);
  }
  scene.insert(scene.spheres()[1]);
  CHECK(scene.spheres()[0] == scene.spheres()[1]);
}

TEST_CASE("a moving scene starts empty", "[scene][edit]") {
  const std::vector<Sphere> spheres{{{0, 0, 0}, 1}, {{10, 0, 0}, 1}};
  const std::vector<Vec3> velocities{{0, 1, 0}, {0, 0, 1}};
  const Scene full = Scene::build(spheres, {.velocities = velocities, .horizon = {0, 8}});
  Scene scene = Scene::build(std::vector<Sphere>{}, {.horizon = {0, 8}});
  SceneBuffer buffer(std::vector<Sphere>{}, {.horizon = {0, 8}});
  CHECK(scene.insert(spheres, {.velocities = velocities}) == Ids{0, 1});
  CHECK(buffer.insert(spheres, {.velocities = velocities}) == Ids{0, 1});
  CHECK(std::ranges::equal(scene.velocities(), velocities));
  const std::vector<Ray> rays(9, Ray{{-5, 4, 0}, {1, 0, 0}});
  const std::vector<double> times{0, 1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<Hit> expected = full.first_hit(rays, {.times = times});
  CHECK(expected[4].sphere == 0);
  CHECK(test::all_same(scene.first_hit(rays, {.times = times}), expected));
  CHECK(test::all_same(buffer.current()->first_hit(rays, {.times = times}), expected));
  scene.erase(Ids{0, 1});
  scene.insert(spheres, {.velocities = velocities});
  CHECK(test::all_same(scene.first_hit(rays, {.times = times}), expected));

  Scene resting = Scene::build(std::vector<Sphere>{});
  CHECK(test::refusal([&] {
          resting.insert(spheres, {.velocities = velocities});
        }).message.find("without any") != std::string::npos);
  CHECK(test::refusal([&] { (void)Scene::build(std::vector<Sphere>{}, {.horizon = {1, 0}}); }).code ==
        ErrorCode::invalid_argument);
  // Where all spheres rest, a horizon still means nothing.
  Scene at_rest = Scene::build(spheres, {.horizon = {1, 0}});
  CHECK(at_rest.velocities().empty());
}

TEST_CASE("many scenes, edited many times", "[.long]") { run_scripts(300); }

}  // namespace sphaera
