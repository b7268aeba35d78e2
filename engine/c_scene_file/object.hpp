#pragma once
/// \file What the handle of a scene file stands for.

#pragma GCC visibility push(default)
#include <sphaera/scene_file.h>
#pragma GCC visibility pop

#include <array>
#include <c/handles.hpp>
#include <sphaera/scene_file.hpp>
#include <vector>

namespace sphaera::c {

struct SceneFileObject final : Object {
  using Handle = SphaeraSceneFile;
  static constexpr auto name = "scene file";

  explicit SceneFileObject(SceneFile file_) : file(std::move(file_)) { renew(); }

  SceneFile file;
  std::vector<std::byte> attachment{};  ///< as it was asked for last
  Names left_out;                       ///< what the last save left out, a sentence each

  /// Makes what C sees in another form than C++ anew, after each change of `file`.
  void renew();
  const std::vector<SphaeraSceneStar>& stars() const { return stars_; }
  const std::vector<std::int64_t>& orbits() const { return orbits_; }
  const Names& texts(std::int32_t kind) const;

 private:
  std::vector<SphaeraSceneStar> stars_;
  std::vector<std::int64_t> orbits_;  // ids
  Names layers_, star_names_, unit_, epoch_, warnings_, sources_;
};

/// The texts of a list, each by text_of(item).
template <class Items, class TextOf = std::identity>
Names names_of(const Items& items, TextOf text_of = {}) {
  Names names;
  for (const auto& item : items) names.push_back(std::invoke(text_of, item));
  return names;
}

}  // namespace sphaera::c
