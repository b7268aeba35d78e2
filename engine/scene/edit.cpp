/// \file Changes of single spheres: insert, erase, set_enabled, set_radii, set_layers, update of a few.
///
/// Checks and allocations, which can fail, come first. The changes that follow cannot fail, except for a
/// build of the index; if that fails, `insert` and `set_enabled` undo their changes.

#include <base/errors.hpp>
#include <functional>
#include <scene/check_changes.hpp>
#include <scene/edit.hpp>
#include <string>
#include <utility>

namespace sphaera {
namespace {

using query::Change;
using query::IdState;
using query::SceneState;
using Ids = std::span<const std::int64_t>;

[[noreturn]] void refuse_id(Ids ids, std::size_t place, const char* why) {
  base::throw_invalid_argument("ids[" + std::to_string(place) + "] is " + std::to_string(ids[place]) + why,
                               static_cast<std::int64_t>(place));
}
constexpr const char* no_sphere_has_it =
    ", which stands for no sphere; give ids for which Scene::contains is true";

/// The ids as the index takes them: 32 bits, ascending. Refuses an id that stands for no sphere or is given
/// twice.
std::span<std::uint32_t> checked(SceneState& state, Ids ids) {
  std::vector<std::uint32_t>& known = state.edited_ids;
  known.clear();
  known.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || !state.contains(static_cast<std::size_t>(ids[i]))) refuse_id(ids, i, no_sphere_has_it);
    known.push_back(static_cast<std::uint32_t>(ids[i]));
  }
  std::ranges::sort(known);
  if (const auto twice = std::ranges::adjacent_find(known); twice != known.end()) {
    const auto is_it = [&](std::int64_t id) { return id == *twice; };
    const auto second = std::find_if(std::ranges::find_if(ids, is_it) + 1, ids.end(), is_it);
    refuse_id(ids, static_cast<std::size_t>(second - ids.begin()), ", as before; give each id once");
  }
  return known;
}

void check_layer(std::uint8_t layer, std::size_t element) {
  if (layer < max_layers) return;
  base::throw_invalid_argument("layer " + std::to_string(layer) + " does not exist; layers go from 0 to " +
                                   std::to_string(max_layers - 1),
                               static_cast<std::int64_t>(element));
}

void check_sphere(const SceneState& state, const Sphere& sphere, const Vec3* velocity, std::size_t element) {
  base::check(sphere, static_cast<std::int64_t>(element));
  if (velocity && !query::stays(sphere, *velocity, state.horizon)) query::refuse_motion(element);
}

/// The same for the new value of sphere `id` = ids[place]; the error names ids[place].
void check_change(const SceneState& state, std::size_t id, const Sphere& sphere, const Vec3* velocity,
                  std::size_t place) {
  try {
    check_sphere(state, sphere, velocity, id);
  } catch (const Error& error) {
    throw base::located("ids[" + std::to_string(place) + ']', error, static_cast<std::int64_t>(place));
  }
}

void check_new(const SceneState& state, std::span<const Sphere> spheres, const InsertOptions& options) {
  query::check_time(state, options.update);
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const Vec3* const velocity = query::velocity_of(options.velocities, i);
    const Vec3 center = query::center_at_zero(spheres[i].center, velocity, options.update.at_time);
    check_sphere(state, {center, spheres[i].radius}, velocity, i);
    if (!options.layers.empty()) check_layer(options.layers[i], i);
  }
}

/// When destroyed, points the index to the scene's arrays, which may have moved.
class PointedIndex {
 public:
  explicit PointedIndex(SceneState& state) : state_(state) {}
  ~PointedIndex() {
    if (state_.scene_index) state_.scene_index->point_to(state_.sphere_set());
  }
  PointedIndex(const PointedIndex&) = delete;

 private:
  SceneState& state_;
};

/// Fills an empty array with n items equal to `item`. Reserves memory for `size` items.
template <class Item>
void fill_if_empty(base::HugeArray<Item>& array, std::size_t n, std::size_t size, Item item,
                   std::pmr::memory_resource* memory) {
  if (array.size() == 0 && n > 0) {
    base::HugeArray<Item> filled(0, memory);
    filled.reserve(size);
    for (std::size_t i = 0; i < n; ++i) filled.append(item);
    array = std::move(filled);
  }
  array.reserve(size);
}

/// Arrays that a change needs even if the scene has none of them yet.
struct NewArrays {
  bool layers = false, owners = false;
};

