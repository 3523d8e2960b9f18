// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody gives as a .npy file. Used by the fuzzer and by the replay of its
// corpus.
#pragma once

#include <cstring>
#include <string>

#include "base/error.h"
#include "formats/npy.h"
#include "fuzz/require.h"

namespace foothold {

// Refused, or an array that means the same when it is written and read again.
inline void FuzzNpy(const std::string& bytes) {
  TensorValue array;
  try {
    array = ParseNpy(std::as_bytes(std::span(bytes)), "the input");
  } catch (const Error& error) {
    Require(error.code() == kParseFile && !error.message().empty());
    return;
  }
  std::string written = NpyHeader(array.type());
  if (array.size() > 0) written.append(array.As<char>(), array.size());
  const TensorValue again = ParseNpy(std::as_bytes(std::span(written)), "what was written");
  Require(again.dims() == array.dims() && again.size() == array.size());
  Require(array.size() == 0 || std::memcmp(again.data(), array.data(), array.size()) == 0);
}

}  // namespace foothold
