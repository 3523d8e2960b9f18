// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <pthread.h>

#include <set>

#include "acl/acl_base.h"
#include "python/chapters.h"
#include "python/python_callback.h"

namespace foothold {
namespace {

// Threads that nobody has joined yet. Used with the interpreter's lock.
std::set<pthread_t>& Running() {
  static auto& running = *new std::set<pthread_t>();
  return running;
}

// Plain pointers, here and in RunThread: a thread that the interpreter ends unwinds through that function
// without the lock that destructors of references would need.
struct ThreadStart {
  PyObject* function;
  PyObject* argument;
};

void* RunThread(void* start) {
  const auto [function, argument] = *static_cast<ThreadStart*>(start);
  delete static_cast<ThreadStart*>(start);
  PyGILState_STATE state;
  if (!ThreadEnters(&state)) return nullptr;
  PyObject* const result = PyObject_CallOneArg(function, argument);
  if (result == nullptr) PrintException(function);
  Py_XDECREF(result);
  Py_DECREF(function);
  Py_DECREF(argument);
  PyGILState_Release(state);
  return nullptr;
}

aclError StartThread(Object function, Object argument, std::uint64_t* id) {
  auto* const start =
      new ThreadStart{CheckTakesOne(std::move(function), "fn(args)").Release(), argument.Release()};
  pthread_t thread;
  if (pthread_create(&thread, nullptr, RunThread, start) != 0) {
    Py_DECREF(start->function);
    Py_DECREF(start->argument);
    delete start;
    return ACL_ERROR_FAILURE;
  }
  Running().insert(thread);
  *id = thread;
  return ACL_SUCCESS;
}

// Two callers cannot wait for the same thread, so the first takes it out of the set.
aclError StopThread(std::uint64_t id) {
  const pthread_t thread = id;
  if (pthread_equal(thread, pthread_self()) != 0 || Running().erase(thread) == 0)
    return ACL_ERROR_INVALID_PARAM;
  const int failure = WithoutGil([&] { return pthread_join(thread, nullptr); });
  return failure == 0 ? ACL_SUCCESS : ACL_ERROR_FAILURE;
}

const Function kThreadsFunctions[] = {
    Bind<StartThread>("start_thread", "fn, args -> thread_id, ret",
                      "Starts a native thread that calls fn(args). It has no context until it sets one.",
                      "-"),
    BindQuick<StopThread>("stop_thread", "thread_id -> ret",
                          "Waits until the function of the thread has returned; does not interrupt it.", "-"),
};

}  // namespace

std::span<const Function> ThreadFunctions() {
  return kThreadsFunctions;
}

}  // namespace foothold
