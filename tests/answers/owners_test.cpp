/// Owners by the names of spheres.

#include <array>
#include <initializer_list>
#include <sphaera/scene_options.hpp>
#include <vector>

#include <tests/catch.hpp>
#include <tools/scene/owners.hpp>

using namespace sphaera;
using tool::OwnerBy;

TEST_CASE("the part of an atom's name that its owner is", "[owners]") {
  for (const auto& [name, chain, residue] :
       std::initializer_list<std::array<const char*, 3>>{{"A:LEU42:CA", "A", "A:LEU42"},
                                                         {"LEU42:CA", "", "LEU42"},  // a file without chains
                                                         {"CA", "", ""},
                                                         {"AA:1HB:O:1", "AA", "AA:1HB:O"},
                                                         {"", "", ""}}) {
    CHECK(tool::owner_word(OwnerBy::chain, name) == chain);
    CHECK(tool::owner_word(OwnerBy::residue, name) == residue);
    CHECK(tool::owner_word(OwnerBy::name, name) == name);
    CHECK(tool::owner_word(OwnerBy::nothing, name).empty());
  }
}

TEST_CASE("owners are numbered as they appear; spheres without a name have none", "[owners]") {
  Names names;
  for (const char* const name : {"red", "", "blue", "red", "blue ", ""}) names.push_back(name);
  const tool::Owners owners = owners_by(OwnerBy::name, names);
  CHECK(owners.of_spheres == std::vector<std::uint32_t>{0, no_owner, 1, 0, 2, no_owner});
  CHECK(owners.named.size() == 3);
  CHECK(owners.named.at("blue") == 1);
  CHECK(owners_by(OwnerBy::chain, names).of_spheres.empty());
  CHECK(owners_by(OwnerBy::nothing, names).named.empty());
}
