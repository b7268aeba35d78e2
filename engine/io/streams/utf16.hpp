#pragma once
/// \file Text in UTF-16 as a stream of UTF-8.

#include <io/streams/byte_reader.hpp>
#include <memory>
#include <string_view>

namespace sphaera::io {

/// The source's text in UTF-8. `beginning`: bytes that were read from it already, from the byte-order mark
/// on. The caller keeps the source alive. `read` throws Error bad_file where the text is not UTF-16.
std::unique_ptr<ByteSource> utf16_source(ByteSource& source, std::string_view beginning);

}  // namespace sphaera::io
