#pragma once
/// \file The files of the page, embedded in the program by page_files.S.

#include <string_view>

namespace sphaera::tool::page_files {

std::string_view page();           ///< page.html; {{NAME}} is a place to fill
std::string_view style();          ///< page.css
std::string_view view();           ///< view.js
std::string_view three();          ///< three.min.js, of Debian's libjs-three
std::string_view three_license();  ///< three_license.txt

}  // namespace sphaera::tool::page_files
