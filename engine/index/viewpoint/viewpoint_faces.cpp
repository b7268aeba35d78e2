#include <base/arena.hpp>
#include <exact/numbers/dispatch.hpp>
#include <index/viewpoint/viewpoint_faces.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace sphaera::index {
namespace {

/// The balls of one piece of the spheres, or of all, in each face.
struct FaceCounts {
  std::array<FaceBounds, cube_faces> bounds;
  std::array<std::size_t, cube_faces> counts{};
};

/// The spheres of a star's index, and where the boxes of each piece begin in each face.
class Entries {
 public:
  Entries(const FaceProjection& projection, const SphereSubset& members)
      : projection_(projection),
        members_(members),
        pieces_((members.size() + spheres_per_task - 1) / spheres_per_task) {
    base::parallel_pieces(members.size(), spheres_per_task, [&](std::size_t begin, std::size_t end) {
      FaceCounts& piece = pieces_[begin / spheres_per_task];
      each(begin, end, [&](std::uint32_t face, const BallImage& image, std::uint32_t) SPHAERA_INLINE_LAMBDA {
        piece.bounds[face].add(image);
        ++piece.counts[face];
      });
    });
    for (FaceCounts& piece : pieces_) {
      for (std::size_t face = 0; face < cube_faces; ++face) {
        all_.bounds[face].add(piece.bounds[face]);
        all_.counts[face] += std::exchange(piece.counts[face], all_.counts[face]);
      }
    }
  }

  const FaceCounts& all() const { return all_; }

  /// The boxes by which balls are grouped: rectangles in local units. Ways are parallel to the third axis, so
  /// only areas across it count (../decisions.md).
  base::HugeArray<SphereBox> boxes(std::uint32_t wanted, const FaceFrame& frame) const {
    base::HugeArray<SphereBox> boxes(all_.counts[wanted]);
    const auto local = [](double x) { return static_cast<float>(x); };
    base::parallel_pieces(members_.size(), spheres_per_task, [&](std::size_t begin, std::size_t end) {
      SphereBox* next = boxes.data() + pieces_[begin / spheres_per_task].counts[wanted];
      each(begin, end,
           [&](std::uint32_t face, const BallImage& image, std::uint32_t id) SPHAERA_INLINE_LAMBDA {
             if (face != wanted) return;
             const auto& [lower, upper] = std::tie(image.lower, image.upper);
             *next++ = {{local(frame.local_u(lower[0])), local(frame.local_v(lower[1])), 0},
                        id,
                        {local(-frame.local_u(upper[0])), local(-frame.local_v(upper[1])), 0},
                        0};
           });
    });
    return boxes;
  }

 private:
  template <class Visit>
  SPHAERA_INLINE void each(std::size_t begin, std::size_t end, const Visit& visit) const {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t id = members_.id(i);
      projection_.each_image(members_.sphere_set.spheres[id],
                             [&](std::uint32_t face, const BallImage& image)
                                 SPHAERA_INLINE_LAMBDA { visit(face, image, id); });
    }
  }

  const FaceProjection& projection_;
  SphereSubset members_;
  std::vector<FaceCounts> pieces_;  // counts: where the piece's boxes begin
  FaceCounts all_;
};

}  // namespace

ViewpointFaces::ViewpointFaces(const Viewpoint& star, const SphereSubset& members,
                               const BuildControl& control, double inflation_share)
    : place_(star), projection_(star, members) {
  BuildControl fast = control;  // walks are as short as in a balanced one (../decisions.md)
  fast.quality = BuildQuality::fast;
  Device device(fast);
  const Entries entries(projection_, members);
  const FaceCounts& all = entries.all();
  const ProgressRange progress{&fast};
  std::size_t sum = 0;
  for (const std::size_t count : all.counts) sum += count;
  for (const FaceBounds& face : all.bounds) nearest_ = std::min(nearest_, face.near);
  base::parallel_pieces(cube_faces, 1, [&](std::size_t i, std::size_t) {
    if (all.counts[i] == 0) return;
    const auto face = static_cast<std::uint32_t>(i);
    const FaceFrame frame(all.bounds[i], projection_.kind(), inflation_share);
    faces_[i] = FaceBvh(
        device, {face, projection_, members.sphere_set.spheres}, frame, all.counts[i],
        [&] { return entries.boxes(face, frame); }, progress);
  });
  for (std::size_t i = 0; i < cube_faces; ++i)
    if (all.counts[i] > 0)
      boxes_ += faces_[i].boxes() * static_cast<double>(all.counts[i]) / static_cast<double>(sum);
  progress.finish();
  bytes_ = device.bytes();
}

bool ViewpointFaces::put_line(PathWalk& walk, ViewpointLine& line) const {
  const exact::Path& path = walk.path;
  const bool towards = place_.ends(path);
  walk.in_viewpoint_index = (towards || place_.starts(path)) &&
                            (place_.at_infinity() ? index::put_line(path, projection_.shear(), line)
                                                  : index::put_line(path, place_.at(), towards, line));
  return walk.in_viewpoint_index;
}

bool ViewpointFaces::any(PathWalk& walk) const {
  ViewpointLine line;
  if (!put_line(walk, line)) return false;
  const FaceBvh& face = faces_[line.face];
  if (!face.empty()) face.any(walk, {face.frame(), line, walk.path});
  return true;
}

bool ViewpointFaces::nearest_first(PathWalk& walk) const {
  ViewpointLine line;
  if (!put_line(walk, line)) return false;
  const FaceBvh& face = faces_[line.face];
  if (face.empty()) return true;
  ViewpointWay way(face.frame(), line, walk.path);
  if (walk.t_limit < infinity) way.limit_to(walk.t_limit);
  face.in_order(walk, way);
  return true;
}

bool ViewpointFaces::in_cone(ConeWalk& walk, const Vec3& observer, double radius) const {
  return place_.at_infinity() ? in_parallel_cone(walk, observer, radius)
                              : in_cone_to_point(walk, observer, radius);
}

bool ViewpointFaces::in_parallel_cone(ConeWalk& walk, const Vec3& observer, double sine) const {
  const Vec3 x = projection_.shear().image(observer);
  if (!(sine <= widest_sine) || !projection_.shear().resolves(x)) return false;
  walk.in_viewpoint_index = true;
  if (!faces_[0].empty()) faces_[0].in_cone(walk, StarCone(faces_[0].frame(), projection_.shear(), x, sine));
  return true;
}

bool ViewpointFaces::in_cone_to_point(ConeWalk& walk, const Vec3& observer, double radius) const {
  const Vec3 x = observer - place_.at();
  const std::uint32_t own = face_of(x);
  const double depth = turned(own, x).z, reach = reach_share * radius;
  if (!(depth > nearest_observer * radius) || !exact::is_moderate(depth)) return false;
  walk.in_viewpoint_index = true;
  const auto visit = [&](std::uint32_t face) {
    const FaceBvh& bvh = faces_[face];
    if (bvh.empty()) return true;
    const StarCone local(bvh.frame(), turned(face, x), radius, face);
    return local.kind == FaceCone::misses || bvh.in_cone(walk, local);
  };
  if (!visit(own)) return true;
  for (std::uint32_t face = 0; face < cube_faces; ++face) {
    const double along = face & 1 ? -x[static_cast<int>(face / 2)] : x[static_cast<int>(face / 2)];
    const bool misses = nearest_ > reach && depth * nearest_ > along * (nearest_ + reach);
    if (face != own && !misses && !visit(face)) break;
  }
  return true;
}

}  // namespace sphaera::index
