// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way torch_npu captures and replays graphs: memory comes from a private pool that several graphs share,
// made while the thread's mode is exchanged for the relaxed one; whether a stream is captured is asked before
// every allocation; a side stream joins over events; attention is a task group whose lengths are replaced on
// another stream while the run waits for an external event; graphs are destroyed while runs are queued. Every
// replay gives what the same calls give one by one.
#include <cstring>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_mul.h"
#include "clients/check.h"

namespace {

constexpr std::int64_t kHeads = 2, kDepth = 16, kKeys = 32, kWidth = kHeads * kDepth;
constexpr std::size_t kRow = kWidth * sizeof(aclFloat16);

void Check(aclError code) {
  if (code != ACL_SUCCESS) std::fprintf(stderr, "%d: %s\n", code, aclGetRecentErrMsg());
  REQUIRE(code == ACL_SUCCESS);
}

bool IsCaptured(aclrtStream stream) {
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
  aclmdlRI model = nullptr;
  Check(aclmdlRICaptureGetInfo(stream, &status, &model));
  REQUIRE(status != ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
  return status == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
}

// The mode of the thread is another one for as long as this lives.
class ModeGuard {
 public:
  explicit ModeGuard(aclmdlRICaptureMode mode) : mode_(mode) {
    Check(aclmdlRICaptureThreadExchangeMode(&mode_));
  }
  ~ModeGuard() { Check(aclmdlRICaptureThreadExchangeMode(&mode_)); }

 private:
  aclmdlRICaptureMode mode_;
};

// Segments that are cut into blocks. Blocks go back and are used again, segments stay until the last graph
// ends.
class Pool {
 public:
  ~Pool() {
    for (void* segment : segments_)
      Check(aclrtFree(segment));
  }
  void* Block(std::size_t bytes, aclrtStream stream) {
    IsCaptured(stream);
    bytes = (bytes + 511) / 512 * 512;
    if (segments_.empty() || used_ + bytes > kSegment) {
      const ModeGuard guard(ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
      segments_.push_back(nullptr);
      Check(aclrtMalloc(&segments_.back(), kSegment, ACL_MEM_MALLOC_HUGE_FIRST));
      used_ = 0;
    }
    used_ += bytes;
    return static_cast<char*>(segments_.back()) + used_ - bytes;
  }
  // The next graph may lay its own blocks where this one had them: they do not run at the same time.
  void StartAnew() { used_ = 0; }

 private:
  static constexpr std::size_t kSegment = 1 << 16;
  std::vector<void*> segments_;
  std::size_t used_ = 0;
};

aclTensor* Tensor(std::vector<std::int64_t> dims, void* data) {
  std::vector<std::int64_t> strides(dims.size(), 1);
  for (std::size_t i = dims.size() - 1; i-- > 0;)
    strides[i] = strides[i + 1] * dims[i + 1];
  return aclCreateTensor(dims.data(), dims.size(), ACL_FLOAT16, strides.data(), 0, ACL_FORMAT_ND, dims.data(),
                         dims.size(), data);
}

void RunSecond(aclnnStatus (*second)(void*, std::uint64_t, aclOpExecutor*, aclrtStream), std::uint64_t size,
               aclOpExecutor* executor, Pool& pool, aclrtStream stream) {
  Check(second(size == 0 ? nullptr : pool.Block(size, stream), size, executor, stream));
}

void Add(void* x, void* y, void* out, Pool& pool, aclrtStream stream) {
  aclTensor* const tensors[] = {Tensor({kWidth}, x), Tensor({kWidth}, y), Tensor({kWidth}, out)};
  float one = 1;
  aclScalar* const alpha = aclCreateScalar(&one, ACL_FLOAT);
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnAddGetWorkspaceSize(tensors[0], tensors[1], alpha, tensors[2], &size, &executor));
  RunSecond(aclnnAdd, size, executor, pool, stream);
  for (aclTensor* tensor : tensors)
    Check(aclDestroyTensor(tensor));
  Check(aclDestroyScalar(alpha));
}

void Mul(void* x, void* y, void* out, Pool& pool, aclrtStream stream) {
  aclTensor* const tensors[] = {Tensor({kWidth}, x), Tensor({kWidth}, y), Tensor({kWidth}, out)};
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnMulGetWorkspaceSize(tensors[0], tensors[1], tensors[2], &size, &executor));
  RunSecond(aclnnMul, size, executor, pool, stream);
  for (aclTensor* tensor : tensors)
    Check(aclDestroyTensor(tensor));
}

// One query over the first `length` keys.
void Attend(void* query, void* keys, void* values, void* out, std::int64_t length, void* workspace,
            std::uint64_t most, aclrtStream stream) {
  aclTensor* const q = Tensor({1, 1, kHeads, kDepth}, query);
  aclTensor* const k = Tensor({1, kKeys, kHeads, kDepth}, keys);
  aclTensor* const v = Tensor({1, kKeys, kHeads, kDepth}, values);
  aclTensor* const o = Tensor({1, 1, kHeads, kDepth}, out);
  aclTensorList* const key_list = aclCreateTensorList(&k, 1);
  aclTensorList* const value_list = aclCreateTensorList(&v, 1);
  aclIntArray* const lengths = aclCreateIntArray(&length, 1);
  char layout[] = "BSND";
  std::uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
      q, key_list, value_list, nullptr, nullptr, nullptr, lengths, nullptr, nullptr, nullptr, nullptr,
      nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
      nullptr, nullptr, kHeads, 0.25, 65535, 65535, layout, kHeads, 0, 0, 0, 0, false, 0, 0, o, nullptr,
      &size, &executor));
  REQUIRE(size <= most);
  Check(aclnnFusedInferAttentionScoreV2(workspace, size, executor, stream));
  Check(aclDestroyIntArray(lengths));
  Check(aclDestroyTensorList(key_list));
  Check(aclDestroyTensorList(value_list));
  Check(aclDestroyTensor(q));
  Check(aclDestroyTensor(o));
}

