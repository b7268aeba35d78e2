/// \file Scene::save and Scene::open: the same answers, bytes and edits as the scene that was saved; files
/// that are cut, damaged or hostile.

#include <algorithm>
#include <base/files/saved_scene.hpp>
#include <cstring>
#include <fstream>
#include <optional>
#include <scene/state.hpp>
#include <sphaera/scene.hpp>
#include <sphaera/scene_buffer.hpp>
#include <tests/catch.hpp>
#include <tests/effort.hpp>
#include <tests/inputs/draw_questions.hpp>
#include <tests/inputs/saved_scene_bytes.hpp>
#include <tests/queries/every_query.hpp>
#include <tests/refusal.hpp>
#include <tests/same.hpp>
#include <tests/scratch_files.hpp>
#include <tests/seed.hpp>
#include <thread>

namespace sphaera {
namespace {

using namespace sphaera::test;
using Check = OpenOptions::Check;

/// A scene with all that one may have, as the draw falls, and questions about it.
struct Saved {
  std::vector<Sphere> spheres;
  std::vector<Vec3> velocities;
  std::vector<std::uint8_t> layers;
  std::vector<std::uint32_t> owners;
  Scene scene;
  Questions questions;

  Saved(SceneKind kind, std::size_t n, Random& random) : spheres(make_spheres(kind, n, random)) {
    BuildOptions options;
    if (random.one_in(3)) velocities = make_velocities(spheres, random), options.horizon = {-0.5, 2};
    if (random.one_in(2))
      for (std::size_t i = 0; i < n; ++i) layers.push_back(static_cast<std::uint8_t>(random.below(64)));
    if (random.one_in(2))
      for (std::size_t i = 0; i < n; ++i) owners.push_back(static_cast<std::uint32_t>(random.below(9)));
    options.velocities = velocities, options.layers = layers, options.owners = owners;
    options.quality = static_cast<BuildQuality>(random.below(3));
    options.generations = random.one_in(2);
    scene = Scene::build(spheres, options);
    questions = draw_questions({spheres, velocities, {-0.5, 2}}, 30, 8, random);
    if (random.one_in(2)) erase_some(random);
  }

