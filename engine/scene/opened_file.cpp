/// \file Scene::save and Scene::open.
///
/// `open` reads the header of the file, a record for each frame and the small values, and checks these. All
/// else is checked before the first use, in one pass over the file: README.md says what, and why then.

#include <base/files/target.hpp>
#include <base/files/temporary.hpp>
#include <base/first_bad.hpp>
#include <index/saved_index.hpp>
#include <scene/check_changes.hpp>
#include <type_traits>

namespace sphaera {
namespace {

using base::SavedScene, base::SavedSceneWriter, base::Section;
using query::IdState, query::OpenedFile, query::SceneState;

/// What a file has of a scene besides arrays. Flags are 0 or 1.
struct SavedValues {
  std::uint64_t enabled, built_for, index_bytes;
  Horizon horizon;
  index::SceneBounds bounds;
  std::uint32_t quality, moving, keeps_generations, reserved;
};
static_assert(sizeof(SavedValues) == 120);

/// Calls visit(section, array) for each array by id.
template <class State, class Visit>
void each_section(State& state, const Visit& visit) {
  auto section = static_cast<int>(Section::spheres);
  SceneState::each_array([&](auto& array) { visit(static_cast<Section>(section++), array); }, state);
}

template <class Array>
using ItemOf = std::remove_cvref_t<decltype(*std::declval<const Array&>().span().data())>;

SavedValues values_of(const SceneState& state) {
  const index::SceneIndex* const index = state.scene_index.get();
  return {state.enabled,
          state.built_for,
          index ? index->bytes() : 0,
          state.horizon,
          state.bounds,
          static_cast<std::uint32_t>(state.quality),
          state.moving,
          state.keeps_generations,
          0};
}

void write(const SceneState& state, std::span<const std::byte> attachment, SavedSceneWriter& writer) {
  const SavedValues values = values_of(state);
  writer.begin(Section::values, sizeof values);
  writer.write(std::as_bytes(std::span(&values, 1)));
  writer.begin(Section::attachment, 1);
  writer.write(attachment);
  each_section(state, [&](Section section, const auto& array) {
    writer.begin(section, sizeof(ItemOf<decltype(array)>));
    writer.write(std::as_bytes(array.span()));
  });
  index::save(state.scene_index.get(), writer);
  writer.finish();
}

/// Takes over the small values, if `save` may have written them.
bool set(SceneState& state, const SavedValues& values) {
  if (values.quality > static_cast<std::uint32_t>(BuildQuality::compact)) return false;
  if (values.moving > 1 || values.keeps_generations > 1) return false;
  const Horizon& horizon = values.horizon;
  if (!base::in_domain(horizon.from) || !base::in_domain(horizon.to) || !(horizon.from <= horizon.to))
    return false;
  state.quality = static_cast<BuildQuality>(values.quality);
  state.moving = values.moving != 0, state.keeps_generations = values.keeps_generations != 0;
  state.horizon = horizon, state.bounds = values.bounds;
  state.enabled = values.enabled, state.built_for = values.built_for;
  return true;
}

/// Are there as many items by id as there must be?
bool has_right_sizes(const SceneState& state) {
  const std::size_t n = state.spheres.size();
  bool right = n <= query::max_spheres;
  each_section(state, [&](Section section, const auto& array) {
    if (section == Section::velocities)
      right &= array.size() == (state.moving ? n : 0);
    else if (section == Section::generations)
      right &= array.size() == (state.keeps_generations ? n : 0);
    else
      right &= array.size() == 0 || array.size() == n;
  });
  return right;
}

/// Lists the free ids and counts the enabled ones. False if that number is wrong.
bool find_free_ids(SceneState& state) {
  std::size_t enabled = state.presence.size() == 0 ? state.spheres.size() : 0;
  for (std::uint32_t id = 0; id < state.presence.size(); ++id) {
    const IdState is = state.presence.span()[id];
    if (is > IdState::enabled) return false;
    enabled += is == IdState::enabled;
    if (is == IdState::free) state.free_ids.push_back(id);
  }
  return enabled == state.enabled;
}

void open_arrays(SceneState& state) {
  const SavedScene& file = state.file->sections;
  for (const Section small : {Section::values, Section::presence, Section::frames}) file.check(small);
  const std::span<const SavedValues> values = file.items<SavedValues>(Section::values);
  if (values.size() != 1 || !set(state, values.front())) file.fail(Section::values);
  each_section(state, [&](Section section, auto& array) {
    using Array = std::remove_cvref_t<decltype(array)>;
    array = Array::view(file.items<ItemOf<Array>>(section));
  });
  if (!has_right_sizes(state)) file.fail(Section::values);
  if (!find_free_ids(state)) file.fail(Section::presence);
  const bool has_index = file.place(Section::frames).count > 0;
  if (has_index != (state.enabled > 0)) file.fail(Section::frames);
  if (!has_index) return;
  state.scene_index = index::open(file, state.sphere_set(), values.front().index_bytes);
}

/// The check of all blocks and all trees of a file.
class FileCheck {
 public:
  explicit FileCheck(const SceneState& state) : state_(state), file_(state.file->sections) {}

