#pragma once
/// \file The frames of a file, of which SceneLoadOptions::frame chooses one.

#include <cstdint>
#include <io/scene/scene_builder.hpp>
#include <io/scene/scene_read.hpp>

namespace sphaera::io {

class Frames {
 public:
  Frames(const SceneInput& input, SceneBuilder& builder)
      : wanted_(input.options.frame), first_(builder.size()), builder_(builder) {}

  /// Call where a frame begins. False: the chosen one is read, and the rest of the file is not needed. The
  /// last frame is read by reading all, each in place of the one before.
  bool next(const std::string& file);
  /// The frame that began last is to be read; otherwise its rows are skipped.
  bool wanted() const { return wanted_ == last || count_ - 1 == wanted_; }
  /// Call at the end. Throws bad_file if the file has no such frame; `what` names what makes a frame.
  void finish(const FileLine& end, const std::string& what) const;

 private:
  static constexpr std::int64_t last = -1;

  std::int64_t wanted_, count_ = 0;
  std::size_t first_;  // sphere of the file
  SceneBuilder& builder_;
};

/// Throws bad_file if the options choose a frame of a file that has none, unless a scene names the file.
void refuse_frame(const std::string& file, const SceneInput& input);

}  // namespace sphaera::io
