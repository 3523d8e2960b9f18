// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "custom_ops/custom_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace foothold {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CustomPathTest : public testing::Test {
 protected:
  CustomPathTest() { fs::create_directories(root_); }
  ~CustomPathTest() override { fs::remove_all(root_); }

  std::string File(const std::string& name) {
    const fs::path path = root_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "x";
    return path.string();
  }
  std::string Folder(const std::string& name) {
    fs::create_directories(root_ / name);
    return (root_ / name).string();
  }

 private:
  const fs::path root_ = fs::path(testing::TempDir()) / ("custom_path" + std::to_string(getpid()));
};

TEST_F(CustomPathTest, OfNothingIsNothing) {
  for (const char* path : {"", ":", "::"}) {
    EXPECT_THAT(FindCustomFiles(path).files, IsEmpty());
    EXPECT_THAT(FindCustomFiles(path).problems, IsEmpty());
  }
}

TEST_F(CustomPathTest, HasFilesAndFoldersByName) {
  const std::string single = File("single.object"), b = File("folder/b.so"), a = File("folder/a.so");
  const std::string inner = File("folder/foothold/inner.so");
  File("folder/readme.txt");
  File("folder/deeper/not_this.so");
  const CustomPath found = FindCustomFiles(single + ":" + Folder("folder") + ":");
  EXPECT_THAT(found.files, ElementsAre(single, a, b, inner));
  EXPECT_THAT(found.problems, IsEmpty());
}

TEST_F(CustomPathTest, TellsOfEntriesWithoutOperators) {
  File("vendor/op_impl/ai_core/kernel.o");
  const CustomPath found = FindCustomFiles(Folder("vendor") + ":" + Folder("empty") + ":no/such/folder");
  EXPECT_THAT(found.files, IsEmpty());
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("for an NPU"), HasSubstr("empty: holds no *.so"),
                                          HasSubstr("no/such/folder: No such file")));
}

}  // namespace
}  // namespace foothold
