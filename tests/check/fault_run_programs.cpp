// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Programs that break no rule, for faults of operators, models, graphs, allocators, dumps and devices. They
// print what did not answer 0.
#include <acl/acl_dump.h>
#include <aclnn/acl_meta.h>
#include <aclnnop/aclnn_abs.h>

#include <future>
#include <memory>

#include "check/graph_fixture.h"

using namespace checked;

namespace {

bool Tell(const char* what, int code) {
  if (code != 0) std::printf("%s:%d\n", what, code);
  return code == 0;
}

// A failure without a word of the plan would be another one.
bool TellGe(const char* what, ge::Status status) {
  const std::string text = ge::GEGetErrorMsg();
  const bool said = text.find("injected") != std::string::npos;
  if (status != ge::SUCCESS) std::printf("%s:%s\n", what, said ? "injected" : text.c_str());
  return status == ge::SUCCESS;
}

// Memory of its own for each block; says what it did not get back.
class Pool : public ge::Allocator {
 public:
  ~Pool() override {
    if (live_ != 0) std::printf("blocks:%d\n", live_);
  }
  ge::MemBlock* Malloc(std::size_t size) override {
    ++live_;
    return new ge::MemBlock(*this, DeviceMemory(size), size);
  }
  void Free(ge::MemBlock* block) override {
    --live_;
    MUST(aclrtFree(block->GetAddr()));
    delete block;
  }

 private:
  int live_ = 0;
};

void RunOnStream(Graphs& graphs, const char* what) {
  std::vector<gert::Tensor> outputs;
  TellGe(what,
         graphs.session.RunGraphWithStreamAsync(2, graphs.stream, TensorAt(graphs.x.memory, true), outputs));
  Tell("sync", aclrtSynchronizeStream(graphs.stream));
}

}  // namespace

PROGRAM(meets_absent_devices, "") {
  MUST(aclInit(nullptr));
  uint32_t count = 0;
  Tell("count", aclrtGetDeviceCount(&count));
  if (Tell("set", aclrtSetDevice(0))) MUST(aclrtResetDevice(0));
  MUST(aclFinalize());
}

PROGRAM(meets_full_memory, "") {
  const Session session;
  void *device = nullptr, *managed = nullptr;
  if (Tell("malloc", aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST))) MUST(aclrtFree(device));
  if (Tell("managed", aclrtMemAllocManaged(&managed, 64, ACL_RT_MEM_ATTACH_GLOBAL))) MUST(aclrtFree(managed));
  std::size_t free = 0, total = 0;
  MUST(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  if (free == 0) std::printf("full\n");
}

// The second task, on a stream of its own, makes the device abort what waits behind the first.
PROGRAM(meets_an_abort, "") {
  const Session session;
  const Stream stream, other;
  const Four memory, more;
  static std::promise<void> begun, released;
  MUST(aclrtLaunchHostFunc(
      stream,
      [](void*) {
        begun.set_value();
        released.get_future().get();
      },
      nullptr));
  begun.get_future().get();
  MUST(aclrtMemsetAsync(memory.memory, kModelBytes, 0, kModelBytes, stream));
  MUST(aclrtMemsetAsync(more.memory, kModelBytes, 0, kModelBytes, other));
  Tell("sync", aclrtSynchronizeStream(stream));
  released.set_value();
}

PROGRAM(meets_faults_of_operators, "") {
  const Session session;
  const Four x, y;
  const Stream stream;
  const int64_t four[] = {4}, one[] = {1};
  aclTensor* const from = aclCreateTensor(four, 1, ACL_FLOAT, one, 0, ACL_FORMAT_ND, four, 1, x.memory);
  aclTensor* const to = aclCreateTensor(four, 1, ACL_FLOAT, one, 0, ACL_FORMAT_ND, four, 1, y.memory);
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  if (Tell("plan", aclnnAbsGetWorkspaceSize(from, to, &bytes, &executor))) {
    const Four workspace(bytes + 64);  // none is needed unless the program is checked
    Tell("queue", aclnnAbs(workspace.memory, bytes, executor, stream));
    Tell("sync", aclrtSynchronizeStream(stream));
    Tell("again", aclrtSynchronizeStream(stream));
  }
  MUST(aclDestroyTensor(from));
  MUST(aclDestroyTensor(to));
}

PROGRAM(meets_faults_of_models, "") {
  const Session session;
  const Four x, y;
  const Stream stream;
  const ge::ModelBufferData model = BuildModel();
  uint32_t id = 0;
  if (!Tell("load", aclmdlLoadFromMem(model.data.get(), model.length, &id))) return;
  {
    const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes);
    Tell("execute", aclmdlExecute(id, inputs.set, outputs.set));
    Tell("queue", aclmdlExecuteAsync(id, inputs.set, outputs.set, stream));
    Tell("sync", aclrtSynchronizeStream(stream));
    Tell("again", aclrtSynchronizeStream(stream));
  }
  MUST(aclmdlUnload(id));
}

// One graph for each way to run them: they must not be mixed.
PROGRAM(meets_faults_of_graphs, "") {
  Graphs graphs;
  MUST_GE(graphs.session.AddGraph(3, AbsGraph()));
  std::vector<gert::Tensor> outputs;
  TellGe("run", graphs.session.RunGraph(1, TensorAt(graphs.x.memory), outputs));
  std::promise<ge::Status> done;
  if (TellGe("async", graphs.session.RunGraphAsync(
                          3, TensorAt(graphs.x.memory),
                          [&](ge::Status status, std::vector<gert::Tensor>&) { done.set_value(status); })) &&
      done.get_future().get() != ge::SUCCESS)
    std::printf("callback\n");
  MUST_GE(graphs.session.CompileGraph(2));
  TellGe("load", graphs.session.LoadGraph(2, {}, graphs.stream));
  RunOnStream(graphs, "stream");
  for (const uint32_t graph : {1u, 2u, 3u})
    MUST_GE(graphs.session.RemoveGraph(graph));
}

PROGRAM(meets_faults_of_allocators, "") {
  Graphs graphs;
  MUST_GE(graphs.session.RegisterExternalAllocator(graphs.stream, std::make_shared<Pool>()));
  RunOnStream(graphs, "stream");
  RunOnStream(graphs, "again");
  MUST_GE(graphs.session.RemoveGraph(2));
  MUST_GE(graphs.session.UnregisterExternalAllocator(graphs.stream));
}

PROGRAM(meets_faults_of_dumps, "") {
  static int chunks;
  const Session session;
  MUST(acldumpRegCallback(
      [](const acldumpChunk*, int32_t) -> int32_t {
        ++chunks;
        return 0;
      },
      0));
  MUST(aclmdlInitDump());
  {
    const Loaded model;
    const Four x, y;
    const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes);
    Tell("execute", aclmdlExecute(model.id, inputs.set, outputs.set));
  }
  Tell("end", aclmdlFinalizeDump());
  acldumpUnregCallback();
  std::printf(chunks == 0 ? "nothing\n" : "dumped\n");
}
