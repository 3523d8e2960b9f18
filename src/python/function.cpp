// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/function.h"

#include <deque>
#include <string>
#include <vector>

namespace foothold {
namespace {

struct Defined {
  std::string module;
  const Function* function;
  std::string doc;
};

// Never destroyed: the interpreter keeps pointers into it.
std::deque<Defined>& AllDefined() {
  static auto& all = *new std::deque<Defined>();
  return all;
}

std::vector<std::string> Split(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = list.find(", ");
    names.emplace_back(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 2);
  }
  return names;
}

struct Signature {
  std::vector<std::string> arguments;
  std::vector<std::string> results;
};

// A table that does not fit its functions is an error of this module, seen by the first import.
Signature ReadSignature(const Function& function) {
  const std::string_view text = function.signature;
  const std::size_t arrow = text.find("-> ");
  if (arrow == std::string_view::npos)
    throw std::logic_error(std::string("no arrow in the signature of ") + function.name);
  Signature signature;
  signature.arguments = Split(text.substr(0, arrow == 0 ? 0 : arrow - 1));
  signature.results = Split(text.substr(arrow + 3));
  if (signature.results == std::vector<std::string>{"None"}) signature.results.clear();
  if (signature.arguments.size() != function.parameters.size() ||
      signature.results.size() != function.results.size())
    throw std::logic_error(std::string(function.name) + " does not fit its signature: " + function.signature);
  return signature;
}

// The first line is in the form from which inspect.signature reads.
std::string DocOf(const Function& function) {
  const Signature signature = ReadSignature(function);
  std::string line = std::string(function.name) + "(";
  std::string types;
  for (std::size_t i = 0; i < signature.arguments.size(); ++i) {
    line += signature.arguments[i] + (function.parameters[i].may_be_left_out ? "=None, " : ", ");
    types += (i == 0 ? "" : ", ") + signature.arguments[i] + ": " + function.parameters[i].type;
  }
  line += signature.arguments.empty() ? ")" : "/)";
  std::string results;
  for (std::size_t i = 0; i < signature.results.size(); ++i)
    results += (i == 0 ? "" : ", ") + signature.results[i] + ": " + function.results[i];
  if (signature.results.size() > 1) results = "(" + results + ")";
  return line + "\n--\n\n" + function.text + "\n\n(" + types + ") -> " +
         (results.empty() ? "None" : results) + "\n\nC: " + std::string(function.c_name);
}

std::string CalledName(const Function& function) {
  for (const Defined& defined : AllDefined())
    if (defined.function == &function) return defined.module + "." + function.name;
  return function.name;
}

std::string FailureText(const Function& function, const std::string& reason) {
  const std::string_view signature = function.signature;
  const std::string arguments(signature.substr(0, signature.find("->")));
  return CalledName(function) + "(" + arguments.substr(0, arguments.find_last_not_of(' ') + 1) +
         "): " + reason + ", args parse failed";
}

PyObject* RaiseBadArgument(const Function& function, Py_ssize_t argument, const char* what) {
  const std::vector<std::string> names = ReadSignature(function).arguments;
  const std::string reason = argument >= 0 && static_cast<std::size_t>(argument) < names.size()
                                 ? names[static_cast<std::size_t>(argument)] + " " + what
                                 : what;
  PyErr_SetString(PyExc_TypeError, FailureText(function, reason).c_str());
  return nullptr;
}

}  // namespace

void Define(PyObject* module, std::span<const Function> functions) {
  const std::string name = PyModule_GetName(module);
  auto& methods = *new std::vector<PyMethodDef>();
  methods.reserve(functions.size() + 1);
  for (const Function& function : functions) {
    if (*function.self != nullptr)
      throw std::logic_error(std::string(function.name) + " and " + (*function.self)->name +
                             " are one function");
    *function.self = &function;
    const Defined& defined = AllDefined().emplace_back(Defined{name, &function, DocOf(function)});
    methods.push_back({function.name,
                       reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function.call)),
                       METH_FASTCALL, defined.doc.c_str()});
  }
  methods.push_back({nullptr, nullptr, 0, nullptr});
  if (PyModule_AddFunctions(module, methods.data()) != 0) throw PythonError();
}

Object DefinedFunctions() {
  const Object all = NewList();
  for (const Defined& defined : AllDefined()) {
    const Function& function = *defined.function;
    const Object parameters = NewList(), results = NewList();
    for (const Parameter& parameter : function.parameters)
      Append(parameters, Object::Steal(Py_BuildValue("(si)", parameter.type, parameter.may_be_left_out)));
    for (const char* result : function.results)
      Append(results, FromText(result));
    Append(all, Object::Steal(Py_BuildValue(
                    "(ssssNOO)", defined.module.c_str(), function.name, function.signature, function.text,
                    FromText(function.c_name).Release(), parameters.get(), results.get())));
  }
  return all;
}

PyObject* RaiseCurrent(const Function& function, Py_ssize_t argument) {
  try {
    throw;
  } catch (const PythonError&) {
  } catch (const BadArgument& error) {
    return RaiseBadArgument(function, argument, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

PyObject* RaiseArgumentCount(const Function& function, Py_ssize_t count) {
  std::size_t least = 0;
  for (const Parameter& parameter : function.parameters)
    least += parameter.may_be_left_out ? 0 : 1;
  std::string expected = std::to_string(least);
  if (least != function.parameters.size()) expected += " to " + std::to_string(function.parameters.size());
  const std::string reason = "takes " + expected + " arguments, not " + std::to_string(count);
  PyErr_SetString(PyExc_TypeError, FailureText(function, reason).c_str());
  return nullptr;
}

}  // namespace foothold
