#include <tools/scene/owners.hpp>
#include <tools/scene/sphere_groups.hpp>
#include <tools/terminal/exit.hpp>

namespace sphaera::tool {

SphereGroups::SphereGroups(const GroupBy& by, const LoadedScene& file) {
  if (by.owner == OwnerBy::nothing) {
    layers_ = &file, keys_ = file.layer_names;
    return;
  }
  Owners owners = owners_by(by.owner, file.names);
  if (owners.named.empty()) throw UsageError("--by: no name of a sphere has that part; give layer");
  keys_.resize(owners.named.size() + 1);
  for (const auto& [word, number] : owners.named) keys_[static_cast<std::size_t>(number)] = word;
  of_spheres_ = std::move(owners.of_spheres);
}

std::size_t SphereGroups::of(std::uint64_t id) const {
  if (layers_) return layers_->layers.empty() ? 0 : layers_->layers[id];
  const std::uint32_t group = of_spheres_[id];
  return group == no_owner ? keys_.size() - 1 : group;
}

}  // namespace sphaera::tool
