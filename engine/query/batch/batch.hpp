#pragma once
/// \file Runs a batch: validates all inputs, then answers them in pieces, in parallel, with one output slot
/// each.

#include <algorithm>
#include <atomic>
#include <base/arena.hpp>
#include <base/errors.hpp>
#include <base/floating_point_environment.hpp>
#include <bit>
#include <cmath>
#include <exact/numbers/dispatch.hpp>
#include <exact/predicates/counts.hpp>
#include <new>
#include <query/batch/check_queries.hpp>
#include <query/batch/other_search.hpp>
#include <query/batch/sphere_filter.hpp>
#include <query/batch/task_scratch.hpp>
#include <query/batch/viewpoint_of_batch.hpp>
#include <sphaera/error.hpp>
#include <stdexcept>

namespace sphaera::query {

[[noreturn]] void throw_cancelled();
using base::filled, base::with_memory_errors;

/// Builds the Embree index if there is none, isolated from the caller's tasks. Throws if spheres move and
/// queries have times. Do not call this within parallel work: one thread builds while other threads wait.
void prepare_embree(const SceneState& state, const QueryOptions& options);
inline void prepare_search(const SceneState& state, const QueryOptions& options) {
  if (options.search == Search::embree) [[unlikely]]
    prepare_embree(state, options);
}

/// The most queries that are sorted together: 8 bytes each in addition to input and output.
inline constexpr std::size_t ordered_block = std::size_t{1} << 21;

/// The most queries that the caller's thread answers alone.
inline constexpr std::size_t most_alone = 256;

/// Queries per piece: enough to hide a task's cost (1 µs), few enough to balance the load and to stop soon.
inline std::size_t grain_of(const SceneState& state, const QueryOptions& options) {
  if (options.grain > 0) return std::min(options.grain, ordered_block);  // so that sums with it do not wrap
  if (options.search != Search::brute_force) return most_alone;
  return std::max<std::size_t>(1, (std::size_t{1} << 18) / (state.spheres.span().size() + 1));
}

/// Is a batch of the index a single piece? It runs on the caller's thread: to enter an arena takes as long as
/// a ray or two (../../index/decisions.md). Not with `accept`, which may wait for work of its own.
inline bool is_one_piece(const SceneState& state, const QueryOptions& options, std::size_t queries) {
  return options.search == Search::index && !options.accept &&
         queries <= std::min(most_alone, grain_of(state, options));
}

/// The order in which a batch is walked. No answer depends on it.
enum class WalkOrder {
  as_given,
  coherent,
  coherent_any_hit,  ///< coherent, for any-hit rays: the blocker of one ray often blocks the next
  coherent_points,   ///< inputs are points and balls: the answer to one is near that to the next
  own,               ///< the caller's: it names the inputs to answer, all in one block
};

/// Inputs are prefetched this many queries ahead if the walk order is not the order in memory.
inline constexpr std::size_t prefetch_distance = 8;

template <class Input>
SPHAERA_INLINE void prefetch(const Input& input) {
  __builtin_prefetch(&input);
  __builtin_prefetch(reinterpret_cast<const char*>(&input + 1) - 1);  // it may straddle two cache lines
}

/// Prefetches the cache lines of a row of outputs for writing, and at most the first KiB of a long row.
template <class Output>
SPHAERA_INLINE void prefetch_for_writing(Output* outputs, std::size_t row_size) {
  constexpr std::size_t cache_line = 64, most = 16 * cache_line;
  if (row_size == 0) return;
  char* const bytes = reinterpret_cast<char*>(outputs);
  const std::size_t size = std::min(row_size * sizeof(Output), most);
  for (std::size_t at = 0; at < size; at += cache_line) __builtin_prefetch(bytes + at, 1);
  __builtin_prefetch(bytes + size - 1, 1);
}

/// The path of an input, by which the batch is sorted.
inline constexpr auto own_path = [](const auto& input)
                                     SPHAERA_INLINE_LAMBDA { return exact::path_of(input); };

/// Sets `section`, the section by which a path is sorted; false if the path misses the scene. Paths within
/// one frame ball form a group; their sections are relative to the center of the ball's frame.
SPHAERA_INLINE bool section_of(const index::SceneIndex& scene_index, const exact::Path& path,
                               SectionFields wanted, RaySection& section) {
  if (!(path.t_min <= path.t_max)) return false;
  const index::FrameBalls& frame_balls = scene_index.frame_balls();
  const index::Frame& frame = scene_index.top().frame();
  section = {path.origin + path.t_min * path.direction, path.direction, 0};
  if (const index::FrameBall* const near = frame_balls.of(path)) {
    section = {section.start - near->bvh().frame().center(), (path.t_max - path.t_min) * path.direction,
               frame_balls.number(*near) + 1};
    return true;
  }
  if (wanted == SectionFields::direction || (wanted == SectionFields::start && frame.holds(section.start)))
    return true;
  index::LocalRay ray;
  if (!frame.clip(path, ray)) return false;
  section = {path.origin + ray.s0 * path.direction, ray.length * path.direction, 0};
  return !std::isnan(ray.s0);  // NaN: the ray starts so far away that it was moved closer in steps
}

/// The walk order of a block, whose first input has number `first` in the batch; empty: as given.
template <class Input, class PathOf>
std::span<const std::uint32_t> order_of(const SceneState& state, std::span<const Input> block,
                                        std::size_t first, const QueryOptions& options, bool any_hit,
                                        const PathOf& path_of, OrderScratch& scratch) {
  if (options.search == Search::brute_force) return {};
  const SortMode sought = order_sought(block.size(), state.spheres.span().size(), any_hit);
  const auto ray_of = [&](std::size_t i, SectionFields wanted, RaySection& section) SPHAERA_INLINE_LAMBDA {
    if (is_skipped(options, first + i)) [[unlikely]]
      return false;
    return section_of(*state.scene_index, path_of(block[i]), wanted, section);
  };
  const int group_bits =
      state.scene_index ? static_cast<int>(std::bit_width(state.scene_index->frame_balls().size())) : 0;
  return coherent_order(block.size(), sought, ray_of, scratch, group_bits);
}

SPHAERA_INLINE const Vec3& place_of(const Vec3& point) { return point; }
SPHAERA_INLINE const Vec3& place_of(const Ball& ball) { return ball.center; }
SPHAERA_INLINE const Vec3& place_of(const Sphere& sphere) { return sphere.center; }
SPHAERA_INLINE const Vec3& place_of(const SkyPoint& point) { return point.position; }

/// The same for points, balls and centers of spheres: of `least` and more. Points within one frame ball form
/// a group.
template <class Input>
std::span<const std::uint32_t> order_of_points(const SceneState& state, std::span<const Input> block,
                                               std::size_t first, const QueryOptions& options,
                                               OrderScratch& scratch,
                                               std::size_t least = least_points_to_order) {
  if (options.search == Search::brute_force || !state.scene_index) return {};
  if (block.size() < least || state.spheres.span().size() < least_spheres_for_points) return {};
  const index::FrameBalls& frame_balls = state.scene_index->frame_balls();
  const auto section_of_point = [&](std::size_t i, SectionFields, RaySection& section) SPHAERA_INLINE_LAMBDA {
    if (is_skipped(options, first + i)) [[unlikely]]
      return false;
    section = {place_of(block[i]), {}, 0};
    if (frame_balls.empty()) return true;
    const exact::Path at_point = exact::path_at(section.start);
    if (const index::FrameBall* const near = frame_balls.of(at_point)) {
      section.start = section.start - near->bvh().frame().center();
      section.group = frame_balls.number(*near) + 1;
    }
    return true;
  };
  const int group_bits = static_cast<int>(std::bit_width(frame_balls.size()));
  return coherent_order(block.size(), SortMode::any, section_of_point, scratch, group_bits);
}

/// Consecutive queries that are sorted together.
struct QueryBlock {
  std::size_t first, count;
  std::span<const std::uint32_t> order;  ///< empty: as given
  bool by_start = false;                 ///< neighbors in `order` start near each other, and go anywhere

