// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/turbo_jpeg.h"

#include <cstring>

#include "base/error.h"

namespace foothold::media::turbo {
namespace {

Functions FindAll() {
  Functions out;
  library.Find("tjInitDecompress", &out.init_decompress);
  library.Find("tjInitCompress", &out.init_compress);
  library.Find("tjDestroy", &out.destroy);
  library.Find("tjDecompressHeader3", &out.decompress_header);
  library.Find("tjDecompressToYUVPlanes", &out.decompress_to_planes);
  library.Find("tjDecompress2", &out.decompress);
  library.Find("tjCompressFromYUVPlanes", &out.compress_from_planes);
  library.Find("tjBufSize", &out.buffer_size);
  library.Find("tjPlaneWidth", &out.plane_width);
  library.Find("tjPlaneHeight", &out.plane_height);
  library.Find("tjGetErrorStr2", &out.error_text);
  library.Find("tjGetErrorCode", &out.error_code);
  library.Find("tjFree", &out.free);
  return out;
}

// Bytes between the parts of a file are ignored by every decoder; all other warnings mean lost samples.
bool IsHarmless(const char* warning) {
  return std::strstr(warning, "extraneous bytes before marker") != nullptr;
}

}  // namespace

constinit SystemLibrary library("libturbojpeg.so.0", "libturbojpeg0", "JPEG pictures");

const Functions& Functions::Get() {
  static const Functions functions = FindAll();
  return functions;
}

Codec::Codec(Kind kind)
    : functions_(Functions::Get()),
      handle_(kind == kCompress ? functions_.init_compress() : functions_.init_decompress()) {
  if (handle_ == nullptr) Fail(kBadAlloc, "libturbojpeg has no memory for a codec");
}

Codec::~Codec() {
  functions_.destroy(handle_);
}

void Codec::CheckDecoded(int result) const {
  if (result == 0) return;
  constexpr int kWarning = 0;
  const char* const text = functions_.error_text(handle_);
  if (functions_.error_code(handle_) == kWarning && IsHarmless(text)) return;
  Fail(kUnsupportedJpeg, "the JPEG picture cannot be decoded: {}", text);
}

}  // namespace foothold::media::turbo
