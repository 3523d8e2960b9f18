// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the system's loader would take libraries from: RPATH, LD_LIBRARY_PATH, RUNPATH, the cache of
// ldconfig, the usual folders, in this order. Nothing is loaded.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "foothold/elf_file.h"

namespace foothold::doctor {

// An object of the process that would come to be.
struct LoadedObject {
  std::string name;   // as it was asked for
  std::string path;   // empty if it is found nowhere
  std::string why;    // "LD_LIBRARY_PATH has /a/lib64", ...
  int asked_by = -1;  // index of the object that needs it
  ElfFile elf;
};

class LibrarySearch {
 public:
  // `root` stands before paths of the system.
  explicit LibrarySearch(const std::string& root);

  // The program first, then all it needs, in the order the loader meets them. Empty if it is no program.
  std::vector<LoadedObject> LoadAll(const std::string& program) const;
  // What a program without a path of its own gets, or dlopen.
  LoadedObject Find(const std::string& name) const;

 private:
  struct Place {
    std::string folder, why;
  };
  std::vector<Place> Places(const std::vector<LoadedObject>& objects, int asked_by) const;
  LoadedObject Find(const std::string& name, const std::vector<LoadedObject>& objects, int asked_by) const;
  void AddNeeded(std::vector<LoadedObject>& objects, std::size_t of) const;
  void ReadCache();

  std::string root_;
  int machine_ = 0;
  std::vector<std::string> library_path_;
  std::map<std::string, std::string> cache_;  // name to path
};

}  // namespace foothold::doctor