constexpr std::uint64_t kWorkspace = 1 << 14;

// A small model: two products side by side, attention, a sum. Inputs and outputs are the caller's.
struct Model {
  void *input, *keys, *values, *output;

  struct Blocks {
    void *left, *right, *attended, *workspace;
  };
  Blocks Allocate(Pool& pool, aclrtStream stream) const {
    return {pool.Block(kRow, stream), pool.Block(kRow, stream), pool.Block(kRow, stream),
            pool.Block(kWorkspace, stream)};
  }
  void Before(const Blocks& blocks, Pool& pool, aclrtStream main, aclrtStream side, aclrtEvent event) const {
    Check(aclrtRecordEvent(event, main));
    Check(aclrtStreamWaitEvent(side, event));
    Mul(input, values, blocks.right, pool, side);
    Add(input, keys, blocks.left, pool, main);
  }
  void Attention(const Blocks& blocks, std::int64_t length, aclrtStream stream) const {
    Attend(blocks.left, keys, values, blocks.attended, length, blocks.workspace, kWorkspace, stream);
  }
  void After(const Blocks& blocks, Pool& pool, aclrtStream main, aclrtStream side, aclrtEvent event) const {
    Check(aclrtRecordEvent(event, side));
    Check(aclrtStreamWaitEvent(main, event));
    Add(blocks.attended, blocks.right, output, pool, main);
  }
};

struct Graph {
  Model model;
  Model::Blocks blocks;
  aclmdlRI instance = nullptr;
  aclrtTaskGrp attention = nullptr;
  aclrtEvent updated = nullptr;  // external
};

