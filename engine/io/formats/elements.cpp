#include <array>
#include <cstddef>
#include <cstdint>
#include <io/formats/elements.hpp>

namespace sphaera::io {
namespace {

struct Element {
  std::string_view symbol;
  std::uint16_t radius;
};

/// Main groups: A. Bondi, J. Phys. Chem. 68, 441 (1964); those that he lacks, Be, B, Al, Ca, Ge, Rb, Sr, Sb,
/// Cs, Ba, Bi, Po, At, Rn, Fr, Ra: M. Mantina and others, J. Phys. Chem. A 113, 5806 (2009). Groups 3 to 12,
/// lanthanides, actinides: S. Alvarez, Dalton Trans. 42, 8617 (2013).
constexpr std::array<Element, element_count> table{
    {{"H", 120},  {"He", 140}, {"Li", 182}, {"Be", 153}, {"B", 192},  {"C", 170},  {"N", 155},  {"O", 152},
     {"F", 147},  {"Ne", 154}, {"Na", 227}, {"Mg", 173}, {"Al", 184}, {"Si", 210}, {"P", 180},  {"S", 180},
     {"Cl", 175}, {"Ar", 188}, {"K", 275},  {"Ca", 231}, {"Sc", 258}, {"Ti", 246}, {"V", 242},  {"Cr", 245},
     {"Mn", 245}, {"Fe", 244}, {"Co", 240}, {"Ni", 240}, {"Cu", 238}, {"Zn", 239}, {"Ga", 187}, {"Ge", 211},
     {"As", 185}, {"Se", 190}, {"Br", 185}, {"Kr", 202}, {"Rb", 303}, {"Sr", 249}, {"Y", 275},  {"Zr", 252},
     {"Nb", 256}, {"Mo", 245}, {"Tc", 244}, {"Ru", 246}, {"Rh", 244}, {"Pd", 215}, {"Ag", 253}, {"Cd", 249},
     {"In", 193}, {"Sn", 217}, {"Sb", 206}, {"Te", 206}, {"I", 198},  {"Xe", 216}, {"Cs", 343}, {"Ba", 268},
     {"La", 298}, {"Ce", 288}, {"Pr", 292}, {"Nd", 295}, {"Pm", 0},   {"Sm", 290}, {"Eu", 287}, {"Gd", 283},
     {"Tb", 279}, {"Dy", 287}, {"Ho", 281}, {"Er", 283}, {"Tm", 279}, {"Yb", 280}, {"Lu", 274}, {"Hf", 263},
     {"Ta", 253}, {"W", 257},  {"Re", 249}, {"Os", 248}, {"Ir", 241}, {"Pt", 229}, {"Au", 232}, {"Hg", 245},
     {"Tl", 196}, {"Pb", 202}, {"Bi", 207}, {"Po", 197}, {"At", 202}, {"Rn", 220}, {"Fr", 348}, {"Ra", 283},
     {"Ac", 280}, {"Th", 293}, {"Pa", 288}, {"U", 271},  {"Np", 282}, {"Pu", 281}, {"Am", 283}, {"Cm", 305},
     {"Bk", 340}, {"Cf", 305}, {"Es", 270}, {"Fm", 0},   {"Md", 0},   {"No", 0},   {"Lr", 0},   {"Rf", 0},
     {"Db", 0},   {"Sg", 0},   {"Bh", 0},   {"Hs", 0},   {"Mt", 0},   {"Ds", 0},   {"Rg", 0},   {"Cn", 0},
     {"Nh", 0},   {"Fl", 0},   {"Mc", 0},   {"Lv", 0},   {"Ts", 0},   {"Og", 0}}};

constexpr std::size_t letters = 26;

/// Row of a table of all words of one or two letters, which has no row for others.
constexpr std::size_t row_of(std::string_view symbol) {
  if (symbol.size() > 2) return 0;
  std::size_t row = 0;
  for (const char c : symbol) {
    const auto letter = static_cast<std::size_t>((c | 0x20) - 'a');
    if (letter >= letters) return 0;
    row = (letters + 1) * row + letter + 1;
  }
  return row;
}

constexpr auto number_of = [] {
  std::array<std::uint8_t, (letters + 1) * (letters + 1)> numbers{};
  for (std::size_t i = 0; i < table.size(); ++i)
    numbers[row_of(table[i].symbol)] = static_cast<std::uint8_t>(i + 1);
  numbers[row_of("D")] = numbers[row_of("T")] = numbers[row_of("H")];
  return numbers;
}();

}  // namespace

int atomic_number(std::string_view symbol) { return number_of[row_of(symbol)]; }

std::string_view element_symbol(int number) { return table[static_cast<std::size_t>(number - 1)].symbol; }

int van_der_waals_radius(int number) { return table[static_cast<std::size_t>(number - 1)].radius; }

}  // namespace sphaera::io
