#pragma once
/// \file The bar: what Sphaera has set out to reach, line by line, and whether it was.

#include <bench/record.hpp>
#include <string>
#include <vector>

namespace sphaera::bench {

enum class Mark : std::uint8_t { reached, missed, not_measured };

struct Finding {
  std::string line;  ///< what is asked
  Mark mark;
  std::string numbers;  ///< the worst number and where, or why there is none
};

std::vector<Finding> check_bar(const Results& results);

std::string_view name(Mark mark);

}  // namespace sphaera::bench
