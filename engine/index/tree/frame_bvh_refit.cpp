/// \file Refit: recomputes floats and boxes of existing leaf blocks and nodes for spheres that are new or
/// have moved.
///
/// One pass down the nodes in memory order, which is also the order of their leaf blocks; boxes are completed
/// on the way up. Prefetching resting spheres gained nothing; moving ones are prefetched
/// (leaf_blocks.cpp, ../decisions.md).

#include <atomic>
#include <base/arena.hpp>
#include <base/background_thread.hpp>
#include <exact/numbers/instruction_sets.hpp>
#include <index/boxes/lane_transpose.hpp>
#include <index/tree/frame_bvh.hpp>
#include <index/tree/outlier_list.hpp>

namespace sphaera::index {

/// The box of a subtree, and the sum of the half-areas of all its boxes, added in a fixed order.
struct Fitted {
  LocalBox box;
  double areas;
};

}  // namespace sphaera::index

SPHAERA_SET_BEGIN
namespace sphaera::index::inline SPHAERA_SET {

/// Gives a node its boxes, sets `all.box` to their union and adds their half-areas to `all.areas`. Sets
/// `before` to the boxes before, and returns the lanes that have moved far.
LaneSet set_boxes(BvhNode& node, const std::array<LocalBox, BvhNode::width>& boxes, BoxLanes& before,
                  Fitted& all) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  before = BoxLanes(node);
  LaneRows low, high;  // x, y, z, unused; unused, x, y, z
  FloatLanes least = FloatLanes{} + infinite, most = FloatLanes{} - infinite;
  for (std::uint32_t lane = 0; lane < BvhNode::width; ++lane) {
    static_assert(sizeof(LocalBox) == 6 * sizeof(float));
    const char* const box = reinterpret_cast<const char*>(&boxes[lane]);
    FloatLanes first, last;
    std::memcpy(&first, box, sizeof first);
    std::memcpy(&last, box + 2 * sizeof(float), sizeof last);
    low.set(lane, first), high.set(lane, last);
    least = first < least ? first : least, most = last > most ? last : most;
  }
  LeafLanes columns[4];
  low.transpose(columns);
  for (std::size_t i = 0; i < 3; ++i) store(node.planes[i][0], columns[i]);
  high.transpose(columns);
  for (std::size_t i = 0; i < 3; ++i) store(node.planes[i][1], columns[i + 1]);
  all.box = {{least[0], least[1], least[2]}, {most[1], most[2], most[3]}};
  const BoxLanes now(node);
  std::array<float, BvhNode::width> areas;
  LeafLanes area;
  now.set_areas(area);
  std::memcpy(&areas, &area, sizeof areas);
  for (const float a : areas) all.areas += static_cast<double>(a);
  return now.far_from<exact::Arithmetic>(before);
}

}  // namespace sphaera::index::inline SPHAERA_SET
SPHAERA_SET_END

#if SPHAERA_ONCE
namespace sphaera::index {

SPHAERA_IN_BOTH_SETS(LaneSet set_boxes(BvhNode& node, const std::array<LocalBox, BvhNode::width>& boxes,
                                       BoxLanes& before, Fitted& all);)

}  // namespace sphaera::index

namespace sphaera::index {
namespace {

constexpr std::uint32_t nodes_per_task = 1024;
/// A subtree of at least this many nodes, about 0.1 ms of work, begins with a pause point.
constexpr std::uint32_t least_nodes_for_pause = 64;

class Refit {
 public:
  Refit(std::span<BvhNode> nodes, const Bvh::Moved& moved, OutlierList* outliers)
      : nodes_(nodes), moved_(moved), outliers_(outliers) {}

