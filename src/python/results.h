// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What C answers, as a program gets it: numbers, enumerations, handles and addresses are int, texts are str
// (None for no text), descriptions are dict. Output<T> is the place C writes an out-parameter T* to.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "python/object.h"

namespace foothold {

// Specialised in structures.h for the structures that become a dict:
//   static Object ToPython(const T&), and if programs pass it too, static T FromPython(PyObject*)
template <typename T>
struct Structure;

template <typename T, typename = void>
inline constexpr bool kIsStructure = false;
template <typename T>
inline constexpr bool kIsStructure<T, std::void_t<decltype(&Structure<T>::ToPython)>> = true;

template <typename T>
Object ToPython(const T& value) {
  if constexpr (std::is_same_v<T, const char*>) {
    return value == nullptr ? Object::None() : FromText(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return FromText(value);
  } else if constexpr (std::is_same_v<T, Object>) {
    return value;
  } else if constexpr (std::is_floating_point_v<T>) {
    return FromDouble(static_cast<double>(value));
  } else if constexpr (std::is_pointer_v<T>) {
    return FromUnsigned(reinterpret_cast<std::uintptr_t>(value));
  } else if constexpr (std::is_enum_v<T> || std::is_signed_v<T>) {
    return FromSigned(static_cast<long long>(value));
  } else if constexpr (std::is_unsigned_v<T>) {
    return FromUnsigned(value);
  } else {
    return Structure<T>::ToPython(value);
  }
}

template <typename T>
Object ToPython(const std::vector<T>& values) {
  const Object list = NewList();
  for (const T& value : values)
    Append(list, ToPython(value));
  return list;
}

template <typename T>
inline constexpr bool kIsVector = false;
template <typename T>
inline constexpr bool kIsVector<std::vector<T>> = true;

template <typename T>
constexpr const char* ResultType() {
  if constexpr (std::is_same_v<T, const char*>)
    return "str | None";
  else if constexpr (std::is_same_v<T, std::string>)
    return "str";
  else if constexpr (std::is_floating_point_v<T>)
    return "float";
  else if constexpr (kIsStructure<T>)
    return "dict";
  else if constexpr (kIsVector<T>)
    return "list";
  else if constexpr (std::is_same_v<T, Object>)
    return "object";
  else
    return "int";
}

// A parameter is an out-parameter if it points to something C can write a result to.
template <typename P>
inline constexpr bool kIsOutput = false;
template <typename T>
inline constexpr bool kIsOutput<T*> = !std::is_const_v<T> && !std::is_same_v<T, char> &&
                                      (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> ||
                                       std::is_same_v<T, std::string> || kIsVector<T> || kIsStructure<T>);

template <typename P>
struct Output;
template <typename T>
struct Output<T*> {
  using Value = T;
  T value{};

  T* Pass() { return &value; }
};

}  // namespace foothold
