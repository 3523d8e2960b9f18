// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "custom_ops/custom_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace foothold {
namespace {

namespace fs = std::filesystem;

void AddObjects(const fs::path& folder, std::vector<std::string>& files) {
  std::error_code error;
  std::vector<std::string> found;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;  // what cannot be looked at is no file
    if (entry->path().extension() == ".so" && entry->is_regular_file(ignored)) found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  files.insert(files.end(), found.begin(), found.end());
}

std::string WhyNothing(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder / "op_impl", error) || fs::is_directory(folder / "op_proto", error)) {
    return "holds operators for an NPU (op_impl, op_proto) and none for this CPU (foothold/*.so)";
  }
  return "holds no *.so and no foothold/*.so";
}

void AddEntry(const std::string& entry, CustomPath& path) {
  std::error_code error;
  if (fs::is_regular_file(entry, error)) {
    path.files.push_back(entry);
    return;
  }
  if (!fs::is_directory(entry, error)) {
    path.problems.push_back(
        fmt::format("{}: {}", entry, error ? error.message() : "neither a file nor a folder"));
    return;
  }
  const std::size_t before = path.files.size();
  AddObjects(entry, path.files);
  AddObjects(fs::path(entry) / "foothold", path.files);
  if (path.files.size() == before) path.problems.push_back(fmt::format("{}: {}", entry, WhyNothing(entry)));
}

}  // namespace

CustomPath FindCustomFiles(std::string_view path) {
  CustomPath found;
  while (!path.empty()) {
    const std::size_t colon = std::min(path.find(':'), path.size());
    if (colon > 0) AddEntry(std::string(path.substr(0, colon)), found);
    path.remove_prefix(std::min(colon + 1, path.size()));
  }
  return found;
}

}  // namespace foothold
