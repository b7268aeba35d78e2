/// Limits of control groups, in a folder that stands for /.

#include <io/streams/machine_memory.hpp>

#include <tests/scratch_files.hpp>

using namespace sphaera;
using namespace sphaera::test;

namespace {

const std::string v1 = "sys/fs/cgroup/memory/", v1_file = "/memory.limit_in_bytes";
const std::string v2 = "sys/fs/cgroup/", v2_file = "/memory.max";
constexpr const char* v1_groups = "12:cpu,cpuacct:/a\n5:hugetlb,memory:/a/b\n1:name=systemd:/c\n0::/d\n";

}  // namespace

TEST_CASE("the limit of a control group of version 1, nested or around it", "[io]") {
  const Folder root;
  CHECK(io::control_group_limit(root.path()) == UINT64_MAX);
  root.write("proc/self/cgroup", v1_groups);
  CHECK(io::control_group_limit(root.path()) == UINT64_MAX);
  root.write(v1 + v1_file, "9223372036854771712\n");  // no limit
  root.write(v1 + "a" + v1_file, "9223372036854771712\n");
  root.write(v1 + "c" + v1_file, "1\n");  // another's
  root.write(v1 + "a/b/e" + v1_file, "2\n");
  CHECK(io::control_group_limit(root.path()) == 9223372036854771712);
  root.write(v1 + "a/b" + v1_file, "4096\n");
  CHECK(io::control_group_limit(root.path()) == 4096);
  root.write(v1 + "a" + v1_file, "1024\n");
  CHECK(io::control_group_limit(root.path()) == 1024);
  root.write(v1 + v1_file, "512\n");
  CHECK(io::control_group_limit(root.path()) == 512);
}

TEST_CASE("the limit of a control group of version 2, nested or around it", "[io]") {
  const Folder root;
  root.write("proc/self/cgroup", "0::/a:b/c.slice\n");
  root.write(v2 + "a:b/c.slice" + v2_file, "max\n");
  root.write(v2 + "a:b" + v2_file, "max\n");
  root.write(v2 + "d" + v2_file, "1\n");
  CHECK(io::control_group_limit(root.path()) == UINT64_MAX);
  root.write(v2 + "a:b/c.slice" + v2_file, "8192\n");
  CHECK(io::control_group_limit(root.path()) == 8192);
  root.write(v2 + "a:b" + v2_file, "4096\n");
  CHECK(io::control_group_limit(root.path()) == 4096);
}

TEST_CASE("both versions side by side, and a container whose tree is its own group", "[io]") {
  const Folder root;
  root.write("proc/self/cgroup", v1_groups);
  root.write(v1 + "a/b" + v1_file, "4096\n");
  root.write(v2 + "d" + v2_file, "2048\n");
  CHECK(io::control_group_limit(root.path()) == 2048);
  const Folder container;
  container.write("proc/self/cgroup", "5:memory:/docker/0123\n0::/\n");
  container.write(v1 + v1_file, "4096\n");
  CHECK(io::control_group_limit(container.path()) == 4096);
  container.write(v2 + v2_file, "2048\n");
  CHECK(io::control_group_limit(container.path()) == 2048);
}
