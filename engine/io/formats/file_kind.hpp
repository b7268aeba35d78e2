#pragma once
/// \file What a file is, by its first bytes: for formats of pipes, and for messages about files that are
/// something else than their name says.

#include <string_view>

namespace sphaera::io {

/// A kind of file.
struct FileKind {
  std::string_view name;    ///< "an Excel workbook"
  std::string_view advice;  ///< "export the sheet as CSV"
  std::string_view format;  ///< the name of a scene format; empty: there is none
};

/// Recognizes a file by its first bytes, 512 or all; null: unknown, such as CSV.
const FileKind* kind_of(std::string_view beginning);

}  // namespace sphaera::io
