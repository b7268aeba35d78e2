#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <io/streams/file_error.hpp>
#include <io/streams/spool.hpp>
#include <system_error>

namespace sphaera::io {
namespace {

/// As std::filesystem::temp_directory_path, which refuses a folder that is missing without saying which.
std::string temporary_folder() {
  const char* given = std::getenv("TMPDIR");
  return given && *given ? given : "/tmp";
}

/// Not every file system has files without a name.
int open_nameless(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return file;
  std::string name = folder + "/sphaera-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

Spool::Spool(const std::string& output) {
  const std::string folder = temporary_folder();
  name_ = "a temporary file for " + output + " in " + folder;
  file_ = base::Descriptor(open_nameless(folder));
  if (!file_) fail("cannot create it", errno);
}

void Spool::fail(const std::string& what, int errno_value) const {
  fail_io(name_, what + " (TMPDIR can name another folder)", errno_value);
}

}  // namespace sphaera::io
