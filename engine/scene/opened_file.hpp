#pragma once
/// \file The file of an opened scene, and its check before the first use.

#include <base/files/mapped_file.hpp>
#include <base/files/saved_scene.hpp>
#include <mutex>
#include <optional>
#include <sphaera/error.hpp>

namespace sphaera::query {

struct SceneState;

struct OpenedFile {
  explicit OpenedFile(const std::string& path) : map(path), sections(map.bytes(), path) {}

  base::MappedFile map;
  base::SavedScene sections;
  std::mutex checking;
  std::optional<Error> fault;  ///< that a check has found
};

/// Checks the file of an opened scene, if no other thread has done so meanwhile, in the calling arena. Throws
/// Error bad_file, now and whenever it is called again; out_of_memory.
void check_file(SceneState& state);

/// Before a change: gives the scene memory of its own in place of that of a file, in the calling arena and
/// the floating-point mode that the caller has set. Throws as check_file, and std::bad_alloc; queries then
/// give the same answers as before.
void make_own(SceneState& state);

}  // namespace sphaera::query
