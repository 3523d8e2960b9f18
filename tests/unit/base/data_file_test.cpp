// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/data_file.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace foothold {
namespace {

namespace fs = std::filesystem;

// inside/file, inside/pipe, inside/below/file, outside/file and links between them.
class DataFileTest : public testing::Test {
 protected:
  DataFileTest() {
    std::string pattern = (fs::temp_directory_path() / "data_file_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    fs::create_directories(inside() / "below");
    fs::create_directories(root_ / "outside");
    for (const char* name : {"inside/file", "inside/below/file", "outside/file"})
      std::ofstream(root_ / name) << "content";
    EXPECT_EQ(mkfifo((inside() / "pipe").c_str(), 0600), 0);
    fs::create_symlink("below/file", inside() / "link");
    fs::create_symlink(inside() / "below", inside() / "absolute");
    fs::create_symlink(root_ / "outside", inside() / "way_out");
    fs::create_symlink("../outside/file", inside() / "file_out");
    fs::create_symlink(inside(), root_ / "other_name");
  }
  ~DataFileTest() override { fs::remove_all(root_); }

  fs::path inside() const { return root_ / "inside"; }
  std::string Problem(const std::string& path) const {
    return DataFile::OpenBelow(inside().string(), path).problem();
  }

  // What holds whichever way a kernel offers. The first that does not, or nothing.
  std::string FirstFault() const {
    using Paths = std::vector<std::string>;
    const std::string outside = "is outside the folder of the model";
    const std::pair<std::string, Paths> cases[] = {
        {"",
         {"file", "below/file", "below/../file", "link", "absolute/file", "./file", "../inside/file",
          inside() / "file", root_ / "other_name/below/file"}},
        {outside,
         {"way_out/file", "file_out", "../outside/file", "way_out/../outside/file", root_ / "outside/file",
          "/etc/passwd"}},
        {"is no regular file", {"pipe", "below", "."}},
        {"cannot be read: No such file or directory", {"none", "below/none", "way_out/none"}}};
    for (const auto& [expected, paths] : cases)
      for (const std::string& path : paths)
        if (Problem(path) != expected) return path + " " + Problem(path);
    return "";
  }

  fs::path root_;
};

TEST_F(DataFileTest, StaysBelowItsFolder) {
  EXPECT_EQ(FirstFault(), "");
}

// Makes openat2 answer `error` in this process, as kernels before 5.6 and some sandboxes do.
bool TakeOpenat2Away(std::uint32_t error) {
  sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
                        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{static_cast<unsigned short>(std::size(code)), code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(DataFileTest, StaysBelowItsFolderWhereTheKernelDoesNotHelp) {
  for (const int error : {ENOSYS, EPERM}) {
    const pid_t child = fork();
    if (child == 0) {
      if (!TakeOpenat2Away(static_cast<std::uint32_t>(error))) _exit(2);
      const std::string fault = FirstFault();
      if (!fault.empty()) fprintf(stderr, "%s\n", fault.c_str());
      _exit(fault.empty() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2) GTEST_SKIP() << "no filters of system calls here";
    EXPECT_EQ(status, 0) << error;
  }
}

TEST_F(DataFileTest, ReadsWhatIsThereAndSaysWhenItIsGone) {
  const DataFile file = DataFile::Open((inside() / "file").string());
  ASSERT_EQ(file.problem(), "");
  EXPECT_EQ(file.size(), 7u);
  EXPECT_TRUE(file.Has(3, 4));
  EXPECT_FALSE(file.Has(4, 4));
  EXPECT_FALSE(file.Has(8, 0));
  EXPECT_FALSE(file.Has(1, UINT64_MAX));
  std::array<std::byte, 4> bytes;
  ASSERT_TRUE(file.Read(3, bytes.data(), bytes.size()));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "tent");
  fs::resize_file(inside() / "file", 5);
  EXPECT_FALSE(file.Read(3, bytes.data(), bytes.size()));
}

TEST_F(DataFileTest, OpensNothingButFiles) {
  EXPECT_EQ(DataFile::Open((inside() / "pipe").string()).problem(), "is no regular file");
  EXPECT_EQ(DataFile::Open("/dev/zero").problem(), "is no regular file");
}

}  // namespace
}  // namespace foothold
