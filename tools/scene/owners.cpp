#include <sphaera/scene_options.hpp>
#include <tools/scene/owners.hpp>

namespace sphaera::tool {

std::string_view owner_word(OwnerBy by, std::string_view name) {
  const std::size_t atom = name.rfind(':');
  if (by == OwnerBy::nothing) return {};
  if (by == OwnerBy::name) return name;
  if (atom == std::string_view::npos) return {};
  const std::string_view residue = name.substr(0, atom);
  if (by == OwnerBy::residue) return residue;
  const std::size_t chain = residue.find(':');
  return chain == std::string_view::npos ? std::string_view{} : residue.substr(0, chain);
}

Owners owners_by(OwnerBy by, const Names& names) {
  Owners owners;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string_view word = owner_word(by, names[i]);
    if (word.empty()) {
      owners.of_spheres.push_back(no_owner);
      continue;
    }
    const auto next = static_cast<std::int64_t>(owners.named.size());
    const std::int64_t number = owners.named.try_emplace(std::string(word), next).first->second;
    owners.of_spheres.push_back(static_cast<std::uint32_t>(number));
  }
  if (owners.named.empty()) owners.of_spheres.clear();
  return owners;
}

}  // namespace sphaera::tool
