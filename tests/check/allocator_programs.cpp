// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Allocators of the program that break a rule each.
#include <acl/acl_rt_allocator.h>
#include <sched.h>

#include <functional>
#include <memory>
#include <stdexcept>

#include "check/graph_fixture.h"
#include "check/held_up.h"

using namespace checked;

namespace {

// A large block, cut from its beginning to its end; nothing is used twice.
class Pool : public ge::Allocator {
 public:
  enum class Mistake { kNone, kSmall, kUneven, kHost, kTwice, kRuns, kThrows, kFrees };

  explicit Pool(Mistake mistake) : mistake_(mistake) {}
  ~Pool() override {
    End();
    for (ge::MemBlock* const block : blocks_)
      delete block;
  }

  ge::MemBlock* Malloc(std::size_t size) override {
    if (mistake_ == Mistake::kThrows) throw std::runtime_error("no memory");
    if (mistake_ == Mistake::kRuns) runs();
    char* const address = static_cast<char*>(Take(size + 64));
    const std::size_t offset = mistake_ == Mistake::kUneven ? 8 : 0;
    blocks_.push_back(
        new ge::MemBlock(*this, address + offset, mistake_ == Mistake::kSmall ? size / 2 : size));
    return blocks_.back();
  }
  void Free(ge::MemBlock* block) override {
    if (mistake_ != Mistake::kFrees || all_.empty()) return;
    (void)block;
    MUST(aclrtFree(all_.back()));
    all_.pop_back();
  }

  void End() {
    for (void* const memory : std::exchange(all_, {}))
      MUST(aclrtFree(memory));
  }

  std::function<void()> runs;

 private:
  void* Take(std::size_t size) {
    if (mistake_ == Mistake::kHost) return aligned_alloc(64, (size + 63) / 64 * 64);
    if (mistake_ == Mistake::kTwice && !all_.empty()) return all_.front();
    all_.push_back(DeviceMemory(mistake_ == Mistake::kTwice ? 1 << 16 : size));
    return all_.back();
  }

  const Mistake mistake_;
  std::vector<void*> all_;
  std::vector<ge::MemBlock*> blocks_;
};

// One block after the other, each handed out again as soon as it comes back.
struct SharedMemory {
  ~SharedMemory() {
    for (void* const memory : all)
      MUST(aclrtFree(memory));
  }
  void* Take() {
    if (free.empty()) {
      all.push_back(DeviceMemory(kBytes));
      return all.back();
    }
    void* const memory = free.back();
    free.pop_back();
    return memory;
  }

  static constexpr std::size_t kBytes = 1 << 16;
  std::vector<void*> all, free;
};

class Sharing : public ge::Allocator {
 public:
  explicit Sharing(std::shared_ptr<SharedMemory> memory) : memory_(std::move(memory)) {}
  ge::MemBlock* Malloc(std::size_t) override {
    return new ge::MemBlock(*this, memory_->Take(), SharedMemory::kBytes);
  }
  void Free(ge::MemBlock* block) override {
    memory_->free.push_back(block->GetAddr());
    delete block;
  }

 private:
  const std::shared_ptr<SharedMemory> memory_;
};

// Until the stream has done all that was queued, without asking it: nothing the program does orders them.
void* PassThrough(aclrtStream stream, const void* zeros) {
  auto* const flag = static_cast<volatile char*>(PinnedMemory(kModelBytes));
  flag[0] = 1;
  MUST(aclrtMemcpyAsync(const_cast<char*>(flag), kModelBytes, zeros, kModelBytes, ACL_MEMCPY_DEVICE_TO_HOST,
                        stream));
  while (flag[0] != 0)
    sched_yield();
  return const_cast<char*>(flag);
}

// A run of graph 2 with outputs of the pool.
ge::Status RunInPool(Graphs& graphs, const std::shared_ptr<Pool>& pool, bool waits = true) {
  MUST_GE(graphs.session.RegisterExternalAllocator(graphs.stream, pool));
  std::vector<gert::Tensor> outputs;
  const ge::Status status =
      graphs.session.RunGraphWithStreamAsync(2, graphs.stream, TensorAt(graphs.x.memory, true), outputs);
  if (waits) graphs.stream.Wait();
  void* const pinned = PassThrough(graphs.stream, graphs.x.memory);
  outputs.clear();
  graphs.stream.Wait();
  MUST(aclrtFreeHost(pinned));
  MUST_GE(graphs.session.UnregisterExternalAllocator(graphs.stream));
  return status;
}

using Mistake = Pool::Mistake;

std::shared_ptr<Pool> Make(bool broken, Mistake mistake) {
  return std::make_shared<Pool>(broken ? mistake : Mistake::kNone);
}

}  // namespace

