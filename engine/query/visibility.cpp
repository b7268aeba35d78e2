#include <query/batch/batch.hpp>

namespace sphaera {
namespace query {
namespace {

/// Lines of sight that are answered together.
constexpr std::size_t lines_at_once = std::size_t{1} << 17;
/// Fewer points are taken as given.
constexpr std::size_t least_to_order = 64;

/// Lines of a rectangle of the table, one outer point after the other, each with the same inner points.
struct Tile {
  std::size_t outer, inner;  ///< the first of each
  std::size_t outer_count, inner_count;

  std::size_t lines() const { return outer_count * inner_count; }
};

/// All lines between two sets of points.
class Sight {
 public:
  Sight(const Scene& scene, std::span<const Vec3> from, const SightTargets& targets,
        std::span<std::uint8_t> out, const QueryOptions& options, SightScratch& scratch)
      : scene_(scene), from_(from), targets_(targets), out_(out), options_(options), lines_(scratch) {}

  /// The outer points are those of the smaller set: if one of them pays for an index of a viewpoint, that
  /// serves more lines. The inner ones are in a coherent order, so that lines need not be sorted.
  void answer(const SceneState& state, OrderScratch& scratch) {
    std::ranges::fill(out_, std::uint8_t{0});
    if (from_.empty() || targets_.points.empty()) return;
    from_is_outer_ = from_.size() <= targets_.points.size();
    const std::span<const Vec3> inner = from_is_outer_ ? targets_.points : from_;
    order_inner(state, inner, scratch);
    const std::size_t outer = from_is_outer_ ? from_.size() : targets_.points.size(),
                      inner_step = std::min(inner.size(), lines_at_once),
                      outer_step = lines_at_once / inner_step;
    for (std::size_t j = 0; j < outer; j += outer_step)
      for (std::size_t k = 0; k < inner.size(); k += inner_step)
        answer({j, k, std::min(outer_step, outer - j), std::min(inner_step, inner.size() - k)});
  }

 private:
  void order_inner(const SceneState& state, std::span<const Vec3> points, OrderScratch& scratch) {
    QueryOptions none_skipped = options_;
    none_skipped.statuses = {};
    in_arena_of(options_, [&] {
      const auto order = order_of_points(state, points, 0, none_skipped, scratch, least_to_order);
      lines_.order.assign(order.begin(), order.end());
    });
  }

  /// Calls work(line, i, j) for the lines begin … end − 1 of a tile, each from point i to target j.
  template <class Work>
  void each(const Tile& tile, std::size_t begin, std::size_t end, const Work& work) const {
    std::size_t a = begin / tile.inner_count, b = begin % tile.inner_count;
    for (std::size_t line = begin; line < end; ++line) {
      const std::size_t outer = tile.outer + a,
                        inner = lines_.order.empty() ? tile.inner + b : lines_.order[tile.inner + b];
      from_is_outer_ ? work(line, outer, inner) : work(line, inner, outer);
      if (++b == tile.inner_count) ++a, b = 0;
    }
  }
  template <class Work>
  void each(const Tile& tile, const Work& work) const {
    base::parallel_pieces(tile.lines(), base::cheap_items_per_piece,
                          [&](std::size_t begin, std::size_t end) { each(tile, begin, end, work); });
  }

  void answer(const Tile& tile) {
    tile_ = tile;
    in_arena_of(options_, [&] { set(tile); });
    lines_.blocked.resize(tile.lines());
    scene_.blocked(std::span<const Segment>(lines_.segments), lines_.blocked, options_of_lines());
    const std::size_t row = SightTable::row_bytes(targets_.points.size());
    each(tile, 0, tile.lines(), [&](std::size_t line, std::size_t i, std::size_t j) {
      if (lines_.blocked[line] == 0 && !is_skipped(options_, i))
        out_[i * row + j / 8] |= static_cast<std::uint8_t>(1 << j % 8);
    });
  }

  /// The lines of a tile, and for each what its ends ignore. The line of a skipped point is one that needs no
  /// walk.
  void set(const Tile& tile) {
    lines_.segments.resize(tile.lines());
    each(tile, [&](std::size_t line, std::size_t i, std::size_t j) {
      const Vec3& target = targets_.points[j];
      lines_.segments[line] = {is_skipped(options_, i) ? target : from_[i], target};
    });
    set(tile, options_.ignore, of_point, lines_.ignore);
    set(tile, options_.ignore_owners, of_point, lines_.ignore_owners);
    set(tile, options_.layers_each, of_point, lines_.layers_each);
    set(tile, options_.times, of_point, lines_.times);
    set(tile, targets_.ignore.empty() ? options_.also_ignore : targets_.ignore,
        targets_.ignore.empty() ? of_point : of_target, lines_.also_ignore);
    set(tile, targets_.ignore_owners.empty() ? options_.also_ignore_owners : targets_.ignore_owners,
        targets_.ignore_owners.empty() ? of_point : of_target, lines_.also_ignore_owners);
  }
  static std::size_t of_point(std::size_t i, std::size_t) { return i; }
  static std::size_t of_target(std::size_t, std::size_t j) { return j; }
  template <class Item>
  void set(const Tile& tile, std::span<const Item> items, std::size_t (*of)(std::size_t, std::size_t),
           std::vector<Item>& lines) {
    lines.resize(items.empty() ? 0 : tile.lines());
    if (items.empty()) return;
    each(tile, [&](std::size_t line, std::size_t i, std::size_t j) { lines[line] = items[of(i, j)]; });
  }

