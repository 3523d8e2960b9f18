// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One object of a configuration, "dump" or "profiler", with the error number its faults have. Messages name
// the key, the value and what is allowed. Any thread.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace foothold {

class ConfigSection {
 public:
  // The six-character codes of the texts, by kind of fault.
  struct TextCodes {
    const char* missing;
    const char* not_in_list;
    const char* invalid;
    const char* conflict;
  };

  // `object` must outlive the section. Fails when it is not an object. The outermost one has no name.
  ConfigSection(const nlohmann::json& object, std::string name, Code code, TextCodes text_codes);

  bool Has(const char* key) const { return object_.contains(key); }
  const nlohmann::json& Get(const char* key) const { return object_.at(key); }

  // Nothing when the key is absent; fails when it is not text.
  std::optional<std::string> Text(const char* key) const;

  // The value that belongs to the text of the key, `fallback` when it is absent.
  template <typename T, std::size_t kCount>
  T Choose(const char* key, const std::pair<std::string_view, T> (&choices)[kCount], T fallback) const;

  bool Switch(const char* key) const;

  // The elements of an array of texts; none when the key is absent.
  std::vector<std::string> Texts(const char* key) const;

  // Fails unless it is a directory the process may read and write.
  void CheckDirectory(const char* key, const std::string& path) const;

  // Logs the keys that are not among `known`: they have no effect.
  void LogOtherKeys(std::initializer_list<std::string_view> known) const;

  [[noreturn]] void FailMissing(const char* key, std::string_view why) const;
  [[noreturn]] void FailNotInList(const char* key, std::string_view value,
                                  std::span<const std::string_view> list) const;
  [[noreturn]] void FailInvalid(const char* key, std::string_view value, std::string_view expected) const;
  [[noreturn]] void FailConflict(std::string_view message) const;

 private:
  std::string Where() const;

  const nlohmann::json& object_;
  std::string name_;
  Code code_;
  TextCodes text_codes_;
};

// A value as it stands in the configuration, cut when it is long.
std::string ShowJson(const nlohmann::json& value);

template <typename T, std::size_t kCount>
T ConfigSection::Choose(const char* key, const std::pair<std::string_view, T> (&choices)[kCount],
                        T fallback) const {
  if (!Has(key)) return fallback;
  std::string_view list[kCount];
  for (std::size_t i = 0; i < kCount; ++i) {
    list[i] = choices[i].first;
    if (Get(key).is_string() && Get(key).get_ref<const std::string&>() == list[i]) return choices[i].second;
  }
  FailNotInList(key, ShowJson(Get(key)), list);
}

}  // namespace foothold
