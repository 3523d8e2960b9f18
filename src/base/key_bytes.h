// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Puts keys of calls together: bytes that are only ever compared. Texts stand behind their
// lengths, so that two of them in a row cannot be taken for two others. Any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace foothold {

// Takes the bytes of a key, one part after the other: a std::string keeps them, KeyHash and KeyComparison do
// without.
template <typename Sink, typename T>
void AppendPlain(Sink& key, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename Sink>
void AppendText(Sink& key, std::string_view text) {
  AppendPlain(key, static_cast<std::uint32_t>(text.size()));
  key.append(text.data(), text.size());
}

class KeyHash {
 public:
  // Two words at a time: each step waits for the one before.
  void append(const char* bytes, std::size_t count) {
    for (; count >= 2 * kWord; bytes += 2 * kWord, count -= 2 * kWord)
      Mix(WordAt(bytes, kWord) ^ Spread(WordAt(bytes + kWord, kWord)));
    for (; count > 0; bytes += std::min(count, kWord), count -= std::min(count, kWord))
      Mix(WordAt(bytes, std::min(count, kWord)));
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::size_t kWord = sizeof(std::uint64_t);

  static std::uint64_t WordAt(const char* bytes, std::size_t count) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, count);
    return word;
  }
  static std::uint64_t Spread(std::uint64_t word) {
    word *= 0xD6E8FEB86659FD93U;
    return word ^ word >> 32;
  }
  void Mix(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x9E3779B97F4A7C15U;
    value_ ^= value_ >> 32;
  }

  std::uint64_t value_ = 0;
};

// Whether the same bytes come again.
class KeyComparison {
 public:
  explicit KeyComparison(std::string_view key) : rest_(key) {}
  void append(const char* bytes, std::size_t count) {
    same_ =
        same_ && rest_.size() >= count &&
        (count == 0 || std::memcmp(rest_.data(), bytes, count) == 0);  // of nothing, an address may be null
    if (same_) rest_.remove_prefix(count);
  }
  bool same() const { return same_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool same_ = true;
};

}  // namespace foothold
