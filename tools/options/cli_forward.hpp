#pragma once
/// \file Forward declarations of CLI11. Its header takes seconds to compile, so only sources that declare
/// options include it.

namespace CLI {
class App;
class Option;
}  // namespace CLI
