// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/elf_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <span>
#include <string_view>

namespace foothold::check {
namespace {

class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat about;
    if (fstat(file, &about) == 0 && about.st_size > 0) {
      void* const at =
          mmap(nullptr, static_cast<std::size_t>(about.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (at != MAP_FAILED) bytes_ = {static_cast<const char*>(at), static_cast<std::size_t>(about.st_size)};
    }
    close(file);
  }
  ~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // As many T as the bytes hold; none if they leave the file.
  template <typename T>
  std::span<const T> Read(std::uint64_t offset, std::uint64_t bytes) const {
    if (offset > bytes_.size() || bytes > bytes_.size() - offset || offset % alignof(T) != 0) return {};
    return {reinterpret_cast<const T*>(bytes_.data() + offset), static_cast<std::size_t>(bytes / sizeof(T))};
  }

 private:
  std::string_view bytes_;
};

std::string_view TextAt(std::span<const char> texts, std::size_t at) {
  if (at >= texts.size()) return {};
  return {texts.data() + at, strnlen(texts.data() + at, texts.size() - at)};
}

}  // namespace

std::string FunctionAt(const std::string& path, std::uint64_t address) {
  const MappedFile file(path);
  const auto header = file.Read<Elf64_Ehdr>(0, sizeof(Elf64_Ehdr));
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
      header[0].e_ident[EI_CLASS] != ELFCLASS64)
    return {};
  const auto sections = file.Read<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum * sizeof(Elf64_Shdr));
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& names = sections[section.sh_link];
    const auto texts = file.Read<char>(names.sh_offset, names.sh_size);
    for (const Elf64_Sym& symbol : file.Read<Elf64_Sym>(section.sh_offset, section.sh_size)) {
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
          address - symbol.st_value < symbol.st_size)
        return std::string(TextAt(texts, symbol.st_name));
    }
  }
  return {};
}

}  // namespace foothold::check
