#pragma once
/// \file `--box` of verbs about neighbors.

#include <sphaera/error.hpp>
#include <sphaera/vec3.hpp>
#include <string_view>
#include <tools/options/declare.hpp>

namespace sphaera::tool {

/// Declares `--box X,Y,Z`, the edges of QueryOptions::box.
void add_box(CLI::App& app, Vec3& box);

/// Returns ask(). An error about a point or ball that lies outside the box names it by its numbers alone: its
/// element counts from the start of a piece of the file.
template <class Ask>
auto ask_in_box(const Ask& ask) {
  try {
    return ask();
  } catch (const Error& error) {
    const std::string_view subject = error.subject(), kind = subject.substr(0, subject.find(' '));
    if (kind != "point" && kind != "ball") throw;
    throw Error(error.code(), kind, error.reason());
  }
}

}  // namespace sphaera::tool
