// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The string of interfaces that must not depend on the C++ library's own: a value that never changes, so that
// copies are cheap and may be used by several threads.
#ifndef FOOTHOLD_GRAPH_ASCEND_STRING_H_
#define FOOTHOLD_GRAPH_ASCEND_STRING_H_

#include <stddef.h>

#include <functional>
#include <memory>

#include "graph/types.h"

namespace ge {

struct GE_FUNC_HOST_VISIBILITY AscendStringImpl;

class GE_FUNC_HOST_VISIBILITY AscendString {
 public:
  AscendString()  = default;
  ~AscendString() = default;
  AscendString(const char_t* const name);
  AscendString(const char_t* const name, size_t length);

  // Never null.
  const char_t* GetString() const;
  size_t GetLength() const;
  // Where `ascend_string` first occurs, or the largest size_t.
  size_t Find(const AscendString& ascend_string) const;
  size_t Hash() const;

  bool operator<(const AscendString& d) const;
  bool operator>(const AscendString& d) const;
  bool operator<=(const AscendString& d) const;
  bool operator>=(const AscendString& d) const;
  bool operator==(const AscendString& d) const;
  bool operator!=(const AscendString& d) const;
  bool operator==(const char_t* const d) const;
  bool operator!=(const char_t* const d) const;

 private:
  std::shared_ptr<const AscendStringImpl> impl_;
};

}  // namespace ge

namespace std {

template <>
struct hash<ge::AscendString> {
  size_t operator()(const ge::AscendString& name) const { return name.Hash(); }
};

}  // namespace std

#endif  // FOOTHOLD_GRAPH_ASCEND_STRING_H_