  /// Refits the subtree whose nodes are first … end − 1.
  Fitted run(std::uint32_t first, std::uint32_t end) const {
    if (end - first >= least_nodes_for_pause) base::pause_point();
    BvhNode& node = nodes_[first];
    const std::size_t count = node.size();
    std::array<LocalBox, BvhNode::width> boxes;
    Fitted subtree{{}, 0};
    fit_primitives(node, count, boxes);
    if (end - first > nodes_per_task) {
      divide(node, count, end, boxes, subtree.areas);
    } else {
      each_below(node, count, end, [&](std::size_t i, std::uint32_t from, std::uint32_t to) {
        const Fitted fitted = run(from, to);
        boxes[i] = fitted.box, subtree.areas += fitted.areas;
      });
    }
    std::fill(boxes.begin() + static_cast<std::ptrdiff_t>(count), boxes.end(), empty_box());
    finish(node, count, boxes, subtree);
    if (are_equal(boxes[0], boxes[1])) has_equal_boxes_.store(true, std::memory_order_relaxed);
    return subtree;
  }
  /// Are the first two boxes of any node equal?
  bool has_equal_boxes() const { return has_equal_boxes_; }

 private:
  static bool are_equal(const LocalBox& a, const LocalBox& b) {
    return a.lower == b.lower && a.upper == b.upper;
  }

  using Boxes = std::array<LocalBox, BvhNode::width>;

  void fit_primitives(const BvhNode& node, std::size_t count, Boxes& boxes) const {
    std::array<std::uint32_t, BvhNode::width> primitives;
    std::array<std::size_t, BvhNode::width> lanes;
    Boxes found;
    std::size_t n = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (node.children[i].is_primitive()) primitives[n] = node.children[i].index(), lanes[n++] = i;
    moved_.boxes(moved_.self, std::span(primitives).first(n), found.data());
    for (std::size_t i = 0; i < n; ++i) boxes[lanes[i]] = found[i];
  }

  /// Lists primitives that have moved far; `before`: the boxes before.
  [[gnu::noinline]] void list_outliers(const BvhNode& node, LaneSet far, const BoxLanes& before) const {
    if (!outliers_) return;
    for (; far != 0; far &= far - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(far));
      if (const BvhRef child = node.children[lane]; child.is_primitive())
        outliers_->add({moved_.self, child.index(), before.box(lane)});
    }
  }
  /// Calls visit(lane, first, end) for each child node of a node whose subtree ends at `end`. A child's
  /// subtree ends where the next one begins.
  template <class Visit>
  static void each_below(const BvhNode& node, std::size_t count, std::uint32_t end, const Visit& visit) {
    std::size_t next = 0;
    const auto skip_primitives = [&] {
      while (next < count && node.children[next].is_primitive()) ++next;
    };
    skip_primitives();
    while (next < count) {
      const std::size_t lane = next++;
      skip_primitives();
      visit(lane, node.children[lane].index(), next < count ? node.children[next].index() : end);
    }
  }

  void divide(const BvhNode& node, std::size_t count, std::uint32_t end, Boxes& boxes, double& areas) const {
    struct Below {
      std::size_t lane;
      std::uint32_t first, end;
    };
    std::array<Below, BvhNode::width> below;
    std::array<double, BvhNode::width> areas_below;
    std::size_t n = 0;
    each_below(node, count, end, [&](std::size_t lane, std::uint32_t from, std::uint32_t to) {
      below[n++] = {lane, from, to};
    });
    base::parallel_pieces(n, 1, [&](std::size_t i, std::size_t) {
      const Fitted fitted = run(below[i].first, below[i].end);
      boxes[below[i].lane] = fitted.box, areas_below[i] = fitted.areas;
    });
    for (std::size_t i = 0; i < n; ++i) areas += areas_below[i];
  }

  /// Gives a node its boxes, sets `all.box` to their union and adds their half-areas to `all.areas`. Lists
  /// primitives that have moved far.
  void finish(BvhNode& node, std::size_t count, const Boxes& boxes, Fitted& all) const {
    BoxLanes before;
    if (const LaneSet far = SPHAERA_CHOSEN(set_boxes(node, boxes, before, all)); far != 0)
      list_outliers(node, far, before);
    for (std::size_t lane = 0; lane < count; ++lane)
      if (is_empty(boxes[lane])) node.set(lane, point_within(all.box));
  }

  std::span<BvhNode> nodes_;
  const Bvh::Moved& moved_;
  OutlierList* outliers_;
  mutable std::atomic<bool> has_equal_boxes_{false};
};

}  // namespace

