// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/elf_check.h"

#include <elf.h>

#include <cstring>
#include <vector>

#include "base/error.h"

namespace foothold {
namespace {

#if defined(__x86_64__)
constexpr Elf64_Half kMachine = EM_X86_64;
constexpr const char* kMachineName = "x86-64";
#elif defined(__aarch64__)
constexpr Elf64_Half kMachine = EM_AARCH64;
constexpr const char* kMachineName = "64-bit Arm";
#endif

// How a kernel for this machine is made, for whoever brought something else.
constexpr const char* kAdvice =
    "build the kernels as a shared object for this CPU, as foothold/kernel.h says";

std::string NameOfMachine(Elf64_Half machine) {
  switch (machine) {
    case EM_386:
      return "32-bit x86";
    case EM_ARM:
      return "32-bit Arm";
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "64-bit Arm";
    case EM_RISCV:
      return "RISC-V";
    default:
      return fmt::format("machine {:#x}", machine);
  }
}

std::string FirstBytes(const unsigned char* bytes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format("{}{:02x}", i == 0 ? "" : " ", bytes[i]);
  return text;
}

Elf64_Ehdr ReadHeader(const std::string& name, std::uint64_t size, const ReadPiece& read) {
  Elf64_Ehdr header{};
  unsigned char first[SELFMAG] = {};
  if (size < SELFMAG || !read(0, first, SELFMAG))
    Fail(kRtParamInvalid, "{} holds {} bytes, which is no ELF file; {}", name, size, kAdvice);
  if (std::memcmp(first, ELFMAG, SELFMAG) != 0) {
    Fail(kRtParamInvalid, "{} is no ELF file: it begins with the bytes {}; {}", name,
         FirstBytes(first, SELFMAG), kAdvice);
  }
  if (size < sizeof header || !read(0, &header, sizeof header))
    Fail(kRtParamInvalid, "{} is cut off: {} bytes do not hold the header of an ELF file", name, size);
  return header;
}

// Machines of an NPU have numbers of their own, and so have other CPUs.
void CheckMachine(const std::string& name, const Elf64_Ehdr& header) {
  if (header.e_machine != kMachine || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB) {
    Fail(kRtFeatureNotSupport,
         "{} is code for another processor ({}), an NPU or another CPU; this one is {} and runs nothing "
         "else; {}",
         name, NameOfMachine(header.e_machine), kMachineName, kAdvice);
  }
  if (header.e_type == ET_DYN) return;
  const char* const what = header.e_type == ET_REL    ? "an object file that was not linked"
                           : header.e_type == ET_EXEC ? "a program"
                                                      : "an ELF file of another kind";
  Fail(kRtParamInvalid, "{} is {}, not a shared object; link it with -shared -fPIC", name, what);
}

std::vector<Elf64_Phdr> ReadSegments(const std::string& name, const Elf64_Ehdr& header, std::uint64_t size,
                                     const ReadPiece& read) {
  const std::size_t bytes = std::size_t{header.e_phnum} * sizeof(Elf64_Phdr);
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phnum == 0)
    Fail(kRtParamInvalid, "{} is damaged: its header tells of no segments", name);
  if (header.e_phoff > size || bytes > size - header.e_phoff ||
      !read(header.e_phoff, segments.data(), bytes)) {
    Fail(kRtParamInvalid, "{} is cut off: its {} bytes do not hold the table of its segments", name, size);
  }
  return segments;
}

void CheckSegment(const std::string& name, const Elf64_Phdr& segment, std::uint64_t size) {
  if (segment.p_type != PT_LOAD && segment.p_type != PT_DYNAMIC) return;
  if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset) {
    Fail(kRtParamInvalid, "{} is cut off: it has {} bytes, and one of its segments ends at {}", name, size,
         segment.p_offset + segment.p_filesz);
  }
  if (segment.p_filesz > segment.p_memsz || segment.p_vaddr + segment.p_memsz < segment.p_vaddr)
    Fail(kRtParamInvalid, "{} is damaged: the sizes of a segment contradict each other", name);
}

// What the loader takes for granted: it would put one segment over the other, or outside of its own memory.
void CheckOrder(const std::string& name, const std::vector<Elf64_Phdr>& segments) {
  std::uint64_t end = 0;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_vaddr < end)
      Fail(kRtParamInvalid, "{} is damaged: its segments overlap or are out of order", name);
    end = segment.p_vaddr + segment.p_memsz;
  }
}

bool LiesIn(const Elf64_Phdr& inner, const Elf64_Phdr& outer) {
  return outer.p_type == PT_LOAD && inner.p_vaddr >= outer.p_vaddr &&
         inner.p_vaddr + inner.p_memsz <= outer.p_vaddr + outer.p_memsz;
}

// The loader reads this table before anything else.
void CheckDynamic(const std::string& name, const std::vector<Elf64_Phdr>& segments) {
  for (const Elf64_Phdr& dynamic : segments) {
    if (dynamic.p_type != PT_DYNAMIC) continue;
    for (const Elf64_Phdr& loaded : segments)
      if (LiesIn(dynamic, loaded)) return;
  }
  Fail(kRtParamInvalid, "{} is damaged: it has no table for the loader", name);
}

}  // namespace

void CheckSharedObject(const std::string& name, std::uint64_t size, const ReadPiece& read) {
  const Elf64_Ehdr header = ReadHeader(name, size, read);
  CheckMachine(name, header);
  const std::vector<Elf64_Phdr> segments = ReadSegments(name, header, size, read);
  for (const Elf64_Phdr& segment : segments)
    CheckSegment(name, segment, size);
  CheckOrder(name, segments);
  CheckDynamic(name, segments);
}

}  // namespace foothold
