#pragma once
/// \file The numbers of one array in an XML file of VTK: raw or packed by zlib, and perhaps in base64.

#include <array>
#include <cstdint>
#include <io/formats/raw_numbers.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct z_stream_s;

namespace sphaera::io {

struct VtkArray {
  std::string name;
  std::size_t components = 1;  ///< numbers of a point
  std::vector<double> values;

  /// Appends a number. Throws Error out_of_memory, naming `file`, if it exceeds the machine's memory.
  void push_back(double value, const std::string& file);
};

/// How the arrays of a file are written.
struct VtkEncoding {
  bool big_endian = false;
  bool wide_header = false;  ///< lengths have 8 bytes, not 4
  bool packed = false;       ///< by zlib, in blocks
};

/// Decodes base64. Blanks are skipped; behind padding another text may begin.
class Base64 {
 public:
  /// Appends the bytes of the text to `bytes`. Returns false at a character that is not of base64.
  bool decode(std::string_view text, std::string& bytes);

 private:
  static bool decode_four(const char* text, std::string& bytes);
  bool decode_one(char c, std::string& bytes);

  std::uint32_t bits_ = 0;
  int characters_ = 0, padding_ = 0;
};

/// Reads the numbers of an array from its bytes, which begin with their length or, if they are packed, with
/// the number of blocks, the length of each and of the last, and their packed lengths.
class VtkBlock {
 public:
  VtkBlock(const VtkEncoding& encoding, RawType type, VtkArray& array, const std::string& file);
  ~VtkBlock();
  VtkBlock(VtkBlock&&) = delete;
  VtkBlock& operator=(VtkBlock&&) = delete;

  /// Takes bytes and returns how many: all, unless the array ends. Throws Error bad_file, out_of_memory.
  std::size_t take(std::string_view bytes);
  bool done() const { return state_ == State::done; }
  [[noreturn]] void refuse(const char* what) const;

 private:
  enum class State : std::uint8_t { length, data, done };

  std::size_t take_length(std::string_view bytes);
  std::size_t take_data(std::string_view bytes);
  std::size_t unpack(std::string_view bytes);
  void next_block();
  void add(std::string_view bytes);

  VtkEncoding encoding_;
  RawType type_;
  VtkArray& array_;
  const std::string& file_;
  State state_ = State::length;
  std::vector<std::uint64_t> lengths_;     // of the header
  std::size_t block_ = 0;                  // of the packed ones, from 0
  std::uint64_t left_ = 0, unpacked_ = 0;  // bytes of the block: packed ones to come, unpacked ones so far
  std::array<char, 8> part_{};             // of a number or a length
  std::size_t part_size_ = 0;
  std::unique_ptr<z_stream_s> z_;
};

}  // namespace sphaera::io
