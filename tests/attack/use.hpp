#pragma once
/// \file Uses what a reader has accepted: builds and queries a scene, or puts queries to a fixed scene.
/// Throws Fault where index and brute force differ, or where accepted input is invalid or refused.

#include <span>
#include <sphaera/scene_file.hpp>
#include <tests/queries/questions.hpp>
#include <tools/files/queries/query_file.hpp>
#include <utility>

namespace sphaera::attack {

void use(const SceneFile& scene);
void use(const Motion& ephemeris);

void use(const files::QueryChunk<files::Station>& stations);

/// Puts the questions to a fixed scene.
void use(test::Questions questions, std::span<const std::int64_t> ignore);
template <class Input>
void use(const files::QueryChunk<Input>& chunk) {
  test::Questions questions;
  questions.of<Input>() = chunk.queries;
  use(std::move(questions), chunk.ignore);
}

/// The scene that queries are put to.
std::span<const Sphere> spheres_to_ask();

}  // namespace sphaera::attack
