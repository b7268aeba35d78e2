#pragma once
/// \file Ids of spheres by name, for columns that hold ids.

#include <cstdint>
#include <sphaera/scene_file.hpp>
#include <string_view>
#include <unordered_map>

namespace sphaera::files {

/// The spheres' names, sorted when the first one is looked up.
class NamedIds {
 public:
  static constexpr std::int64_t none = -1, several = -2;

  /// null: no sphere has a name.
  explicit NamedIds(const Names* names) : names_(names) {}

  const Names* names() const { return names_; }
  bool empty() const { return names_ == nullptr || names_->empty(); }
  /// The id of the sphere of that name; `none`, or `several` if it is not the only one.
  std::int64_t operator[](std::string_view name) {
    if (ids_.empty() && !empty()) {
      for (std::size_t i = 0; i < names_->size(); ++i) {
        const auto [place, is_new] = ids_.try_emplace((*names_)[i], static_cast<std::int64_t>(i));
        if (!is_new) place->second = several;
      }
    }
    const auto found = ids_.find(name);
    return found == ids_.end() || name.empty() ? none : found->second;
  }

 private:
  const Names* names_;
  std::unordered_map<std::string_view, std::int64_t> ids_;
};

}  // namespace sphaera::files
