#pragma once
/// \file gzip out.

#include <memory>
#include <string>
#include <string_view>

namespace sphaera::io {

/// Packs bytes as one gzip member, without a time, so that the same bytes give the same file.
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
