#include <base/sanitizers.hpp>
#include <tests/effort.hpp>

bool sphaera::test::sanitized() {
#if defined(SPHAERA_SANITIZED)
  return true;
#else
  return false;
#endif
}
