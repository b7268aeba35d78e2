#pragma once
/// \file Uses what a reader has accepted: builds and queries a scene, or puts queries to a fixed scene.
/// Throws Fault where index and brute force differ, or where accepted input is invalid or refused.

#include <span>
#include <sphaera/scene_file.hpp>
#include <tools/files/queries/query_file.hpp>

namespace sphaera::attack {

void use(const SceneFile& scene);
void use(const Motion& ephemeris);

void use(const files::QueryChunk<Ray>& rays);
void use(const files::QueryChunk<Observer>& observers);
void use(const files::QueryChunk<files::Station>& stations);
void use(const files::QueryChunk<Receiver>& receivers);
void use(const files::QueryChunk<Bullet>& bullets);
void use(const files::QueryChunk<Vec3>& points);
void use(const files::QueryChunk<Ball>& balls);

/// The scene that queries are put to.
std::span<const Sphere> spheres_to_ask();

}  // namespace sphaera::attack
