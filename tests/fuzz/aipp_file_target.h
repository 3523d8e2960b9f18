// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody gives as a configuration file of AIPP. Used by the fuzzer and by the
// replay of its corpus.
#pragma once

#include <string>

#include "base/error.h"
#include "fuzz/require.h"
#include "ops/aipp/file.h"
#include "ops/aipp/geometry.h"

namespace foothold {

// Refused with the line, or settings that mean the same when they are written and read again, and that a
// picture either fits or does not.
inline void FuzzAippFile(const std::string& bytes) {
  std::vector<AippSettings> ops;
  try {
    ops = ParseAipp(bytes, "the input");
  } catch (const Error& error) {
    Require(error.code() == kParseFile && error.message().find("the input, line ") == 0);
    return;
  }
  for (const AippSettings& settings : ops) {
    const auto again = ParseAipp(ToText(settings), "what was written");
    Require(again.size() == 1 && again[0] == settings);
    try {
      CheckPicture(PictureOf(Complete(settings, {224, 224}), {224, 224}));
    } catch (const Error& error) {
      Require(error.code() == kInvalidParam);
    }
  }
}

}  // namespace foothold
