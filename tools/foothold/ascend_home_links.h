// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The names below /usr/local/Ascend that programs hard-code, as links to a toolkit tree of Foothold. Whatever
// stands there and was not made here is somebody else's, most likely a genuine installation, and is left
// alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace foothold {

class AscendHomeLinks {
 public:
  enum class State { kAbsent, kOurs, kForeign };
  struct Place {
    std::filesystem::path path;
    State state;
    std::string meaning;  // in words, for the user
  };

  // `root` stands for /: the tests' folder, or an image that is being made.
  explicit AscendHomeLinks(const std::filesystem::path& root);

  // Makes all names, or none: throws std::runtime_error if one is taken or cannot be made. Names that lead to
  // another tree of Foothold are led to this one.
  void Make(const std::filesystem::path& tree) const;
  // Removes what Make made and the folders that are empty then; answers what it removed.
  std::vector<std::filesystem::path> Remove() const;
  std::vector<Place> Look() const;

 private:
  bool LeadsToFoothold(const std::filesystem::path& link) const;
  Place LookAtLink(const std::filesystem::path& path) const;
  Place LookAtScript() const;
  void RefuseForeign() const;
  void WriteScript() const;
  void RemoveEmptyFolders() const;

  std::filesystem::path home_, toolkit_, script_;
  std::vector<std::filesystem::path> links_;
};

// Whether a folder is a toolkit tree of Foothold.
bool IsToolkitTree(const std::filesystem::path& folder);

}  // namespace foothold
