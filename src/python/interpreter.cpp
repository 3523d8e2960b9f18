// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "python/interpreter.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>

#include "python/object.h"

namespace foothold {
namespace {

constexpr unsigned kEnded = 1U << 31;

// How many threads are on their way into the interpreter or in callbacks, and whether it has ended.
std::atomic<unsigned> entries = 0;
// This thread is counted already, or is the one that ends the interpreter.
thread_local bool counted = false;

void Leave() {
  if (entries.fetch_sub(1) == (kEnded | 1U)) entries.notify_all();
}

bool Enter() {
  if ((entries.fetch_add(1) & kEnded) == 0) return true;
  Leave();
  return false;
}

// Waits for running callbacks as the interpreter waits for its own threads.
PyObject* EndInterpreter(PyObject*, PyObject*) {
  counted = true;
  PyThreadState* const state = PyEval_SaveThread();
  unsigned now = entries.fetch_or(kEnded) | kEnded;
  while (now != kEnded) {
    entries.wait(now);
    now = entries.load();
  }
  PyEval_RestoreThread(state);
  Py_RETURN_NONE;
}

[[noreturn]] void SleepForever() {
  for (;;)
    pause();
}

// Threads of the parent that were on their way do not exist in a forked child.
void ForgetOtherThreads() {
  entries.store(counted ? 1 : 0);
}

}  // namespace

void WatchInterpreterExit() {
  pthread_atfork(nullptr, nullptr, ForgetOtherThreads);
  static PyMethodDef end = {"end", EndInterpreter, METH_NOARGS, nullptr};
  const Object function = Object::Steal(PyCFunction_New(&end, nullptr));
  const Object atexit = Object::Steal(PyImport_ImportModule("atexit"));
  Object::Steal(PyObject_CallMethod(atexit.get(), "register", "O", function.get()));
}

bool InterpreterEnded() {
  return (entries.load() & kEnded) != 0;
}

PyThreadState* LeaveInterpreter() {
  return PyEval_SaveThread();
}

void ReturnToInterpreter(PyThreadState* state) {
  if (counted) return PyEval_RestoreThread(state);
  if (!Enter()) SleepForever();
  PyEval_RestoreThread(state);
  Leave();
}

bool CallbackEnters(CallbackEntry* entry) {
  entry->outermost = !counted;
  if (entry->outermost && !Enter()) return false;
  counted = true;
  entry->state = PyGILState_Ensure();
  return true;
}

void CallbackLeaves(const CallbackEntry& entry) {
  PyGILState_Release(entry.state);
  if (!entry.outermost) return;
  counted = false;
  Leave();
}

bool ThreadEnters(PyGILState_STATE* state) {
  if (!Enter()) return false;
  *state = PyGILState_Ensure();
  Leave();
  return true;
}

void PrintException(PyObject* where) {
  PyErr_WriteUnraisable(where);
}

void PrintCurrent() {
  try {
    throw;
  } catch (const PythonError&) {
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  PrintException(nullptr);
}

}  // namespace foothold