double Bvh::refit(const Moved& moved, OutlierList* outliers) {
  if (root_.is_primitive()) {
    LocalBox box;
    const std::uint32_t primitive = root_.index();
    moved.boxes(moved.self, {&primitive, 1}, &box);
    return 0;
  }
  const Refit refit(nodes_.items(), moved, outliers);
  const double areas = refit.run(0, static_cast<std::uint32_t>(nodes_.size())).areas;
  has_equal_boxes_ = refit.has_equal_boxes();
  copy_top();
  return areas;
}

namespace {

/// Moves boxes from the units of one frame to those of another, so that a refit finds the spheres that have
/// jumped.
void convert(Bvh& bvh, const Frame& from, const Frame& to) {
  if (from.center() == to.center() && from.scale() == to.scale()) return;
  const Vec3 shift = to.scale() * (from.center() - to.center());
  bvh.convert(static_cast<float>(to.scale() / from.scale()),
              {static_cast<float>(shift.x), static_cast<float>(shift.y), static_cast<float>(shift.z)});
}

}  // namespace

void FrameBvh::refit(const BoundsAbout* known, OutlierList* outliers) {
  base::parallel_pieces(children_.size(), 1,
                        [&](std::size_t i, std::size_t) { children_[i]->refit(nullptr, outliers); });
  if (is_empty()) return;
  if (known) {
    const Frame before = frame_;
    frame_ = refitted(frame_, *known, [this](const Vec3& about) { return bounds_about(about); });
    if (outliers) convert(bvh_, before, frame_);
  }
  is_unsure_ = !known;
  fit(outliers);
  has_outgrown_ = !known && !has_good_frame();
}

bool FrameBvh::fit_frames() {
  bool below = false;
  for (const auto& child : children_) below |= child->fit_frames();
  if (is_empty()) return false;
  if (below) fit();
  if (has_good_frame()) {
    if (has_outgrown_) areas_ = bvh_.areas();  // changes from beyond the frame were rounded coarsely
    return has_outgrown_ = is_unsure_ = false;
  }
  has_outgrown_ = is_unsure_ = false;
  frame_ = refitted(
      frame_, bounds_about(frame_.center()), [this](const Vec3& about) { return bounds_about(about); }, room);
  fit();
  return true;
}

/// Do the boxes lie within the frame, and is it not much larger than they, or than `refitted` would make it?
/// Boxes are inflated by 20w of the frame's size and rounded by w: the spheres lie within them.
bool FrameBvh::has_good_frame() {
  LocalBox box;
  if (bvh_.root().is_primitive()) {
    const std::uint32_t primitive = bvh_.root().index();
    fit({&primitive, 1}, &box);
  } else {
    box = box_of(bvh_.node(bvh_.root()));
  }
  double least = 0, half_size = 0;
  bool holds = true;
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double half = frame_.scale() * frame_.half_size()[i], lower = static_cast<double>(box.lower[at]),
                 upper = static_cast<double>(box.upper[at]);
    holds &= -half <= lower && upper <= half;
    least = std::max(least, 0.5 * (upper - lower)), half_size = std::max(half_size, half);
  }
  return holds && half_size <= greatest_room * least;
}

void FrameBvh::fit(OutlierList* outliers) {
  const auto boxes_of = [](void* self, std::span<const std::uint32_t> primitives, LocalBox* boxes) {
    static_cast<FrameBvh*>(self)->fit(primitives, boxes);
  };
  areas_ = bvh_.refit({this, boxes_of}, outliers);
  find_stacks();
}

void FrameBvh::fit(std::span<const std::uint32_t> primitives, LocalBox* boxes) {
  fit_all(primitives, boxes);
  if (!is_unsure_) return;
  for (LocalBox& box : std::span(boxes, primitives.size())) box = bounded(box);
}

