// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/arguments.h"

namespace foothold {

void RefuseArgument(const char* expected, PyObject* found, const char* name) {
  throw BadArgument(std::string(name != nullptr ? name : "") + (name != nullptr ? " must be " : "must be ") +
                    expected + ", not '" + Py_TYPE(found)->tp_name + "'");
}

std::uint64_t ReadInteger(PyObject* object) {
  if (PyLong_Check(object)) return PyLong_AsUnsignedLongLongMask(object);
  if (!PyIndex_Check(object)) RefuseArgument("an int", object);
  const Object number = Object::Steal(PyNumber_Index(object));
  return PyLong_AsUnsignedLongLongMask(number.get());
}

double ReadNumber(PyObject* object) {
  const double value = PyFloat_AsDouble(object);
  if (value != -1.0 || PyErr_Occurred() == nullptr) return value;
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw PythonError();
  PyErr_Clear();
  RefuseArgument("a float", object);
}

const char* ReadText(PyObject* object) {
  if (!PyUnicode_Check(object)) RefuseArgument("a str", object);
  const char* const text = PyUnicode_AsUTF8(object);
  if (text == nullptr) throw PythonError();
  return text;
}

Object ReadItems(PyObject* object) {
  if (PyUnicode_Check(object) || !PySequence_Check(object)) RefuseArgument("a list", object);
  return Object::Steal(PySequence_Fast(object, "not a sequence"));
}

}  // namespace foothold
