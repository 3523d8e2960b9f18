// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a program passes, as C wants it. Argument<T> reads one Python object for a parameter of type T:
//   numbers, enumerations    int or anything with __index__, cut to the width of T: -1 is a size
//   handles and addresses    int
//   const char*              str
//   std::vector<T>           any sequence, numpy arrays too
//   std::optional<T>         may be left out, or None
//   Object               as it is; the function then runs with the interpreter's lock
//   pointer to a description dict, see structures.h
// A mismatch is a BadArgument.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "python/object.h"

namespace foothold {

// "must be an int, not 'str'"
class BadArgument : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `name` is for functions that look at an argument themselves.
[[noreturn]] void RefuseArgument(const char* expected, PyObject* found, const char* name = nullptr);
std::uint64_t ReadInteger(PyObject* object);
double ReadNumber(PyObject* object);
const char* ReadText(PyObject* object);
// A list or tuple with the items of any sequence but a str.
Object ReadItems(PyObject* object);

template <typename T, typename = void>
struct Argument {
  static_assert(std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>);
  static constexpr const char* kType = "int";
  T value;

  void Read(PyObject* object) {
    const std::uint64_t bits = ReadInteger(object);
    if constexpr (std::is_pointer_v<T>)
      value = reinterpret_cast<T>(bits);
    else
      value = static_cast<T>(bits);
  }
  T Pass() { return value; }
};

template <typename T>
struct Argument<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  static constexpr const char* kType = "float";
  T value;

  void Read(PyObject* object) { value = static_cast<T>(ReadNumber(object)); }
  T Pass() { return value; }
};

// The text lives as long as the argument, which the caller holds during the call.
template <>
struct Argument<const char*> {
  static constexpr const char* kType = "str";
  const char* value;

  void Read(PyObject* object) { value = ReadText(object); }
  const char* Pass() { return value; }
};

template <>
struct Argument<Object> {
  static constexpr const char* kType = "object";
  Object value;

  void Read(PyObject* object) { value = Object::Borrow(object); }
  Object Pass() { return value; }
};

template <typename T>
struct Argument<std::vector<T>> {
  static constexpr const char* kType = "Sequence";
  std::vector<T> value;

  void Read(PyObject* object) {
    const Object items = ReadItems(object);
    const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
    value.reserve(static_cast<std::size_t>(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
      Argument<T> item;
      item.Read(PySequence_Fast_GET_ITEM(items.get(), i));
      value.push_back(item.Pass());
    }
  }
  std::vector<T>& Pass() { return value; }
};

template <typename T>
struct Argument<std::optional<T>> {
  static constexpr const char* kType = Argument<T>::kType;
  std::optional<T> value;

  void Read(PyObject* object) {
    if (object == Py_None) return;
    Argument<T> given;
    given.Read(object);
    value = given.Pass();
  }
  std::optional<T>& Pass() { return value; }
};

template <typename T>
inline constexpr bool kMayBeLeftOut = false;
template <typename T>
inline constexpr bool kMayBeLeftOut<std::optional<T>> = true;

}  // namespace foothold
