#pragma once
/// \file CLI11's names alone. Its header takes seconds to compile, so only sources that declare options read
/// it.

namespace CLI {
class App;
class Option;
}  // namespace CLI
