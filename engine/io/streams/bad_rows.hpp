#pragma once
/// \file Bad rows of a file that are skipped, not refused: their number, and what is wrong with the first.

#include <cstddef>
#include <cstdint>
#include <sphaera/error.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sphaera::io {

class BadRows {
 public:
  void add(const Error& fault) {
    if (first_.size() < most) first_.emplace_back(fault.what());
    ++count_;
  }
  /// Sentences for warnings: of the first rows, then "17 bad rows are skipped" and `remark`. Empty if there
  /// is no bad row since the last call.
  std::vector<std::string> take_warnings(const std::string& remark) {
    std::vector<std::string> all = std::exchange(first_, {});
    if (count_ > 0)
      all.push_back((count_ == 1 ? "1 bad row is" : std::to_string(count_) + " bad rows are") +
                    std::string(" skipped") + remark);
    count_ = 0;
    return all;
  }

 private:
  static constexpr std::size_t most = 5;

  std::uint64_t count_ = 0;
  std::vector<std::string> first_;
};

}  // namespace sphaera::io
