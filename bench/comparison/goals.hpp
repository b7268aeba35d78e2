#pragma once
/// \file The performance goals of Sphaera, line by line, and whether each is reached.

#include <bench/comparison/results.hpp>
#include <string>
#include <vector>

namespace sphaera::bench {

enum class Mark : std::uint8_t { reached, missed, not_measured };

struct Finding {
  std::string line;  ///< the goal
  Mark mark;
  std::string numbers;  ///< the worst number and its scene, or the reason why there is none
};

std::vector<Finding> check_goals(const Results& results);

std::string_view name(Mark mark);

}  // namespace sphaera::bench
