// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/object.h"

namespace foothold {
namespace {

void Check(int result) {
  if (result != 0) throw PythonError();
}

}  // namespace

Object FromSigned(long long value) {
  return Object::Steal(PyLong_FromLongLong(value));
}

Object FromUnsigned(unsigned long long value) {
  return Object::Steal(PyLong_FromUnsignedLongLong(value));
}

Object FromDouble(double value) {
  return Object::Steal(PyFloat_FromDouble(value));
}

Object FromText(std::string_view text) {
  return Object::Steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

Object NewList() {
  return Object::Steal(PyList_New(0));
}

void Append(const Object& list, const Object& item) {
  Check(PyList_Append(list.get(), item.get()));
}

Object NewDict() {
  return Object::Steal(PyDict_New());
}

void SetItem(const Object& dict, const char* key, const Object& value) {
  Check(PyDict_SetItemString(dict.get(), key, value.get()));
}

}  // namespace foothold
