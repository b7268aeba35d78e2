#pragma once
/// \file The table of frames.

#include <bench/engine_loop/play.hpp>
#include <span>
#include <string>

namespace sphaera::bench {

struct Entry {
  std::string world;
  Played played;
};

/// Markdown: a row for each part of a frame and one for the whole, and for each world six columns.
void report(const Rules& rules, std::span<const Entry> entries);

}  // namespace sphaera::bench
