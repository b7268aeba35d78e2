#pragma once
/// \file Contact times checked by looking: `eclipse --verify`.

#include <tools/scene/observers_over_time.hpp>

namespace sphaera::tool {

/// Who is checked, and by which looks.
struct ContactCheck {
  std::uint64_t observer;  ///< number, for messages
  std::uint64_t seed;      ///< of the times at which is looked beside those that contacts name
};

/// Looks by `starlight` at the begin of the interval, just before and at each contact, and between contacts,
/// for each body (or all together): the class must be what the contacts say. Between contacts a class other
/// than theirs counts where it holds for the resolution. Throws Mismatch; returns how often it looked.
std::uint64_t check_contacts(const ViewOverTime& sky, const Watcher& watcher,
                             const std::vector<Contact>& contacts, const Wanted& wanted,
                             const ContactCheck& check);

}  // namespace sphaera::tool