  QueryOptions options_of_lines() const {
    QueryOptions options = options_;
    options.ignore = lines_.ignore, options.also_ignore = lines_.also_ignore;
    options.ignore_owners = lines_.ignore_owners, options.also_ignore_owners = lines_.also_ignore_owners;
    options.layers_each = lines_.layers_each, options.times = lines_.times;
    options.statuses = {}, options.check_inputs = false;
    if (options_.accept)  // a function of one pointer needs no heap
      options.accept = [this](std::size_t line, std::int64_t sphere) {
        bool accepted = false;
        each(tile_, line, line + 1,
             [&](std::size_t, std::size_t i, std::size_t) { accepted = options_.accept(i, sphere); });
        return accepted;
      };
    return options;
  }

  const Scene& scene_;
  std::span<const Vec3> from_;
  const SightTargets& targets_;
  std::span<std::uint8_t> out_;
  const QueryOptions& options_;
  SightScratch& lines_;
  bool from_is_outer_ = true;
  Tile tile_{};  ///< the present one
};

/// Throws for a bad target, or one that ignores what the options say, too.
void check_targets(const SceneState& state, const SightTargets& targets, const QueryOptions& options) {
  const auto check_items = [&](std::string_view name, std::size_t items, std::size_t others) {
    if (items == 0) return;
    if (items != targets.points.size())
      base::throw_invalid_argument("`" + std::string(name) + "` of the targets has " + std::to_string(items) +
                                   " items for " + std::to_string(targets.points.size()) +
                                   " targets; give none or one for each target");
    if (others > 0)
      base::throw_invalid_argument("the targets have `" + std::string(name) + "`; leave `also_" +
                                   std::string(name) + "` out");
  };
  check_items("ignore", targets.ignore.size(), options.also_ignore.size());
  check_items("ignore_owners", targets.ignore_owners.size(), options.also_ignore_owners.size());
  const auto ignored = [&](std::size_t j) { return item_or_none(targets.ignore, j); };
  const std::size_t bad = base::first_bad_of(targets.points.size(), [&](std::size_t j) {
    return base::valid(targets.points[j]) && is_id_or_none(state, ignored(j));
  });
  if (bad == targets.points.size()) return;
  const auto element = static_cast<std::int64_t>(bad);
  const std::string reason = base::valid(targets.points[bad])
                                 ? "it ignores sphere " + std::to_string(ignored(bad)) +
                                       "; give -1 for none or one of the " +
                                       std::to_string(state.spheres.span().size()) + " ids"
                                 : base::outside("", targets.points[bad]);
  throw Error(ErrorCode::invalid_argument, base::numbered("target", element), reason, element);
}

std::size_t table_bytes(std::size_t rows, std::size_t columns) {
  const std::size_t row = SightTable::row_bytes(columns);
  if (row > 0 && rows > SIZE_MAX / row) base::throw_out_of_memory();
  return rows * row;
}

}  // namespace
}  // namespace query

void Scene::visibility(std::span<const Vec3> from, const SightTargets& targets, std::span<std::uint8_t> out,
                       const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_output(out.size(), query::table_bytes(from.size(), targets.points.size()));
  if (query::has_box(options)) query::refuse_box();
  query::check_options(state(), options, from.size());
  query::with_memory_errors([&] {
    query::in_arena_of(options, [&] {
      query::check_targets(state(), targets, options);
      query::check_queries(state(), from, options);
    });
    query::BatchScratch scratch(options);
    query::Sight(*this, from, targets, out, options, (*scratch).sight).answer(state(), (*scratch).order);
  });
}

SightTable Scene::visibility(std::span<const Vec3> from, const SightTargets& targets,
                             const QueryOptions& options) const {
  const std::size_t bytes = query::table_bytes(from.size(), targets.points.size());
  return {from.size(), targets.points.size(),
          query::filled<std::uint8_t>(bytes, [&](auto out) { visibility(from, targets, out, options); })};
}

}  // namespace sphaera
