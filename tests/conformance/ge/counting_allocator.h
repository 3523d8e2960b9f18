// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the tests of external allocators share: an allocator that counts, and a graph that needs constants,
// intermediate values and outputs.
#pragma once

#include <functional>
#include <set>
#include <stdexcept>
#include <thread>

#include "conformance/device_fixture.h"
#include "conformance/ge/graph_fixture.h"

// A pool over device memory that counts. Blocks are its own.
class CountingAllocator : public ge::Allocator {
 public:
  ~CountingAllocator() override { EXPECT_TRUE(live_.empty()) << "blocks outlived their allocator"; }

  ge::MemBlock* Malloc(size_t size) override {
    if (asked) asked();
    if (throws) throw std::runtime_error("no memory");
    if (empty) return nullptr;
    void* address = nullptr;
    EXPECT_OK(aclrtMalloc(&address, size, ACL_MEM_MALLOC_HUGE_FIRST));
    ++mallocs;
    auto* block = new ge::MemBlock(*this, address, small ? size / 2 : size);
    live_.insert(block);
    return block;
  }
  void Free(ge::MemBlock* block) override {
    EXPECT_EQ(std::this_thread::get_id(), owner_) << "a block came back on another thread";
    EXPECT_EQ(live_.erase(block), 1u) << "a block came back that was not out";
    ++frees;
    EXPECT_OK(aclrtFree(block->GetAddr()));
    delete block;
  }
  bool Holds(const void* address) const {
    for (const ge::MemBlock* block : live_)
      if (block->GetAddr() == address) return true;
    return false;
  }
  size_t live() const { return live_.size(); }

  std::function<void()> asked;
  int mallocs = 0, frees = 0;
  bool empty = false, small = false, throws = false;

 private:
  const std::thread::id owner_ = std::this_thread::get_id();
  std::set<ge::MemBlock*> live_;
};

// y = (x + 1) * 1, by way of (x + 1) - x; and x + 1.
inline ge::Graph SquareGraph(const Dims& dims = {2}) {
  const auto x = FloatData("x", 0, dims);
  const auto one = FloatConst("one", {2}, {1, 1});
  const auto sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(one);
  const auto again = ge::op::Sub("less").set_input_x1(sum).set_input_x2(x);
  const auto y = ge::op::Mul("mul").set_input_x1(sum).set_input_x2(again);
  return ge::Graph("square").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y, sum});
}
