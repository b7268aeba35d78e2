/// \file Binary trees as nodes of eight: the areas are the least, by trying every way.

#include <algorithm>
#include <index/build/binary_tree.hpp>
#include <limits>
#include <map>
#include <vector>

#include "catch.hpp"
#include "seed.hpp"

namespace sphaera {
namespace {

using index::Branch;
using index::BranchRef;
using index::BvhNode;
using index::Hull;
using index::Part;

constexpr std::uint32_t width = BvhNode::width;

Part packet(std::uint32_t place, std::mt19937_64& random) {
  std::uniform_real_distribution<float> at(-1, 1), size(0, 0.3f);
  const float x = at(random), y = at(random), z = at(random), r = size(random);
  const Hull hull({{x - r, y - r, z - r}, place, {-x - r, -y - r, -z - r}, 0});
  return {{nullptr, place, 1}, hull, hull.area(), 1};
}

/// A tree of so many packets, even or not. `hulls` are those of its branches, in their order.
Part tree(std::uint32_t first, std::uint32_t count, std::vector<Branch>& branches, std::vector<Hull>& hulls,
          std::mt19937_64& random) {
  if (count == 1) return packet(first, random);
  const std::uint32_t left = 1 + static_cast<std::uint32_t>(random() % (count - 1));
  const Part a = tree(first, left, branches, hulls, random),
             b = tree(first + left, count - left, branches, hulls, random);
  branches.emplace_back();
  const Part whole = join(a, b, branches.back());
  hulls.push_back(whole.hull);
  return whole;
}

struct Forest {
  const std::vector<Branch>& branches;
  const std::vector<Hull>& hulls;

  double area(const Branch* branch) const {
    return static_cast<double>(hulls[static_cast<std::size_t>(branch - branches.data())].area());
  }
  /// The least area of nodes in a subtree that is n of a node's children or fewer.
  double least(const BranchRef& ref, std::uint32_t n) const {
    if (!ref.branch) return 0;
    const double closed = area(ref.branch) + least_opened(*ref.branch, width);
    return n == 1 ? closed : std::min(closed, least_opened(*ref.branch, n));
  }
  double least_opened(const Branch& branch, std::uint32_t n) const {
    const auto [known, is_new] = known_.try_emplace({&branch, n});
    if (is_new) known->second = find_least_opened(branch, n);
    return known->second;
  }
  double find_least_opened(const Branch& branch, std::uint32_t n) const {
    double least_sum = std::numeric_limits<double>::infinity();
    for (std::uint32_t k = 1; k < n; ++k)
      least_sum = std::min(least_sum, least(branch.children[0], k) + least(branch.children[1], n - k));
    return least_sum;
  }
  /// Of the nodes that there are, and how many; counts packets.
  double laid_out(const Branch& branch, std::uint32_t& nodes, std::vector<int>& packets) const {
    double sum = area(&branch);
    ++nodes;
    const index::Opened opened(branch);
    CHECK(opened.children().size() >= 2);
    CHECK(opened.children().size() <= width);
    CHECK(std::ranges::is_sorted(opened.children(), std::greater{}, &index::Opened::Child::opacity));
    for (const auto& child : opened.children()) {
      if (child.ref.branch) {
        sum += laid_out(*child.ref.branch, nodes, packets);
      } else {
        ++packets.at(child.ref.first);
      }
    }
    return sum;
  }

  mutable std::map<std::pair<const Branch*, std::uint32_t>, double> known_{};
};

}  // namespace

TEST_CASE("branches become the nodes whose areas sum up to the least", "[index]") {
  std::mt19937_64 random(test::seed());
  for (int round = 0; round < 300; ++round) {
    const auto count = 2 + static_cast<std::uint32_t>(random() % 17);
    std::vector<Branch> branches;
    std::vector<Hull> hulls;
    branches.reserve(count);
    const Part root = tree(0, count, branches, hulls, random);
    const Forest forest{branches, hulls};
    std::uint32_t nodes = 0;
    std::vector<int> packets(count);
    const double sum = forest.laid_out(*root.ref.branch, nodes, packets);
    INFO(count << " packets");
    CHECK(sum == Approx(forest.least(root.ref, 1)).epsilon(1e-5));
    CHECK(static_cast<double>(root.cost[0]) == Approx(sum).epsilon(1e-5));
    CHECK(nodes == root.nodes[0]);
    CHECK(nodes == root.ref.branch->nodes);
    CHECK(std::ranges::count(packets, 1) == static_cast<std::ptrdiff_t>(count));
  }
}

TEST_CASE("branches are laid out whatever their areas are", "[index]") {
  // Areas that are infinite or no number decide nothing, but every packet keeps its place.
  constexpr float infinite = std::numeric_limits<float>::infinity();
  for (const float r : {0.f, 1e30f, infinite, std::numeric_limits<float>::quiet_NaN()}) {
    std::array<Branch, 20> branches;
    const auto at = [&](std::uint32_t place) {
      const Hull hull({{-r, -r, -r}, place, {-r, -r, -r}, 0});
      return Part{{nullptr, place, 1}, hull, hull.area(), 1};
    };
    Part part = at(0);
    for (std::uint32_t i = 0; i < branches.size(); ++i) part = join(part, at(i + 1), branches[i]);
    std::vector<const Branch*> open{part.ref.branch};
    std::uint32_t packets = 0, nodes = 0;
    while (!open.empty()) {
      const index::Opened opened(*open.back());
      open.pop_back(), ++nodes;
      for (const auto& child : opened.children()) {
        if (child.ref.branch) {
          open.push_back(child.ref.branch);
        } else {
          ++packets;
        }
      }
    }
    CHECK(packets == branches.size() + 1);
    CHECK(nodes == part.nodes[0]);
  }
}

}  // namespace sphaera
