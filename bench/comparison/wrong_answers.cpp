#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <bench/comparison/wrong_answers.hpp>
#include <bench/peers/naive/certified.hpp>
#include <iterator>

namespace sphaera::bench {
namespace {

using Ids = std::vector<std::int64_t>;

/// The spheres that an engine reports for ray i: none, the first, or all in order.
Ids named(Query query, const Answers& answers, std::size_t i) {
  Ids ids;
  if (query == Query::all_hits) {
    for (const Hit& hit : answers.all[i]) ids.push_back(hit.sphere);
  } else if (answers.first[i].sphere >= 0) {
    ids.push_back(answers.first[i].sphere);
  }
  return ids;
}

bool alike(Query query, const Answers& a, const Answers& b, std::size_t i) {
  switch (query) {
    case Query::blocked:
      return a.blocked[i] == b.blocked[i];
    case Query::first_hit:
      return a.first[i].sphere == b.first[i].sphere;
    case Query::all_hits:
      break;
  }
  return std::ranges::equal(a.all[i], b.all[i], {}, &Hit::sphere, &Hit::sphere);
}

struct Truth {
  Ids hit_ids;  ///< reported spheres that the ray hits, in order
  bool starts_inside = false;
};

Truth truth_of(const Ray& ray, std::span<const Sphere> spheres, Ids claims) {
  std::ranges::sort(claims);
  claims.erase(std::unique(claims.begin(), claims.end()), claims.end());
  Truth truth;
  const CertifiedRay prepared(ray);
  for (const std::int64_t id : claims) {
    const Sphere& sphere = spheres[static_cast<std::size_t>(id)];
    const CertifiedHit hit = certified_hit(prepared, sphere);
    if (!hit.is_hit) continue;
    truth.hit_ids.push_back(id);
    truth.starts_inside |= hit.starts_inside;
  }
  std::ranges::stable_sort(truth.hit_ids, [&](std::int64_t a, std::int64_t b) {
    return enters_before(ray, spheres[static_cast<std::size_t>(a)], spheres[static_cast<std::size_t>(b)]);
  });
  return truth;
}

/// All spheres that the ray hits, by ascending id: brute force, without an engine.
Ids hit_spheres(const Ray& ray, std::span<const Sphere> spheres) {
  const CertifiedRay prepared(ray);
  Ids ids;
  for (std::size_t id = 0; id < spheres.size(); ++id)
    if (certified_hit(prepared, spheres[id]).is_hit) ids.push_back(static_cast<std::int64_t>(id));
  return ids;
}

/// Rays between two samples, so that the samples' tests take about as long as a round of answers.
std::size_t sample_step(std::size_t ray_count, std::size_t sphere_count) {
  constexpr std::size_t tests = 200'000'000, fewest = 16, most = 2'000;
  const std::size_t samples = std::clamp(tests / std::max<std::size_t>(sphere_count, 1), fewest, most);
  return std::max<std::size_t>(ray_count / samples, 1);
}

/// True if the engine's answer for ray i is correct.
bool is_right(Query query, const Answers& answers, std::size_t i, const Truth& truth) {
  if (query == Query::blocked) return (answers.blocked[i] != 0) == !truth.hit_ids.empty();
  const Ids said = named(query, answers, i);
  if (query == Query::all_hits) return said == truth.hit_ids;
  return said.empty() ? truth.hit_ids.empty()
                      : !truth.hit_ids.empty() && said.front() == truth.hit_ids.front();
}

/// The engine's first hits, to name the spheres behind its any-hit answers.
Answers with_spheres(std::span<const Ray> rays, const Engine& engine) {
  Answers answers;
  answers.first.resize(rays.size());
  engine.first_hit(rays, answers.first);
  return answers;
}

}  // namespace

WrongAnswers judge(Query query, std::span<const Sphere> spheres, std::span<const Ray> rays,
                   const EngineAnswers& reference, const EngineAnswers& peer) {
  const std::size_t step = sample_step(rays.size(), spheres.size());
  std::vector<std::size_t> places;
  HugeVector<Ray> asked;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (i % step != 0 && alike(query, reference.answers, peer.answers, i)) continue;
    places.push_back(i);
    asked.push_back(rays[i]);
  }
  const bool yes_or_no = query == Query::blocked;
  Answers a, b;
  if (yes_or_no) a = with_spheres(asked, reference.engine), b = with_spheres(asked, peer.engine);
  const auto claims = [&](std::size_t k) {
    const std::size_t i = places[k];
    if (i % step == 0) return hit_spheres(rays[i], spheres);
    Ids ids = yes_or_no ? named(Query::first_hit, a, k) : named(query, reference.answers, i);
    std::ranges::copy(yes_or_no ? named(Query::first_hit, b, k) : named(query, peer.answers, i),
                      std::back_inserter(ids));
    return ids;
  };
  std::atomic<std::size_t> reference_wrong{0}, peer_wrong{0};
  tbb::parallel_for(std::size_t{0}, places.size(), [&](std::size_t k) {
    const std::size_t i = places[k];
    const Truth truth = truth_of(rays[i], spheres, claims(k));
    reference_wrong += !is_right(query, reference.answers, i, truth);
    const bool excused = truth.starts_inside && peer.engine.inside_start() == InsideStart::differs;
    peer_wrong += !excused && !is_right(query, peer.answers, i, truth);
  });
  return {reference_wrong, peer_wrong};
}

}  // namespace sphaera::bench