 private:
  void erase_some(Random& random) {
    std::vector<std::int64_t> gone, off;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
      if (random.one_in(20))
        gone.push_back(static_cast<std::int64_t>(i));
      else if (random.one_in(20))
        off.push_back(static_cast<std::int64_t>(i));
    }
    scene.erase(gone);
    scene.set_enabled(off, false);
    for (Observer& observer : questions.observers) observer.on = Observer::nowhere;
    for (Receiver& receiver : questions.receivers) receiver.observer.on = Observer::nowhere;
  }
};

void write_to(const fs::path& path, std::string_view bytes) {
  fs::remove(path);  // a scene may have the old file open
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void check_same_state(const Scene& a, const Scene& b) {
  CHECK(a.size() == b.size());
  CHECK(std::ranges::equal(a.spheres(), b.spheres()));
  CHECK(std::ranges::equal(a.velocities(), b.velocities()));
  CHECK(std::ranges::equal(a.layers(), b.layers()));
  CHECK(std::ranges::equal(a.owners(), b.owners()));
  CHECK(std::ranges::equal(a.generations(), b.generations()));
  for (std::int64_t id = 0; id < std::ssize(a.spheres()); ++id) {
    CHECK(a.contains(id) == b.contains(id));
    CHECK(a.is_enabled(id) == b.is_enabled(id));
  }
  const SceneInfo x = a.info(), y = b.info();
  CHECK(x.boxes == y.boxes);
  CHECK(x.degradation == y.degradation);
  CHECK(x.sphere_bytes == y.sphere_bytes);
  REQUIRE(x.frames.size() == y.frames.size());
  for (std::size_t i = 0; i < x.frames.size(); ++i) CHECK(x.frames[i].frames == y.frames[i].frames);
}

TEST_CASE("an opened scene gives the answers of the saved one", "[scene][save]") {
  const Folder folder;
  const std::string path = (folder / "s.sphi").string();
  Random random(seed(), 501);
  for (const SceneKind kind : kinds_to_try()) {
    const Saved saved(kind, 1 + random.bits() % 700, random);
    INFO(name(kind) << ", " << saved.spheres.size() << " spheres");
    const AllRows expected = all_rows(saved.scene, saved.questions);
    saved.scene.save(path);
    const std::string bytes = contents(path);
    for (const Check check : {Check::first_use, Check::at_once, Check::never}) {
      const Scene opened = Scene::open(path, {.check = check});
      CHECK(differing(all_rows(opened, saved.questions), expected) == "");
      check_same_state(opened, saved.scene);
      opened.save(path);  // over the file that is open
      CHECK((contents(path) == bytes));
      CHECK(differing(all_rows(opened, saved.questions), expected) == "");
    }
    const Scene single = Scene::open(path);  // the first use is a single query
    CHECK(single.blocked(saved.questions.rays.front()) == saved.scene.blocked(saved.questions.rays.front()));
  }
}

TEST_CASE("changes of an opened scene are those of the saved one, and leave the file alone",
          "[scene][save]") {
  const Folder folder;
  const std::string path = (folder / "s.sphi").string();
  Random random(seed(), 502);
  for (const SceneKind kind : kinds_to_try()) {
    Saved saved(kind, 20 + random.bits() % 300, random);
    INFO(name(kind));
    saved.scene.save(path);
    const std::string bytes = contents(path);
    const auto edit = [&](const auto& change) {
      Scene opened = Scene::open(path);
      Scene again = Scene::open(path);
      change(opened);
      change(again);
      const AllRows rows = all_rows(opened, saved.questions);
      CHECK(differing(rows, all_rows(again, saved.questions)) == "");
      // A built scene that was changed alike may have another index, but has the same answers.
      opened.save((folder / "changed.sphi").string());
      CHECK(differing(all_rows(Scene::open((folder / "changed.sphi").string()), saved.questions), rows) ==
            "");
      CHECK((contents(path) == bytes));
      return rows;
    };
    std::vector<std::int64_t> there;
    for (std::int64_t id = 0; id < std::ssize(saved.spheres); ++id)
      if (saved.scene.contains(id)) there.push_back(id);
    there.resize(std::min<std::size_t>(there.size(), 5));
    const std::vector<Vec3> centers = centers_of(make_spheres(kind, saved.spheres.size(), random));
    std::vector<std::function<void(Scene&)>> changes{
        [&](Scene& scene) { scene.insert(saved.spheres); },
        [&](Scene& scene) { scene.erase(there); },
        [&](Scene& scene) { scene.set_enabled(there, false); },
        [&](Scene& scene) { scene.set_radii(there, std::vector<double>(there.size(), 0.25)); },
        [&](Scene& scene) { scene.set_layers(there, std::vector<std::uint8_t>(there.size(), 3)); },
        [&](Scene& scene) { scene.update(there, std::vector<Vec3>(there.size(), centers.front())); },
    };
    if (saved.velocities.empty()) changes.emplace_back([&](Scene& scene) { scene.update(centers); });
    std::vector<AllRows> opened_rows;
    for (const auto& change : changes) opened_rows.push_back(edit(change));
    const auto& change = changes[random.bits() % changes.size()];
    change(saved.scene);
    const auto which = static_cast<std::size_t>(&change - changes.data());
    CHECK(differing(opened_rows[which], all_rows(saved.scene, saved.questions)) == "");
  }
}

TEST_CASE("a scene buffer takes an opened scene", "[scene][save][buffer]") {
  const Folder folder;
  const std::string path = (folder / "s.sphi").string();
  Random random(seed(), 503);
  const std::vector<Sphere> spheres = make_spheres(SceneKind::peopled, 500, random);
  const Questions questions = draw_questions(spheres, 20, 5, random);
  Scene built = Scene::build(spheres);
  built.save(path);
  const std::string bytes = contents(path);
  SceneBuffer from_file(Scene::open(path)), buffer{Scene::build(spheres)};
  for (int i = 0; i < 6; ++i) {
    if (i == 3) from_file.adopt(Scene::open(path)), buffer.adopt(Scene::build(spheres));
    const std::vector<Vec3> centers =
        centers_of(make_spheres(SceneKind::peopled, buffer.current()->spheres().size(), random));
    if (i % 2 == 0) {
      from_file.update(centers), buffer.update(centers);
    } else {
      CHECK(from_file.insert(std::span(spheres).first(7)) == buffer.insert(std::span(spheres).first(7)));
    }
    CHECK(differing(all_rows(*from_file.current(), questions), all_rows(*buffer.current(), questions)) == "");
  }
  CHECK((contents(path) == bytes));
}

TEST_CASE("scenes without spheres, or without enabled ones, are saved", "[scene][save]") {
  const Folder folder;
  const std::string path = (folder / "s.sphi").string();
  Scene().save(path);
  Scene opened = Scene::open(path);
  CHECK(opened.size() == 0);
  CHECK(opened.insert(Sphere{{1, 2, 3}, 1}) == 0);
  Scene off = Scene::build({{{0, 0, 0}, 1}, {{5, 0, 0}, 1}});
  off.set_enabled(std::vector<std::int64_t>{0, 1}, false);
  off.save(path);
  opened = Scene::open(path);
  CHECK_FALSE(opened.blocked(Ray{{-5, 0, 0}, {1, 0, 0}}));
  opened.set_enabled(std::vector<std::int64_t>{1}, true);
  CHECK(opened.first_hit(Ray{{-5, 0, 0}, {1, 0, 0}}).sphere == 1);
}

TEST_CASE("a saved scene holds the caller's bytes", "[scene][save]") {
  const Folder folder;
  const std::string path = (folder / "s.sphi").string();
  std::vector<std::byte> bytes(300'001);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * i >> 3);
  Scene::build({{{0, 0, 0}, 1}}).save(path, {.attachment = bytes});
  std::vector<std::byte> got(7);
  CHECK(Scene::open(path, {.attachment = &got}).size() == 1);
  CHECK(got == bytes);
  std::string file = contents(path);
  file[std::string(file).find(std::string(reinterpret_cast<const char*>(&bytes[1000]), 40))] ^= 4;
  write_to(path, file);
  CHECK(error_of([&] { (void)Scene::open(path, {.attachment = &got}); }) ==
        path + ": is damaged in its section 'attachment'; save the scene again");
}

TEST_CASE("many threads use an opened scene first", "[scene][save]") {
  const Folder folder;
  const std::string path = (folder / "s.sphi").string();
  Random random(seed(), 504);
  const std::vector<Sphere> spheres = make_spheres(SceneKind::peopled, 2000, random);
  const std::vector<Ray> rays = make_rays(spheres, 50, random);
  const Scene scene = Scene::build(spheres);
  scene.save(path);
  for (int round = 0; round < 5; ++round) {
    const Scene opened = Scene::open(path);
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (const Ray& ray : rays) wrong += !same(opened.first_hit(ray), scene.first_hit(ray));
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("what is no saved scene is refused", "[scene][save]") {
  const Folder folder;
  const std::string path = (folder / "s.sphi").string();
  const auto refusal_of = [&](std::string_view bytes) {
    write_to(path, bytes);
    const std::string text = error_of([&] { (void)Scene::open(path).size(); });
    REQUIRE(text.starts_with(path + ": "));
    return text.substr(path.size() + 2);
  };
  const std::string foreign = "is not a saved scene; save one by Scene::save or 'sphaera index'";
  CHECK(refusal_of("") == foreign);
  CHECK(refusal_of("x,y,z,r\n0,0,0,1\n") == foreign);
  Scene::build({{{0, 0, 0}, 1}}).save((folder / "good").string());
  const std::string good = contents(folder / "good");
  CHECK(refusal_of(good.substr(0, 3)) == "is cut: its header is not complete");
  CHECK(refusal_of(good.substr(0, 100)) == "is cut: its header is not complete");
  CHECK(refusal_of(good.substr(0, good.size() - 1)) ==
        "is cut: it has " + std::to_string(good.size() - 1) + " bytes for " + std::to_string(good.size()));
  CHECK(refusal_of(good + "x") == "is too long: it has " + std::to_string(good.size() + 1) + " bytes for " +
                                      std::to_string(good.size()));
  std::string other = good;
  std::swap(other[8], other[11]), std::swap(other[9], other[10]);
  CHECK(refusal_of(other) == "is from a machine of another byte order, or damaged");
  for (const int version : {1, 9}) {
    other = good, other[12] = static_cast<char>(version);
    CHECK(refusal_of(other) == "is of version " + std::to_string(version) +
                                   ", this library reads version 2; save the scene again");
  }
  CHECK(error_of([&] { (void)Scene::open((folder / "none").string()); }) ==
        (folder / "none").string() + ": cannot be opened: No such file or directory");
  CHECK(error_of([&] { (void)Scene::open(folder.path().string()); }) ==
        folder.path().string() + ": is not a plain file");
  CHECK(error_of([&] { Scene().save((folder / "no/such").string()); }, ErrorCode::io) ==
        (folder / "no/such").string() + ": cannot open its folder: No such file or directory");
  CHECK(refusal([&] { (void)Scene::open(path, {.threads = -1}); }).code == ErrorCode::invalid_argument);
  CHECK(refusal([&] { (void)Scene::open(path, {.check = static_cast<Check>(3)}); }).code ==
        ErrorCode::invalid_argument);
}

/// Opens the file and asks it everything, if it lets itself be opened. True if it was refused.
bool is_refused(const std::string& path, const Questions& questions, const AllRows* expected) {
  std::optional<AllRows> rows;
  try {
    const Scene scene = Scene::open(path);
    (void)scene.size();
    Questions fitting = questions;
    const auto ids = std::ssize(scene.spheres());
    for (Observer& observer : fitting.observers)
      if (observer.on >= ids) observer.on = Observer::nowhere;
    for (Receiver& receiver : fitting.receivers)
      if (receiver.observer.on >= ids) receiver.observer.on = Observer::nowhere;
    rows = all_rows(scene, fitting);
    Scene changed = Scene::open(path);
    const std::int64_t id = changed.insert(Sphere{{1, 2, 3}, 0.5});
    changed.erase(id);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_file) {
      CHECK(std::string(error.what()).starts_with(path + ": "));
      return true;
    }
    INFO(error.what());
    CHECK_FALSE(expected);  // a hostile scene may have an observer at the center of a sphere, say
  }
  if (expected && rows) CHECK(differing(*rows, *expected) == "");
  return false;
}

TEST_CASE("damage is found before the first answer", "[scene][save]") {
  const Folder folder;
  const std::string path = (folder / "s.sphi").string();
  Random random(seed(), 505);
  const std::size_t tries = fewer_in_repeats(240u);
  for (const SceneKind kind : {SceneKind::crowd, SceneKind::peopled, SceneKind::nested}) {
    const Saved saved(kind, 60, random);
    saved.scene.save(path);
    const std::string good = contents(path);
    const AllRows expected = all_rows(saved.scene, saved.questions);
    std::size_t refused = 0;
    for (std::size_t i = 0; i < tries; ++i) {
      std::string bad = good;
      const std::size_t at = random.bits() % bad.size();
      bad[at] ^= static_cast<char>(1 << random.below(8));
      write_to(path, bad);
      INFO(name(kind) << ", byte " << at << " of " << bad.size());
      refused += is_refused(path, saved.questions, &expected);  // bytes between sections count for nothing
    }
    CHECK(refused > tries * 9 / 10);
    for (std::size_t i = 0; i < tries / 4; ++i) {
      write_to(path, good.substr(0, random.bits() % good.size()));
      CHECK(is_refused(path, saved.questions, nullptr));
    }
  }
}

TEST_CASE("a hostile file with right checksums is refused, or gives answers", "[scene][save]") {
  const Folder folder;
  const std::string path = (folder / "s.sphi").string();
  Random random(seed(), 506);
  const std::size_t tries = fewer_in_repeats(480u);
  for (const SceneKind kind : {SceneKind::crowd, SceneKind::peopled, SceneKind::nested}) {
    const Saved saved(kind, 60, random);
    saved.scene.save(path);
    const std::string good = contents(path);
    std::size_t refused = 0, sealed = 0;
    for (std::size_t i = 0; i < tries; ++i) {
      std::string bad = good;
      damage(bad, random);
      sealed += seal(bad);
      write_to(path, bad);
      INFO(name(kind) << ", try " << i);
      refused += is_refused(path, saved.questions, nullptr);
    }
    CHECK(sealed > tries / 2);
    CHECK(refused > tries / 5);
    CHECK(refused < tries);
  }
}

}  // namespace
}  // namespace sphaera
