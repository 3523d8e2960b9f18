// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/python_callback.h"

#include <memory>
#include <utility>

namespace foothold {

Object CheckCallable(Object function) {
  if (PyCallable_Check(function.get()) == 0) RefuseArgument("callable", function.get(), "fn");
  return function;
}

Object CallOrPrint(const Object& function, const Object& argument) {
  if (!function) return {};
  PyObject* const result = PyObject_CallOneArg(function.get(), argument.get());
  if (result == nullptr) PrintException(function.get());
  return result == nullptr ? Object() : Object::Steal(result);
}

PendingCall::PendingCall(Object function, Object argument)
    : function_(CheckCallable(std::move(function))), argument_(std::move(argument)) {}

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