  void run() {
    std::vector<Piece> pieces;
    for (int i = 0; i < static_cast<int>(base::section_count); ++i) {
      const auto section = static_cast<Section>(i);
      for (std::uint64_t block = 0; block < file_.place(section).blocks(); ++block)
        pieces.push_back({section, block});
    }
    std::vector<const index::FrameBvh*> frames;
    if (state_.scene_index) frames = index::frames_of(*state_.scene_index);
    const std::size_t blocks = pieces.size();
    // Trees come first: that of a large frame takes as long as many blocks.
    const auto is_good = [&](std::size_t i) {
      return i < frames.size() ? index::has_sound_tree(*frames[i]) : is_sound(pieces[i - frames.size()]);
    };
    std::atomic<std::size_t> first_bad{none};
    base::parallel_pieces(frames.size() + blocks, 1, [&](std::size_t i, std::size_t) {
      if (first_bad.load(std::memory_order_relaxed) < i || is_good(i)) return;
      std::size_t known = first_bad;
      while (i < known && !first_bad.compare_exchange_weak(known, i)) {
      }
    });
    if (first_bad < frames.size()) file_.fail(Section::nodes);
    if (first_bad != none) file_.fail(pieces[first_bad - frames.size()].section);
    if (placed_ != state_.enabled) file_.fail(Section::leaf_ids);
  }

 private:
  static constexpr std::size_t none = SIZE_MAX;
  struct Piece {
    Section section;
    std::uint64_t block;
  };

  bool is_sound(const Piece& piece) {
    const base::SectionPlace& place = file_.place(piece.section);
    const std::uint64_t begin = piece.block * place.items_a_block(),
                        end = std::min(begin + place.items_a_block(), place.count);
    return file_.is_intact(piece.section, piece.block) && has_sound_items(piece.section, begin, end);
  }

  bool is_enabled(std::uint32_t id) const { return id < state_.spheres.size() && state_.is_enabled(id); }

  bool has_sound_items(Section section, std::size_t begin, std::size_t end) {
    const auto all = [&](const auto& is_good) {
      bool good = true;
      for (std::size_t i = begin; i < end; ++i) good &= is_good(i);
      return good;
    };
    switch (section) {
      case Section::spheres:
        return all([&](std::size_t i) { return base::valid(state_.spheres.span()[i]); });
      case Section::layers:
        return all([&](std::size_t i) { return state_.layers.span()[i] < max_layers; });
      case Section::velocities:
        return all([&](std::size_t i) {
          return query::stays(state_.spheres.span()[i], state_.velocities.span()[i], state_.horizon);
        });
      case Section::leaf_ids:
        return has_sound_leaves(begin, end);
      case Section::leaf_velocities: {
        const auto velocities = file_.items<index::LeafVelocities>(section);
        return all([&](std::size_t i) { return index::is_sound(velocities[i]); });
      }
      default:
        return true;
    }
  }

  bool has_sound_leaves(std::size_t begin, std::size_t end) {
    const auto ids = file_.items<index::LeafIds>(Section::leaf_ids);
    const auto floats = file_.items<index::LeafBlock>(Section::leaf_floats);
    std::uint64_t placed = 0;
    bool good = true;
    for (std::size_t i = begin; i < end; ++i) {
      good &= index::is_sound_leaf(ids[i], floats.empty() ? nullptr : &floats[i], [&](std::uint32_t id) {
        ++placed;
        return is_enabled(id);
      });
    }
    placed_ += placed;
    return good;
  }

  const SceneState& state_;
  const SavedScene& file_;
  std::atomic<std::uint64_t> placed_{0};  // spheres in leaf blocks
};

}  // namespace

void query::check_file(SceneState& state) {
  const std::lock_guard lock(state.file->checking);
  if (!state.is_unchecked) return;
  if (state.file->fault) throw Error(*state.file->fault);
  const base::FloatingPointEnvironment mode;
  try {
    with_memory_errors([&] {
      base::in_arena(0, [&] {
        FileCheck(state).run();
        if (state.scene_index) state.scene_index->finish_opening();
      });
    });
  } catch (const Error& error) {
    if (error.code() == ErrorCode::bad_file) state.file->fault = error;
    throw;
  }
  state.is_unchecked.store(false, std::memory_order_release);
}

void query::make_own(SceneState& state) {
  if (!state.file) return;
  if (state.is_unchecked) check_file(state);
  const auto point = [&] {
    if (state.scene_index) state.scene_index->point_to(state.sphere_set());
  };
  try {
    SceneState::each_array([](auto& array) { base::make_own(array); }, state);
    if (state.scene_index) index::make_own(*state.scene_index, state.spheres.size(), state.file->sections);
  } catch (...) {
    point();
    throw;
  }
  point();
  if (state.enabled > 0) state.bounds = bounds_of(state);
  state.file.reset();
}

void Scene::save(const std::string& path, const SaveOptions& options) const {
  const SceneState& saved = state();
  base::with_memory_errors([&] {
    const base::Target target = base::target_of(path);
    if (target.kind != base::Target::Kind::file)
      throw Error(ErrorCode::io, path, "is not a plain file, which a saved scene must be");
    base::Temporary temporary(target.path, path);
    SavedSceneWriter writer(temporary.fd(), path);
    write(saved, options.attachment, writer);
    temporary.publish();
  });
}

Scene Scene::open(const std::string& path, const OpenOptions& options) {
  base::check_threads(options.threads);
  if (options.check > OpenOptions::Check::never)
    base::refuse_value("check", options.check, "Check::first_use, at_once or never");
  auto opened = base::with_memory_errors([&] {
    auto state = std::make_unique<SceneState>();
    state->file = std::make_unique<OpenedFile>(path);
    const SavedScene& file = state->file->sections;
    const base::FloatingPointEnvironment mode;
    open_arrays(*state);
    if (options.attachment) {
      file.check(Section::attachment);
      const auto bytes = file.items<std::byte>(Section::attachment);
      options.attachment->assign(bytes.begin(), bytes.end());
    }
    if (options.check != OpenOptions::Check::never) {
      state->is_unchecked = true;
    } else if (state->scene_index) {
      state->scene_index->finish_opening();
    }
    return state;
  });
  if (options.check == OpenOptions::Check::at_once)
    base::in_arena(options.threads, [&] { query::check_file(*opened); });
  return Scene(std::move(opened));
}

}  // namespace sphaera
