// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Codec libraries of the system: loaded when first needed, never unloaded, and not needed by programs that
// use no video. Any thread.
#pragma once

namespace foothold {

struct CodecLibrary {
  const char* file;     // with the number of the interface we were built for
  const char* package;  // of Debian, for the message
};

constexpr CodecLibrary kOpenH264{"libopenh264.so.7", "libopenh264-7"};
constexpr CodecLibrary kDe265{"libde265.so.0", "libde265-0"};

// Throws 200001 if it is not installed, or not what it should be. Calling it again is cheap.
void* LoadCodec(const CodecLibrary& library);
void* FindInCodec(void* loaded, const CodecLibrary& library, const char* symbol);

template <typename Function>
void FindInCodec(void* loaded, const CodecLibrary& library, const char* symbol, Function** function) {
  *function = reinterpret_cast<Function*>(FindInCodec(loaded, library, symbol));
}

}  // namespace foothold