  /// The number of the query at place j of the walk order.
  SPHAERA_INLINE std::size_t query(std::size_t j) const { return first + (order.empty() ? j : order[j]); }
};

/// The share of a block that one task answers: begin … end − 1 in walk order.
template <class Input>
struct QueryPiece {
  std::span<const Input> inputs;
  const QueryBlock& block;
  std::size_t begin, end;
  const QueryOptions& options;
  TaskScratch& scratch;
  const index::ViewpointFaces* star;  ///< for the point or direction that all sampled paths share; null: none

  std::size_t size() const { return end - begin; }

  /// Calls work(i) for every query i that is not skipped.
  template <class Work>
  SPHAERA_INLINE void each(const Work& work) const {
    const auto ahead = [&](std::size_t next) SPHAERA_INLINE_LAMBDA { prefetch(inputs[next]); };
    each_after(ahead, [&](std::size_t i, std::size_t) SPHAERA_INLINE_LAMBDA { work(i); });
  }
  /// The same for work(i) that writes row i − first of `out`, which is prefetched; a row has `row_size`
  /// outputs.
  template <class Output, class Work>
  SPHAERA_INLINE void each_into(std::span<Output> out, const Work& work, std::size_t row_size = 1,
                                std::size_t first = 0) const {
    const auto numbered = [&](std::size_t i, std::size_t) SPHAERA_INLINE_LAMBDA { work(i); };
    each_numbered_into(out, numbered, row_size, first);
  }
  /// The same for work(i, j), where query i is number j in walk order.
  template <class Output, class Work>
  SPHAERA_INLINE void each_numbered_into(std::span<Output> out, const Work& work, std::size_t row_size = 1,
                                         std::size_t first = 0) const {
    each_after([&](std::size_t next) SPHAERA_INLINE_LAMBDA { fetch(next, out, row_size, first); }, work);
  }

