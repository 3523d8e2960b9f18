// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/output_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "formats/npy.h"

namespace foothold::run {
namespace {

constexpr std::size_t kLongestName = 200;  // file systems end at 255 with the extension

std::string Safe(const std::string& name) {
  std::string safe = name.substr(name.rfind(':') + 1);
  for (char& c : safe) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '.' && c != '-') c = '_';
  }
  if (safe.empty() || safe[0] == '.' || safe[0] == '-') safe.insert(safe.begin(), '_');
  return safe.substr(0, kLongestName);
}

}  // namespace

std::vector<std::string> FileNames(const std::vector<std::string>& tensors) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const std::string& tensor : tensors) {
    const std::string safe = Safe(tensor);
    std::string name = safe;
    for (int i = 2; !taken.insert(name).second; ++i)
      name = fmt::format("{}_{}", safe, i);
    names.push_back(name);
  }
  return names;
}

std::vector<std::string> WriteOutputs(const std::string& folder, const std::vector<std::string>& names,
                                      const std::vector<TensorValue>& values) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) Fail(kInvalidFile, "the folder '{}' cannot be made: {}", folder, error.message());
  const std::vector<std::string> files = FileNames(names);
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < values.size(); ++i) {
    paths.push_back((std::filesystem::path(folder) / (files[i] + ".npy")).string());
    WriteNpy(paths.back(), values[i].type(), {values[i].data(), values[i].size()});
  }
  return paths;
}

}  // namespace foothold::run
