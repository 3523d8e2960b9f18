// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/python_callback.h"

#include <memory>
#include <string>
#include <utility>

#include "python/parameters.h"

namespace foothold {

namespace {

[[noreturn]] void RefuseParameters(PyObject* function, const std::string& forms,
                                   const Parameters& parameters) {
  const Object text = Object::Steal(PyObject_Repr(function));
  const char* name = PyUnicode_AsUTF8(text.get());
  if (name == nullptr) throw PythonError();
  throw BadArgument("fn will be called as " + forms + ", but " + name + " " + parameters.Describe());
}

}  // namespace

Object CheckCallable(Object function) {
  if (PyCallable_Check(function.get()) == 0) RefuseArgument("callable", function.get(), "fn");
  return function;
}

Object CheckTakesOne(Object function, const char* form) {
  CheckCallable(function);
  const auto parameters = ParametersOf(function.get());
  if (parameters && !parameters->Take(1)) RefuseParameters(function.get(), form, *parameters);
  return function;
}

int CheckTakesOneOrTwo(const Object& function, const char* form_of_one, const char* form_of_two) {
  CheckCallable(function);
  const auto parameters = ParametersOf(function.get());
  if (!parameters || parameters->Take(1)) return 1;
  if (parameters->Take(2)) return 2;
  RefuseParameters(function.get(), std::string(form_of_one) + " or " + form_of_two, *parameters);
}

Object CallOrPrint(const Object& function, const Object& argument, const Object& second) {
  if (!function) return {};
  PyObject* const result =
      second ? PyObject_CallFunctionObjArgs(function.get(), argument.get(), second.get(), nullptr)
             : PyObject_CallOneArg(function.get(), argument.get());
  if (result == nullptr) PrintException(function.get());
  return result == nullptr ? Object() : Object::Steal(result);
}

PendingCall::PendingCall(Object function, Object argument)
    : function_(CheckTakesOne(std::move(function), "fn(user_data)")), argument_(std::move(argument)) {}

void PendingCall::Call() {
  CallOrPrint(function_, argument_);
}

// What is left after the end of the interpreter is leaked: its references cannot be given back any more.
void PendingCall::Run(void* pending) {
  InPython([&] {
    const std::unique_ptr<PendingCall> call(static_cast<PendingCall*>(pending));
    call->Call();
  });
}

}  // namespace foothold
