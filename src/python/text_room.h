// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Texts that C writes into memory of the caller, whose length a Python program passes without the memory.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "acl/acl_base.h"

namespace foothold {

// No text is longer; a program that passes -1 for "any length" gets this much room and not all memory.
inline constexpr std::size_t kLongestText = std::size_t{1} << 20;

// Calls `write(room, length)`, which is a function of C, and takes over what it wrote.
template <typename Write>
aclError TextInRoom(std::size_t length, std::string* text, Write&& write) {
  length = std::min(length, kLongestText);
  std::vector<char> room(length + 1);
  const aclError code = write(room.data(), length);
  *text = room.data();
  return code;
}

}  // namespace foothold
