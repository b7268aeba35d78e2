#pragma once
/// \file PLY input: the header and the values of elements, ascii or binary in either byte order.

#include <cstdint>
#include <io/formats/raw_numbers.hpp>
#include <io/streams/line_reader.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sphaera::io {

enum class PlyEncoding : std::uint8_t { ascii, little_endian, big_endian };

struct PlyProperty {
  std::string name;
  RawType type{};
  bool is_list = false;
  RawType count_type{};  ///< type of a list's length
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;  ///< from the header; not checked against the file's length
  std::vector<PlyProperty> properties;
};

/// Reads the header, then the rows of the elements in the file's order.
class PlyRows {
 public:
  /// Throws Error bad_file.
  explicit PlyRows(ByteSource& source);

  const std::vector<PlyElement>& elements() const { return elements_; }
  const std::string& name() const { return file_.name(); }
  /// Position for messages: the line in ascii files and headers, the row of the element (from 1) in binary
  /// bodies.
  std::uint64_t line() const { return row_ > 0 ? row_ : file_.number(); }

  /// Reads a row of the element, and into `values` those of these properties of it, which are no lists; null
  /// ones keep their value. Other properties may hold anything. Throws Error bad_file.
  void next(const PlyElement& element, std::span<const PlyProperty* const> wanted, std::span<double> values);
  void skip(const PlyElement& element);  ///< skips all rows of the element
  void expect_end();  ///< throws bad_file if anything follows but blank lines of an ascii file
  bool ends_inside_line() const { return file_.ends_inside_line(); }  ///< the line read last has no newline
  /// Upper bound of the element's remaining rows, from the file's length; UINT64_MAX: unknown.
  std::uint64_t rows_possible(const PlyElement& element) const;

 private:
  std::string_view take(std::size_t n);
  void read_header();
  void read_declaration(std::string_view line);
  void next_text(const PlyElement& element);
  void next_binary(const PlyElement& element);
  double* value_of(const PlyProperty& property) const;
  double number(const PlyProperty& property, std::string_view text) const;
  double scalar(RawType type);
  std::int64_t list_length(const PlyProperty& property, double number) const;
  [[noreturn]] void fail_row(const std::string& what) const;

  LineReader file_;
  PlyEncoding encoding_{};
  bool has_encoding_ = false;
  std::vector<PlyElement> elements_;
  const PlyElement* element_ = nullptr;  // whose rows are read
  std::uint64_t row_ = 0;                // of a binary body, from 1
  std::span<const PlyProperty* const> wanted_;
  std::span<double> values_;
};

}  // namespace sphaera::io
