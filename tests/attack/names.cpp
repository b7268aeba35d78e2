#include <attack/attack.hpp>

namespace sphaera::attack {
std::unique_ptr<Attack> names_attack(const Ground&) { return nullptr; }
}  // namespace sphaera::attack
