#pragma once
/// \file Radii of atoms that a file of --radii gives: a CSV with the columns element and radius.

#include <array>
#include <io/formats/elements.hpp>
#include <io/streams/byte_reader.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sphaera::io {

class AtomRadii {
 public:
  AtomRadii() = default;
  /// Reads the file. Throws Error bad_file.
  explicit AtomRadii(ByteSource& source);

  std::optional<double> of_element(int number) const;  ///< atomic number
  /// Of a word that is no symbol of an element.
  std::optional<double> of_word(std::string_view word) const;

 private:
  std::array<std::optional<double>, element_count + 1> of_element_{};
  std::map<std::string, double, std::less<>> of_word_;
};

}  // namespace sphaera::io
