#include <expat.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <deque>
#include <exception>
#include <io/formats/numbers.hpp>
#include <io/formats/vtk_block.hpp>
#include <io/scene/scene_formats.hpp>
#include <io/scene/vtk_points.hpp>
#include <io/streams/file_error.hpp>
#include <memory>
#include <new>

namespace sphaera::io {
namespace {

// Expat 2.9 has functions of 64 bits and deprecates the others.
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
std::uint64_t line_of(XML_Parser parser) { return XML_GetCurrentLineNumber64(parser); }
std::int64_t byte_index_of(XML_Parser parser) { return XML_GetCurrentByteIndex64(parser); }
std::uint64_t byte_count_of(XML_Parser parser) { return XML_GetCurrentByteCount64(parser); }
#else
std::uint64_t line_of(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
std::int64_t byte_index_of(XML_Parser parser) { return XML_GetCurrentByteIndex(parser); }
std::uint64_t byte_count_of(XML_Parser parser) {
  return static_cast<std::uint64_t>(XML_GetCurrentByteCount(parser));
}
#endif

struct XmlType {
  std::string_view name;
  RawType type;
};
constexpr std::array xml_types{XmlType{"Int8", RawType::i8},     XmlType{"UInt8", RawType::u8},
                               XmlType{"Int16", RawType::i16},   XmlType{"UInt16", RawType::u16},
                               XmlType{"Int32", RawType::i32},   XmlType{"UInt32", RawType::u32},
                               XmlType{"Int64", RawType::i64},   XmlType{"UInt64", RawType::u64},
                               XmlType{"Float32", RawType::f32}, XmlType{"Float64", RawType::f64}};

/// The attributes of an element: names and values in turn, a null at the end.
std::string_view attribute(const XML_Char** attributes, std::string_view name) {
  for (; *attributes; attributes += 2)
    if (*attributes == name) return attributes[1];
  return {};
}

/// An array whose numbers stand behind the XML.
struct AppendedArray {
  VtkArray* array;
  RawType type;
  std::uint64_t offset;  // behind the underscore at which the data begin
};

/// Reads the XML of a file, and the data that are appended to it.
class VtkXml {
 public:
  VtkXml(ByteSource& source, const VtkPoints& points);

  const std::deque<VtkPiece>& read();

 private:
  enum class Section : std::uint8_t { other, points, point_data };

  void read_xml();
  void start(std::string_view element, const XML_Char** attributes);
  void end(std::string_view element);
  void text(std::string_view characters);
  void start_file(const XML_Char** attributes);
  void start_array(const XML_Char** attributes);
  VtkArray* wanted_array(const XML_Char** attributes);
  std::uint64_t count(const XML_Char** attributes, std::string_view name, std::uint64_t otherwise) const;
  void add_words(std::string_view characters);
  void add_word();
  void add_base64(std::string_view characters);
  void read_appended();
  void read_appended_array(const AppendedArray& array, std::uint64_t end);
  bool fill();
  void guarded(const auto& action);
  [[noreturn]] void refuse(const std::string& what) const {
    fail(source_.name(), line_of(parser_.get()), what);
  }
  [[noreturn]] void refuse_cut(const VtkArray& array) const {
    fail(source_.name(), "array " + shown(array.name) + " is shorter than it says; is the file cut short?");
  }

  ByteSource& source_;
  const VtkPoints& points_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_{XML_ParserCreate(nullptr), XML_ParserFree};
  std::exception_ptr error_;  // of a callback: it must not pass through the parser, which is in C
  VtkEncoding encoding_;
  std::deque<VtkPiece> pieces_;  // arrays stay where they are
  Section section_ = Section::other;
  int depth_ = 0, array_depth_ = 0;  // of elements; the array's, 0: none is read
  VtkArray* array_ = nullptr;        // that is read inside the XML
  std::string word_;                 // of text
  std::optional<Base64> base64_;
  std::optional<VtkBlock> block_;
  std::string bytes_;
  std::vector<AppendedArray> appended_;
  bool appended_in_base64_ = false;
  std::optional<std::uint64_t> data_begin_;  // of the appended data: bytes of the file before them
  std::vector<char> buffer_;
  std::size_t buffered_ = 0;    // bytes in it
  std::uint64_t position_ = 0;  // bytes of the file before those in it
};

/// Runs what a callback does; an error stops the parser and is thrown behind it.
void VtkXml::guarded(const auto& action) {
  if (error_) return;
  try {
    action();
  } catch (...) {
    error_ = std::current_exception();
    XML_StopParser(parser_.get(), XML_FALSE);
  }
}

VtkXml::VtkXml(ByteSource& source, const VtkPoints& points)
    : source_(source), points_(points), buffer_(source.chunk_size()) {
  if (!parser_) throw std::bad_alloc();
  XML_Parser parser = parser_.get();
  XML_SetUserData(parser, this);
  XML_SetElementHandler(
      parser,
      [](void* own, const XML_Char* element, const XML_Char** attributes) {
        auto& self = *static_cast<VtkXml*>(own);
        self.guarded([&] { self.start(element, attributes); });
      },
      [](void* own, const XML_Char* element) {
        auto& self = *static_cast<VtkXml*>(own);
        self.guarded([&] { self.end(element); });
      });
  XML_SetCharacterDataHandler(parser, [](void* own, const XML_Char* characters, int size) {
    auto& self = *static_cast<VtkXml*>(own);
    self.guarded([&] { self.text({characters, static_cast<std::size_t>(size)}); });
  });
  XML_SetStartDoctypeDeclHandler(
      parser, [](void* own, const XML_Char*, const XML_Char*, const XML_Char*, int) {
        auto& self = *static_cast<VtkXml*>(own);
        self.guarded([&] { self.refuse("a DOCTYPE is no part of a VTK file; remove it"); });
      });
}

const std::deque<VtkPiece>& VtkXml::read() {
  read_xml();
  if (!appended_.empty() && !data_begin_) fail(source_.name(), "the appended data are missing");
  if (!appended_.empty()) read_appended();
  return pieces_;
}

bool VtkXml::fill() {
  position_ += buffered_;
  buffered_ = source_.read(buffer_);
  return buffered_ > 0;
}

void VtkXml::read_xml() {
  constexpr std::int64_t longest_tag = 1 << 20;
  for (bool more = true; more && !data_begin_;) {
    more = fill();
    const XML_Status status = XML_Parse(parser_.get(), buffer_.data(), static_cast<int>(buffered_), !more);
    if (error_) std::rethrow_exception(error_);
    if (data_begin_) return;
    if (status != XML_STATUS_OK) {
      const XML_Error code = XML_GetErrorCode(parser_.get());
      if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
      refuse("the XML is malformed: " + std::string(XML_ErrorString(code)));
    }
    const auto read = static_cast<std::int64_t>(position_ + buffered_);
    if (more && read - byte_index_of(parser_.get()) > longest_tag)
      refuse("a tag is longer than 1 MiB; is this a VTK file?");
  }
}

std::uint64_t VtkXml::count(const XML_Char** attributes, std::string_view name,
                            std::uint64_t otherwise) const {
  const std::string_view text = attribute(attributes, name);
  if (text.empty()) return otherwise;
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size())
    refuse(std::string(name) + " is " + shown(text) + "; it must be a whole number from 0");
  return number;
}

void VtkXml::start_file(const XML_Char** attributes) {
  const std::string_view type = attribute(attributes, "type"), packed = attribute(attributes, "compressor");
  if (type != "PolyData" && type != "UnstructuredGrid" && type != "StructuredGrid")
    refuse("the data set is " + shown(type) + "; save its points as PolyData");
  if (!packed.empty() && packed != "vtkZLibDataCompressor")
    refuse("the data are packed by " + shown(packed) + "; save them with vtkZLibDataCompressor or with none");
  encoding_ = {.big_endian = attribute(attributes, "byte_order") == "BigEndian",
               .wide_header = attribute(attributes, "header_type") == "UInt64",
               .packed = !packed.empty()};
}

void VtkXml::start(std::string_view element, const XML_Char** attributes) {
  if (++depth_ == 1 && element != "VTKFile")
    refuse("this is not a VTK file; its first element is " + shown(element));
  if (depth_ == 1) {
    start_file(attributes);
  } else if (element == "Piece") {
    pieces_.emplace_back().count = count(attributes, "NumberOfPoints", 0);
  } else if (element == "Points" || element == "PointData") {
    section_ = element == "Points" ? Section::points : Section::point_data;
  } else if (element == "DataArray" && section_ != Section::other && array_depth_ == 0) {
    start_array(attributes);
  } else if (element == "AppendedData") {
    appended_in_base64_ = attribute(attributes, "encoding") == "base64";
    data_begin_ = static_cast<std::uint64_t>(byte_index_of(parser_.get())) + byte_count_of(parser_.get());
    XML_StopParser(parser_.get(), XML_FALSE);
  }
}

/// Makes the array that the element describes; null: nobody needs it.
VtkArray* VtkXml::wanted_array(const XML_Char** attributes) {
  if (pieces_.empty()) refuse("a DataArray stands outside of a Piece");
  VtkPiece& piece = pieces_.back();
  const std::uint64_t components = count(attributes, "NumberOfComponents", 1);
  if (section_ == Section::points) {
    if (components != 3) refuse("the points have " + std::to_string(components) + " coordinates, not 3");
    if (std::exchange(piece.has_points, true)) refuse("a Piece has points twice");
    return &piece.points;
  }
  const std::string_view name = attribute(attributes, "Name");
  if (!points_.wants(name, components) ||
      std::ranges::find(xml_types, attribute(attributes, "type"), &XmlType::name) == xml_types.end()) {
    piece.ignored.push_back(shown(name));
    return nullptr;
  }
  piece.arrays.push_back({std::string(name), components, {}});
  return &piece.arrays.back();
}

void VtkXml::start_array(const XML_Char** attributes) {
  VtkArray* const array = wanted_array(attributes);
  if (!array) return;
  const std::string_view format = attribute(attributes, "format");
  const auto* type = std::ranges::find(xml_types, attribute(attributes, "type"), &XmlType::name);
  if (type == xml_types.end())
    refuse("the type " + shown(attribute(attributes, "type")) + " is not that of numbers");
  if (format == "appended") {
    appended_.push_back({array, type->type, count(attributes, "offset", 0)});
    return;
  }
  if (format != "ascii" && format != "binary")
    refuse("the format " + shown(format) + " is not ascii, binary or appended");
  array_ = array, array_depth_ = depth_;
  if (format == "binary") base64_.emplace(), block_.emplace(encoding_, type->type, *array, source_.name());
}

void VtkXml::end(std::string_view element) {
  if (depth_-- == array_depth_) {
    add_word();
    if (block_ && !block_->done() && pieces_.back().count > 0) refuse_cut(*array_);
    block_.reset(), base64_.reset();
    array_ = nullptr, array_depth_ = 0;
  } else if (element == "Points" || element == "PointData") {
    section_ = Section::other;
  }
}

void VtkXml::text(std::string_view characters) {
  if (depth_ != array_depth_ || !array_) return;  // also what an array says of itself
  block_ ? add_base64(characters) : add_words(characters);
}

/// A word may come in pieces.
void VtkXml::add_words(std::string_view characters) {
  constexpr std::string_view blank = " \t\r\n";
  constexpr std::size_t longest_word = 1024;
  while (!characters.empty()) {
    const std::size_t size = std::min(characters.find_first_of(blank), characters.size());
    word_ += characters.substr(0, size);
    if (word_.size() > longest_word) refuse(shown(word_) + " is not a number");
    characters.remove_prefix(size);
    if (characters.empty()) return;
    add_word();
    characters.remove_prefix(1);
  }
}

void VtkXml::add_word() {
  if (word_.empty()) return;
  double value = 0;
  if (parse_number(word_, value) != Parse::ok)
    refuse("array " + shown(array_->name) + ": " + shown(word_) + " is not a number");
  array_->push_back(value, source_.name());
  word_.clear();
}

void VtkXml::add_base64(std::string_view characters) {
  bytes_.clear();
  if (!base64_->decode(characters, bytes_)) block_->refuse("is not base64");
  if (block_->take(bytes_) < bytes_.size()) block_->refuse("is longer than it says");
}

/// Arrays are read in the order of the file, up to where the next one begins.
void VtkXml::read_appended() {
  std::ranges::sort(appended_, {}, &AppendedArray::offset);
  if (*data_begin_ < position_ || *data_begin_ > position_ + buffered_)
    fail(source_.name(), "the appended data are missing");
  buffered_ -= *data_begin_ - position_;
  std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(*data_begin_ - position_), buffered_,
              buffer_.begin());
  position_ = *data_begin_;
  for (;;) {
    const char* const end = buffer_.data() + buffered_;
    const char* const mark = std::find<const char*>(buffer_.data(), end, '_');
    if (mark != end) {
      data_begin_ = position_ + static_cast<std::uint64_t>(mark - buffer_.data()) + 1;
      break;
    }
    if (!fill()) fail(source_.name(), "the appended data are missing");
  }
  for (std::size_t i = 0; i < appended_.size(); ++i) {
    const bool is_last = i + 1 == appended_.size();
    read_appended_array(appended_[i], is_last ? UINT64_MAX : appended_[i + 1].offset);
  }
}

void VtkXml::read_appended_array(const AppendedArray& array, std::uint64_t end) {
  VtkBlock block(encoding_, array.type, *array.array, source_.name());
  Base64 base64;
  for (std::uint64_t offset = array.offset; !block.done();) {
    // Bytes behind the beginning of the data that the buffer ends with.
    const std::uint64_t known =
        position_ + buffered_ > *data_begin_ ? position_ + buffered_ - *data_begin_ : 0;
    if (offset >= end) block.refuse("overlaps the next one");
    if (offset >= known) {
      if (!fill()) refuse_cut(*array.array);
      continue;
    }
    const std::uint64_t size = std::min(end, known) - offset;
    const std::string_view bytes(buffer_.data() + buffered_ - (known - offset), size);
    offset += size;
    if (appended_in_base64_) {
      bytes_.clear();
      const std::size_t text = std::min(bytes.find('<'), bytes.size());  // the end of the data
      if (!base64.decode(bytes.substr(0, text), bytes_)) block.refuse("is not base64");
      block.take(bytes_);
      if (text < bytes.size() && !block.done()) refuse_cut(*array.array);
    } else {
      block.take(bytes);
    }
  }
}

}  // namespace

