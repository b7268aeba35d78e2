#pragma once
/// \file Helpers for errors: subjects, numbers as text, and an out-of-memory error that needs no memory.

#include <cstdint>
#include <new>
#include <span>
#include <sphaera/config/export.hpp>
#include <sphaera/error.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sphaera::base::inline SPHAERA_ABI {

/// Throws Error(out_of_memory). The error object is created at program start, so throwing it needs no memory.
[[noreturn]] void throw_out_of_memory();

/// Throws Error(invalid_argument).
[[noreturn]] void throw_invalid_argument(std::string_view reason, std::int64_t element = Error::no_element);

/// The same for an option out of its range: "NAME is VALUE; give WANTED".
[[noreturn]] void refuse_value(std::string_view name, double value, std::string_view wanted);
template <class Enum>
  requires std::is_enum_v<Enum>
[[noreturn]] void refuse_value(std::string_view name, Enum value, std::string_view wanted) {
  refuse_value(name, static_cast<double>(value), wanted);
}

/// In a handler: converts allocation failures to Error, throws other exceptions again.
[[noreturn]] void rethrow_with_memory_errors();
template <class Work>
auto with_memory_errors(const Work& work) {
  try {
    return work();
  } catch (...) {
    rethrow_with_memory_errors();
  }
}

// SPHAERA_API: for the library of scene files.
/// A subject: "ray 17", or "ray" if `element` is Error::no_element.
SPHAERA_API std::string numbered(std::string_view name, std::int64_t element);

/// A subject inside another one: "outer: inner", or the one that is not empty.
SPHAERA_API std::string nested(std::string_view outer, std::string_view inner);

/// A copy of `error` with `place` in front of its subject ("scene.json: sphere 3") and element `element`.
Error located(std::string_view place, const Error& error, std::int64_t element);

/// The shortest text that reads back as the same double.
SPHAERA_API std::string text_of(double x);
/// The text of an interval: "[from, to]".
std::string text_of(double from, double to);

/// Throws io about "name"; the reason is `what` and the meaning of `errno_value`.
[[noreturn, gnu::cold]] SPHAERA_API void fail_io(const std::string& name, const std::string& what,
                                                 int errno_value);

/// A vector of n items, written by `fill`.
template <class Item, class Fill>
std::vector<Item> filled(std::size_t n, const Fill& fill) {
  std::vector<Item> items;
  with_memory_errors([&] { items.resize(n); });
  fill(std::span<Item>(items));
  return items;
}

}  // namespace sphaera::base::inline SPHAERA_ABI