  /// Calls work(i, path, prepared) for every query i that is not skipped. `prepared` is the path prepared for
  /// `scene_index`, if that is not null and no star's index serves the piece. Prefetches outputs like
  /// each_into; an empty `out` turns this off, for outputs of one byte.
  template <class Output, class Work>
  SPHAERA_INLINE void each_path(const index::SceneIndex* scene_index, std::span<Output> out,
                                const Work& work) const {
    const auto path_of = [&](std::size_t i, std::uint32_t)
                             SPHAERA_INLINE_LAMBDA { return exact::path_of(inputs[i]); };
    each_path_of(scene_index, out, nullptr, path_of, work);
  }
  /// The same for paths with margins. path_of(i, k) gives the path of query i and sets margin k.
  template <class Output, class PathOf, class Work>
  SPHAERA_INLINE void each_path_of(const index::SceneIndex* scene_index, std::span<Output> out,
                                   const index::PreparedRays::Margins* margins, const PathOf& path_of,
                                   const Work& work) const {
    index::PreparedRays::Paths paths;
    index::PreparedRays prepared;
    if (star) scene_index = nullptr;
    each_eight(
        out,
        [&](std::size_t i, std::uint32_t k) SPHAERA_INLINE_LAMBDA {
          paths[k] = is_skipped(options, i) ? exact::path_of(harmless) : path_of(i, k);
        },
        [&] {
          if (scene_index) scene_index->prepare(paths, margins, prepared);
        },
        [&](std::size_t i, std::uint32_t k) SPHAERA_INLINE_LAMBDA {
          work(i, paths[k], index::PreparedRay{scene_index ? &prepared : nullptr, k});
        });
  }
  /// For eight queries at a time calls set(i, k) for query i, the k-th of these; then prepare(); then work(i,
  /// k). `set` is called for skipped queries, too, and, to fill up the last eight, several times for one
  /// query. Prefetches outputs like each_path.
  template <class Output, class Set, class Prepare, class Work>
  SPHAERA_INLINE void each_eight(std::span<Output> out, const Set& set, const Prepare& prepare,
                                 const Work& work) const {
    constexpr std::uint32_t size = index::PreparedRays::size;
    std::array<std::size_t, size> queries;
    for (std::size_t j = begin; j < end; j += size) {
      const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(size, end - j));
      for (std::uint32_t k = 0; k < size; ++k) {
        const std::size_t at = j + std::min(k, count - 1);
        if (!block.order.empty())
          fetch(block.query(std::min(at + prefetch_distance, block.count - 1)), out, 1);
        queries[k] = block.query(at);
        set(queries[k], k);
      }
      prepare();
      for (std::uint32_t k = 0; k < count; ++k)
        if (!is_skipped(options, queries[k])) work(queries[k], k);
    }
  }

