// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/library_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "foothold/doctor.h"

namespace foothold::doctor {
namespace {

namespace fs = std::filesystem;

#if defined(__aarch64__)
constexpr const char* kUsualFolders[] = {
    "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"};
#else
constexpr const char* kUsualFolders[] = {
    "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"};
#endif

// The file ldconfig writes: this, the number of entries, and 24 bytes for each.
constexpr std::string_view kCacheMark = "glibc-ld.so.cache1.1";
constexpr std::size_t kCacheHeader = 48, kCacheEntry = 24;

std::uint32_t Number(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

std::string Text(const std::string& bytes, std::size_t at) {
  return at < bytes.size() ? std::string(bytes.c_str() + at) : "";
}

std::string Expand(std::string folder, const std::string& object) {
  const std::string origin = fs::absolute(object).parent_path().string();
  for (const std::string name : {"$ORIGIN", "${ORIGIN}"})
    for (auto at = folder.find(name); at != std::string::npos; at = folder.find(name))
      folder.replace(at, name.size(), origin);
  return folder;
}

bool Answers(const LoadedObject& object, const std::string& name) {
  return object.name == name || (!object.path.empty() && object.elf.soname == name);
}

}  // namespace

LibrarySearch::LibrarySearch(const std::string& root)
    : root_(root), library_path_(PathList(Variable("LD_LIBRARY_PATH"))) {
  if (const auto self = ReadElf("/proc/self/exe")) machine_ = self->machine;
  ReadCache();
}

void LibrarySearch::ReadCache() {
  std::ifstream file(root_ + "/etc/ld.so.cache", std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const auto begin = bytes.find(kCacheMark);
  if (begin == std::string::npos) return;
  bytes.erase(0, begin);  // places count from here
  const std::size_t count =
      std::min<std::size_t>(Number(bytes, kCacheMark.size()), bytes.size() / kCacheEntry);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = kCacheHeader + i * kCacheEntry;
    const std::string path = root_ + Text(bytes, Number(bytes, entry + 8));
    cache_.emplace(Text(bytes, Number(bytes, entry + 4)), path);
  }
}

std::vector<LibrarySearch::Place> LibrarySearch::Places(const std::vector<LoadedObject>& objects,
                                                        int asked_by) const {
  std::vector<Place> places;
  const auto add = [&](const LoadedObject& object, const std::string& list, const char* kind) {
    for (const std::string& folder : PathList(list)) {
      const std::string expanded = Expand(folder, object.path);
      places.push_back({expanded, fmt::format("{} of {} has {}", kind, object.path, expanded)});
    }
  };
  const auto asking = static_cast<std::size_t>(asked_by);
  // An RPATH also serves what those ask for that were loaded because of it, and counts only without a
  // RUNPATH.
  if (asked_by >= 0 && objects[asking].elf.runpath.empty())
    for (int i = asked_by; i >= 0; i = objects[static_cast<std::size_t>(i)].asked_by) {
      const LoadedObject& object = objects[static_cast<std::size_t>(i)];
      if (object.elf.runpath.empty()) add(object, object.elf.rpath, "the RPATH");
    }
  for (const std::string& folder : library_path_)
    places.push_back({folder, "LD_LIBRARY_PATH has " + folder});
  if (asked_by >= 0) add(objects[asking], objects[asking].elf.runpath, "the RUNPATH");
  return places;
}

LoadedObject LibrarySearch::Find(const std::string& name, const std::vector<LoadedObject>& objects,
                                 int asked_by) const {
  LoadedObject found{.name = name, .path = "", .why = "", .asked_by = asked_by, .elf = {}};
  const auto take = [&](const std::string& path, const std::string& why) {
    const auto elf = ReadElf(path);
    if (!elf || elf->machine != machine_) return false;  // the loader passes over those as well
    found.path = path;
    found.why = why;
    found.elf = *elf;
    return true;
  };
  if (name.find('/') != std::string::npos) {
    take(name, "it is asked for by its path");
    return found;
  }
  for (const Place& place : Places(objects, asked_by))
    if (take(place.folder + "/" + name, place.why)) return found;
  const auto cached = cache_.find(name);
  if (cached != cache_.end() && take(cached->second, "ldconfig has it in " + root_ + "/etc/ld.so.cache"))
    return found;
  for (const char* folder : kUsualFolders)
    if (take(root_ + folder + "/" + name, std::string("the loader looks in ") + folder)) return found;
  return found;
}

LoadedObject LibrarySearch::Find(const std::string& name) const {
  return Find(name, {}, -1);
}

void LibrarySearch::AddNeeded(std::vector<LoadedObject>& objects, std::size_t of) const {
  const std::vector<std::string> needed = objects[of].elf.needed;
  for (const std::string& name : needed) {
    const bool there = std::any_of(objects.begin(), objects.end(),
                                   [&](const LoadedObject& object) { return Answers(object, name); });
    if (!there) objects.push_back(Find(name, objects, static_cast<int>(of)));
  }
}

std::vector<LoadedObject> LibrarySearch::LoadAll(const std::string& program) const {
  const auto elf = ReadElf(program);
  if (!elf) return {};
  std::vector<LoadedObject> objects = {{program, program, "it is the program", -1, *elf}};
  for (const std::string& name : PathList(Variable("LD_PRELOAD")))
    objects.push_back(Find(name, objects, 0));
  for (std::size_t i = 0; i < objects.size(); ++i)
    AddNeeded(objects, i);
  return objects;
}

}  // namespace foothold::doctor
