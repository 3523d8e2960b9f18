// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the inline overloads that take or give std::string share. Such overloads exist only in headers, so
// that the library does not care which std::string a program is built with.
#ifndef FOOTHOLD_GRAPH_STRING_OVERLOADS_H_
#define FOOTHOLD_GRAPH_STRING_OVERLOADS_H_

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "graph/ascend_string.h"

namespace ge {
namespace string_overloads {

inline AscendString ToAscend(const std::string& text) {
  return AscendString(text.data(), text.size());
}

inline std::vector<AscendString> ToAscend(const std::vector<std::string>& texts) {
  std::vector<AscendString> converted;
  for (const std::string& text : texts) {
    converted.push_back(ToAscend(text));
  }
  return converted;
}

inline std::string FromAscend(const AscendString& text) {
  return std::string(text.GetString(), text.GetLength());
}

inline void FromAscend(const AscendString& from, std::string& to) {
  to.assign(from.GetString(), from.GetLength());
}

inline void FromAscend(const std::vector<AscendString>& from, std::vector<std::string>& to) {
  to.clear();
  for (const AscendString& text : from) {
    to.push_back(FromAscend(text));
  }
}

// One text of each content, never freed, for functions that return a reference.
inline const std::string& Keep(const std::string& text) {
  static std::mutex* const mutex           = new std::mutex;
  static std::set<std::string>* const kept = new std::set<std::string>;
  const std::lock_guard<std::mutex> lock(*mutex);
  return *kept->insert(text).first;
}

}  // namespace string_overloads
}  // namespace ge

#endif  // FOOTHOLD_GRAPH_STRING_OVERLOADS_H_