struct Streams {
  Streams() {
    for (aclrtStream* stream : {&capture, &side, &run, &update})
      Check(aclrtCreateStreamWithConfig(stream, 0, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
  }
  ~Streams() {
    for (aclrtStream stream : {capture, side, run, update})
      Check(aclrtDestroyStream(stream));
  }
  aclrtStream capture = nullptr, side = nullptr, run = nullptr, update = nullptr;
};

void Capture(Graph& graph, Pool& pool, const Streams& streams, aclmdlRICaptureMode mode) {
  REQUIRE(!IsCaptured(streams.capture));
  aclrtEvent event = nullptr;
  Check(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  Check(aclrtCreateEventWithFlag(&graph.updated, ACL_EVENT_EXTERNAL));
  pool.StartAnew();
  Check(aclrtSynchronizeDevice());
  Check(aclmdlRICaptureBegin(streams.capture, mode));
  REQUIRE(IsCaptured(streams.capture) && !IsCaptured(streams.side));
  graph.blocks = graph.model.Allocate(pool, streams.capture);
  graph.model.Before(graph.blocks, pool, streams.capture, streams.side, event);
  REQUIRE(IsCaptured(streams.side));
  Check(aclrtStreamWaitEvent(streams.capture, graph.updated));
  Check(aclrtResetEvent(graph.updated, streams.capture));
  Check(aclmdlRICaptureTaskGrpBegin(streams.capture));
  graph.model.Attention(graph.blocks, kKeys, streams.capture);
  Check(aclmdlRICaptureTaskGrpEnd(streams.capture, &graph.attention));
  graph.model.After(graph.blocks, pool, streams.capture, streams.side, event);
  Check(aclmdlRICaptureEnd(streams.capture, &graph.instance));
  REQUIRE(!IsCaptured(streams.capture) && !IsCaptured(streams.side));
  Check(aclrtDestroyEvent(event));
}

// The run is queued first and waits for the lengths.
void Replay(const Graph& graph, std::int64_t length, const Streams& streams) {
  Check(aclmdlRIExecuteAsync(graph.instance, streams.run));
  Check(aclmdlRICaptureTaskUpdateBegin(streams.update, graph.attention));
  graph.model.Attention(graph.blocks, length, streams.update);
  Check(aclmdlRICaptureTaskUpdateEnd(streams.update));
  Check(aclrtRecordEvent(graph.updated, streams.update));
}

void* Filled(std::int64_t rows, int seed) {
  std::vector<aclFloat16> values(static_cast<std::size_t>(rows * kWidth));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        aclFloatToFloat16(static_cast<float>((i * 13 + static_cast<std::size_t>(seed) * 5) % 29) / 16 - 0.9f);
  void* memory = nullptr;
  Check(aclrtMalloc(&memory, values.size() * 2, ACL_MEM_MALLOC_HUGE_FIRST));
  Check(aclrtMemcpy(memory, values.size() * 2, values.data(), values.size() * 2, ACL_MEMCPY_HOST_TO_DEVICE));
  return memory;
}

std::vector<char> Read(const void* row) {
  std::vector<char> bytes(kRow);
  Check(aclrtMemcpy(bytes.data(), kRow, row, kRow, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

std::vector<char> RunDirectly(const Model& model, std::int64_t length, const Streams& streams) {
  Pool pool;
  aclrtEvent event = nullptr;
  Check(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  const Model::Blocks blocks = model.Allocate(pool, streams.run);
  model.Before(blocks, pool, streams.run, streams.side, event);
  model.Attention(blocks, length, streams.run);
  model.After(blocks, pool, streams.run, streams.side, event);
  Check(aclrtSynchronizeStream(streams.run));
  Check(aclrtDestroyEvent(event));
  return Read(model.output);
}

void CaptureAndReplay(aclmdlRICaptureMode mode) {
  const Streams streams;
  Pool pool;
  std::vector<Graph> graphs(3);
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const int seed = static_cast<int>(i);
    graphs[i].model = {Filled(1, seed), Filled(kKeys, seed + 10), Filled(kKeys, seed + 20), Filled(1, 0)};
    Capture(graphs[i], pool, streams, mode);
  }
  std::vector<std::vector<char>> seen;
  for (const std::int64_t length : {32, 1, 7, 31, 7}) {
    for (const Graph& graph : graphs)
      Replay(graph, length, streams);
    Check(aclrtSynchronizeStream(streams.run));
    for (const Graph& graph : graphs) {
      const std::vector<char> replayed = Read(graph.model.output);
      REQUIRE(replayed == RunDirectly(graph.model, length, streams));
      if (&graph == graphs.data()) seen.push_back(replayed);
    }
  }
  REQUIRE(seen[0] != seen[1] && seen[1] != seen[2] && seen[2] == seen[4]);  // the lengths matter
  for (const Graph& graph : graphs) {
    Check(aclrtMemset(graph.model.output, kRow, 0, kRow));
    Replay(graph, 9, streams);
    Check(aclmdlRIDestroy(graph.instance));  // while it is queued
  }
  Check(aclrtSynchronizeStream(streams.run));
  for (const Graph& graph : graphs) {
    const std::vector<char> replayed = Read(graph.model.output);
    REQUIRE(replayed == RunDirectly(graph.model, 9, streams));
    Check(aclrtDestroyEvent(graph.updated));
    for (void* memory : {graph.model.input, graph.model.keys, graph.model.values, graph.model.output})
      Check(aclrtFree(memory));
  }
}

}  // namespace

int main() {
  Check(aclInit(nullptr));
  Check(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  Check(aclrtGetCurrentContext(&context));
  for (const auto mode : {ACL_MODEL_RI_CAPTURE_MODE_RELAXED, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL,
                          ACL_MODEL_RI_CAPTURE_MODE_GLOBAL})
    CaptureAndReplay(mode);
  // Two threads that capture at once, each what its own mode allows.
  std::thread other([context] {
    Check(aclrtSetCurrentContext(context));
    CaptureAndReplay(ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL);
  });
  CaptureAndReplay(ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
  other.join();
  Check(aclrtResetDevice(0));
  Check(aclFinalize());
  return 0;
}
