// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which inputs and outputs of a program may be the same memory, found once from its steps: an output may
// overlap an input in any way if all of that was read before the first step writes, and may be exactly the
// input if the step that reads it last works in place: reads an element before it writes it, under the same
// strides. Immutable; any thread.
#pragma once

#include <cstddef>
#include <vector>

namespace foothold {

struct Program;

class MemorySharing {
 public:
  enum class Rule : unsigned char {
    kNever,
    kSame,
    kAny,
    // The output is an input that is changed where it stands, and this one is read from a copy of it:
    kCopied,
    kCopiedUnlessSame,  // unless it is exactly that memory
  };

  MemorySharing() = default;
  explicit MemorySharing(const Program& program);

  Rule Between(std::size_t input, std::size_t output) const { return rules_[input * outputs_ + output]; }

 private:
  std::size_t outputs_ = 0;
  std::vector<Rule> rules_;  // by input, then output
};

}  // namespace foothold
