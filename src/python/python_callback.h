// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Python functions that C calls. PendingCall is one call that is going to happen; RegisteredFunction a place
// for a function that is called until it is replaced.
#pragma once

#include "python/arguments.h"
#include "python/interpreter.h"

namespace foothold {

// Throws BadArgument unless it can be called.
Object CheckCallable(Object function);
// The same unless, as far as Python says, it takes one argument. `form` shows in the text how it will be
// called: "fn(user_data)".
Object CheckTakesOne(Object function, const char* form);
// The same for one argument or two; how many. One where both would do.
int CheckTakesOneOrTwo(const Object& function, const char* form_of_one, const char* form_of_two);

// A function of one argument, and that, kept until they are used. Made with the interpreter's lock.
class PendingCall {
 public:
  PendingCall(Object function, Object argument);

  // The form C calls, once, on any thread: calls the function and deletes `pending`. After the end of the
  // interpreter nothing is called.
  static void Run(void* pending);

 private:
  void Call();

  Object function_;
  Object argument_;
};

// Used with the interpreter's lock only, and never destroyed.
class RegisteredFunction {
 public:
  // Null for none.
  void Set(Object function) { function_ = std::move(function); }
  Object Get() const { return function_; }

 private:
  Object function_;
};

// Calls it with one argument, or with two; prints what it raises. Null if there is none or it raised.
Object CallOrPrint(const Object& function, const Object& argument, const Object& second = {});

}  // namespace foothold