PROGRAM(gives_a_small_block, "GE-ALLOC-001") {
  Graphs graphs;
  RunInPool(graphs, Make(broken, Mistake::kSmall));
  MUST_GE(graphs.session.RemoveGraph(2));
}

PROGRAM(gives_an_uneven_block, "GE-ALLOC-002") {
  Graphs graphs;
  RunInPool(graphs, Make(broken, Mistake::kUneven));
  MUST_GE(graphs.session.RemoveGraph(2));
}

PROGRAM(gives_memory_of_the_host, "GE-ALLOC-003") {
  Graphs graphs;
  RunInPool(graphs, Make(broken, Mistake::kHost));
  MUST_GE(graphs.session.RemoveGraph(2));
}

PROGRAM(gives_one_block_twice, "GE-ALLOC-004") {
  Graphs graphs;
  RunInPool(graphs, Make(broken, Mistake::kTwice));
  MUST_GE(graphs.session.RemoveGraph(2));
}

PROGRAM(frees_a_block_the_library_has, "GE-ALLOC-005") {
  Graphs graphs;
  const auto pool = Make(false, Mistake::kNone);
  MUST_GE(graphs.session.RegisterExternalAllocator(graphs.stream, pool));
  struct Watching : ge::Allocator {
    explicit Watching(ge::Allocator& of) : inner(of) {}
    ge::MemBlock* Malloc(std::size_t size) override { return last = inner.Malloc(size); }
    void Free(ge::MemBlock* block) override { inner.Free(block); }
    ge::Allocator& inner;
    ge::MemBlock* last = nullptr;
  };
  const auto watching = std::make_shared<Watching>(*pool);
  MUST_GE(graphs.session.RegisterExternalAllocator(graphs.stream, watching));
  std::vector<gert::Tensor> outputs;
  MUST_GE(graphs.session.RunGraphWithStreamAsync(2, graphs.stream, TensorAt(graphs.x.memory, true), outputs));
  graphs.stream.Wait();
  if (broken) watching->last->Free();
  outputs.clear();
  MUST_GE(graphs.session.UnregisterExternalAllocator(graphs.stream));
  MUST_GE(graphs.session.RemoveGraph(2));
}

PROGRAM(serves_two_streams_at_once, "GE-ALLOC-006") {
  Graphs graphs;
  const Stream other;
  const auto pool = Make(false, Mistake::kNone);
  MUST_GE(graphs.session.RegisterExternalAllocator(graphs.stream, pool));
  MUST_GE(graphs.session.RegisterExternalAllocator(other, pool));
  const Four z;
  HeldUp held(graphs.stream);
  MUST_GE(graphs.Run(1, graphs.stream, graphs.x, graphs.y));
  if (!broken) {
    held.Release();
    graphs.stream.Wait();
  }
  std::vector<gert::Tensor> outputs = TensorAt(z.memory, true);
  graphs.session.RunGraphWithStreamAsync(2, other, TensorAt(graphs.x.memory, true), outputs);
  held.Release();
  graphs.stream.Wait();
  other.Wait();
  MUST_GE(graphs.session.RemoveGraph(1));
  MUST_GE(graphs.session.RemoveGraph(2));
}

// The output goes back when the host is done with it, not the stream.
PROGRAM(frees_memory_of_a_block_at_once, "GE-ALLOC-007") {
  Graphs graphs;
  RunInPool(graphs, std::make_shared<Pool>(Mistake::kFrees), !broken);
  MUST_GE(graphs.session.RemoveGraph(2));
}

PROGRAM(keeps_a_block_of_an_allocator, "GE-LEAK-001") {
  Graphs graphs;
  static const auto pool = std::make_shared<Pool>(Mistake::kNone);
  MUST_GE(graphs.session.RegisterExternalAllocator(graphs.stream, pool));
  auto* const outputs = new std::vector<gert::Tensor>();
  MUST_GE(
      graphs.session.RunGraphWithStreamAsync(2, graphs.stream, TensorAt(graphs.x.memory, true), *outputs));
  graphs.stream.Wait();
  if (!broken) delete outputs;
  MUST_GE(graphs.session.UnregisterExternalAllocator(graphs.stream));
  MUST_GE(graphs.session.RemoveGraph(2));
  pool->End();
}

