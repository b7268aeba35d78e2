#include <base/sanitizers.hpp>
#include <cstdlib>
#include <string_view>
#include <tests/effort.hpp>

bool sphaera::test::sanitized() {
#if defined(SPHAERA_SANITIZED)
  return true;
#else
  static const bool few = [] {
    const char* const text = std::getenv("SPHAERA_CASES");
    return text && std::string_view(text) == "few";
  }();
  return few;
#endif
}
