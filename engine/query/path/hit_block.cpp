#include <exact/roots/line.hpp>
#include <query/path/hit_block.hpp>

namespace sphaera::query {

void put_hit(SurfaceHit& item, const exact::Path& path, const Sphere& sphere, const Hit& hit) {
  const auto [point, normal] = exact::contact_point(path, sphere, hit.contact);
  item = {hit, point, normal};
}

template <class Input, class Item>
void HitBlock<Input, Item>::write(Item* hits) {
  for (std::size_t i = 0; i < count_; ++i)
    roots_.set(i, inputs_[entries_[i].query], spheres_[entries_[i].sphere]);
  roots_.compute(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    const Entry& e = entries_[i];
    const exact::Path path = exact::path_of(inputs_[e.query]);
    put_hit(hits[e.place], path, spheres_[e.sphere], hit_of(path, e.sphere, e.contact, roots_.roots(i)));
  }
  count_ = 0;
}

template class HitBlock<Ray, Hit>;
template class HitBlock<Segment, Hit>;
template class HitBlock<Ray, SurfaceHit>;
template class HitBlock<Segment, SurfaceHit>;

}  // namespace sphaera::query
