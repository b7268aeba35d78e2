#include <query/neighbors/contact_rule.hpp>
#include <query/neighbors/own_answers.hpp>

namespace sphaera {
namespace query {
namespace {

/// The number of spheres that are in contact with one.
class CountedContacts {
 public:
  CountedContacts(std::span<const Sphere> spheres, std::uint32_t id, double distance)
      : rule_(spheres, id, distance), id_(id) {}

  SPHAERA_INLINE bool takes(std::uint32_t id) { return id != id_ && rule_.is_near(id); }
  bool takes(std::uint32_t id, const exact::SphereAtInstant& image) {
    return id != id_ && rule_.is_near(image);
  }
  SPHAERA_INLINE void add(std::uint32_t) { ++count_; }
  SPHAERA_INLINE void add_block(const index::LeafIds& ids) {
    for (std::size_t lane = 0; lane < ids.size(); ++lane) count_ += takes(ids[lane]);
  }
  SPHAERA_INLINE void add_in_order(std::span<const std::uint32_t> ids) {
    for (const std::uint32_t id : ids) count_ += takes(id);
  }
  void finish(const SpheresAtTime&, exact::Counts& counts) const { rule_.add_to(counts); }
  std::uint64_t result() const { return count_; }

 private:
  ContactRule rule_;
  std::uint32_t id_;
  std::uint64_t count_ = 0;
};

}  // namespace
}  // namespace query

void Scene::count_contacts(IdRange ids, double distance, std::span<std::uint64_t> out,
                           const QueryOptions& options) const {
  const base::FloatingPointEnvironment mode;
  query::check_contacts(state(), ids, distance, options, "count_contacts");
  query::check_output(out.size(), static_cast<std::size_t>(ids.count));
  const std::span<const Sphere> spheres = state().spheres.span();
  query::answer_own(state(), ids, distance, out, options,
                    [&](std::uint32_t id, query::TaskScratch&)
                        SPHAERA_INLINE_LAMBDA { return query::CountedContacts(spheres, id, distance); });
}

std::vector<std::uint64_t> Scene::count_contacts(IdRange ids, double distance,
                                                 const QueryOptions& options) const {
  query::check_ids(state(), ids);
  return query::filled<std::uint64_t>(static_cast<std::size_t>(ids.count),
                                      [&](auto out) { count_contacts(ids, distance, out, options); });
}

void Scene::count_contacts(double distance, std::span<std::uint64_t> out, const QueryOptions& options) const {
  count_contacts(query::all_ids(state()), distance, out, options);
}

std::vector<std::uint64_t> Scene::count_contacts(double distance, const QueryOptions& options) const {
  return count_contacts(query::all_ids(state()), distance, options);
}

}  // namespace sphaera
