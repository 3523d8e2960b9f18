// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Attributes that travel as a type, a length and an address: the address is that of a variable, for texts
// too.
#pragma once

#include <cstddef>
#include <cstring>

#include "api/guard.h"

namespace foothold {

template <typename T>
T ReadAttribute(const void* value, std::size_t length) {
  CheckNotNull(value, "value", kInvalidParam);
  if (length != sizeof(T)) Fail(kInvalidParam, "len must be {} for this type, not {}", sizeof(T), length);
  T read;
  std::memcpy(&read, value, sizeof(T));
  return read;
}

template <typename T>
void WriteAttribute(T attribute, std::size_t length, std::size_t* written, void* value) {
  CheckNotNull(value, "param", kInvalidParam);
  CheckNotNull(written, "paramRetSize", kInvalidParam);
  if (length < sizeof(T))
    Fail(kInvalidParam, "len must be at least {} for this type, not {}", sizeof(T), length);
  std::memcpy(value, &attribute, sizeof(T));
  *written = sizeof(T);
}

}  // namespace foothold
