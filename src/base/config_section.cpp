// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/config_section.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <vector>

#include "base/log.h"

namespace foothold {

std::string ShowJson(const nlohmann::json& value) {
  constexpr std::size_t kShown = 120;
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() <= kShown) return text;
  // Not in the middle of a character of several bytes.
  std::size_t end = kShown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  return text.substr(0, end) + "...";
}

ConfigSection::ConfigSection(const nlohmann::json& object, std::string name, Code code, TextCodes text_codes)
    : object_(object), name_(std::move(name)), code_(code), text_codes_(text_codes) {
  if (object_.is_object()) return;
  throw Error(code_, fmt::format("\"{}\" must be an object, found {}", name_, ShowJson(object_)),
              text_codes_.invalid);
}

std::string ConfigSection::Where() const {
  return name_.empty() ? "" : fmt::format(" in \"{}\"", name_);
}

std::optional<std::string> ConfigSection::Text(const char* key) const {
  if (!Has(key)) return std::nullopt;
  if (!Get(key).is_string()) FailInvalid(key, ShowJson(Get(key)), "text in quotes");
  return Get(key).get<std::string>();
}

bool ConfigSection::Switch(const char* key) const {
  constexpr std::pair<std::string_view, bool> kSwitch[] = {{"on", true}, {"off", false}};
  return Choose(key, kSwitch, false);
}

std::vector<std::string> ConfigSection::Texts(const char* key) const {
  if (!Has(key)) return {};
  const nlohmann::json& array = Get(key);
  const bool texts =
      array.is_array() &&
      std::all_of(array.begin(), array.end(), [](const nlohmann::json& one) { return one.is_string(); });
  if (!texts) FailInvalid(key, ShowJson(array), "an array of texts");
  return array.get<std::vector<std::string>>();
}

void ConfigSection::CheckDirectory(const char* key, const std::string& path) const {
  const auto fail = [&](std::string_view why) {
    FailInvalid(key, ShowJson(path),
                fmt::format("a directory that exists and may be read and written; {}", why));
  };
  if (path.empty()) fail("it is empty");
  if (path.size() >= PATH_MAX || path.find('\0') != std::string::npos) fail("it is not a possible path");
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) fail(std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) fail("it is not a directory");
  if (access(path.c_str(), R_OK | W_OK | X_OK) != 0) fail(std::strerror(errno));
}

void ConfigSection::LogOtherKeys(std::initializer_list<std::string_view> known) const {
  for (const auto& item : object_.items()) {
    if (std::find(known.begin(), known.end(), item.key()) != known.end()) continue;
    Log(LogLevel::kWarning, "the configuration key \"{}\"{} is not known and has no effect", item.key(),
        Where());
  }
}

void ConfigSection::FailMissing(const char* key, std::string_view why) const {
  throw Error(code_, fmt::format("\"{}\" is missing{}: {}", key, Where(), why), text_codes_.missing);
}

void ConfigSection::FailNotInList(const char* key, std::string_view value,
                                  std::span<const std::string_view> list) const {
  throw Error(
      code_,
      fmt::format("\"{}\"{} is {}; allowed are: \"{}\"", key, Where(), value, fmt::join(list, "\", \"")),
      text_codes_.not_in_list);
}

void ConfigSection::FailInvalid(const char* key, std::string_view value, std::string_view expected) const {
  throw Error(code_, fmt::format("\"{}\"{} is {}; expected {}", key, Where(), value, expected),
              text_codes_.invalid);
}

void ConfigSection::FailConflict(std::string_view message) const {
  throw Error(code_, fmt::format("in \"{}\": {}", name_, message), text_codes_.conflict);
}

}  // namespace foothold
