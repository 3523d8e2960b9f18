// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/sharing/share_key.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/error.h"
#include "device/sharing/share_codes.h"

namespace foothold {
namespace {

constexpr std::string_view kMark = "foothold-share-";
constexpr std::size_t kNumberDigits = 8;

const char* NameOf(ShareKind kind) {
  switch (kind) {
    case ShareKind::kMemory:
      return "memory (aclrtIpcMemGetExportKey)";
    case ShareKind::kPages:
      return "physical memory (aclrtMemExportToShareableHandle)";
    case ShareKind::kEvent:
      return "an event (aclrtIpcGetEventHandle)";
    case ShareKind::kNotify:
      return "a notify (aclrtNotifyGetExportKey)";
  }
  return "nothing";
}

bool ReadNumber(std::string_view& text, std::uint32_t& number) {
  if (text.size() < kNumberDigits) return false;
  const char* const end = text.data() + kNumberDigits;
  const auto read = std::from_chars(text.data(), end, number, 16);
  text.remove_prefix(kNumberDigits);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

std::uint32_t RandomNumber() {
  std::uint32_t number = 0;
  while (number == 0) {
    if (getrandom(&number, sizeof(number), 0) < 0 && errno != EINTR)
      Fail(kRtInternalError, "the system has no random numbers for a key: {}", std::strerror(errno));
  }
  return number;
}

ShareKey ShareKey::Make(ShareKind kind, std::uint32_t channel) {
  ShareKey key{kind, channel};
  const std::size_t numbers = kind == ShareKind::kPages ? 1 : key.secret.size();
  for (std::size_t i = 0; i < numbers; ++i)
    key.secret[i] = RandomNumber();
  return key;
}

ShareKey ShareKey::FromNumber(std::uint64_t number) {
  return {ShareKind::kPages,
          static_cast<std::uint32_t>(number >> 32),
          {static_cast<std::uint32_t>(number), 0, 0, 0}};
}

std::string ShareKey::Text() const {
  std::string text = fmt::format("{}{}-{:08x}", kMark, static_cast<char>(kind), channel);
  for (const std::uint32_t number : secret)
    text += fmt::format("{:08x}", number);
  text.resize(kTextBytes - 1, '.');
  return text;
}

ShareKey ShareKey::FromText(ShareKind kind, std::string_view text) {
  const std::string_view whole = text;
  ShareKey key{kind, 0};
  const std::string begin = fmt::format("{}{}-", kMark, static_cast<char>(kind));
  bool good = text.starts_with(begin);
  if (good) text.remove_prefix(begin.size());
  good = good && ReadNumber(text, key.channel);
  for (std::uint32_t& number : key.secret)
    good = good && ReadNumber(text, number);
  if (good && key.Text() == whole) return key;
  Fail(kRtIpcError, "\"{}\" is no key of {}", whole, NameOf(kind));
}

}  // namespace foothold
