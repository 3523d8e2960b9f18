// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl_op.h>
#include <acl/acl_op_compiler.h>
#include <aclnn/acl_meta.h>
#include <aclnnop/aclnn_abs.h>

#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>
#include <utility>

#include "check/held_up.h"
#include "check/model_fixture.h"

using namespace checked;

namespace {

constexpr int64_t kFour[] = {4};
constexpr int64_t kOne[] = {1};

struct NnTensor {
  explicit NnTensor(void* memory, int64_t stride = 1, int64_t storage = 4)
      : tensor(aclCreateTensor(kFour, 1, ACL_FLOAT, &stride, 0, ACL_FORMAT_ND, &storage, 1, memory)) {}
  ~NnTensor() {
    if (tensor != nullptr) Destroy();
  }
  NnTensor(const NnTensor&) = delete;
  NnTensor& operator=(const NnTensor&) = delete;
  void Destroy() {
    MUST(aclDestroyTensor(tensor));
    tensor = nullptr;
  }
  aclTensor* tensor;
};

// y = |x|, and all it takes.
struct AbsCall {
  Session session;
  Four x, y;
  Stream stream;
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;

  void Prepare(const aclTensor* from, aclTensor* to) {
    MUST(aclnnAbsGetWorkspaceSize(from, to, &bytes, &executor));
  }
  int Run(void* workspace, aclrtStream on) { return aclnnAbs(workspace, bytes, executor, on); }
};

}  // namespace

PROGRAM(gives_half_a_workspace, "NN-WS-001") {
  AbsCall call;
  const NnTensor x(call.x.memory), y(call.y.memory);
  call.Prepare(x.tensor, y.tensor);
  const Four workspace(call.bytes);
  const uint64_t given = broken ? call.bytes / 2 : call.bytes;
  MUST(aclnnAbs(workspace.memory, given, call.executor, call.stream));
  call.stream.Wait();
}

PROGRAM(gives_two_streams_one_workspace, "NN-WS-002") {
  AbsCall call;
  const Four z;
  const NnTensor x(call.x.memory), y(call.y.memory), other(z.memory);
  const Stream second;
  call.Prepare(x.tensor, y.tensor);
  const Four workspace(call.bytes);
  MUST(call.Run(workspace.memory, call.stream));
  call.Prepare(x.tensor, other.tensor);
  MUST(call.Run(workspace.memory, broken ? second.stream : call.stream.stream));
  call.stream.Wait();
  second.Wait();
}

PROGRAM(frees_a_workspace_under_its_operator, "NN-WS-003") {
  AbsCall call;
  const NnTensor x(call.x.memory), y(call.y.memory);
  call.Prepare(x.tensor, y.tensor);
  {
    const Four workspace(call.bytes);
    MUST(call.Run(workspace.memory, call.stream));
    if (!broken) call.stream.Wait();
  }
  call.stream.Wait();
}

PROGRAM(runs_an_executor_twice, "NN-EXEC-001") {
  AbsCall call;
  const NnTensor x(call.x.memory), y(call.y.memory);
  call.Prepare(x.tensor, y.tensor);
  const Four workspace(call.bytes);
  if (!broken) MUST(aclSetAclOpExecutorRepeatable(call.executor));
  MUST(call.Run(workspace.memory, call.stream));
  call.Run(workspace.memory, call.stream);
  call.stream.Wait();
  if (!broken) MUST(aclDestroyAclOpExecutor(call.executor));
}

PROGRAM(destroys_a_tensor_between_the_calls, "NN-EXEC-002") {
  AbsCall call;
  NnTensor x(call.x.memory);
  const NnTensor y(call.y.memory);
  call.Prepare(x.tensor, y.tensor);
  const Four workspace(call.bytes);
  if (broken) x.Destroy();
  MUST(call.Run(workspace.memory, call.stream));
  call.stream.Wait();
}

PROGRAM(destroys_a_tensor_of_a_list, "NN-EXEC-003") {
  const Session session;
  const Four memory;
  aclTensor* const member =
      aclCreateTensor(kFour, 1, ACL_FLOAT, kOne, 0, ACL_FORMAT_ND, kFour, 1, memory.memory);
  const aclTensorList* const list = aclCreateTensorList(&member, 1);
  if (broken) MUST(aclDestroyTensor(member));
  MUST(aclDestroyTensorList(list));
}

