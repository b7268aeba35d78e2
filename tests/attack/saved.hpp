#pragma once
/// \file Saved scenes (`Scene::save`) under attack: with right checksums, so that all that follows them is
/// reached.

#include <filesystem>
#include <string>
#include <tests/attack/formats.hpp>
#include <vector>

namespace sphaera::attack {

/// The bytes of saved example scenes: of one frame and of nested ones, at rest and in motion, edited,
/// compact.
std::vector<std::string> saved_examples(const std::filesystem::path& scratch);

/// Gives the bytes right checksums, opens them as a scene and asks every query. Its answers may be wrong,
/// since its boxes may be.
Outcome open_saved(const Format& format, std::string_view bytes);

}  // namespace sphaera::attack
