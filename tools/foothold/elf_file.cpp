// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/elf_file.h"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <fstream>

namespace foothold::doctor {
namespace {

constexpr std::uint64_t kMostBytes = 1 << 26;  // of a table; more is no file of a compiler

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path, std::ios::binary) {}

  std::optional<ElfFile> Read() {
    if (!Get(0, header_) || std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB)
      return std::nullopt;
    elf_.machine = header_.e_machine;
    ReadSegments();
    if (elf_.dynamic) ReadDynamic();
    return elf_;
  }

 private:
  template <typename T>
  bool Get(std::uint64_t offset, T& value) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(reinterpret_cast<char*>(&value), sizeof value);
    return static_cast<bool>(file_);
  }

  void ReadSegments() {
    for (int i = 0; i < header_.e_phnum; ++i) {
      Elf64_Phdr segment{};
      if (!Get(header_.e_phoff + static_cast<std::uint64_t>(i) * sizeof segment, segment)) return;
      if (segment.p_type == PT_LOAD) loaded_.push_back(segment);
      if (segment.p_type != PT_DYNAMIC) continue;
      dynamic_ = segment;
      elf_.dynamic = true;
    }
  }

  std::uint64_t OffsetOf(std::uint64_t address) const {
    for (const Elf64_Phdr& segment : loaded_)
      if (address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return segment.p_offset + (address - segment.p_vaddr);
    return 0;
  }

  std::string Text(std::uint64_t place) {
    std::string text;
    if (strings_ == 0 || place > kMostBytes) return text;
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(strings_ + place));
    std::getline(file_, text, '\0');
    return text;
  }

  void ReadDynamic() {
    std::vector<Elf64_Dyn> entries;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic_.p_filesz && at < kMostBytes;
         at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry{};
      if (!Get(dynamic_.p_offset + at, entry) || entry.d_tag == DT_NULL) break;
      entries.push_back(entry);
      if (entry.d_tag == DT_STRTAB) strings_ = OffsetOf(entry.d_un.d_ptr);
    }
    for (const Elf64_Dyn& entry : entries)
      Add(entry);
  }

  void Add(const Elf64_Dyn& entry) {
    if (entry.d_tag == DT_NEEDED) elf_.needed.push_back(Text(entry.d_un.d_val));
    if (entry.d_tag == DT_SONAME) elf_.soname = Text(entry.d_un.d_val);
    if (entry.d_tag == DT_RPATH) elf_.rpath = Text(entry.d_un.d_val);
    if (entry.d_tag == DT_RUNPATH) elf_.runpath = Text(entry.d_un.d_val);
  }

  std::ifstream file_;
  Elf64_Ehdr header_{};
  Elf64_Phdr dynamic_{};
  std::vector<Elf64_Phdr> loaded_;
  std::uint64_t strings_ = 0;
  ElfFile elf_;
};

}  // namespace

std::optional<ElfFile> ReadElf(const std::string& path) {
  return Reader(path).Read();
}

}  // namespace foothold::doctor
