#pragma once
/// \file Which fields of a structured NPY array are the columns that a reader knows: by the rules of CSV
/// headers.

#include <io/formats/csv_header.hpp>
#include <io/formats/npy.hpp>
#include <string>
#include <vector>

namespace sphaera::io {

/// Where the columns lie in the rows that NpyRows then reads.
struct NpyColumns {
  std::vector<int> place;             ///< of each column; −1: absent
  std::vector<std::size_t> kept;      ///< of each one of CsvColumns::kept
  std::vector<std::string> warnings;  ///< of guessed and ignored fields
};

/// Makes the fields that are columns the columns of the rows. Throws Error bad_file if a required one is
/// missing, or one is no number.
NpyColumns choose_columns(NpyRows& rows, const CsvColumns& columns, const CsvOptions& options);

}  // namespace sphaera::io
