// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bytes that are equal for calls which the same prepared form serves: everything of the arguments but
// addresses. Made for every call, so in memory of its own. Any thread.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "aclnn/arguments.h"
#include "base/key_bytes.h"

namespace foothold::aclnn {

struct FormKey {
  fmt::basic_memory_buffer<char, 1024> bytes;
};

// Of arguments that were checked.
void AppendArguments(FormKey& key, const Arguments& arguments);

// For CallCache.
inline std::uint64_t HashOf(const FormKey& key) {
  KeyHash hash;
  hash.append(key.bytes.data(), key.bytes.size());
  return hash.value();
}
template <typename Sink>
void AppendKey(Sink& sink, const FormKey& key) {
  sink.append(key.bytes.data(), key.bytes.size());
}

}  // namespace foothold::aclnn
