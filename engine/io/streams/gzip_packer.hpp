#pragma once
/// \file gzip output.

#include <memory>
#include <string>
#include <string_view>

namespace sphaera::io {

/// Compresses bytes to one gzip member without a timestamp, so that equal bytes give equal files.
class GzipPacker {
 public:
  GzipPacker();
  ~GzipPacker();

  void pack(std::string_view bytes, std::string& packed);  ///< appends to `packed`
  void finish(std::string& packed);

 private:
  struct Stream;
  void run(std::string_view bytes, int flush, std::string& packed);

  std::unique_ptr<Stream> stream_;
};

}  // namespace sphaera::io
