#pragma once
/// \file Structures that begin with their size.

#include <algorithm>
#include <c/handles.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sphaera::c {

/// No structure is larger; a size beyond is none.
inline constexpr std::size_t greatest_size = 4096;

/// Defaults, as …_init writes them.
template <class Options>
Options defaults();

/// The size of a structure in the version that it came with; later ones append fields.
template <class Options>
inline constexpr std::size_t first_size = sizeof(Options);
template <>
inline constexpr std::size_t first_size<SphaeraQueryOptions> = offsetof(SphaeraQueryOptions, also_ignore);
template <>
inline constexpr std::size_t first_size<SphaeraContactOptions> = offsetof(SphaeraContactOptions, unseen);

/// …_init of Options.
template <class Options>
void write_defaults(Options* options, std::size_t size) {
  place(options, "options");
  if (size < first_size<Options> || size > greatest_size) refuse("options", "have a wrong size; give sizeof");
  std::memset(static_cast<void*>(options), 0, size);
  const Options values = defaults<Options>();
  std::memcpy(static_cast<void*>(options), &values, std::min(size, sizeof values));
  options->size = size;
}

/// The caller's structure, with defaults where it lacks later fields; null: the defaults. Refuses a size that
/// no version had, and a larger structure that uses fields unknown here.
template <class Options>
Options read(const Options* options, const char* name) {
  Options result = defaults<Options>();
  if (options == nullptr) return result;
  const std::size_t size = options->size;
  if (size < first_size<Options> || size > greatest_size)
    refuse(name, "have a wrong size; fill them by their init function first");
  const auto* const bytes = reinterpret_cast<const unsigned char*>(options);
  const std::size_t known = std::min(size, sizeof result);
  if (std::any_of(bytes + known, bytes + size, [](unsigned char byte) { return byte != 0; }))
    refuse(name, "have fields that this version of the library does not know");
  std::memcpy(static_cast<void*>(&result), bytes, known);
  return result;
}

/// The caller's place for a result that begins with its size.
template <class Result>
Result& sized_place(Result* result, const char* name) {
  if (place(result, name).size < sizeof(Result)) refuse(name, "has a wrong size; set it to sizeof");
  return *result;
}

/// An enumerator; those that C++ does not know it refuses itself.
template <class Enum>
Enum enumerator(std::int32_t value, const char* name) {
  if (value < 0 || value > 255) refuse(name, "is unknown");
  return static_cast<Enum>(value);
}

inline void check_reserved(std::int32_t reserved) {
  if (reserved != 0) refuse("options", "have a field `reserved` that is not 0");
}

}  // namespace sphaera::c