 private:
  static constexpr Ray harmless{{0, 0, 0}, {1, 0, 0}, 0, 0};  ///< prepared in place of a skipped query

  template <class Output>
  SPHAERA_INLINE void fetch(std::size_t next, std::span<Output> out, std::size_t row_size,
                            std::size_t first = 0) const {
    prefetch(inputs[next]);
    if (!out.empty()) prefetch_for_writing(out.data() + (next - first) * row_size, row_size);
  }

  template <class Ahead, class Work>
  SPHAERA_INLINE void each_after(const Ahead& ahead, const Work& work) const {
    for (std::size_t j = begin; j < end; ++j) {
      if (!block.order.empty()) ahead(block.query(std::min(j + prefetch_distance, block.count - 1)));
      if (const std::size_t query = block.query(j); !is_skipped(options, query)) work(query, j);
    }
  }
};

/// Counts of a batch, which its tasks add up without a lock.
class SharedStats {
 public:
  void add(const QueryStats& stats) {
    queries_.fetch_add(stats.queries, std::memory_order_relaxed);
    candidates_.fetch_add(stats.candidates, std::memory_order_relaxed);
    double_double_.fetch_add(stats.double_double, std::memory_order_relaxed);
    exact_.fetch_add(stats.exact, std::memory_order_relaxed);
    in_viewpoint_indexes_.fetch_add(stats.in_viewpoint_indexes, std::memory_order_relaxed);
  }
  QueryStats sum() const { return {queries_, candidates_, double_double_, exact_, in_viewpoint_indexes_}; }

 private:
  std::atomic<std::uint64_t> queries_{0}, candidates_{0}, double_double_{0}, exact_{0},
      in_viewpoint_indexes_{0};
};

/// Runs a batch's work in the arena that the options ask for, that of the Scratch if there is one, or, if the
/// options ask for one thread or `alone` is true, on this thread.
template <class Work>
void in_arena_of(const QueryOptions& options, const Work& work, bool alone = false) {
  if (options.threads == 1 || alone) {
    const base::Serial serial;
    return work();
  }
  if (options.threads > 1 && options.scratch)
    return options.scratch->state().arena.run(options.threads, work);
  base::in_arena(options.threads, work);
}

/// Calls work(arithmetic, piece, stats), an always-inlined lambda, for every piece, then finish(block) after
/// each block, in order. `order_by(input)`
/// is the path to sort by if rays are put in coherent order; `order_by(scratch)` is the order itself for
/// WalkOrder::own.
template <WalkOrder walk_order, class Input, class Work, class Finish, class OrderBy>
void run_pieces(const SceneState& state, std::span<const Input> inputs, const QueryOptions& options,
                std::size_t block_size, const Work& work, const Finish& finish, const OrderBy& order_by,
                ScratchState& scratch) {
  check_options(state, options, inputs.size());
  check_box_for<Input>(state, options);
  SharedStats total;
  const auto run_block = [&](const QueryBlock& block, const index::ViewpointFaces* star) {
    base::parallel_pieces(block.count, grain_of(state, options), [&](std::size_t begin, std::size_t end) {
      if (options.stop.stop_requested()) return;
      QueryStats stats{.queries = end - begin};
      PieceScratch own(scratch.tasks, base::thread_number());
      const QueryPiece<Input> piece{inputs, block, begin, end, options, *own, star};
      exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA { work(arithmetic, piece, stats); });
      total.add(stats);
    });
  };
  with_memory_errors([&] {
    const auto run = [&] {
      check_queries(state, inputs, options);
      prepare_search(state, options);
      const auto star = viewpoint_index_of(state, inputs, options);
      scratch.make_tasks(base::thread_numbers());
      scratch.level_tasks();
      for (std::size_t i = 0; i < inputs.size(); i += block_size) {
        QueryBlock block{i, std::min(block_size, inputs.size() - i), {}};
        if constexpr (walk_order == WalkOrder::coherent_points) {
          block.order = order_of_points(state, inputs.subspan(block.first, block.count), block.first, options,
                                        scratch.order);
        } else if constexpr (walk_order == WalkOrder::own) {
          block.order = order_by(scratch.order);
          block.count = block.order.size();
        } else if constexpr (walk_order != WalkOrder::as_given) {
          const bool any_hit = walk_order == WalkOrder::coherent_any_hit;
          block.order = order_of(state, inputs.subspan(block.first, block.count), block.first, options,
                                 any_hit, order_by, scratch.order);
          block.by_start = !block.order.empty() && !scratch.order.grid.by_direction();
        }
        run_block(block, star.get());
        if (options.stop.stop_requested()) return;
        finish(block);
      }
    };
    in_arena_of(options, run, is_one_piece(state, options, inputs.size()));
  });
  if (options.stop.stop_requested()) throw_cancelled();
  if (options.stats) *options.stats += total.sum();
}

