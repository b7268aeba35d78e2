#include <bench/measure/engine.hpp>

namespace sphaera::bench {
namespace {

class SphaeraEngine : public Engine {
 public:
  explicit SphaeraEngine(BuildQuality quality, Search search = Search::index, bool builds_star_index = true)
      : quality_(quality), search_(search), builds_star_index_(builds_star_index) {}

  bool rate_depends_on_batch() const override { return true; }
  void build(std::span<const Sphere> spheres) override {
    scene_ = Scene::build(spheres, {.quality = quality_});
    // The first query builds Embree's index.
    if (search_ == Search::embree) (void)scene_.blocked(Ray{{}, {1, 0, 0}}, options());
  }

  double bytes() const override {
    const SceneInfo info = scene_.info();
    const std::uint64_t index = search_ == Search::embree ? info.embree_bytes : info.index_bytes;
    return static_cast<double>(info.sphere_bytes + index - info.spheres * sizeof(Sphere));
  }

  double peak_bytes() const override {
    const SceneInfo info = scene_.info();
    return static_cast<double>(info.sphere_bytes + info.index_peak_bytes);
  }

  void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out) const override {
    scene_.blocked(rays, out, options());
  }
  void first_hit(std::span<const Ray> rays, std::span<Hit> out) const override {
    scene_.first_hit(rays, out, options());
  }
  HitLists all_hits(std::span<const Ray> rays) const override { return scene_.all_hits(rays, options()); }

  std::optional<QueryStats> count(Query query, std::span<const Ray> rays) const override {
    QueryStats stats;
    QueryOptions options = this->options();
    options.stats = &stats;
    switch (query) {
      case Query::blocked:
        (void)scene_.blocked(rays, options);
        break;
      case Query::first_hit:
        (void)scene_.first_hit(rays, options);
        break;
      case Query::all_hits:
        (void)scene_.all_hits(rays, options);
        break;
    }
    return stats;
  }

 private:
  /// A batch with a Scratch builds no index of a star.
  QueryOptions options() const {
    return {.search = search_, .scratch = builds_star_index_ ? nullptr : &scratch_};
  }

  BuildQuality quality_;
  Search search_;
  bool builds_star_index_;
  mutable Scratch scratch_;

 protected:
  Scene scene_;
};

/// One ray a call, as the peers are asked.
class SphaeraSingle final : public SphaeraEngine {
 public:
  SphaeraSingle() : SphaeraEngine(BuildOptions{}.quality) {}

  bool rate_depends_on_batch() const override { return false; }
  void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i) out[i] = scene_.blocked(rays[i]);
  }
  void first_hit(std::span<const Ray> rays, std::span<Hit> out) const override {
    for (std::size_t i = 0; i < rays.size(); ++i) out[i] = scene_.first_hit(rays[i]);
  }
};

}  // namespace

std::unique_ptr<Engine> make_sphaera() { return std::make_unique<SphaeraEngine>(BuildOptions{}.quality); }
std::unique_ptr<Engine> make_sphaera_fast() { return std::make_unique<SphaeraEngine>(BuildQuality::fast); }
std::unique_ptr<Engine> make_sphaera_compact() {
  return std::make_unique<SphaeraEngine>(BuildQuality::compact);
}
std::unique_ptr<Engine> make_sphaera_embree() {
  return std::make_unique<SphaeraEngine>(BuildOptions{}.quality, Search::embree);
}
std::unique_ptr<Engine> make_sphaera_no_star() {
  return std::make_unique<SphaeraEngine>(BuildOptions{}.quality, Search::index, false);
}
std::unique_ptr<Engine> make_sphaera_single() { return std::make_unique<SphaeraSingle>(); }

}  // namespace sphaera::bench
