#pragma once
/// \file A file without a name in the temporary folder. It holds an output that cannot be changed once
/// written, such as a pipe, until it is complete.

#include <base/files/descriptor.hpp>
#include <string>

namespace sphaera::io {

class Spool {
 public:
  /// The folder is $TMPDIR, else /tmp. `output` is what messages call the output. Throws Error io.
  explicit Spool(const std::string& output);

  int fd() const { return file_.get(); }
  /// Throws Error io about "a temporary file for standard output in /tmp".
  [[noreturn]] void fail(const std::string& what, int errno_value) const;

 private:
  std::string name_;
  base::Descriptor file_;
};

}  // namespace sphaera::io
