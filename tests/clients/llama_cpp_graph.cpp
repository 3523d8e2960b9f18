// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way llama.cpp generates tokens with captured graphs: a step whose addresses and shapes were there
// before runs an instance that was kept, another is captured first and run at once. Memory is made, freed and
// filled by an operator inside the capture. Twelve instances are kept, the one used longest ago goes, while
// it may still run. At the end the device is reset before anything is destroyed. Every step gives what its
// calls give one by one.
#include <cstring>
#include <list>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_silu.h"
#include "clients/check.h"
#include "llama/call.h"

namespace {

constexpr std::int64_t kWidth = 64, kSlots = 14;
constexpr std::size_t kKept = 12;
constexpr std::size_t kRow = kWidth * sizeof(float);

void Check(aclError code) {
  if (code != ACL_SUCCESS) std::fprintf(stderr, "%d: %s\n", code, aclGetRecentErrMsg());
  REQUIRE(code == ACL_SUCCESS);
}

void* Allocate(std::size_t bytes) {
  void* memory = nullptr;
  Check(aclrtMalloc(&memory, (bytes + 127) / 128 * 128, ACL_MEM_MALLOC_HUGE_FIRST));
  return memory;
}

// What one backend has: a stream, an event, memory that grows when it is too small.
class Backend {
 public:
  Backend() {
    Check(aclrtSetDevice(0));
    Check(aclrtCreateStream(&stream_));
    Check(aclrtCreateEvent(&event_));
  }
  ~Backend() {
    Check(aclrtSynchronizeDevice());
    Check(aclrtResetDevice(0));
    Check(aclrtDestroyEvent(event_));
    Check(aclrtDestroyStream(stream_));
    for (const Graph& graph : graphs_)
      Check(aclmdlRIDestroy(graph.instance));
    for (void* workspace : workspaces_)
      Check(aclrtFree(workspace));
    if (ones_ != nullptr) Check(aclrtFree(ones_));
  }
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  aclrtStream stream() const { return stream_; }
  int captures() const { return captures_; }

  template <typename First, typename... Args>
  void Call(First first, llama::SecondPhase second, const Args&... args) {
    llama::Objects objects;
    std::uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Check(first(objects.Of(args)..., &size, &executor));
    Check(second(size == 0 ? nullptr : Workspace(size), size, executor, stream_));
  }

  // So many ones, for the weights of a norm. Replaced by more where the work is queued.
  void* Ones(std::int64_t count) {
    if (ones_count_ >= count) return ones_;
    if (ones_ != nullptr) Check(aclrtFree(ones_));
    ones_ = Allocate(static_cast<std::size_t>(count) * sizeof(float));
    ones_count_ = count;
    Call(aclnnInplaceFillScalarGetWorkspaceSize, aclnnInplaceFillScalar,
         llama::Described(ACL_FLOAT, {count}, ones_), llama::Scalar{1});
    return ones_;
  }

