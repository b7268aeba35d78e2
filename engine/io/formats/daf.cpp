#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <io/formats/daf.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>

namespace sphaera::io {
namespace {

constexpr std::uint64_t record_bytes = 1024, word_bytes = 8;

/// The file record, and a record of summaries: three words, then summaries of two doubles and six integers.
constexpr std::uint64_t doubles_at = 8, integers_at = 12, first_summary_at = 76;
constexpr std::uint64_t summaries_at = 3 * word_bytes, summary_bytes = 5 * word_bytes, most_summaries = 25;

std::string whole(ByteSource& source) {
  std::string bytes;
  for (;;) {
    const std::size_t had = bytes.size(), more = source.chunk_size();
    if (bytes.capacity() < had + more) check_memory(3 * (had + more), source.name());
    bytes.resize(had + more);
    const std::size_t got = source.read(std::span(bytes).subspan(had));
    bytes.resize(had + got);
    if (got == 0) return bytes;
  }
}

}  // namespace

Daf::Daf(ByteSource& source) : name_(source.name()), bytes_(whole(source)) {
  read_file_record();
  read_summaries();
}

void Daf::refuse(const std::string& what) const { fail(name_, "it is no whole SPK kernel: " + what); }

std::uint32_t Daf::integer(std::uint64_t offset) const {
  std::uint32_t value;
  std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return swapped_ ? __builtin_bswap32(value) : value;
}

double Daf::number(std::uint64_t offset) const {
  std::uint64_t bits;
  std::memcpy(&bits, bytes_.data() + offset, sizeof bits);
  return std::bit_cast<double>(swapped_ ? __builtin_bswap64(bits) : bits);
}

double Daf::word(std::uint64_t index) const { return number(word_bytes * index); }

void Daf::read_file_record() {
  if (bytes_.size() < record_bytes) refuse("it is shorter than one record; it may have been cut");
  swapped_ = integer(doubles_at) != 2;
  if (integer(doubles_at) != 2 || integer(integers_at) != 6)
    refuse("its summaries have not two doubles and six integers");
  first_summary_ = integer(first_summary_at);
}

void Daf::read_summaries() {
  const std::uint64_t records = bytes_.size() / record_bytes;
  std::uint64_t record = first_summary_, seen = 0;
  while (record != 0) {
    if (record > records) refuse("a record of summaries is behind its end; it may have been cut");
    if (++seen > records) refuse("its records of summaries run in a circle");
    const std::uint64_t offset = (record - 1) * record_bytes;
    const double next = number(offset), count = number(offset + 2 * word_bytes);
    if (!(count >= 0 && count <= most_summaries && count == std::floor(count)))
      refuse("the number of summaries in a record is not from 0 to 25");
    if (!(next >= 0 && next <= static_cast<double>(records) && next == std::floor(next)))
      refuse("a record of summaries is behind its end; it may have been cut");
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i)
      read_summary(offset + summaries_at + i * summary_bytes);
    record = static_cast<std::uint64_t>(next);
  }
  if (segments_.empty()) refuse("it has no segments");
}

void Daf::read_summary(std::uint64_t offset) {
  const auto signed_at = [&](std::uint64_t i) {
    return static_cast<std::int32_t>(integer(offset + 2 * word_bytes + 4 * i));
  };
  const DafSegment segment{number(offset),
                           number(offset + word_bytes),
                           signed_at(0),
                           signed_at(1),
                           signed_at(2),
                           signed_at(3),
                           integer(offset + 2 * word_bytes + 16) - std::uint64_t{1},
                           integer(offset + 2 * word_bytes + 20)};
  constexpr double longest = 0x1p53;  // seconds that are integers in a double
  if (!(segment.from < segment.to && std::fabs(segment.from) < longest && std::fabs(segment.to) < longest))
    refuse("a segment's end is not after its begin");
  if (segment.begin >= segment.end || segment.end > bytes_.size() / word_bytes)
    refuse("a segment is not inside it; it may have been cut");
  check_growth(segments_, bytes_.size(), name_);
  segments_.push_back(segment);
}

}  // namespace sphaera::io
