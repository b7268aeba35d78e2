#pragma once
/// \file What files of molecules share: radii by element, layers, names, frames.

#include <algorithm>
#include <array>
#include <bitset>
#include <io/formats/elements.hpp>
#include <io/formats/lattice.hpp>
#include <io/scene/frames.hpp>
#include <io/streams/line_reader.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace sphaera::io {

/// An atom as a file describes it. Its texts are views of the line that is read.
struct Atom {
  Vec3 center{};
  std::optional<Vec3> velocity{};
  std::optional<double> radius{};
  /// A symbol or another word; empty: guessed from the atom's name.
  std::string_view element{};
  bool is_guess = false;  ///< the element
  // Such as "CA", "LEU", "42", "A"; each may be empty.
  std::string_view name{}, residue{}, residue_number{}, chain{};
  std::string_view location{};  ///< which of several alternative ones; empty: the only one
};

/// The unit of length of a file.
struct AtomUnit {
  std::string_view name;
  double hundredths;  ///< of an ångström, in it: 100 or 1000
};
inline constexpr AtomUnit angstroms{"Å", 100}, nanometers{"nm", 1000};

/// Adds atoms to a scene.
class AtomScene {
 public:
  AtomScene(const SceneInput& input, SceneBuilder& builder, const LineReader& lines, const AtomUnit& unit);

  bool next_frame();  ///< as Frames::next
  bool wanted() const { return frames_.wanted(); }

  /// Adds the atom in the line read last. One of radius 0 is left out, and one at another alternative
  /// location than the first of its residue. Throws bad_file for an element without radius, a 65th layer, a
  /// bad number.
  void add(const Atom& atom);

  /// The periodic box of the frame that began last, and where it begins.
  void box(const Lattice& edges, const Vec3& corner = {}) {
    if (wanted()) builder_.scene().box = edges, builder_.scene().box_corner = corner;
  }

  /// Adds warnings. Throws bad_file if the chosen frame is missing; `what` names what makes a frame.
  void finish(const std::string& what);

 private:
  FileLine place() const { return {lines_.name(), std::max<std::uint64_t>(1, lines_.number())}; }
  bool is_alternative(const Atom& atom);
  double radius_of(const Atom& atom, int element) const;
  int layer_of(const Atom& atom, int element);
  int layer(std::string_view name);
  void name(const Atom& atom);
  void check_text(std::string_view text) const;

  const SceneInput& input_;
  SceneBuilder& builder_;
  const LineReader& lines_;
  const AtomUnit& unit_;
  Frames frames_;
  std::array<int, element_count + 1> layer_of_element_{};  // −1: not yet known
  std::string last_layer_, name_;
  int last_layer_number_ = -1;
  std::string chain_, residue_number_, location_;  // of the residue read last, its first location
  std::uint64_t last_line_ = 0, left_out_ = 0, alternatives_ = 0;
  std::bitset<element_count + 1> guessed_;
};

/// Atomic number that an atom's name suggests, such as "CA" or "1HB2"; 0: none. The first letter counts, of a
/// lone ion, whose residue has its name, the whole name.
int guessed_element(std::string_view name, std::string_view residue);

/// Reads a number. Throws bad_file about the line read last, naming `what`.
double atom_number(std::string_view text, const LineReader& lines, std::string_view what);

}  // namespace sphaera::io