// Two allocators of one pool: what the first gets back the second hands out, and the streams know nothing of
// each other.
PROGRAM(hands_a_block_to_another_stream, "ACL-RACE-006") {
  Graphs graphs;
  const Stream other;
  const auto memory = std::make_shared<SharedMemory>();
  MUST_GE(graphs.session.RegisterExternalAllocator(graphs.stream, std::make_shared<Sharing>(memory)));
  MUST_GE(graphs.session.RegisterExternalAllocator(other, std::make_shared<Sharing>(memory)));
  MUST_GE(graphs.session.AddGraph(3, SquareGraph()));
  void* pinned = nullptr;
  for (const uint32_t graph : {2u, 3u}) {
    const Stream& stream = graph == 2 ? graphs.stream : other;
    std::vector<gert::Tensor> outputs;
    MUST_GE(graphs.session.RunGraphWithStreamAsync(graph, stream, TensorAt(graphs.x.memory, true), outputs));
    if (pinned == nullptr) pinned = PassThrough(stream, graphs.x.memory);
    if (!broken) stream.Wait();
  }
  graphs.stream.Wait();
  other.Wait();
  MUST(aclrtFreeHost(pinned));
  for (const uint32_t graph : {2u, 3u})
    MUST_GE(graphs.session.RemoveGraph(graph));
  MUST_GE(graphs.session.UnregisterExternalAllocator(graphs.stream));
  MUST_GE(graphs.session.UnregisterExternalAllocator(other));
}

PROGRAM(registers_an_allocator_late, "GE-ALLOC-008") {
  Graphs graphs;
  const auto pool = Make(false, Mistake::kNone);
  if (!broken) MUST_GE(graphs.session.RegisterExternalAllocator(graphs.stream, pool));
  MUST_GE(graphs.session.CompileGraph(2));
  MUST_GE(graphs.session.LoadGraph(2, {}, graphs.stream));
  if (broken) MUST_GE(graphs.session.RegisterExternalAllocator(graphs.stream, pool));
  MUST_GE(graphs.session.RemoveGraph(2));
  MUST_GE(graphs.session.UnregisterExternalAllocator(graphs.stream));
}

PROGRAM(runs_a_graph_in_an_allocator, "GE-ALLOC-009") {
  Graphs graphs;
  MUST_GE(graphs.session.AddGraph(3, AbsGraph()));
  const auto pool = Make(broken, Mistake::kRuns);
  pool->runs = [&] {
    std::vector<gert::Tensor> outputs;
    MUST_GE(graphs.session.RunGraph(3, TensorAt(graphs.x.memory), outputs));
  };
  RunInPool(graphs, pool);
  MUST_GE(graphs.session.RemoveGraph(2));
}

PROGRAM(throws_in_an_allocator, "GE-ALLOC-009") {
  Graphs graphs;
  RunInPool(graphs, Make(broken, Mistake::kThrows));
  MUST_GE(graphs.session.RemoveGraph(2));
}

// Blocks of a stream's allocator: the address moves.
PROGRAM(moves_a_block_of_a_stream, "GE-ALLOC-010") {
  static void* memory[2];
  static bool moves;
  moves = broken;
  const Session session;
  // Shapes that come with the run are what such allocators are for.
  const Loaded model(BuildModel(SquareGraphOf({-1, 2}), {{"input_shape", "x:-1,2"}}));
  const Four x, y, first(4096), second(4096);
  memory[0] = first.memory;
  memory[1] = second.memory;
  const Stream stream;
  const aclrtAllocatorDesc desc = aclrtAllocatorCreateDesc();
  static int object;
  MUST(aclrtAllocatorSetObjToDesc(desc, &object));
  MUST(aclrtAllocatorSetAllocFuncToDesc(
      desc, [](aclrtAllocator, size_t) -> aclrtAllocatorBlock { return &object; }));
  MUST(aclrtAllocatorSetFreeFuncToDesc(desc, [](aclrtAllocator, aclrtAllocatorBlock) {}));
  MUST(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(desc, [](aclrtAllocatorBlock) -> void* {
    static int asked = 0;
    return memory[moves ? asked++ % 2 : 0];
  }));
  MUST(aclrtAllocatorRegister(stream, desc));
  {
    const DataSet inputs(x.memory, kModelBytes), outputs(y.memory, kModelBytes);
    const int64_t dims[] = {2, 2};
    aclTensorDesc* const shape = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
    MUST(aclmdlSetDatasetTensorDesc(inputs.set, shape, 0));
    MUST(aclmdlExecuteAsync(model.id, inputs.set, outputs.set, stream));
    stream.Wait();
    aclDestroyTensorDesc(shape);
  }
  MUST(aclrtAllocatorUnregister(stream));
  MUST(aclrtAllocatorDestroyDesc(desc));
}
