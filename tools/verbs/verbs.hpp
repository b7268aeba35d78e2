#pragma once
/// \file The verbs of the tool.

#include <array>
#include <tools/options/verb.hpp>

namespace sphaera::tool {

extern const VerbEntry info_verb, blocked_verb, first_verb, all_verb, nearest_verb, within_verb,
    contacts_verb, exposed_verb, visibility_verb, sky_verb, starlight_verb, eclipse_verb, shoot_verb,
    map_verb, report_verb, index_verb, convert_verb, generate_verb, merge_verb;

/// In the order of the help text.
inline constexpr std::array every_verb{&info_verb,    &blocked_verb,  &visibility_verb, &first_verb,
                                       &all_verb,     &nearest_verb,  &within_verb,     &contacts_verb,
                                       &exposed_verb, &sky_verb,      &starlight_verb,  &eclipse_verb,
                                       &shoot_verb,   &map_verb,      &report_verb,     &index_verb,
                                       &convert_verb, &generate_verb, &merge_verb};

}  // namespace sphaera::tool
