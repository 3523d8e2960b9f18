// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What given binaries want of this toolkit and what of that is here: libraries, functions they import, names
// they ask the loader for. Of a folder (a wheel, a virtual environment) all libraries in it that want
// anything.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "foothold/doctor.h"
#include "foothold/dynamic_symbols.h"
#include "foothold/elf_file.h"
#include "foothold/library_search.h"

namespace foothold::doctor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostShown = 20;

struct Binary {
  std::string path;
  ElfFile elf;
  DynamicSymbols symbols;
};

std::vector<std::string> FilesOf(const std::string& given) {
  if (!fs::is_directory(given)) return {given};
  std::vector<std::string> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(given, fs::directory_options::skip_permission_denied))
    if (entry.is_regular_file() && entry.path().filename().string().find(".so") != std::string::npos)
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Binary> BinariesOf(const std::string& given) {
  std::vector<Binary> binaries;
  for (const std::string& file : FilesOf(given))
    if (auto elf = ReadElf(file)) binaries.push_back({file, std::move(*elf), ReadDynamicSymbols(file)});
  return binaries;
}

// All names that one of the binaries or what they load offers.
struct Offer {
  std::set<std::string> symbols, libraries;

  void Add(const Binary& binary) {
    symbols.insert(binary.symbols.defined.begin(), binary.symbols.defined.end());
    libraries.insert(fs::path(binary.path).filename());
    libraries.insert(binary.elf.soname);
  }
};

std::string Some(const std::vector<std::string>& names) {
  const std::vector<std::string> shown(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostShown)));
  const std::string more =
      names.size() > kMostShown ? fmt::format(" and {} more", names.size() - kMostShown) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), more);
}

class Judgement {
 public:
  Judgement(const Subject& subject, Findings& findings)
      : tree_(subject.tree),
        findings_(findings),
        search_(subject.root),
        ours_(ReadDynamicSymbols((fs::path(subject.tree.libraries) / "libfoothold.so").string())) {}

  void Of(const std::string& given) {
    const std::vector<Binary> binaries = BinariesOf(given);
    Offer offer;
    for (const Binary& binary : binaries)
      offer.Add(binary);
    std::size_t clients = 0;
    for (const Binary& binary : binaries)
      clients += Judge(binary, offer) ? 1 : 0;
    if (clients == 0) findings_.Note(fmt::format("nothing in {} wants a name of this toolkit", given));
  }

 private:
  bool IsOurs(const std::string& library) const { return fs::exists(fs::path(tree_.libraries) / library); }

  // By those who ask the loader for it.
  bool IsFound(const std::string& name) const {
    return ours_.defined.count(name) != 0 && ours_.linked_only.count(name) == 0;
  }

  // Whether it wants anything of the toolkit.
  bool Judge(const Binary& binary, const Offer& offer) {
    std::vector<std::string> here, idle, missing, looked_up;
    for (const std::string& name : binary.symbols.wanted) {
      if (ours_.linked_only.count(name) != 0) idle.push_back(name);
      if (ours_.defined.count(name) != 0)
        here.push_back(name);
      else if (LooksLikeCann(name) && offer.symbols.count(name) == 0)
        missing.push_back(Demangled(name));
    }
    const bool links = std::any_of(binary.elf.needed.begin(), binary.elf.needed.end(),
                                   [&](const std::string& name) { return IsOurs(name); });
    if (!links && here.empty() && missing.empty()) return false;
    TellLibraries(binary, offer);
    Tell(binary, here, missing);
    if (!idle.empty())
      findings_.Note(fmt::format("{} imports {} operators that do not run here: {}", binary.path, idle.size(),
                                 Some(idle)));
    for (const std::string& name : NamesInTexts(binary.path))
      if (!IsFound(name) && offer.symbols.count(name) == 0 && name[0] != '_') looked_up.push_back(name);
    if (!looked_up.empty())
      findings_.Note(fmt::format("{} has {} texts that look like names of functions and are none here: {}",
                                 binary.path, looked_up.size(), Some(looked_up)));
    return true;
  }

  void TellLibraries(const Binary& binary, const Offer& offer) {
    std::vector<std::string> missing;
    for (const std::string& name : binary.elf.needed)
      if (!IsOurs(name) && offer.libraries.count(name) == 0 && search_.Find(name).path.empty())
        missing.push_back(name);
    if (!missing.empty())
      findings_.Bad(
          fmt::format("{} needs libraries that are nowhere: {}", binary.path, Some(missing)),
          "install what brings them, or go without this file: docs/toolkit.md has the names there are");
  }

  void Tell(const Binary& binary, const std::vector<std::string>& here,
            const std::vector<std::string>& missing) {
    if (missing.empty())
      return findings_.Fine(
          fmt::format("{} imports {} names of this toolkit, and all are here", binary.path, here.size()));
    findings_.Bad(
        fmt::format("{} imports {} names of this toolkit and {} that are not here: {}", binary.path,
                    here.size(), missing.size(), Some(missing)),
        "go without this file: docs/toolkit.md has the names there are, and why some never will be");
  }

  const Tree& tree_;
  Findings& findings_;
  const LibrarySearch search_;
  const DynamicSymbols ours_;
};

}  // namespace

void CheckNames(const Subject& subject, Findings& findings) {
  if (subject.programs.empty())
    return findings.Fine(
        "foothold doctor FILE or FOLDER says what a library, a wheel or an environment needs");
  Judgement judgement(subject, findings);
  for (const std::string& program : subject.programs)
    judgement.Of(program);
}

}  // namespace foothold::doctor
