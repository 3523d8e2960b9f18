// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "foothold/doctor.h"

namespace foothold::doctor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libfoothold.so";

std::string Canonical(const fs::path& path) {
  std::error_code error;
  const fs::path canonical = fs::canonical(path, error);
  return error ? path.string() : canonical.string();
}

}  // namespace

Tree FindTree() {
  const fs::path folder = fs::path(Canonical("/proc/self/exe")).parent_path().parent_path();
  const bool installed = fs::exists(folder / "lib64" / kLibrary);
  return {folder.string(), Canonical(folder / (installed ? "lib64" : "lib"))};
}

std::string Tree::UseCommand() const {
  const fs::path script = fs::path(folder) / "set_env.sh";
  if (fs::exists(script)) return "source " + script.string();
  return fmt::format("export LD_LIBRARY_PATH={}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}", libraries);
}

bool Tree::Owns(const std::string& path) const {
  return Canonical(path) == Canonical(fs::path(libraries) / kLibrary);
}

bool Mentions(const std::string& path, const std::string& text) {
  std::ifstream file(path, std::ios::binary);
  constexpr std::size_t kBlock = 1 << 20;
  std::string window;
  while (file) {
    const std::size_t kept = std::min(window.size(), text.size());
    window.erase(0, window.size() - kept);  // the text may lie across two blocks
    window.resize(kept + kBlock);
    file.read(window.data() + kept, kBlock);
    window.resize(kept + static_cast<std::size_t>(file.gcount()));
    if (window.find(text) != std::string::npos) return true;
  }
  return false;
}

bool IsFoothold(const std::string& library) {
  return Mentions(library, "FOOTHOLD_DEVICE_MEMORY");
}

std::vector<std::string> PathList(const std::string& text) {
  std::vector<std::string> parts;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ':');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

}  // namespace foothold::doctor
