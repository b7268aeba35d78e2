#pragma once
/// \file The images of spheres that meet a ball in a periodic box.

#include <query/batch/batch.hpp>
#include <query/batch/leaf_visit.hpp>
#include <query/neighbors/periodic_box.hpp>

namespace sphaera::query {

/// A walk through the spheres whose images of one shift meet a ball: calls found.add_image(id) for each, or
/// found.add(id) if Found has no such function. If Found has takes(id, image), it may refuse one.
template <class Found>
struct ImageWalk : index::PointWalk, SphereFilter {
  exact::Counts counts;
  const PeriodicBox& box;
  const Ball& ball;
  Vec3 shift;
  Found& found;

  ImageWalk(const PeriodicBox& in, const Ball& b, const PeriodicBox::Images& images,
            const SphereFilter& filter, Found& f)
      : PointWalk(images.point, callbacks_of<ImageWalk>()),
        SphereFilter(filter),
        box(in),
        ball(b),
        shift(images.shift),
        found(f) {
    search_radius = sum_limit(b.radius, images.slack);
  }

  template <class Arithmetic>
  index::TraversalControl test(std::uint32_t id) {
    if (admits(id) && box.nearest_shift(ball.center, spheres[id].center) == shift) {
      const exact::SphereAtInstant image = image_of(spheres[id], shift);
      if (exact::sign_gap(ball, image, counts) <= 0 && takes(id, image) && accepts(id)) add(id);
    }
    return index::TraversalControl::go_on;
  }

 private:
  void add(std::uint32_t id) {
    if constexpr (requires { found.add_image(id); })
      found.add_image(id);
    else
      found.add(id);
  }
  bool takes(std::uint32_t id, const exact::SphereAtInstant& image) {
    if constexpr (requires { found.takes(id, image); })
      return found.takes(id, image);
    else
      return true;
  }
};

/// Adds the spheres of which an image meets the ball of query i. Those that meet it themselves have no nearer
/// image (proof 1).
template <class Found>
void find_images_in_ball(const SceneState& state, const PeriodicBox& box, const Ball& ball,
                         const QueryOptions& options, std::size_t i, Found& found, QueryStats& stats) {
  box.each(ball.center, ball.radius, [&](const PeriodicBox::Images& images) {
    ImageWalk<Found> walk(box, ball, images, {state, options, i}, found);
    find_around(state, options, walk);
    count(walk, stats);
  });
}

}  // namespace sphaera::query