void FrameBvh::fit_all(std::span<const std::uint32_t> primitives, LocalBox* boxes) {
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    const std::size_t first = i;
    while (i < primitives.size() && !child(primitives[i])) ++i;
    leaves_.refit(primitives.subspan(first, i - first), sphere_set_, frame_, boxes + first);
    if (i == primitives.size()) return;
    const FrameBvh& bvh = *child(primitives[i]);
    boxes[i] = bvh.is_empty() ? empty_box() : frame_.box(bvh.frame_);
  }
}

/// Bounds of the leaf blocks' spheres and of the child frames, which are slightly larger than their spheres.
BoundsAbout FrameBvh::bounds_about(const Vec3& about) const {
  const BoundsAbout own = base::parallel_fold(
      leaves_.size(), BoundsAbout{about},
      [&](std::size_t begin, std::size_t end, const BoundsAbout& start) {
        BoundsAboutSum sum(about);
        for (std::size_t leaf = begin; leaf < end; ++leaf)
          for (const std::uint32_t id : leaves_.ids(leaf))
            if (id != no_sphere) sum.add(exact::Plain{}, sphere_set_, id);
        return united(start, sum.bounds());
      },
      [](const auto& a, const auto& b) { return united(a, b); });
  BoundsAboutSum below(about);
  for (const auto& child : children_)
    if (!child->is_empty()) below.add(child->frame_);
  return united(own, below.bounds());
}

bool FrameBvh::is_empty() const {
  return leaves_.spheres() == 0 &&
         std::ranges::all_of(children_, [](const auto& child) { return child->is_empty(); });
}

void FrameBvh::append_ids(std::vector<std::uint32_t>& ids) const {
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
    for (const std::uint32_t id : leaves_.ids(leaf)) {
      if (id == no_sphere) break;  // the empty lanes come last
      ids.push_back(id);
    }
  }
  for (const std::unique_ptr<FrameBvh>& child : children_) child->append_ids(ids);
}

std::size_t FrameBvh::leaves_below() const {
  std::size_t sum = leaves_.size();
  for (const auto& child : children_) sum += child->leaves_below();
  return sum;
}

/// A refit skips frames without spheres, so their floats are copied even if a refit follows.
void FrameBvh::copy(const FrameBvh& from, Copied copied) {
  const bool all = copied == Copied::all || copied == Copied::all_to_refit;
  const bool floats =
      copied == Copied::all || copied == Copied::fit || (copied != Copied::counts && from.is_empty());
  frame_ = from.frame_, areas_ = from.areas_, built_ = from.built_;
  leaves_.copy(from.leaves_, {.ids = all, .floats = floats});
  if (copied != Copied::counts) bvh_.copy(from.bvh_);
  if (all) children_.resize(from.children_.size());
  for (std::size_t i = 0; i < children_.size(); ++i) {
    if (!children_[i]) children_[i] = std::make_unique<FrameBvh>();
    children_[i]->copy(*from.children_[i], copied);
  }
}

void FrameBvh::point_to(const SphereSet& sphere_set) {
  sphere_set_ = sphere_set;
  for (const auto& child : children_) child->point_to(sphere_set);
}

double FrameBvh::degradation() const {
  double worst = own_cost().degradation_since(built_);
  for (const auto& child : children_) worst = std::max(worst, child->degradation());
  return worst;
}

void FrameBvh::list_degraded(double most, std::size_t leaves, Places& places) {
  for (auto& child : children_) {
    const bool degraded = !child->is_empty() && child->own_cost().degradation_since(child->built_) > most;
    if (degraded && child->leaves_below() <= leaves)
      places.push_back(&child);
    else
      child->list_degraded(most, leaves, places);
  }
}

void FrameBvh::fit_to_children() {
  if (children_.empty()) return;
  for (const auto& child : children_) child->fit_to_children();
  fit();
}

std::uint64_t FrameBvh::bytes() const {
  std::uint64_t bytes = 0;
  each_array([&](const auto& array) { bytes += array.bytes(); }, *this);
  for (const auto& child : children_) bytes += child->bytes();
  return bytes;
}

double FrameBvh::areas() const {
  double sum = own_cost().areas;
  for (const auto& child : children_) sum += child->areas();
  return sum;
}

}  // namespace sphaera::index
#endif
