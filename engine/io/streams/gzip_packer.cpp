#include <zlib.h>

#include <algorithm>
#include <io/streams/gzip_packer.hpp>
#include <limits>
#include <new>

namespace sphaera::io {

struct GzipPacker::Stream {
  z_stream z{};
};

GzipPacker::GzipPacker() : stream_(std::make_unique<Stream>()) {
  constexpr int gzip_format = 16;  // zlib: added to the window bits
  constexpr int memory_level = 8;  // zlib's default
  if (deflateInit2(&stream_->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_format, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

GzipPacker::~GzipPacker() { deflateEnd(&stream_->z); }

void GzipPacker::pack(std::string_view bytes, std::string& packed) {
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, std::numeric_limits<uInt>::max());
    run(part, Z_NO_FLUSH, packed);
    bytes.remove_prefix(part.size());
  }
}

void GzipPacker::finish(std::string& packed) { run({}, Z_FINISH, packed); }

void GzipPacker::run(std::string_view bytes, int flush, std::string& packed) {
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads it
  z.avail_in = static_cast<uInt>(bytes.size());
  char out[1 << 14];
  do {
    z.next_out = reinterpret_cast<Bytef*>(out);
    z.avail_out = sizeof out;
    deflate(&z, flush);
    packed.append(out, sizeof out - z.avail_out);
  } while (z.avail_out == 0);
}

}  // namespace sphaera::io
