// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the checking mode keeps for each thread, in one object: a look for it is a call, and each call of a
// checked program needs most of it. Only src/check includes it.
#pragma once

#include <cstddef>
#include <vector>

#include "check/stacks.h"

namespace foothold::check {

class CallScope;
class FunctionScope;
class RecentStacks;
class Teardown;
struct CallPlace;

// The rest of a thread: what it has is given back once it ends, and then there is no more of it.
template <typename T>
struct OfThread {
  T* object = nullptr;
  bool ended = false;
};

struct ThreadState {
  CallScope* call = nullptr;          // the innermost one it is in
  FunctionScope* function = nullptr;  // the same
  Teardown* teardown = nullptr;       // the same (history.h)
  int ignored = 0;                    // by the program's wish, so many times
  OfThread<RecentStacks> stacks;
  OfThread<CallPlace> place;
  const std::vector<const void*>* foreign = nullptr;  // frames; not given back when the thread ends
  // Pointers it has noted last, so that a loop does not note the same again and again.
  struct Noted {
    const void* pointer;
    StackId stack;
  };
  static constexpr int kNotedBits = 3;
  Noted noted[1 << kNotedBits][2] = {};  // by pointer and stack, the latest first
};

extern constinit thread_local ThreadState thread_state;

}  // namespace foothold::check
