#include <io/scene/frames.hpp>
#include <io/streams/file_error.hpp>

namespace sphaera::io {

bool Frames::next(const std::string& file) {
  ++count_;
  if (wanted_ == last) builder_.drop_from(first_);
  if (wanted_ == last || count_ <= wanted_ + 1) return true;
  if (wanted_ == 0) builder_.warn(file + ": only the first frame is read; --frame N or last chooses another");
  return false;
}

void Frames::finish(const FileLine& end, const std::string& what) const {
  if (count_ == 0) fail(end.name, end.line, "the file ends without " + what);
  if (wanted_ < count_) return;
  fail(end.name, end.line,
       "the file ends before frame " + std::to_string(wanted_) + "; give --frame from 0 to " +
           std::to_string(count_ - 1) + ", or last");
}

void refuse_frame(const std::string& file, const SceneInput& input) {
  if (input.options.frame == 0 || input.is_named) return;
  fail(file, "this file has no frames; leave out --frame, and give a file with the rows of one frame");
}

}  // namespace sphaera::io
