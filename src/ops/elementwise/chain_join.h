// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element-wise kernels that are called one after the other, as one chain: a block of elements goes through
// all calls before the next block is touched, and a value that a later call overwrites is never stored.
// Memory holds bit for bit what the calls leave there one by one.
//
// For that, what two calls touch must be the same elements or have nothing in common, unless both only read
// it. 16-bit floats and integers are rounded when they are stored, so what one call writes in these types no
// other call of the chain reads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/element_chain.h"
#include "ops/kernel.h"

namespace foothold {

// Calls that were joined, with the memory they work on. Any thread, one at a time.
class JoinedChain {
 public:
  JoinedChain(ChainSpec spec, std::vector<const std::byte*> inputs, std::vector<std::byte*> outputs)
      : chain_(std::move(spec)), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}
  void Run() const { chain_.Run(inputs_.data(), outputs_.data()); }

 private:
  const ElementChain chain_;
  const std::vector<const std::byte*> inputs_;
  const std::vector<std::byte*> outputs_;
};

// What a kernel computes, if that is a chain of element functions of its inputs, written to its outputs; else
// null. In one dimension where all operands walk through memory from the first element to the last.
const ChainSpec* ChainOf(const Kernel& kernel);

class ChainJoin {
 public:
  // What a kernel is called with at a port.
  struct Memory {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    bool operator==(const Memory&) const = default;
  };

  // False: this call cannot be the next one, and the chain stays as it is.
  bool Append(const ChainSpec& spec, std::span<const Memory> inputs, std::span<const Memory> outputs);
  std::size_t calls() const { return calls_; }
  // Of at least one call.
  JoinedChain Finish() const;

 private:
  // Values while the chain grows: step i is i, operand k is -1 - k.
  struct Operand {
    Memory memory;
    ElementType type;
    std::vector<std::int64_t> strides;
    bool whole;  // an element for each result, in order
  };
  struct Written {
    Memory memory;
    ElementType type;
    int value;
  };

  bool AppendOperand(const ChainSpec::Operand& operand, const Memory& memory);
  void AppendStep(const ChainSpec::Step& step);
  bool AppendResult(const ChainSpec::Result& result, const Memory& memory);
  bool FitsLimits() const;
  std::vector<bool> FindLiveSteps() const;

  std::vector<std::int64_t> dims_;
  std::size_t count_ = 0;
  std::vector<Operand> operands_;
  std::vector<ChainSpec::Step> steps_;
  std::vector<Written> written_;
  std::size_t calls_ = 0;
  // Of the call that is being appended.
  std::vector<int> values_;
  std::vector<Written> results_;
};

}  // namespace foothold
