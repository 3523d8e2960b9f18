// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The functions of libpng that are used, as its manual of version 1.6 has them. For png. Any thread.
#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>

#include "base/system_library.h"

namespace foothold::media::png {

extern SystemLibrary library;

// Objects of the library.
struct Reader;
struct Header;

using LongJump = void (*)(std::jmp_buf, int);
using Complaint = void (*)(Reader*, const char*);
using Source = void (*)(Reader*, unsigned char*, std::size_t);

// Throws 200001 without the library.
struct Functions {
  Reader* (*create)(const char* version, void* context, Complaint error, Complaint warning);
  Header* (*create_header)(Reader*);
  void (*destroy)(Reader**, Header**, Header**);
  std::jmp_buf* (*set_jump)(Reader*, LongJump, std::size_t);
  void (*jump)(Reader*, int);
  void* (*context)(Reader*);
  void (*set_source)(Reader*, void*, Source);
  void* (*source)(Reader*);
  void (*set_limits)(Reader*, std::uint32_t, std::uint32_t);
  void (*set_chunk_bytes)(Reader*, std::size_t);
  void (*read_header)(Reader*, Header*);
  void (*expand)(Reader*);
  void (*strip_16)(Reader*);
  void (*strip_alpha)(Reader*);
  void (*gray_to_rgb)(Reader*);
  void (*add_alpha)(Reader*, std::uint32_t, int);
  int (*passes)(Reader*);
  void (*update)(Reader*, Header*);
  std::size_t (*row_bytes)(Reader*, Header*);
  void (*read_row)(Reader*, unsigned char*, unsigned char*);
  const char* (*version)(Reader*);

  static const Functions& Get();
};

}  // namespace foothold::media::png
