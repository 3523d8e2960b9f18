// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bytes of an .om file, as docs/om_format.md describes them. Little-endian; for om_writer and om_file.
#pragma once

#define XXH_INLINE_ALL  // no library to be there at run time
#include <xxhash.h>

#include <bit>
#include <cstdint>

#include "model/om_file.h"

namespace foothold {

static_assert(std::endian::native == std::endian::little, "the structures below are written as they stand");

// Like PNG's: bytes above 127, both line ends and end-of-file, so that a transfer as text shows at once.
constexpr unsigned char kOmMagic[8] = {0x89, 'F', 'H', 'O', 'M', '\r', '\n', 0x1a};
constexpr std::uint32_t kOmVersion = 1;
constexpr std::uint32_t kOmMostSections = 256;

struct OmHeader {
  unsigned char magic[8];
  std::uint32_t version;
  std::uint32_t sections;
  std::uint64_t file_size;
  std::uint64_t checksum;  // of the header with this field 0, and the entries
  unsigned char reserved[32];
};
static_assert(sizeof(OmHeader) == 64);

// Behind the header, one for each section.
struct OmEntry {
  char name[kOmNameBytes];  // ends with a 0
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t checksum;
  std::uint64_t reserved;
};
static_assert(sizeof(OmEntry) == 96);

inline std::size_t RoundUpToSection(std::size_t bytes) {
  return (bytes + kOmAlignment - 1) / kOmAlignment * kOmAlignment;
}

// XXH3, 64 bits, over bytes that come in pieces.
class OmChecksum {
 public:
  OmChecksum() {
    XXH3_INITSTATE(&state_);
    XXH3_64bits_reset(&state_);
  }
  OmChecksum(const OmChecksum&) = delete;
  OmChecksum& operator=(const OmChecksum&) = delete;

  OmChecksum& Add(const void* data, std::size_t size) {
    XXH3_64bits_update(&state_, data, size);
    return *this;
  }
  std::uint64_t value() const { return XXH3_64bits_digest(&state_); }

 private:
  XXH3_state_t state_;
};

}  // namespace foothold
