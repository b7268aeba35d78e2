#include <algorithm>
#include <io/formats/numbers.hpp>
#include <io/formats/xyz_columns.hpp>
#include <io/scene/atoms.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {
namespace {

class XyzReader {
 public:
  XyzReader(ByteSource& source, const SceneInput& input, SceneBuilder& builder)
      : lines_(source, "XYZ"), builder_(builder), atoms_(input, builder, lines_, angstroms) {}

  void read() {
    std::string_view line;
    while (next_frame(line) && atoms_.next_frame()) {
      const std::int64_t count = count_of(line);
      if (!lines_.line(line)) fail(lines_.name(), lines_.number(), "the file ends before its comment line");
      if (atoms_.wanted()) {
        columns_ = XyzColumns(line, lines_);
        atoms_.box(columns_.box(), columns_.box_corner());
      }
      for (std::int64_t i = 0; i < count; ++i) {
        if (!lines_.line(line))
          fail(lines_.name(), lines_.number(),
               "the file ends after " + std::to_string(i) + " of " + std::to_string(count) +
                   " atoms; it is cut short");
        if (atoms_.wanted()) add(line);
      }
    }
    atoms_.finish("a frame: a line with the number of its atoms");
    for (const std::string& warning : columns_.warnings()) builder_.warn(lines_.name() + ": " + warning);
  }

 private:
  /// The next line that is not blank.
  bool next_frame(std::string_view& line) {
    while (lines_.line(line))
      if (!trimmed(line).empty()) return true;
    return false;
  }

  std::int64_t count_of(std::string_view line) const {
    std::int64_t count = 0;
    if (parse_integer(trimmed(line), count) != Parse::ok || count < 0)
      fail(lines_.name(), lines_.number(),
           "a frame of XYZ begins with the number of its atoms, not with " + shown(line));
    return count;
  }

  void add(std::string_view line) {
    using Column = XyzColumns::Column;
    Atom atom;
    Vec3 velocity{};
    for (const Column column : columns_.columns()) {
      const std::string_view word = take_word(line);
      if (word.empty())
        fail(lines_.name(), lines_.number(),
             "the row has fewer columns than the " + std::to_string(columns_.columns().size()) +
                 " of its frame");
      const auto number = [&](std::string_view what) { return atom_number(word, lines_, what); };
      switch (column) {
        case Column::species:
          atom.element = word;
          break;
        case Column::x:
          atom.center.x = number("x");
          break;
        case Column::y:
          atom.center.y = number("y");
          break;
        case Column::z:
          atom.center.z = number("z");
          break;
        case Column::vx:
          velocity.x = number("vx");
          break;
        case Column::vy:
          velocity.y = number("vy");
          break;
        case Column::vz:
          velocity.z = number("vz");
          break;
        case Column::radius:
          atom.radius = number("radius");
          break;
        case Column::ignored:
          break;
      }
    }
    if (columns_.has_velocity()) atom.velocity = velocity;
    columns_.rest(trimmed(line), lines_);
    atoms_.add(atom);
  }

  LineReader lines_;
  SceneBuilder& builder_;
  AtomScene atoms_;
  XyzColumns columns_;
};

}  // namespace

void read_xyz_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  XyzReader(source, input, builder).read();
}

}  // namespace sphaera::io
