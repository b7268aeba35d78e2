#pragma once
/// \file Folders of the source tree. Only folders.cpp is compiled with their paths, so that a compiler cache
/// can reuse all other tests in any checkout.

#include <string>

namespace sphaera::test {

std::string data_folder();
std::string public_headers();

}  // namespace sphaera::test
