// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Values that programs set and read by a number, a length and a pointer.
#pragma once

#include <cstddef>
#include <cstring>

#include "api/guard.h"

namespace foothold {

struct ParameterPlace {
  void* value;
  std::size_t size;
};

template <typename T>
ParameterPlace PlaceOfValue(T& value) {
  return {&value, sizeof value};
}

inline void SetParameter(const ParameterPlace& place, std::size_t length, const void* param) {
  CheckNotNull(param, "param", kInvalidParam);
  if (length != place.size)
    Fail(kInvalidParam, "the parameter has {} bytes, not length {}", place.size, length);
  std::memcpy(place.value, param, length);
}

inline void GetParameter(const ParameterPlace& place, std::size_t length, std::size_t* written, void* param) {
  CheckNotNull(param, "param", kInvalidParam);
  CheckNotNull(written, "paramRetSize", kInvalidParam);
  if (length < place.size)
    Fail(kInvalidParam, "the parameter has {} bytes, more than length {}", place.size, length);
  std::memcpy(param, place.value, place.size);
  *written = place.size;
}

}  // namespace foothold
