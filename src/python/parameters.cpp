// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/parameters.h"

#include <algorithm>
#include <cstring>

#include "python/object.h"

namespace foothold {
namespace {

Parameters OfFunction(PyObject* function) {
  const auto* code = reinterpret_cast<const PyCodeObject*>(PyFunction_GetCode(function));
  PyObject* const defaults = PyFunction_GetDefaults(function);
  PyObject* const named = PyFunction_GetKwDefaults(function);
  Parameters parameters;
  parameters.most = code->co_argcount;
  parameters.least = parameters.most - (defaults != nullptr ? PyTuple_Size(defaults) : 0);
  parameters.needs_names = code->co_kwonlyargcount > (named != nullptr ? PyDict_Size(named) : 0);
  if ((code->co_flags & CO_VARARGS) != 0) parameters.most = PY_SSIZE_T_MAX;
  return parameters;
}

std::optional<Parameters> OfBuiltin(PyObject* function) {
  const int flags = PyCFunction_GET_FLAGS(function);
  if ((flags & METH_NOARGS) != 0) return Parameters{0, 0};
  if ((flags & METH_O) != 0) return Parameters{1, 1};
  return std::nullopt;
}

// What is left when the first ones are given already.
std::optional<Parameters> Without(std::optional<Parameters> parameters, Py_ssize_t given) {
  if (!parameters) return std::nullopt;
  parameters->least = std::max<Py_ssize_t>(parameters->least - given, 0);
  if (parameters->most == PY_SSIZE_T_MAX) return parameters;
  if (parameters->most < given) return Parameters{0, -1};
  parameters->most -= given;
  return parameters;
}

Object Attribute(PyObject* object, const char* name) {
  PyObject* const found = PyObject_GetAttrString(object, name);
  if (found == nullptr) PyErr_Clear();
  return found == nullptr ? Object() : Object::Steal(found);
}

std::optional<Parameters> OfPartial(PyObject* partial) {
  const Object function = Attribute(partial, "func"), arguments = Attribute(partial, "args"),
               named = Attribute(partial, "keywords");
  const bool plain = function && arguments && named && PyTuple_Check(arguments.get()) &&
                     PyDict_Check(named.get()) && PyDict_Size(named.get()) == 0;
  if (!plain) return std::nullopt;
  return Without(ParametersOf(function.get()), PyTuple_Size(arguments.get()));
}

// An object of a class with __call__.
std::optional<Parameters> OfInstance(PyObject* object) {
  const Object call = Attribute(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__call__");
  if (!call || !PyFunction_Check(call.get())) return std::nullopt;
  return Without(OfFunction(call.get()), 1);
}

}  // namespace

std::string Parameters::Describe() const {
  if (needs_names) return "has parameters that must be given by name";
  if (most < 0) return "takes fewer arguments than it was bound to";
  const std::string first = std::to_string(least);
  if (most == PY_SSIZE_T_MAX) return "takes at least " + first + " arguments";
  if (most > least) return "takes " + first + " to " + std::to_string(most) + " arguments";
  return "takes " + first + (least == 1 ? " argument" : " arguments");
}

std::optional<Parameters> ParametersOf(PyObject* callable) {
  if (PyFunction_Check(callable)) return OfFunction(callable);
  if (PyMethod_Check(callable)) return Without(ParametersOf(PyMethod_GET_FUNCTION(callable)), 1);
  if (PyCFunction_Check(callable)) return OfBuiltin(callable);
  if (std::strcmp(Py_TYPE(callable)->tp_name, "functools.partial") == 0) return OfPartial(callable);
  return OfInstance(callable);
}

}  // namespace foothold
