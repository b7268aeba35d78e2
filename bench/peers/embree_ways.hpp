#pragma once
/// \file The ways in which a batch is passed to Embree, with one loop for all peers.

#include <bench/measure/engine.hpp>
#include <bench/peers/embree_calls.hpp>
#include <bench/peers/morton_order.hpp>

namespace sphaera::bench {

/// So many rays are prepared together. Streams have this length: Embree's renderers take 64 to 256.
inline constexpr std::size_t rays_together = 256;

/// Answers rays [begin, end) of an order. `Lanes`, one per thread, starts with the RayContext; set(lane, ray)
/// makes the float ray, answer(lane, found) an element of `out`.
template <class Single, class Lanes, class Out>
class Piece {
 public:
  Piece(RTCScene scene, Lanes& lanes, std::span<const Ray> rays, std::span<Out> out)
      : scene_(scene), lanes_(lanes), rays_(rays), out_(out) {}

  void add(std::size_t number) { numbers_[size_++] = static_cast<std::uint32_t>(number); }

  void ask(Way way) {
    init_context(lanes_.context);
    switch (way) {
      case Way::one_by_one:
        return ask_one_by_one();
      case Way::packets_of_8:
        return ask_packets<8>();
      case Way::packets_of_16:
        return ask_packets<16>();
      case Way::streams:
      case Way::coherent_streams:
        return ask_stream(way == Way::coherent_streams);
    }
  }

 private:
  RTCRay ray(std::size_t lane) const {
    RTCRay ray = lanes_.set(lane, rays_[numbers_[lane]]);
    ray.id = static_cast<unsigned>(lane);
    return ray;
  }
  void put(std::size_t lane, const Found& found) const { lanes_.answer(lane, found, out_[numbers_[lane]]); }

  void ask_one_by_one() {
    for (std::size_t lane = 0; lane < size_; ++lane) {
      Single single;
      put_ray(single, ray(lane));
      call(scene_, single, lanes_.context);
      put(lane, found(single));
    }
  }

  template <int K>
  void ask_packets() {
    for (std::size_t begin = 0; begin < size_; begin += K) {
      alignas(4 * K) PacketOf<Single, K> packet;
      alignas(4 * K) int valid[K];
      const int count = static_cast<int>(std::min<std::size_t>(K, size_ - begin));
      for (int k = 0; k < K; ++k) {
        valid[k] = k < count ? -1 : 0;
        put_lane(packet, k, ray(begin + static_cast<std::size_t>(std::min(k, count - 1))));
      }
      call(valid, scene_, packet, lanes_.context);
      for (int k = 0; k < count; ++k) put(begin + static_cast<std::size_t>(k), found(packet, k));
    }
  }

  void ask_stream(bool coherent) {
    alignas(64) Single stream[rays_together];
    for (std::size_t lane = 0; lane < size_; ++lane) put_ray(stream[lane], ray(lane));
    call_stream(scene_, stream, static_cast<unsigned>(size_), lanes_.context, coherent);
    for (std::size_t lane = 0; lane < size_; ++lane) put(lane, found(stream[lane]));
  }

  RTCScene scene_;
  Lanes& lanes_;
  std::span<const Ray> rays_;
  std::span<Out> out_;
  std::size_t size_ = 0;
  std::uint32_t numbers_[rays_together];
};

/// Answers a batch in the caller's arena. `order`: sorts the rays first; null: takes them as they come.
template <class Single, class Lanes, class Out>
void ask_in_way(RTCScene scene, Way way, MortonOrder* order, std::span<const Ray> rays, std::span<Out> out) {
  if (order) order->sort(rays);
  const std::size_t pieces = (rays.size() + rays_together - 1) / rays_together;
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t k) {
    thread_local Lanes lanes;
    Piece<Single, Lanes, Out> piece(scene, lanes, rays, out);
    for (std::size_t i = k * rays_together; i < std::min(rays.size(), (k + 1) * rays_together); ++i)
      piece.add(order ? (*order)[i] : i);
    piece.ask(way);
  });
}

template <class Lanes>
class InWay;

/// A peer on an Embree scene that answers any and first hits by Lanes (Piece).
template <class Lanes>
class EmbreeEngine : public Engine {
 public:
  void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out) const override {
    ask<RTCRay>(Way::one_by_one, nullptr, rays, out);
  }
  void first_hit(std::span<const Ray> rays, std::span<Hit> out) const override {
    ask<RTCRayHit>(Way::one_by_one, nullptr, rays, out);
  }
  std::unique_ptr<Engine> in_way(Way way, bool sorts) const override {
    return std::make_unique<InWay<Lanes>>(*this, way, sorts);
  }
  template <class Single, class Out>
  void ask(Way way, MortonOrder* order, std::span<const Ray> rays, std::span<Out> out) const {
    ask_in_way<Single, Lanes>(peer_.scene(), way, order, rays, out);
  }

 protected:
  EmbreePeer peer_;
};

/// The peer, as it is asked in one way.
template <class Lanes>
class InWay final : public Engine {
 public:
  InWay(const EmbreeEngine<Lanes>& peer, Way way, bool sorts) : peer_(peer), way_(way), sorts_(sorts) {}

  InsideStart inside_start() const override { return peer_.inside_start(); }
  bool rate_depends_on_batch() const override { return true; }
  void build(std::span<const Sphere>) override {}  // the peer is built
  double bytes() const override { return peer_.bytes(); }
  void blocked(std::span<const Ray> rays, std::span<std::uint8_t> out) const override {
    peer_.template ask<RTCRay>(way_, sorts_ ? &order_ : nullptr, rays, out);
  }
  void first_hit(std::span<const Ray> rays, std::span<Hit> out) const override {
    peer_.template ask<RTCRayHit>(way_, sorts_ ? &order_ : nullptr, rays, out);
  }
  HitLists all_hits(std::span<const Ray> rays) const override { return peer_.all_hits(rays); }

 private:
  const EmbreeEngine<Lanes>& peer_;
  Way way_;
  bool sorts_;
  mutable MortonOrder order_;
};

}  // namespace sphaera::bench