/// Makes room for ids below `size` in the index and in all arrays that are indexed by id. If it throws
/// std::bad_alloc, the scene's answers are unchanged.
void make_room(SceneState& state, std::size_t size, const NewArrays& news = {}) {
  const PointedIndex pointed(state);
  const std::size_t n = state.spheres.size();
  state.free_ids.reserve(size);
  fill_if_empty(state.presence, n, size, IdState::enabled, state.memory);
  if (news.layers || state.layers.size() > 0)
    fill_if_empty<std::uint8_t>(state.layers, n, size, 0, state.memory);
  if (news.owners || state.owners.size() > 0) fill_if_empty(state.owners, n, size, no_owner, state.memory);
  if (state.moves()) state.velocities.reserve(size);
  if (state.keeps_generations) state.generations.reserve(size);
  state.spheres.reserve(size);
  if (state.scene_index) state.scene_index->reserve(size);
}

}  // namespace

void query::make_room_for_edits(SceneState& state) { make_room(state, state.spheres.size()); }

namespace {

/// Takes an id for a new sphere: the lowest free id, or else a new id at the end of the arrays.
std::uint32_t take_id(SceneState& state, const NewArrays& news) {
  if (!state.free_ids.empty()) {
    std::ranges::pop_heap(state.free_ids, std::greater());
    const std::uint32_t id = state.free_ids.back();
    state.free_ids.pop_back();
    state.journal.freed = true;
    return id;
  }
  state.spheres.append({});
  state.presence.append(IdState::free);
  if (news.layers || state.layers.size() > 0) state.layers.append(0);
  if (news.owners || state.owners.size() > 0) state.owners.append(no_owner);
  if (state.moves()) state.velocities.append({});
  if (state.keeps_generations) state.generations.append(0);
  return static_cast<std::uint32_t>(state.spheres.size() - 1);
}

void free_id(SceneState& state, std::uint32_t id) {
  state.presence.data()[id] = IdState::free;
  state.free_ids.push_back(id);
  std::ranges::push_heap(state.free_ids, std::greater());
  state.journal.freed = true;
}

/// Undoes take_id for spheres that could not be indexed: frees their ids below `before`, and removes all ids
/// from `before` on.
void take_back(SceneState& state, std::span<const std::uint32_t> ids, std::size_t before) {
  for (const std::uint32_t id : ids)
    if (id < before) free_id(state, id);
  while (state.spheres.size() > before) {
    state.spheres.drop_last(), state.presence.drop_last();
    if (state.layers.size() > 0) state.layers.drop_last();
    if (state.owners.size() > 0) state.owners.drop_last();
    if (state.moves()) state.velocities.drop_last();
    if (state.keeps_generations) state.generations.drop_last();
  }
}

void widen_bounds(SceneState& state, std::span<const std::uint32_t> ids) {
  const index::SphereSet sphere_set = state.sphere_set();
  for (const std::uint32_t id : ids) state.bounds = united(state.bounds, scene_bounds_of(sphere_set, id));
}

/// Enables spheres: inserts them into the index, or builds a new index if they do not fit. Throws as
/// Scene::build does; then the spheres are disabled and not in the index.
void index_new(SceneState& state, std::span<const std::uint32_t> ids, const UpdateOptions& options) {
  state.enabled += ids.size();
  for (const std::uint32_t id : ids) state.presence.data()[id] = IdState::enabled;
  if (state.scene_index && state.scene_index->insert(ids)) return widen_bounds(state, ids);
  const bool had_index = state.scene_index != nullptr;
  try {
    query::build_index(state, options.stop, options.progress);
    state.rebuilt |= had_index;
  } catch (...) {
    state.enabled -= ids.size();
    for (const std::uint32_t id : ids) state.presence.data()[id] = IdState::disabled;
    throw;
  }
}

/// Moves the enabled ids to the front of `ids` and returns them.
std::span<std::uint32_t> enabled_of(const SceneState& state, std::span<std::uint32_t> ids) {
  const auto is_enabled = [&](std::uint32_t id) { return state.is_enabled(id); };
  return ids.first(
      static_cast<std::size_t>(std::partition(ids.begin(), ids.end(), is_enabled) - ids.begin()));
}

/// Takes spheres out of the index. They are disabled afterwards.
void unindex(SceneState& state, std::span<std::uint32_t> ids) {
  const std::span<std::uint32_t> gone = enabled_of(state, ids);
  state.enabled -= gone.size();
  if (state.enabled == 0) {
    state.scene_index.reset();
    state.journal.everything = true;
  } else {
    state.scene_index->erase(gone);
  }
  for (const std::uint32_t id : gone) state.presence.data()[id] = IdState::disabled;
}

/// Fits the index to spheres that have changed.
void refit(SceneState& state, std::span<std::uint32_t> ids) {
  const std::span<const std::uint32_t> changed = enabled_of(state, ids);
  if (changed.empty()) return;
  widen_bounds(state, changed);
  constexpr std::size_t few = 8;  // beyond an eighth of the spheres one pass over all takes less time
  if (changed.size() > state.enabled / few) return state.scene_index->refit();
  state.scene_index->refit(changed);
}

/// Items that the caller gives: they themselves, or a copy if they lie in an array of the scene, which the
/// change moves or overwrites. Throws std::bad_alloc.
template <class Item>
class OutsideScene {
 public:
  OutsideScene(const SceneState& state, std::span<const Item> items) : items_(items) {
    if (!lie_in(state.spheres) && !lie_in(state.layers) && !lie_in(state.owners) && !lie_in(state.velocities))
      return;
    copy_.assign(items.begin(), items.end());
    items_ = copy_;
  }
  OutsideScene(const OutsideScene&) = delete;
  std::span<const Item> span() const { return items_; }
  bool empty() const { return items_.empty(); }
  const Item& operator[](std::size_t i) const { return items_[i]; }

