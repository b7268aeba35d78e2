#pragma once
/// \file DAF, the container of SPK kernels: segments, each with a summary and an array of doubles.

#include <cstdint>
#include <io/streams/byte_reader.hpp>
#include <string>
#include <vector>

namespace sphaera::io {

/// A summary of an SPK segment. Words are doubles, counted from 0 at the file's begin.
struct DafSegment {
  double from, to;  ///< seconds of TDB since 2000-01-01T12:00:00
  std::int32_t target, center, frame, type;
  std::uint64_t begin, end;  ///< words [begin, end), in the file
};

/// A DAF with two doubles and six integers a summary, of either byte order, in memory.
class Daf {
 public:
  /// Reads the whole file. Throws Error: bad_file, out_of_memory, cancelled.
  explicit Daf(ByteSource& source);

  const std::vector<DafSegment>& segments() const { return segments_; }
  const std::string& name() const { return name_; }
  /// Precondition: the word is in a segment.
  double word(std::uint64_t index) const;

 private:
  std::uint32_t integer(std::uint64_t offset) const;
  double number(std::uint64_t offset) const;
  void read_file_record();
  void read_summaries();
  void read_summary(std::uint64_t offset);
  [[noreturn]] void refuse(const std::string& what) const;

  std::string name_;
  std::string bytes_;
  bool swapped_ = false;
  std::uint64_t first_summary_ = 0;  // number of the record, from 1
  std::vector<DafSegment> segments_;
};

}  // namespace sphaera::io
