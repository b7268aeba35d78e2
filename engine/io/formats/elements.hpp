#pragma once
/// \file The chemical elements: symbols and van der Waals radii.

#include <string_view>

namespace sphaera::io {

inline constexpr int element_count = 118;

/// Atomic number of a symbol in any case, 1 … 118; D and T are hydrogen. 0: there is no such element.
int atomic_number(std::string_view symbol);

/// Precondition: 1 ≤ number ≤ 118.
std::string_view element_symbol(int number);

/// Van der Waals radius in hundredths of an ångström; 0: none is published. Precondition as above.
int van_der_waals_radius(int number);

}  // namespace sphaera::io