 private:
  template <class Entry>
  bool lie_in(const base::HugeArray<Entry>& array) const {
    const auto own = std::as_bytes(array.span()), given = std::as_bytes(items_);
    const std::less<const std::byte*> before;
    return before(given.data(), own.data() + own.size()) && before(own.data(), given.data() + given.size());
  }

  std::span<const Item> items_;
  std::vector<Item> copy_;
};

/// Runs an edit in an arena. Reports errors of memory and callbacks as Scene::build does.
template <class Work>
void run_edit(const UpdateOptions& options, const Work& work) {
  const base::FloatingPointEnvironment mode;
  query::check_update(options);
  query::with_build_errors([&] { base::in_arena(options.threads, work); });
}

/// The same for an edit of spheres that exist: checks the ids, then calls work(state, ids), ids ascending.
template <class Work>
void run_edit(std::unique_ptr<SceneState>& state, Ids ids, const UpdateOptions& options, const Work& work) {
  run_edit(options, [&] {
    if (ids.empty()) return;
    if (!state) refuse_id(ids, 0, no_sphere_has_it);
    query::make_own(*state);
    const query::BackgroundBuild::Pause pause(state->background);
    query::adopt_background(*state, Change::few);
    const std::span<std::uint32_t> known = checked(*state, ids);
    for (const std::uint32_t id : known) state->note_change(id);
    state->drop_other_indexes();
    work(*state, known);
  });
}

/// What an insertion adds, checked.
struct NewSpheres {
  OutsideScene<Sphere> spheres;
  OutsideScene<std::uint8_t> layers;
  OutsideScene<std::uint32_t> owners;
  OutsideScene<Vec3> velocities;
  double at_time;  ///< at which the spheres are where they are given

  NewSpheres(const SceneState& state, std::span<const Sphere> given, const InsertOptions& options)
      : spheres(state, given),
        layers(state, options.layers),
        owners(state, options.owners),
        velocities(state, options.velocities),
        at_time(options.update.at_time) {}
  std::size_t size() const { return spheres.span().size(); }
  /// Writes new sphere i to an id of the scene.
  void write(SceneState& state, std::uint32_t id, std::size_t i) const {
    const Vec3* const velocity = velocities.empty() ? nullptr : &velocities[i];
    state.spheres.data()[id] = {query::center_at_zero(spheres[i].center, velocity, at_time),
                                spheres[i].radius};
    if (state.layers.size() > 0) state.layers.data()[id] = layers.empty() ? 0 : layers[i];
    if (state.owners.size() > 0) state.owners.data()[id] = owners.empty() ? no_owner : owners[i];
    if (state.moves()) state.velocities.data()[id] = velocity ? *velocity : Vec3{};
  }
};

/// Adds the spheres to the scene and its index, and returns their ids. If it throws, nothing has changed.
std::span<const std::uint32_t> add_new(SceneState& state, const NewSpheres& news,
                                       const UpdateOptions& options) {
  const std::size_t before = state.spheres.size(), reused = std::min(state.free_ids.size(), news.size());
  if (news.size() - reused > query::max_spheres - before)
    base::throw_invalid_argument("there would be more than 2^32 − 2 ids");
  const NewArrays arrays{
      std::ranges::any_of(news.layers.span(), [](std::uint8_t layer) { return layer != 0; }),
      !news.owners.empty()};
  std::vector<std::uint32_t>& added = state.edited_ids;
  added.clear();
  added.reserve(news.size());
  make_room(state, before + news.size() - reused, arrays);
  const PointedIndex pointed(state);
  for (std::size_t i = 0; i < news.size(); ++i) {
    const std::uint32_t id = take_id(state, arrays);
    added.push_back(id), state.note_change(id);
    news.write(state, id, i);
  }
  if (state.scene_index) state.scene_index->point_to(state.sphere_set());
  state.drop_other_indexes();
  try {
    index_new(state, added, options);
  } catch (...) {
    take_back(state, added, before);
    throw;
  }
  return added;
}

}  // namespace

