// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A reference to a Python object, and C++ exceptions for Python's. Everything here needs the interpreter's
// lock. Only what needs numpy or makes the module uses pybind11: including it costs each file ten seconds of
// compilation.
#pragma once

#include <Python.h>

#include <cstdint>
#include <exception>
#include <string_view>
#include <utility>

namespace foothold {

// A Python exception is set.
class PythonError : public std::exception {
 public:
  const char* what() const noexcept override { return "a Python exception"; }
};

class Object {
 public:
  Object() = default;
  Object(const Object& other) : object_(other.object_) { Py_XINCREF(object_); }
  Object(Object&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Object& operator=(Object other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Object() { Py_XDECREF(object_); }

  static Object Borrow(PyObject* object) {
    Py_XINCREF(object);
    return Object(object);
  }
  // Takes over what a function of Python's returned; null means that it raised.
  static Object Steal(PyObject* object) {
    if (object == nullptr) throw PythonError();
    return Object(object);
  }
  static Object None() { return Borrow(Py_None); }

  PyObject* get() const { return object_; }
  PyObject* Release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Object(PyObject* object) : object_(object) {}

  PyObject* object_ = nullptr;
};

Object FromSigned(long long value);
Object FromUnsigned(unsigned long long value);
Object FromDouble(double value);
// Bytes that are no text become question marks.
Object FromText(std::string_view text);

Object NewList();
void Append(const Object& list, const Object& item);
Object NewDict();
void SetItem(const Object& dict, const char* key, const Object& value);

}  // namespace foothold
