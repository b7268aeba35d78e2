#pragma once
/// \file Groups of a scene's spheres of which a verb gives sums: `--by layer|chain|residue|name`.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tools/scene/load.hpp>
#include <vector>

namespace sphaera::tool {

/// What the spheres of a group have in common.
struct GroupBy {
  const char* word;   ///< in `--by`, and the name of the column
  const char* other;  ///< the column of a second group
  OwnerBy owner;      ///< nothing: their layer
};
inline constexpr std::array groups_by{
    GroupBy{"layer", "other_layer", OwnerBy::nothing}, GroupBy{"chain", "other_chain", OwnerBy::chain},
    GroupBy{"residue", "other_residue", OwnerBy::residue}, GroupBy{"name", "other_name", OwnerBy::name}};

/// The groups in the order in which they appear in the scene; spheres without the part of a name are the
/// last.
class SphereGroups {
 public:
  SphereGroups() = default;
  /// Throws UsageError if no name has that part. `file` must live as long.
  SphereGroups(const GroupBy& by, const LoadedScene& file);

  std::size_t count() const { return keys_.size(); }
  const std::string& key(std::size_t group) const { return keys_[group]; }  ///< empty: no name
  std::size_t of(std::uint64_t id) const;

 private:
  const LoadedScene* layers_ = nullptr;    ///< the groups are layers
  std::vector<std::uint32_t> of_spheres_;  ///< otherwise
  std::vector<std::string> keys_;
};

}  // namespace sphaera::tool
