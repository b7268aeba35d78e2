#pragma once
/// \file Checks contact times by evaluating views (`eclipse --verify`).

#include <tools/receivers/scene_over_time.hpp>

namespace sphaera::tool {

/// The observer to check, and the choice of times.
struct ContactCheck {
  std::uint64_t observer;  ///< number, for messages and the random times
  std::uint64_t seed;      ///< of the random times between contacts
};

/// Evaluates `starlight` at the start of the interval, just before and at each contact, and between contacts,
/// for each body (or all together). The phase must agree with the contacts. Between contacts a different
/// phase counts as an error only if it holds for the resolution. A star that is not seen must have no numbers
/// at the time that was found. Throws Mismatch. Returns the number of evaluations.
std::uint64_t check_contacts(const SceneOverTime& sky, const SceneObserver& observer,
                             const std::vector<StarContact>& contacts, const Wanted& wanted,
                             const ContactCheck& check);

}  // namespace sphaera::tool
