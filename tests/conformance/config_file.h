// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Files of a test that are gone when it ends.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "foothold_test_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }

  // The text of all files below it.
  std::string AllText() const {
    std::ostringstream text;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
      if (entry.is_regular_file()) text << std::ifstream(entry.path()).rdbuf();
    }
    return text.str();
  }

 private:
  std::string path_;
};

// A configuration for aclInit.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text) : path_(directory_.path() + "/acl.json") {
    std::ofstream(path_) << text;
  }
  const char* path() const { return path_.c_str(); }

 private:
  TemporaryDirectory directory_;
  std::string path_;
};
