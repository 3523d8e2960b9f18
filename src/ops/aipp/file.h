// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Configuration files of AIPP: blocks aipp_op { name: value ... } in the text form of protobuf, with comments
// from # to the end of a line. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/aipp/settings.h"

namespace foothold {

// At least one. Throws kInvalidParam with the file, the line, the field, what it may be and what was found.
std::vector<AippSettings> ParseAipp(std::string_view text, const std::string& origin);
// The same of a file of at most 1 MiB.
std::vector<AippSettings> ReadAippFile(const std::string& path);

// One aipp_op with all that is not as it is by default; ParseAipp reads the same settings from it.
std::string ToText(const AippSettings& settings);

}  // namespace foothold
