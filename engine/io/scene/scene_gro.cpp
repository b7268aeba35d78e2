#include <algorithm>
#include <io/formats/numbers.hpp>
#include <io/scene/atoms.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

constexpr std::size_t numbers_begin =
    20;  // behind number and name of the residue, name and number of the atom

class GroReader {
 public:
  GroReader(ByteSource& source, const SceneInput& input, SceneBuilder& builder)
      : lines_(source, "GRO"), atoms_(input, builder, lines_, nanometers) {}

  void read() {
    std::string_view line;
    while (next_title(line) && atoms_.next_frame()) {
      const std::int64_t count = count_of();
      for (std::int64_t i = 0; i < count; ++i) {
        if (!lines_.line(line))
          fail(lines_.name(), lines_.number(),
               "the file ends after " + std::to_string(i) + " of " + std::to_string(count) +
                   " atoms; it is cut short");
        if (atoms_.wanted()) add(line);
      }
      if (!lines_.line(line))
        fail(lines_.name(), lines_.number(), "the file ends before the line of the box; it is cut short");
      atoms_.box(lattice_of_gro(line));
    }
    atoms_.finish("a frame: a title, the number of atoms, atoms, a box");
  }

 private:
  /// The title of the next frame; blank lines at the end of the file are none.
  bool next_title(std::string_view& line) {
    if (!lines_.line(line)) return false;
    if (!trimmed(line).empty() || lines_.number() == 1) return true;
    while (lines_.line(line))
      if (!trimmed(line).empty()) return true;
    return false;
  }

  std::int64_t count_of() {
    std::string_view line;
    std::int64_t count = 0;
    if (!lines_.line(line))
      fail(lines_.name(), lines_.number(), "the file ends before the number of atoms; it is cut short");
    if (parse_integer(trimmed(line), count) != Parse::ok || count < 0)
      fail(lines_.name(), lines_.number(),
           "the second line of a frame of GRO is the number of its atoms, not " + shown(line));
    return count;
  }

  /// Width of the numbers of a line: the distance of their points, whatever their precision.
  std::size_t width_of(std::string_view line) const {
    const std::size_t first = line.find('.', std::min(numbers_begin, line.size()));
    const std::size_t second = first == std::string_view::npos ? first : line.find('.', first + 1);
    if (second == std::string_view::npos || line.size() < numbers_begin + 3 * (second - first))
      fail(lines_.name(), lines_.number(),
           "the line has no x, y, z with points, in columns of one width from column 21; is it cut short?");
    return second - first;
  }

  void add(std::string_view line) {
    const std::size_t width = width_of(line);
    const auto number = [&](std::size_t i, std::string_view what) {
      return atom_number(trimmed(line.substr(numbers_begin + i * width, width)), lines_, what);
    };
    Atom atom;
    atom.residue_number = trimmed(line.substr(0, 5));
    atom.residue = trimmed(line.substr(5, 5));
    atom.name = trimmed(line.substr(10, 5));
    atom.center = {number(0, "x"), number(1, "y"), number(2, "z")};
    if (!trimmed(line.substr(numbers_begin + 3 * width)).empty()) {
      if (line.size() < numbers_begin + 5 * width)
        fail(lines_.name(), lines_.number(), "the velocity ends early; is the line cut short?");
      atom.velocity = {number(3, "vx"), number(4, "vy"), number(5, "vz")};
    }
    atoms_.add(atom);
  }

  LineReader lines_;
  AtomScene atoms_;
};

}  // namespace

void read_gro_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  GroReader(source, input, builder).read();
}

}  // namespace sphaera::io
