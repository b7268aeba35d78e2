#include <base/arena.hpp>
#include <index/builder/binned_cut.hpp>
#include <index/builder/leaf_order.hpp>
#include <index/builder/parallel_partition.hpp>
#include <iterator>

namespace sphaera::index {
namespace {

constexpr std::size_t grain = 1 << 14;
/// Cuts in sequence, after which parts are halved in their order: no scene makes the recursion deep.
constexpr unsigned max_part_cuts = 32;

}  // namespace

LeafOrder::LeafOrder(Device& device, const SphereSubset& members, const Frame& frame,
                     const ProgressRange& progress, std::size_t boxes_at_once)
    : device_(device), sphere_set_(members.sphere_set), frame_(frame), progress_(progress) {
  const std::size_t n = members.size(), at_once = std::min(n, boxes_at_once);
  reserve(n * sizeof(std::uint32_t));
  const Reservation reserved(device, at_once * sizeof(SphereBox));
  order_ = base::HugeArray<std::uint32_t>(n);
  base::parallel_pieces(n, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) order_.data()[i] = members.id(i);
  });
  base::HugeArray<SphereBox> boxes(at_once);
  if (n > 0)
    divide(order_.items(), boxes.items(), 0);
  else
    progress_.finish();
}

void LeafOrder::reserve(std::uint64_t bytes) {
  device_.reserve(bytes);
  reserved_ += bytes;
}

SphereBox LeafOrder::box(std::uint32_t id) const {
  const auto corner = [](const Vec3& v) {
    return std::array{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  };
  const Bounds swept = sphere_set_.swept(id, frame_.center());
  return {corner(frame_.scale() * swept.lower), id, corner(-frame_.scale() * swept.upper), 0};
}

void LeafOrder::divide(std::span<std::uint32_t> ids, std::span<SphereBox> boxes, unsigned depth) {
  if (ids.size() <= boxes.size()) return group_part(ids, boxes.first(ids.size()));
  const std::size_t middle = depth < max_part_cuts ? middle_of(ids) : ids.size() / 2;
  divide(ids.first(middle), boxes, depth + 1);
  divide(ids.subspan(middle), boxes, depth + 1);
}

/// Moves the ids on one side of the best cut to the front. Returns their number, or half of all if no cut
/// separates them.
std::size_t LeafOrder::middle_of(std::span<std::uint32_t> ids) const {
  std::vector<SphereBox> sample;
  each_sample(ids.size(), stride_for(ids.size(), sampled_boxes),
              [&](std::size_t i) { sample.push_back(box(ids[i])); });
  const std::optional<BeforeCut> before = best_cut(sample, 1);
  const std::size_t first = before ? partition(ids, [&](std::uint32_t id) { return (*before)(box(id)); }) : 0;
  return first > 0 && first < ids.size() ? first : ids.size() / 2;
}

void LeafOrder::group_part(std::span<std::uint32_t> ids, std::span<SphereBox> boxes) {
  base::parallel_pieces(ids.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) boxes[i] = box(ids[i]);
  });
  const auto first = static_cast<std::size_t>(ids.data() - order_.data());
  const auto share = [&](std::size_t spheres) {
    return static_cast<double>(spheres) / static_cast<double>(order_.size());
  };
  std::vector<LeafBlockTree> blocks = group(boxes, progress_.part(share(first), share(first + ids.size())),
                                            static_cast<std::uint32_t>(first));
  reserve(bytes_of(blocks));
  std::ranges::move(blocks, std::back_inserter(blocks_));
  base::parallel_pieces(ids.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ids[i] = boxes[i].id;
  });
}

}  // namespace sphaera::index
