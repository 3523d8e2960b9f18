// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The bytes that are equal for calls which the same prepared form serves. Made for every call, so in memory
// of its own. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/key_bytes.h"

namespace foothold {

class CallKey {
 public:
  void append(const char* bytes, std::size_t count) {
    if (count > room_.size() - size_ || !more_.empty()) return AppendMore(bytes, count);
    std::memcpy(room_.data() + size_, bytes, count);
    size_ += count;
  }
  // The first `count` of the words. A copy of all of them, whose number is known, takes a few instructions.
  template <std::size_t kWords>
  void AppendFirst(const std::int64_t (&words)[kWords], std::size_t count) {
    if (sizeof words > room_.size() - size_ || !more_.empty())
      return append(reinterpret_cast<const char*>(words), count * sizeof words[0]);
    std::memcpy(room_.data() + size_, words, sizeof words);
    size_ += count * sizeof words[0];
  }
  std::string_view bytes() const { return more_.empty() ? std::string_view(room_.data(), size_) : more_; }

 private:
  void AppendMore(const char* bytes, std::size_t count) {
    if (more_.empty()) more_.assign(room_.data(), size_);
    more_.append(bytes, count);
  }

  std::array<char, 1024> room_;
  std::size_t size_ = 0;
  std::string more_;  // all of it, where there is no room
};

// For CallCache.
inline std::uint64_t HashOf(const CallKey& key) {
  KeyHash hash;
  hash.append(key.bytes().data(), key.bytes().size());
  return hash.value();
}
template <typename Sink>
void AppendKey(Sink& sink, const CallKey& key) {
  sink.append(key.bytes().data(), key.bytes().size());
}

}  // namespace foothold
