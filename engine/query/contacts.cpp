#include <query/batch/list_answers.hpp>
#include <query/neighbors/ball_answers.hpp>
#include <query/neighbors/contact_rule.hpp>
#include <query/neighbors/neighbor_block.hpp>
#include <query/neighbors/periodic_box.hpp>

namespace sphaera {
namespace query {
namespace {

/// The spheres of higher id that are in contact with one sphere. The gaps of those that are no images wait in
/// a block for those of other spheres.
class FoundContacts {
 public:
  FoundContacts(std::span<const Sphere> spheres, const PeriodicBox& box, std::uint32_t id, double distance,
                std::vector<Neighbor>& list, NeighborBlock<Sphere>& gaps)
      : rule_(spheres, id, distance),
        spheres_(spheres),
        box_(box),
        id_(id),
        list_(list),
        first_(list.size()),
        gaps_(gaps) {}

  SPHAERA_INLINE bool takes(std::uint32_t id) { return id > id_ && rule_.is_near(id); }
  bool takes(std::uint32_t id, const exact::SphereAtInstant& image) {
    return id > id_ && rule_.is_near(image);
  }
  SPHAERA_INLINE void add(std::uint32_t id) { list_.push_back({0, id}); }
  void add_image(std::uint32_t id) { add(id), has_images_ = true; }
  SPHAERA_INLINE void add_block(const index::LeafIds& ids) {
    for (std::size_t lane = 0; lane < ids.size(); ++lane)
      if (takes(ids[lane])) add(ids[lane]);
  }
  SPHAERA_INLINE void add_in_order(std::span<const std::uint32_t> ids) {
    for (const std::uint32_t id : ids)
      if (takes(id)) add(id);
  }
  void finish(const SpheresAtTime&, exact::Counts& counts) {
    const std::span<Neighbor> found = std::span(list_).subspan(first_);
    if (!std::ranges::is_sorted(found, {}, &Neighbor::sphere))
      std::ranges::sort(found, {}, &Neighbor::sphere);
    for (std::size_t place = first_; place < list_.size(); ++place) {
      const auto id = static_cast<std::uint32_t>(list_[place].sphere);
      if (!has_images_ || !measured_image(id, list_[place].distance)) [[likely]]
        gaps_.add(spheres_[id_], id, list_.data(), place);
    }
    rule_.add_to(counts);
  }

 private:
  /// Writes the gap if the nearest image is not the sphere itself.
  bool measured_image(std::uint32_t id, double& gap) const {
    const Vec3 shift = box_.nearest_shift(spheres_[id_].center, spheres_[id].center);
    if (shift == Vec3{}) return false;
    gap = exact::gap(rule_.ball(id_), image_of(spheres_[id], shift));
    return true;
  }

  ContactRule rule_;
  std::span<const Sphere> spheres_;
  const PeriodicBox& box_;
  std::uint32_t id_;
  std::vector<Neighbor>& list_;
  std::size_t first_;
  NeighborBlock<Sphere>& gaps_;
  bool has_images_ = false;
};

}  // namespace
}  // namespace query

void Scene::contacts(IdRange ids, double distance, NeighborLists& lists, const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  lists.items.clear(), lists.offsets.clear();
  query::check_contacts(state(), ids, distance, options, "contacts");
  const std::span<const Sphere> spheres = state().spheres.span();
  const query::PeriodicBox box(state(), options);
  const query::OwnSpheres own(state(), ids, options);
  query::BatchScratch scratch(options);
  const std::span<const query::Reach> reaches = own.reaches(distance, *scratch);
  query::run_lists<query::WalkOrder::own>(
      state(), reaches, lists, own.options(),
      [&](auto arithmetic, const query::ListPiece<query::Reach, Neighbor>& piece, QueryStats& stats)
          SPHAERA_INLINE_LAMBDA {
            query::BallAnswers<decltype(arithmetic)> answers(state(), own.options(), piece.piece.scratch,
                                                             stats, query::NearbySpheres::Order::by_id);
            query::NeighborBlock<Sphere> gaps(spheres.data());
            piece.each_numbered([&](std::size_t i, std::size_t j) SPHAERA_INLINE_LAMBDA {
              query::FoundContacts found(spheres, box, own.id(i), distance, piece.items, gaps);
              answers.answer(piece.piece, i, j, found);
            });
            gaps.write(piece.items.data());
          },
      [&](query::OrderScratch& memory) { return own.order(memory); });
}

NeighborLists Scene::contacts(IdRange ids, double distance, const QueryOptions& options) const {
  return query::lists_of<Neighbor>([&](NeighborLists& lists) { contacts(ids, distance, lists, options); });
}

void Scene::contacts(double distance, NeighborLists& lists, const QueryOptions& options) const {
  contacts(query::all_ids(state()), distance, lists, options);
}

NeighborLists Scene::contacts(double distance, const QueryOptions& options) const {
  return contacts(query::all_ids(state()), distance, options);
}

}  // namespace sphaera
