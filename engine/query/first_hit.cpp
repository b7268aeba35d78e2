#include <query/path/hit_block.hpp>
#include <query/path/path_answers.hpp>

namespace sphaera {
namespace {

/// The answers of a batch.
template <class Input, class Item>
class FirstHits : public query::PathAnswers {
 public:
  template <class ScenePath>
  using Walk = query::FirstAlong<ScenePath>;
  static constexpr auto walk_order = query::WalkOrder::coherent;

  FirstHits(const query::SceneState& state, const query::QueryPiece<Input>& piece, std::span<Item> out)
      : out_(out), hits_(piece.inputs, state.spheres.span()) {}

  std::span<Item> rows() const { return out_; }
  void put(std::size_t i, const Walk<query::PathAtRest>& walk) {
    out_[i] = {};
    hits_.add(i, walk.first, out_.data(), i);
  }
  void put(std::size_t i, const Walk<query::PathAtInstant>& walk) {
    out_[i] = {};
    if (walk.first.contact != Contact::miss) query::put_hit(out_[i], walk.scene_path, walk.first);
  }
  void finish() { hits_.write(out_.data()); }

 private:
  std::span<Item> out_;
  query::HitBlock<Input, Item> hits_;
};

template <class Item>
struct FirstHit : query::PathAnswers {
  template <class ScenePath>
  using Walk = query::FirstAlong<ScenePath>;
  Item hit;

  template <class Walk>
  void put(std::size_t, const Walk& walk) {
    if (walk.first.contact != Contact::miss) query::put_hit(hit, walk.scene_path, walk.first);
  }
};

}  // namespace

void Scene::first_hit(std::span<const Ray> rays, std::span<Hit> out, const QueryOptions& options) const {
  query::answer_batch<FirstHits<Ray, Hit>>(state(), rays, out, options);
}
void Scene::first_hit(std::span<const Segment> segments, std::span<Hit> out,
                      const QueryOptions& options) const {
  query::answer_batch<FirstHits<Segment, Hit>>(state(), segments, out, options);
}
std::vector<Hit> Scene::first_hit(std::span<const Ray> rays, const QueryOptions& options) const {
  return query::filled<Hit>(rays.size(), [&](auto out) { first_hit(rays, out, options); });
}
std::vector<Hit> Scene::first_hit(std::span<const Segment> segments, const QueryOptions& options) const {
  return query::filled<Hit>(segments.size(), [&](auto out) { first_hit(segments, out, options); });
}
Hit Scene::first_hit(const Ray& ray, const QueryOptions& options) const {
  return query::answer_single<FirstHit<Hit>>(state(), ray, options).hit;
}
Hit Scene::first_hit(const Segment& segment, const QueryOptions& options) const {
  return query::answer_single<FirstHit<Hit>>(state(), segment, options).hit;
}

void Scene::first_surface_hit(std::span<const Ray> rays, std::span<SurfaceHit> out,
                              const QueryOptions& options) const {
  query::answer_batch<FirstHits<Ray, SurfaceHit>>(state(), rays, out, options);
}
void Scene::first_surface_hit(std::span<const Segment> segments, std::span<SurfaceHit> out,
                              const QueryOptions& options) const {
  query::answer_batch<FirstHits<Segment, SurfaceHit>>(state(), segments, out, options);
}
std::vector<SurfaceHit> Scene::first_surface_hit(std::span<const Ray> rays,
                                                 const QueryOptions& options) const {
  return query::filled<SurfaceHit>(rays.size(), [&](auto out) { first_surface_hit(rays, out, options); });
}
std::vector<SurfaceHit> Scene::first_surface_hit(std::span<const Segment> segments,
                                                 const QueryOptions& options) const {
  return query::filled<SurfaceHit>(segments.size(),
                                   [&](auto out) { first_surface_hit(segments, out, options); });
}
SurfaceHit Scene::first_surface_hit(const Ray& ray, const QueryOptions& options) const {
  return query::answer_single<FirstHit<SurfaceHit>>(state(), ray, options).hit;
}
SurfaceHit Scene::first_surface_hit(const Segment& segment, const QueryOptions& options) const {
  return query::answer_single<FirstHit<SurfaceHit>>(state(), segment, options).hit;
}

}  // namespace sphaera