void read_vtp_scene(ByteSource& source, const SceneInput& input, SceneBuilder& builder) {
  VtkPoints points(source.name(), input, builder);
  builder.layer(input.layer, {source.name(), 1});
  VtkXml xml(source, points);
  for (const VtkPiece& piece : xml.read()) points.add(piece);
}

namespace {

/// Appends the length of an array in bytes and its rows, numbers_of(0), numbers_of(1), …
void append_array(std::uint64_t rows, OutputText& out, auto numbers_of) {
  using Numbers = decltype(numbers_of(rows));
  const std::uint64_t bytes = rows * sizeof(Numbers);
  out.text.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  for (std::uint64_t i = 0; i < rows; ++i) {
    const Numbers numbers = numbers_of(i);
    out.text.append(reinterpret_cast<const char*>(&numbers), sizeof numbers);
    out.row_done();
  }
}

/// The element of an array of doubles or integers whose data are appended, at the offset; moves it behind
/// them.
std::string array_element(std::string_view type, std::string_view name, std::uint64_t components,
                          std::uint64_t rows, std::uint64_t& offset) {
  std::string text = "<DataArray type=\"" + std::string(type) + "\" Name=\"" + std::string(name) +
                     "\" NumberOfComponents=\"" + std::to_string(components) +
                     "\" format=\"appended\" offset=\"" + std::to_string(offset) + "\"/>\n";
  offset += sizeof(std::uint64_t) + components * rows * sizeof(double);
  return text;
}

}  // namespace