  // `key` stands for the addresses and shapes of all nodes.
  template <typename Queue>
  void Compute(std::int64_t key, const Queue& queue) {
    for (auto graph = graphs_.begin(); graph != graphs_.end(); ++graph) {
      if (graph->key != key) continue;
      graphs_.splice(graphs_.begin(), graphs_, graph);
      return Check(aclmdlRIExecuteAsync(graph->instance, stream_));
    }
    aclmdlRI instance = nullptr;
    Check(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    queue();
    Check(aclmdlRICaptureEnd(stream_, &instance));
    ++captures_;
    graphs_.push_front({key, instance});
    Check(aclmdlRIExecuteAsync(instance, stream_));
    if (graphs_.size() > kKept) {
      Check(aclmdlRIDestroy(graphs_.back().instance));
      graphs_.pop_back();
    }
  }

  void Synchronize() {
    Check(aclrtRecordEvent(event_, stream_));
    Check(aclrtSynchronizeEvent(event_));
    Check(aclrtSynchronizeStream(stream_));
  }

 private:
  struct Graph {
    std::int64_t key;
    aclmdlRI instance;
  };
  void* Workspace(std::uint64_t size) {
    if (size > workspace_size_) {
      workspaces_.push_back(Allocate(size));
      workspace_size_ = size;
    }
    return workspaces_.back();
  }

  aclrtStream stream_ = nullptr;
  aclrtEvent event_ = nullptr;
  void* ones_ = nullptr;
  std::int64_t ones_count_ = 0;
  std::vector<void*> workspaces_;
  std::uint64_t workspace_size_ = 0;
  std::list<Graph> graphs_;  // the last used first
  int captures_ = 0;
};

// A layer with memory of its own: rows of earlier tokens in slots, a product, a gate, a sum.
class Layer {
 public:
  Layer() {
    std::vector<float> weight(kWidth * kWidth);
    for (std::size_t i = 0; i < weight.size(); ++i)
      weight[i] = static_cast<float>(i % 17) / 64 - 0.125f;
    for (void** row : {&input_, &normed_, &rstd_, &product_, &gate_, &output_})
      *row = Allocate(kRow);
    weight_ = Allocate(weight.size() * sizeof(float));
    slots_ = Allocate(kSlots * kRow);
    Check(
        aclrtMemcpy(weight_, weight.size() * 4, weight.data(), weight.size() * 4, ACL_MEMCPY_HOST_TO_DEVICE));
    Check(aclrtMemset(slots_, kSlots * kRow, 0, kSlots * kRow));
  }
  void Free() {
    for (void* memory : {input_, normed_, rstd_, product_, gate_, output_, weight_, slots_})
      Check(aclrtFree(memory));
  }
  void Set(int token) {
    float row[kWidth];
    for (int i = 0; i < kWidth; ++i)
      row[i] = static_cast<float>((token * 31 + i * 7) % 23) - 11;
    Check(aclrtMemcpy(input_, kRow, row, kRow, ACL_MEMCPY_HOST_TO_DEVICE));
  }
  void Queue(Backend& backend, std::int64_t slot) {
    const llama::Described ones(ACL_FLOAT, {kWidth}, backend.Ones(kWidth)),
        input = Row(input_), normed = Row(normed_), product = Row(product_), gate = Row(gate_),
        output = Row(output_), kept = Row(static_cast<char*>(slots_) + slot * kRow);
    backend.Call(aclnnRmsNormGetWorkspaceSize, aclnnRmsNorm, input, ones, 1e-5, normed,
                 llama::Described(ACL_FLOAT, {1}, rstd_));
    backend.Call(aclnnMatmulGetWorkspaceSize, aclnnMatmul, normed,
                 llama::Described(ACL_FLOAT, {kWidth, kWidth}, weight_), product, std::int8_t{0});
    backend.Call(aclnnSiluGetWorkspaceSize, aclnnSilu, product, gate);
    backend.Call(aclnnMulGetWorkspaceSize, aclnnMul, gate, normed, gate);
    backend.Call(aclnnAddGetWorkspaceSize, aclnnAdd, gate, kept, llama::Scalar{0.5f}, output);
    Check(aclrtMemcpyAsync(kept.data, kRow, output_, kRow, ACL_MEMCPY_DEVICE_TO_DEVICE, backend.stream()));
  }
  std::vector<char> Read(Backend& backend) {
    std::vector<char> all((kSlots + 1) * kRow);
    Check(aclrtMemcpyAsync(all.data(), kRow, output_, kRow, ACL_MEMCPY_DEVICE_TO_HOST, backend.stream()));
    Check(aclrtMemcpyAsync(all.data() + kRow, kSlots * kRow, slots_, kSlots * kRow, ACL_MEMCPY_DEVICE_TO_HOST,
                           backend.stream()));
    backend.Synchronize();
    return all;
  }

 private:
  static llama::Described Row(void* data) { return {ACL_FLOAT, {1, kWidth}, data}; }
  void *input_ = nullptr, *normed_ = nullptr, *rstd_ = nullptr, *product_ = nullptr, *gate_ = nullptr,
       *output_ = nullptr, *weight_ = nullptr, *slots_ = nullptr;
};

void Generate() {
  Layer captured, direct;
  {
    Backend backend, plain;
    backend.Ones(kWidth / 2);  // too small: freed and made anew inside the first capture
    backend.Synchronize();     // the memory must not be freed while it is being filled
    std::vector<int> slots;
    for (int slot = 0; slot < kSlots; ++slot)
      slots.push_back(slot);
    for (int slot : {0, 13, 13, 0, 1, 12, 5, 5, 2, 13, 0, 0})
      slots.push_back(slot);
    int token = 0;
    for (const int slot : slots) {
      captured.Set(++token);
      direct.Set(token);
      backend.Compute(slot, [&] { captured.Queue(backend, slot); });
      direct.Queue(plain, slot);
      REQUIRE(captured.Read(backend) == direct.Read(plain));
    }
    REQUIRE(backend.captures() == kSlots + 3);  // 0, 1 and 2 had gone
    for (int i = 0; i < 3 * kSlots; ++i)        // nobody waits for those that go
      backend.Compute(i % kSlots, [&] { captured.Queue(backend, i % kSlots); });
  }
  captured.Free();
  direct.Free();
}

}  // namespace

int main() {
  aclInit(nullptr);
  Check(aclrtSetDevice(0));
  Generate();
  Generate();
  return 0;  // without aclFinalize
}