void Scene::insert(std::span<const Sphere> spheres, std::span<std::int64_t> ids,
                   const InsertOptions& options) {
  const base::FloatingPointEnvironment mode;
  if (!options.statuses.empty()) return insert_skipping(spheres, ids, options);
  run_edit(options.update, [&] {
    query::check_insert(this->state(), spheres.size(), ids.size(), options, options.velocities.size());
    if (!state_) state_ = std::make_unique<SceneState>();
    query::make_own(*state_);
    const query::BackgroundBuild::Pause pause(state_->background);
    check_new(*state_, spheres, options);
    if (spheres.empty()) return;
    query::adopt_background(*state_, Change::few);
    std::ranges::copy(add_new(*state_, NewSpheres(*state_, spheres, options), options.update), ids.begin());
    query::adapt_index(*state_, options.update, Change::few);
  });
}

std::vector<std::int64_t> Scene::insert(std::span<const Sphere> spheres, const InsertOptions& options) {
  return base::filled<std::int64_t>(spheres.size(), [&](auto ids) { insert(spheres, ids, options); });
}

void Scene::erase(Ids ids, const UpdateOptions& options) {
  run_edit(state_, ids, options, [&](SceneState& state, std::span<std::uint32_t> known) {
    make_room(state, state.spheres.size());
    unindex(state, known);
    for (const std::uint32_t id : known) {
      free_id(state, id);
      if (state.keeps_generations) ++state.generations.data()[id];
    }
    query::adapt_index(state, options, Change::few);
  });
}

void Scene::set_enabled(Ids ids, bool enabled, const UpdateOptions& options) {
  run_edit(state_, ids, options, [&](SceneState& state, std::span<std::uint32_t> known) {
    make_room(state, state.spheres.size());
    if (!enabled) {
      unindex(state, known);
    } else {
      const std::span<const std::uint32_t> before = enabled_of(state, known);
      const std::span<const std::uint32_t> added = known.subspan(before.size());
      if (!added.empty()) index_new(state, added, options);
    }
    query::adapt_index(state, options, Change::few);
  });
}

void Scene::set_radii(Ids ids, std::span<const double> radii, const UpdateOptions& options) {
  query::check_count(radii.size(), ids.size(), "radii", "ids");
  run_edit(state_, ids, options, [&](SceneState& state, std::span<std::uint32_t> known) {
    const OutsideScene<double> given(state, radii);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto id = static_cast<std::size_t>(ids[i]);
      check_change(state, id, {state.spheres.span()[id].center, given[i]}, state.velocity_of(id), i);
    }
    make_room(state, state.spheres.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      state.spheres.data()[static_cast<std::size_t>(ids[i])].radius = given[i];
    refit(state, known);
    query::adapt_index(state, options, Change::few);
  });
}

void Scene::set_layers(Ids ids, std::span<const std::uint8_t> layers) {
  query::check_count(layers.size(), ids.size(), "layers", "ids");
  run_edit(state_, ids, {}, [&](SceneState& state, std::span<std::uint32_t>) {
    const OutsideScene<std::uint8_t> given(state, layers);
    for (std::size_t i = 0; i < layers.size(); ++i) check_layer(given[i], i);
    make_room(state, state.spheres.size(), {.layers = true});
    for (std::size_t i = 0; i < ids.size(); ++i)
      state.layers.data()[static_cast<std::size_t>(ids[i])] = given[i];
  });
}

UpdateResult Scene::move(Ids ids, std::span<const Vec3> centers, std::span<const Vec3> velocities,
                         const UpdateOptions& options) {
  const base::FloatingPointEnvironment mode;
  if (!options.statuses.empty()) return update_skipping(ids, centers, velocities, options);
  query::check_moves_of(ids.size(), centers.size(), velocities.size());
  UpdateResult result;
  run_edit(state_, ids, options, [&](SceneState& state, std::span<std::uint32_t> known) {
    if (!velocities.empty() && !state.moves()) query::refuse_velocities();
    query::check_time(state, options);
    const OutsideScene<Vec3> places(state, centers), motions(state, velocities);
    const auto velocity_of = [&](std::size_t i) {
      return motions.empty() ? state.velocity_of(static_cast<std::size_t>(ids[i])) : &motions[i];
    };
    const auto center_of = [&](std::size_t i) {
      return query::center_at_zero(places[i], velocity_of(i), options.at_time);
    };
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto id = static_cast<std::size_t>(ids[i]);
      check_change(state, id, {center_of(i), state.spheres.span()[id].radius}, velocity_of(i), i);
    }
    make_room(state, state.spheres.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto id = static_cast<std::size_t>(ids[i]);
      state.spheres.data()[id].center = center_of(i);
      if (!motions.empty()) state.velocities.data()[id] = motions[i];
    }
    refit(state, known);
    result = query::finish_update(state, options, Change::few);
  });
  return result;
}

}  // namespace sphaera
