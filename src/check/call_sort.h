// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a call is to those who look at what it touches, by its name. Asked once for each task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace foothold::check {

enum class CallSort : std::uint8_t {
  kOther,
  kCopy,    // carries bytes along, written or not
  kValue,   // what streams tell one another by: it makes order and needs none
  kLaunch,  // functions and kernels of the program, which may touch anything
};

template <std::size_t kSize>
constexpr bool BeginsWith(const char* text, const char (&prefix)[kSize]) {
  return [&]<std::size_t... kAt>(std::index_sequence<kAt...>) {
    return ((text[kAt] == prefix[kAt]) && ...);
  }
  (std::make_index_sequence<kSize - 1>());
}

constexpr CallSort SortOf(const char* call) {
  if (!BeginsWith(call, "aclrt")) return CallSort::kOther;
  if (BeginsWith(call + 5, "Memcpy")) return CallSort::kCopy;
  if (BeginsWith(call + 5, "Value")) return CallSort::kValue;
  return BeginsWith(call + 5, "Launch") ? CallSort::kLaunch : CallSort::kOther;
}

static_assert(SortOf("aclrtMemcpyAsync") == CallSort::kCopy &&
              SortOf("aclrtMemsetAsync") == CallSort::kOther);
static_assert(SortOf("aclrtValueWait") == CallSort::kValue && SortOf("") == CallSort::kOther);
static_assert(SortOf("aclrtLaunchHostFunc") == CallSort::kLaunch && SortOf("aclrt") == CallSort::kOther);

}  // namespace foothold::check
