// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/dynamic_symbols.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>
#include <vector>

namespace foothold::doctor {
namespace {

constexpr std::uint64_t kMostBytes = 1 << 28;  // of a table; more is no file of a compiler
constexpr std::size_t kLongestName = 120;
constexpr Elf64_Versym kHidden = 0x8000;  // beside the number of a version

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path, std::ios::binary) {}

  DynamicSymbols Read() {
    Elf64_Ehdr header{};
    if (!Get(0, &header, sizeof header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
    if (header.e_shentsize != sizeof(Elf64_Shdr)) return {};
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    if (!Get(header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr))) return {};
    for (const Elf64_Shdr& section : sections)
      if (section.sh_type == SHT_DYNSYM && section.sh_link < sections.size())
        Add(section, sections[section.sh_link], VersionsOf(sections));
    return std::move(symbols_);
  }

 private:
  bool Get(std::uint64_t offset, void* to, std::uint64_t bytes) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    return static_cast<bool>(file_);
  }

  template <typename Entry>
  std::vector<Entry> Entries(const Elf64_Shdr& section) {
    if (section.sh_size > kMostBytes) return {};
    std::vector<Entry> entries(section.sh_size / sizeof(Entry));
    return Get(section.sh_offset, entries.data(), entries.size() * sizeof(Entry)) ? entries
                                                                                  : std::vector<Entry>();
  }

  // Of the symbols, as the loader finds them: the section may not say what it is.
  std::vector<Elf64_Versym> VersionsOf(const std::vector<Elf64_Shdr>& sections) {
    std::uint64_t address = 0;
    for (const Elf64_Shdr& section : sections)
      if (section.sh_type == SHT_DYNAMIC)
        for (const Elf64_Dyn& entry : Entries<Elf64_Dyn>(section))
          if (entry.d_tag == DT_VERSYM) address = entry.d_un.d_ptr;
    for (const Elf64_Shdr& section : sections)
      if (address != 0 && section.sh_addr == address) return Entries<Elf64_Versym>(section);
    return {};
  }

  void Add(const Elf64_Shdr& table, const Elf64_Shdr& texts, const std::vector<Elf64_Versym>& versions) {
    if (table.sh_size > kMostBytes || texts.sh_size > kMostBytes) return;
    std::vector<Elf64_Sym> entries(table.sh_size / sizeof(Elf64_Sym));
    std::string names(texts.sh_size, '\0');
    if (!Get(table.sh_offset, entries.data(), entries.size() * sizeof(Elf64_Sym)) ||
        !Get(texts.sh_offset, names.data(), names.size()))
      return;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Elf64_Sym& entry = entries[i];
      if (entry.st_name == 0 || entry.st_name >= names.size()) continue;
      const std::string name = names.c_str() + entry.st_name;
      const bool weak = ELF64_ST_BIND(entry.st_info) == STB_WEAK;
      if (entry.st_shndx != SHN_UNDEF) {
        symbols_.defined.insert(name);
        if (i < versions.size() && (versions[i] & kHidden) != 0) symbols_.linked_only.insert(name);
      } else if (!weak) {
        symbols_.wanted.insert(name);
      }
    }
  }

  std::ifstream file_;
  DynamicSymbols symbols_;
};

bool IsNamePart(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

// A beginning that a capital letter follows.
bool Begins(std::string_view symbol, std::string_view beginning) {
  return symbol.size() > beginning.size() && symbol.substr(0, beginning.size()) == beginning &&
         std::isupper(static_cast<unsigned char>(symbol[beginning.size()])) != 0;
}

bool IsBounded(std::string_view symbol) {
  constexpr std::string_view kBounded[] = {"memcpy_s",
                                           "memmove_s",
                                           "memset_s",
                                           "strcpy_s",
                                           "strncpy_s",
                                           "strcat_s",
                                           "strncat_s",
                                           "strtok_s",
                                           "sprintf_s",
                                           "vsprintf_s",
                                           "snprintf_s",
                                           "vsnprintf_s",
                                           "sscanf_s",
                                           "vsscanf_s",
                                           "scanf_s",
                                           "fscanf_s",
                                           "gets_s",
                                           "snprintf_truncated_s",
                                           "vsnprintf_truncated_s"};
  return std::find(std::begin(kBounded), std::end(kBounded), symbol) != std::end(kBounded);
}

}  // namespace

DynamicSymbols ReadDynamicSymbols(const std::string& path) {
  return Reader(path).Read();
}

bool LooksLikeCann(const std::string& symbol) {
  constexpr std::string_view kPlain[] = {
      "acl",     "aclnn",   "aclrt", "aclmdl",  "aclop",   "aclprof", "acldump",   "acltdt", "aclsys",
      "acldvpp", "aclblas", "aclfv", "aclgrph", "aclvdec", "aclvenc", "Acl",       "rt",     "Msprof",
      "Hccl",    "Hcom",    "hal",   "mm",      "Dlog",    "dcmi",    "GeSession", "mstx",   "mspti"};
  constexpr std::string_view kSpaces[] = {
      "2ge", "4gert", "2fe", "2op", "4l0op", "8optiling", "3atb", "4hccl", "12ErrorManager", "3Adx"};
  const std::string_view name = symbol;
  for (const std::string_view beginning : kPlain)
    if (Begins(name, beginning)) return true;
  if (name.substr(0, 7) == "hi_mpi_" || IsBounded(name)) return true;
  if (name == "_Z13CheckLogLevelii" || name == "_Z9DlogFlushv" || name == "_Z10DlogRecordiiPKcz") return true;
  for (const std::string_view head : {"_ZN", "_ZNK", "_ZTVN", "_ZTIN", "_ZTSN"})
    for (const std::string_view space : kSpaces)
      if (name.substr(0, head.size()) == head && name.substr(head.size(), space.size()) == space) return true;
  return false;
}

std::set<std::string> NamesInTexts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::set<std::string> names;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\0', begin), bytes.size());
    const std::string_view text(bytes.data() + begin, end - begin);
    if (text.size() > 4 && text.size() <= kLongestName && std::all_of(text.begin(), text.end(), IsNamePart) &&
        LooksLikeCann(std::string(text)))
      names.emplace(text);
    begin = end + 1;
  }
  return names;
}

std::string Demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? text.get() : symbol;
}

}  // namespace foothold::doctor
