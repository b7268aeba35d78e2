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

  /// A warning if the file seems to be in another unit than the scene: the median of its elements' radii,
  /// each divided by the van der Waals radius, is beyond `other_unit` or its inverse. Else empty.
  std::string unit_doubt(std::string_view unit, double hundredths_of_angstrom,
                         const std::string& scene) const;
  /// Units of tables differ by 10 (nm, Å) or 100 (Å, pm). Sound radii are from 0.2 (balls and sticks) to 3
  /// times the van der Waals radii (with a probe of 3 Å); in a wrong unit van der Waals radii are 0.1 or 10
  /// times.
  static constexpr double other_unit = 6.5;

 private:
  std::string name_;
  std::array<std::optional<double>, element_count + 1> of_element_{};
  std::map<std::string, double, std::less<>> of_word_;
};

}  // namespace sphaera::io
