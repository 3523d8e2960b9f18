// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Kernels of the program: what they declare takes part, what they do not is unknown.
#include "check/held_up.h"
#include "check/model_fixture.h"

using namespace checked;

namespace {

// z = x + y by a kernel of tests/kernels, on two streams; `ordered`: one after the other.
void AddTwice(const char* kernel, bool ordered) {
  struct Arguments {
    const void *x, *y;
    void* z;
    int64_t count;
    float factor;
  };
  const Session session;
  const Four x, y, z;
  const Stream first, second;
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle function = nullptr;
  MUST(aclrtBinaryLoadFromFile(KERNELS_LIBRARY, nullptr, &binary));
  MUST(aclrtBinaryGetFunction(binary, kernel, &function));
  Arguments arguments = {x.memory, y.memory, z.memory, 4, 1};
  const auto launch = [&](aclrtStream stream) {
    MUST(aclrtLaunchKernelWithHostArgs(function, 1, stream, nullptr, &arguments, sizeof arguments, nullptr,
                                       0));
  };
  launch(first);
  const aclrtEvent event = NewEvent();
  MUST(aclrtRecordEvent(event, first));
  if (ordered) MUST(aclrtStreamWaitEvent(second, event));
  launch(second);
  first.Wait();
  second.Wait();
  MUST(aclrtDestroyEvent(event));
  MUST(aclrtBinaryUnLoad(binary));
}

}  // namespace

PROGRAM(writes_with_two_kernels_that_say_so, "ACL-RACE-001") {
  AddTwice("careful_add", !broken);
}

// The same without a declaration: nothing is known, so nothing is said.
PROGRAM(writes_with_two_kernels_that_say_nothing, "") {
  AddTwice("add", !broken);
}