PROGRAM(destroys_a_tensor_after_its_list, "NN-EXEC-003") {
  const Session session;
  const Four memory;
  aclTensor* const member =
      aclCreateTensor(kFour, 1, ACL_FLOAT, kOne, 0, ACL_FORMAT_ND, kFour, 1, memory.memory);
  const aclTensorList* const list = aclCreateTensorList(&member, 1);
  MUST(aclDestroyTensorList(list));
  if (broken) aclDestroyTensor(member);
}

// Strides for a type twice as wide.
PROGRAM(looks_behind_its_memory, "NN-TENSOR-001") {
  AbsCall call;
  const NnTensor x(call.x.memory, broken ? 2 : 1, broken ? 8 : 4), y(call.y.memory);
  call.Prepare(x.tensor, y.tensor);
  const Four workspace(call.bytes);
  call.Run(workspace.memory, call.stream);
  call.stream.Wait();
}

// Inside of its memory, behind the storage it is said to have.
PROGRAM(looks_behind_its_storage, "NN-TENSOR-001") {
  AbsCall call;
  const Four large(2 * kModelBytes);
  const NnTensor x(large.memory, 2, broken ? 4 : 8), y(call.y.memory);
  call.Prepare(x.tensor, y.tensor);
  const Four workspace(call.bytes);
  MUST(call.Run(workspace.memory, call.stream));
  call.stream.Wait();
}

PROGRAM(frees_an_input_under_an_operator, "ACL-MEM-003 ACL-OP-001") {
  const Session session;
  const Stream stream;
  HeldUp held(stream);
  void* const x = DeviceMemory(kModelBytes);
  MUST(aclrtMemset(x, kModelBytes, 0, kModelBytes));
  const Four y;
  const aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 1, kFour, ACL_FORMAT_ND);
  aclDataBuffer* const in = aclCreateDataBuffer(x, kModelBytes);
  aclDataBuffer* const out = aclCreateDataBuffer(y.memory, kModelBytes);
  MUST(aclopCompileAndExecute("Abs", 1, &desc, &in, 1, &desc, &out, nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS,
                              nullptr, stream));
  // These may go at once.
  MUST(aclDestroyDataBuffer(in));
  MUST(aclDestroyDataBuffer(out));
  aclDestroyTensorDesc(desc);
  if (broken) MUST(aclrtFree(x));
  held.Release();
  aclrtSynchronizeStream(stream);
  if (!broken) MUST(aclrtFree(x));
}

namespace {

// Calls of two threads that are under way at the same time, as the threads themselves see it.
struct Meetings {
  std::atomic<int> calls[2] = {};  // odd during a call
  std::atomic<int> count = 0;      // of different calls
};

// Until calls of the two threads have met often, which takes a while on a busy machine: a call is longer than
// the part of it that is looked at. With a lock they never meet.
void QueueOperators(int thread, aclrtStream stream, void* memory, std::mutex* lock, Meetings& meetings) {
  constexpr int kCalls = 5000, kMostCalls = 2'000'000, kMeetings = 100;
  const aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 1, kFour, ACL_FORMAT_ND);
  aclDataBuffer* const buffer = aclCreateDataBuffer(memory, kModelBytes);
  const auto goes_on = [&](int i) {
    return i < kCalls || (lock == nullptr && i < kMostCalls && meetings.count < kMeetings);
  };
  for (int i = 0, met = 0; goes_on(i); ++i) {
    const auto held = lock == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(*lock);
    ++meetings.calls[thread];
    const int other = meetings.calls[1 - thread];
    if (other % 2 == 1 && std::exchange(met, other) != other) ++meetings.count;
    MUST(aclopCompileAndExecute("Abs", 1, &desc, &buffer, 1, &desc, &buffer, nullptr, ACL_ENGINE_SYS,
                                ACL_COMPILE_SYS, nullptr, stream));
    ++meetings.calls[thread];
  }
  MUST(aclDestroyDataBuffer(buffer));
  aclDestroyTensorDesc(desc);
}

}  // namespace

PROGRAM(queues_operators_by_two_threads, "ACL-RACE-009") {
  const Session session;
  const Stream stream;
  const Four memory;
  std::mutex lock;
  Meetings meetings;
  std::barrier both(2);
  std::thread other([&] {
    MUST(aclrtSetDevice(0));
    both.arrive_and_wait();
    QueueOperators(1, stream, memory.memory, broken ? nullptr : &lock, meetings);
  });
  both.arrive_and_wait();
  QueueOperators(0, stream, memory.memory, broken ? nullptr : &lock, meetings);
  other.join();
  stream.Wait();
}
