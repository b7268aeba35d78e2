#include <zlib.h>
#include <algorithm>
#include <io/formats/vtk_block.hpp>
#include <io/streams/file_error.hpp>
#include <io/streams/machine_memory.hpp>
#include <new>

namespace sphaera::io {
namespace {

// What a header of packed data holds before the lengths of its blocks.
enum : std::size_t { blocks, block_length, last_length, first_packed };

/// The six bits of each character of base64; −1: it is none.
constexpr std::array<std::int8_t, 256> base64_bits = [] {
  std::array<std::int8_t, 256> bits{};
  bits.fill(-1);
  std::int8_t next = 0;
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    bits[static_cast<unsigned char>(c)] = next++;
  return bits;
}();

int bits_of(char c) { return base64_bits[static_cast<unsigned char>(c)]; }

}  // namespace

void VtkArray::push_back(double value, const std::string& file) {
  check_growth(values, 0, file);
  values.push_back(value);
}

bool Base64::decode(std::string_view text, std::string& bytes) {
  for (std::size_t i = 0; i < text.size();) {
    if (characters_ == 0 && i + 4 <= text.size() && decode_four(text.data() + i, bytes))
      i += 4;
    else if (!decode_one(text[i++], bytes))
      return false;
  }
  return true;
}

/// Decodes four characters that are neither blank nor padding; otherwise returns false.
bool Base64::decode_four(const char* text, std::string& bytes) {
  const int a = bits_of(text[0]), b = bits_of(text[1]), c = bits_of(text[2]), d = bits_of(text[3]);
  if ((a | b | c | d) < 0) return false;
  const int bits = a << 18 | b << 12 | c << 6 | d;
  const std::array<char, 3> three{static_cast<char>(bits >> 16), static_cast<char>(bits >> 8 & 0xFF),
                                  static_cast<char>(bits & 0xFF)};
  bytes.append(three.data(), three.size());
  return true;
}

bool Base64::decode_one(char c, std::string& bytes) {
  if (c == ' ' || c == '\t' || c == '\r' || c == '\n') return true;
  const int bits = bits_of(c);
  const bool pads = c == '=' && characters_ >= 2;
  if ((bits < 0 && !pads) || (bits >= 0 && padding_ > 0)) return false;
  bits_ = bits_ << 6 | static_cast<std::uint32_t>(std::max(bits, 0));
  padding_ += pads ? 1 : 0;
  if (++characters_ < 4) return true;
  for (int i = 0; i < 3 - padding_; ++i) bytes += static_cast<char>(bits_ >> (16 - 8 * i) & 0xFF);
  bits_ = 0, characters_ = 0, padding_ = 0;
  return true;
}

VtkBlock::VtkBlock(const VtkEncoding& encoding, RawType type, VtkArray& array, const std::string& file)
    : encoding_(encoding), type_(type), array_(array), file_(file) {
  if (!encoding.packed) return;
  z_ = std::make_unique<z_stream>();
  if (inflateInit(z_.get()) != Z_OK) throw std::bad_alloc();
}

VtkBlock::~VtkBlock() {
  if (z_) inflateEnd(z_.get());
}

void VtkBlock::refuse(const char* what) const { fail(file_, "array " + shown(array_.name) + ' ' + what); }

std::size_t VtkBlock::take(std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size() && !done()) {
    const std::string_view rest = bytes.substr(taken);
    taken += state_ == State::length ? take_length(rest) : encoding_.packed ? unpack(rest) : take_data(rest);
  }
  return taken;
}

std::size_t VtkBlock::take_length(std::string_view bytes) {
  const std::size_t size = encoding_.wide_header ? 8 : 4, taken = std::min(size - part_size_, bytes.size());
  std::copy_n(bytes.begin(), taken, part_.begin() + static_cast<std::ptrdiff_t>(part_size_));
  part_size_ += taken;
  if (part_size_ < size) return taken;
  part_size_ = 0;
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < size; ++i)
    length = length << 8 | static_cast<unsigned char>(part_[encoding_.big_endian ? i : size - 1 - i]);
  check_growth(lengths_, 0, file_);
  lengths_.push_back(length);
  if (!encoding_.packed) {
    left_ = length;
    state_ = left_ > 0 ? State::data : State::done;
  } else if (lengths_[blocks] == 0 && lengths_.size() == first_packed) {
    state_ = State::done;
  } else if (lengths_.size() >= first_packed && lengths_.size() - first_packed == lengths_[blocks]) {
    state_ = State::data;
    left_ = lengths_[first_packed];
  }
  return taken;
}

std::size_t VtkBlock::take_data(std::string_view bytes) {
  const std::string_view own = bytes.substr(0, left_);
  add(own);
  left_ -= own.size();
  if (left_ == 0) next_block();
  return own.size();
}

/// Unpacks what belongs to this block.
std::size_t VtkBlock::unpack(std::string_view bytes) {
  const std::uint64_t last = lengths_[last_length];
  const std::uint64_t length = block_ + 1 == lengths_[blocks] && last > 0 ? last : lengths_[block_length];
  const std::string_view own = bytes.substr(0, left_);
  std::array<char, 16384> out;
  z_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(own.data()));  // zlib only reads it
  z_->avail_in = static_cast<uInt>(own.size());
  int status = Z_OK;
  do {
    z_->next_out = reinterpret_cast<Bytef*>(out.data());
    z_->avail_out = static_cast<uInt>(out.size());
    status = inflate(z_.get(), Z_NO_FLUSH);
    const std::size_t got = out.size() - z_->avail_out;
    unpacked_ += got;
    if ((status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) || unpacked_ > length)
      refuse("is damaged: it cannot be unpacked");
    add({out.data(), got});
  } while (status == Z_OK && z_->avail_out == 0);
  left_ -= own.size();
  if (left_ > 0) return own.size();
  if (status != Z_STREAM_END || z_->avail_in > 0 || unpacked_ != length)
    refuse("is damaged: it cannot be unpacked");
  next_block();
  return own.size();
}

void VtkBlock::next_block() {
  ++block_, unpacked_ = 0;
  if (encoding_.packed && block_ < lengths_[blocks]) {
    inflateReset(z_.get());
    left_ = lengths_[first_packed + block_];
    if (left_ == 0) refuse("is damaged: a block is empty");
    return;
  }
  if (part_size_ > 0) refuse("ends inside a number");
  state_ = State::done;
}

void VtkBlock::add(std::string_view bytes) {
  const std::size_t size = size_of(type_);
  while (!bytes.empty()) {
    if (part_size_ == 0 && bytes.size() >= size) {
      array_.push_back(raw_number(type_, bytes.data(), encoding_.big_endian), file_);
      bytes.remove_prefix(size);
      continue;
    }
    const std::size_t taken = std::min(size - part_size_, bytes.size());
    std::copy_n(bytes.begin(), taken, part_.begin() + static_cast<std::ptrdiff_t>(part_size_));
    bytes.remove_prefix(taken);
    part_size_ += taken;
    if (part_size_ < size) return;
    array_.push_back(raw_number(type_, part_.data(), encoding_.big_endian), file_);
    part_size_ = 0;
  }
}

}  // namespace sphaera::io
