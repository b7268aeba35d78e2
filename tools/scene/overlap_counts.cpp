#include <tbb/parallel_sort.h>

#include <algorithm>
#include <bit>
#include <exact/predicates/decide.hpp>
#include <tools/scene/overlap_counts.hpp>
#include <tools/scene/scene_layers.hpp>
#include <tools/workload/random.hpp>
#include <tuple>
#include <vector>

namespace sphaera::tool {
namespace {

constexpr std::uint64_t max_checked = 200'000, max_neighbors = 10'000'000;
constexpr std::uint64_t sample_seed = 1;

std::vector<std::uint32_t> ids_on_layers(const Scene& scene, LayerMask mask) {
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < scene.spheres().size(); ++i) {
    if (on_layers(scene, mask, i)) ids.push_back(static_cast<std::uint32_t>(i));
  }
  return ids;
}

/// Equal spheres have equal hashes: −0 counts as 0.
std::uint64_t hash_of(const Sphere& s) {
  std::uint64_t hash = 0;
  for (const double value : {s.center.x, s.center.y, s.center.z, s.radius}) {
    hash = workload::mix(hash + std::bit_cast<std::uint64_t>(value + 0.0));
  }
  return hash;
}

void count_duplicates(std::span<const Sphere> spheres, const std::vector<std::uint32_t>& ids,
                      Survey& survey) {
  struct Item {
    std::uint64_t hash;
    std::uint32_t id;
  };
  std::vector<Item> items;
  items.reserve(ids.size());
  for (const std::uint32_t id : ids) items.push_back({hash_of(spheres[id]), id});
  const auto key = [&](const Item& item) {
    const auto& [c, r] = spheres[item.id];
    return std::tuple(c.x, c.y, c.z, r, item.id);
  };
  tbb::parallel_sort(items, [&](const Item& a, const Item& b) {
    return a.hash != b.hash ? a.hash < b.hash : key(a) < key(b);
  });
  for (std::size_t i = 1; i < items.size(); ++i) {
    const auto [a, b] = std::pair(items[i - 1].id, items[i].id);  // a < b if they are equal
    if (spheres[a] != spheres[b]) continue;
    ++survey.duplicates;
    if (!survey.duplicate || b < survey.duplicate->sphere) survey.duplicate = Pair{b, a};
  }
}

/// The ids in random order, cut to the number that may be checked.
std::vector<std::uint32_t> shuffled(std::vector<std::uint32_t> ids) {
  workload::Random random(sample_seed, workload::Purpose::sphere, 0);
  const std::size_t wanted = std::min<std::size_t>(ids.size(), max_checked);
  for (std::size_t i = 0; i < wanted; ++i) std::swap(ids[i], ids[i + random.bits() % (ids.size() - i)]);
  ids.resize(wanted);
  return ids;
}

void count_overlaps_of(std::span<const Sphere> spheres, std::uint32_t id,
                       std::span<const std::int64_t> neighbors, exact::Counts& counts, Survey& survey) {
  const Sphere& sphere = spheres[id];
  bool nested = false;
  for (const std::int64_t other : neighbors) {
    const Sphere& larger = spheres[static_cast<std::size_t>(other)];
    if (!(sphere.radius < larger.radius)) continue;
    if (exact::sign_nesting({sphere.center, sphere.radius}, {larger.center, larger.radius}, counts) > 0)
      continue;
    nested = true;
    if (!survey.nest || id < survey.nest->sphere) survey.nest = Pair{id, other};
    break;
  }
  ++survey.neighbors_checked;
  survey.nested += nested;
  survey.touching += neighbors.size() > 1;  // one is the sphere itself
}

void count_neighbors(const Scene& scene, const std::vector<std::uint32_t>& ids, const SurveyOptions& options,
                     Survey& survey) {
  constexpr std::size_t max_at_once = 1 << 14;
  exact::Counts counts;
  std::uint64_t found = 0;
  std::size_t batch = 1;  // grows as long as neighbors are few: a sphere may touch all others
  for (std::size_t begin = 0; begin < ids.size() && found < max_neighbors; begin += batch) {
    if (begin > 0) {
      const std::uint64_t affordable = (max_neighbors - found) / std::max<std::uint64_t>(1, found / begin);
      batch = std::clamp<std::size_t>(affordable, 1, std::min(2 * batch, max_at_once));
    }
    const auto chosen = std::span(ids).subspan(begin, std::min(batch, ids.size() - begin));
    std::vector<Ball> balls;
    for (const std::uint32_t id : chosen)
      balls.push_back({scene.spheres()[id].center, scene.spheres()[id].radius});
    const IdLists neighbors = scene.within(balls, {.layers = options.layers, .stop = options.stop});
    found += neighbors.items.size();
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      count_overlaps_of(scene.spheres(), chosen[i], neighbors[i], counts, survey);
    }
    if (options.progress)
      options.progress(static_cast<double>(begin + chosen.size()) / static_cast<double>(ids.size()));
  }
}

}  // namespace

Survey survey(const Scene& scene, const SurveyOptions& options) {
  Survey survey;
  std::vector<std::uint32_t> ids = ids_on_layers(scene, options.layers);
  survey.spheres = ids.size();
  count_duplicates(scene.spheres(), ids, survey);
  count_neighbors(scene, shuffled(std::move(ids)), options, survey);
  return survey;
}

}  // namespace sphaera::tool