/// All points are one cell, a poly-vertex, so that programs show them.
void write_vtp_scene(const SceneFile& scene, OutputText& out) {
  const std::uint64_t n = scene.spheres.size();
  const std::uint64_t cells = n > 0 ? 1 : 0;
  const bool velocities = !scene.velocities.empty();
  std::uint64_t offset = 0;
  out.text +=
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"" +
      std::to_string(n) + "\" NumberOfVerts=\"" + std::to_string(cells) +
      "\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData Scalars=\"radius\"" +
      (velocities ? " Vectors=\"velocity\"" : "") + ">\n";
  out.text += array_element("Float64", "radius", 1, n, offset);
  if (velocities) out.text += array_element("Float64", "velocity", 3, n, offset);
  out.text +=
      "</PointData>\n<Points>\n" + array_element("Float64", "Points", 3, n, offset) + "</Points>\n<Verts>\n";
  out.text += array_element("Int64", "connectivity", 1, n, offset);
  out.text += array_element("Int64", "offsets", 1, cells, offset);
  out.text += "</Verts>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_";
  append_array(n, out, [&](std::uint64_t i) { return scene.spheres[i].radius; });
  if (velocities) append_array(n, out, [&](std::uint64_t i) { return scene.velocities[i]; });
  append_array(n, out, [&](std::uint64_t i) { return scene.spheres[i].center; });
  append_array(n, out, [](std::uint64_t i) { return i; });
  append_array(cells, out, [&](std::uint64_t) { return n; });
  out.text += "\n</AppendedData>\n</VTKFile>\n";
}

}  // namespace sphaera::io
