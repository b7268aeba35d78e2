#pragma once
/// \file Owners of spheres, by their names: teams, chains, persons of several spheres (`--owner-by`).

#include <cstdint>
#include <sphaera/scene_file.hpp>
#include <string>
#include <string_view>
#include <tools/options/shared_options.hpp>
#include <unordered_map>
#include <vector>

namespace sphaera::tool {

/// The owners of a scene, numbered in the order in which their words appear first.
struct Owners {
  std::vector<std::uint32_t> of_spheres;  ///< `no_owner` for names without the word; empty: none
  std::unordered_map<std::string, std::int64_t> named;  ///< the number of each
};

/// The part of a name; empty if it lacks it.
std::string_view owner_word(OwnerBy by, std::string_view name);

/// The owners by these names. All names empty or without the part: no owners.
Owners owners_by(OwnerBy by, const Names& names);

}  // namespace sphaera::tool
