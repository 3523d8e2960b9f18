// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The border between threads of the device and the interpreter. Entry points leave the interpreter while C
// code runs (WithoutGil); callbacks come back into it from any thread (InPython). When the interpreter ends
// both are refused to every thread but the one that ends it: taking its lock afterwards would end the thread
// in the middle of C++ code.
#pragma once

#include <Python.h>

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace foothold {

// From now on the end of the interpreter is noticed. Called once, when the module is imported.
void WatchInterpreterExit();

// Whether threads other than the one that ends it can still enter the interpreter.
bool InterpreterEnded();

PyThreadState* LeaveInterpreter();
// Does not return on a thread that comes too late.
void ReturnToInterpreter(PyThreadState* state);

// Runs `call`, which must not touch Python, while other threads run Python.
template <typename Call>
auto WithoutGil(Call&& call) {
  PyThreadState* const state = LeaveInterpreter();
  // Not a destructor: ReturnToInterpreter may keep the thread for ever.
  if constexpr (std::is_void_v<std::invoke_result_t<Call>>) {
    call();
    ReturnToInterpreter(state);
  } else {
    std::optional<std::invoke_result_t<Call>> result;
    try {
      result.emplace(call());
    } catch (...) {
      ReturnToInterpreter(state);
      throw;
    }
    ReturnToInterpreter(state);
    return *std::move(result);
  }
}

// Enters the interpreter for a callback; false when it has ended. Each successful call needs its
// CallbackLeaves.
struct CallbackEntry {
  PyGILState_STATE state;
  bool outermost;
};
bool CallbackEnters(CallbackEntry* entry);
void CallbackLeaves(const CallbackEntry& entry);

// Shows the C++ exception being handled, as PrintException does.
void PrintCurrent();

// Runs `body` with the interpreter's lock, on any thread; prints what it throws. False when the interpreter
// has ended and nothing ran.
template <typename Body>
bool InPython(Body&& body) {
  CallbackEntry entry;
  if (!CallbackEnters(&entry)) return false;
  try {
    body();
  } catch (const std::exception&) {
    PrintCurrent();
  }
  CallbackLeaves(entry);
  return true;
}

// Takes the interpreter's lock on a new thread, to run Python for as long as it likes; false when it has
// ended. The interpreter does not wait for such threads: when it ends they end wherever they are in Python.
bool ThreadEnters(PyGILState_STATE* state);

// Shows the pending exception with its traceback: nobody is there to catch it.
void PrintException(PyObject* where);

}  // namespace foothold
