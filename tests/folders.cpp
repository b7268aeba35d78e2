#include <tests/folders.hpp>

std::string sphaera::test::data_folder() { return SPHAERA_TEST_DATA; }
std::string sphaera::test::public_headers() { return SPHAERA_PUBLIC_HEADERS; }