template <WalkOrder walk_order, class Input, class Work, class OrderBy = decltype(own_path)>
void run_pieces(const SceneState& state, std::span<const Input> inputs, const QueryOptions& options,
                const Work& work, const OrderBy& order_by = own_path) {
  constexpr bool whole = walk_order == WalkOrder::as_given || walk_order == WalkOrder::own;
  const std::size_t block_size = whole ? inputs.size() : ordered_block;
  BatchScratch scratch(options);
  run_pieces<walk_order>(
      state, inputs, options, block_size, work, [](const QueryBlock&) {}, order_by, *scratch);
}

/// Adds the number of spheres that a query has tested, and of its decisions in double-double and in integers.
inline void count(std::uint64_t candidates, const exact::Counts& counts, QueryStats& stats) {
  stats.candidates += candidates;
  stats.double_double += counts.double_double;
  stats.exact += counts.exact;
}
/// The same for a finished walk.
template <class Query>
void count(const Query& query, QueryStats& stats) {
  count(query.candidates, query.counts, stats);
  if constexpr (requires { query.in_viewpoint_index; })
    stats.in_viewpoint_indexes += query.in_viewpoint_index;
}

/// A single query, in the floating-point mode that the caller has set.
class SingleCall {
 public:
  QueryStats stats{.queries = 1};

  /// Checks the query and prepares its search. Throws Error if the query is bad, unless the caller asks for
  /// statuses.
  template <class Input>
  SingleCall(const SceneState& state, const Input& input, const QueryOptions& options) : options_(options) {
    check_options(state, options, 1);
    check_box_for<Input>(state, options);
    good_ = answerable(state, input) && fits_box(state, options, input) && options_valid(state, options, 0);
    if (!options.statuses.empty()) [[unlikely]]
      options.statuses[0] = good_ ? RowStatus::ok : RowStatus::skipped;
    else if (!good_) [[unlikely]] {
      check_input(state, input);
      check_fits_box(state, options, input, Error::no_element);
      check_options_of(state, options, 0);
    }
    if (good_) with_memory_errors([&] { prepare_search(state, options); });
  }
  bool is_good() const { return good_; }
  /// Call this after the answer.
  void count() const {
    if (options_.stats) *options_.stats += stats;
  }

 private:
  const QueryOptions& options_;
  bool good_;
};

/// Checks a single query, calls answer(arithmetic, stats), an always-inlined lambda, and counts.
template <class Input, class Answer>
void run_single(const SceneState& state, const Input& input, const QueryOptions& options,
                const Answer& answer) {
  SingleCall call(state, input, options);
  if (!call.is_good()) return;
  with_memory_errors([&] {
    exact::with_arithmetic([&](auto arithmetic) SPHAERA_INLINE_LAMBDA { answer(arithmetic, call.stats); });
  });
  call.count();
}

}  // namespace sphaera::query
