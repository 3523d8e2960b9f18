// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Puts keys of single operators together: bytes that are only ever compared. Texts stand behind their
// lengths, so that two of them in a row cannot be taken for two others. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace foothold {

template <typename T>
void AppendPlain(std::string& key, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void AppendText(std::string& key, std::string_view text) {
  AppendPlain(key, static_cast<std::uint32_t>(text.size()));
  key.append(text);
}

}  // namespace foothold
