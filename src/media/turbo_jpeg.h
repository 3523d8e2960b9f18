// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The functions of libturbojpeg that are used, and the numbers they take, as its documentation of version 2
// has them; later versions keep them. For jpeg_decode and jpeg_encode. Any thread; a codec is one thread's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/system_library.h"
#include "media/jpeg.h"

namespace foothold::media::turbo {

extern SystemLibrary library;

constexpr int kNoRealloc = 1024, kAccurateDct = 4096, kLimitScans = 32768;
constexpr int kPixelsRgb = 0, kPixelsCmyk = 11;
constexpr int kSpaceYCbCr = 1, kSpaceGray = 2;

// Throws 200001 without the library.
struct Functions {
  void* (*init_decompress)();
  void* (*init_compress)();
  int (*destroy)(void*);
  int (*decompress_header)(void*, const unsigned char*, unsigned long, int*, int*, int*, int*);
  int (*decompress_to_planes)(void*, const unsigned char*, unsigned long, unsigned char**, int, int*, int,
                              int);
  int (*decompress)(void*, const unsigned char*, unsigned long, unsigned char*, int, int, int, int, int);
  int (*compress_from_planes)(void*, const unsigned char**, int, const int*, int, int, unsigned char**,
                              unsigned long*, int, int);
  unsigned long (*buffer_size)(int, int, int);
  int (*plane_width)(int, int, int);
  int (*plane_height)(int, int, int);
  char* (*error_text)(void*);
  int (*error_code)(void*);
  void (*free)(unsigned char*);

  static const Functions& Get();
};

// A compressor or decompressor, and how it fails.
class Codec {
 public:
  enum Kind { kCompress, kDecompress };
  explicit Codec(Kind kind);
  ~Codec();
  Codec(const Codec&) = delete;
  Codec& operator=(const Codec&) = delete;

  void* get() const { return handle_; }
  // Fails with 148052 if a decoding call answered a failure, or a warning that samples are missing.
  void CheckDecoded(int result) const;
  const Functions& functions() const { return functions_; }

 private:
  const Functions& functions_;
  void* const handle_;
};

}  // namespace foothold::media::turbo
