// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The memory, events and notifies that one way of running a program has for itself, and its calls.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "conformance/capture_model/program.h"
#include "conformance/device_fixture.h"

namespace capture_model {

class World {
 public:
  explicit World(int most_elements);

  void Start(const Program& program);  // the memory as every world has it at first
  void SetCells(const std::vector<std::uint64_t>& values);
  std::vector<char> Contents() const;

  // Everything but conditions, instances and groups; on one stream, or between two.
  void Queue(const Step& step, aclrtStream stream, aclrtStream from);

  std::uint64_t* OwnCondition(int index) const { return own_conditions_ + index; }
  // Where a condition is: in memory of ours, or in that of the instance it was made for.
  std::array<std::uint64_t*, kConditions> conditions{};
  std::array<aclrtTaskGrp, kGroups> groups{};
  std::array<int, kGroups> variants{};

 private:
  struct HostCall {
    float* data;
    int count, value;
    static void Change(void* self);
  };
  void QueueOperator(const Step& step, aclrtStream stream);
  static void* WorkspaceOf(std::uint64_t bytes);
  char* At(int buffer, const Step& step) const;
  std::int64_t CountOf(const Step& step) const;
  std::size_t Bytes() const { return static_cast<std::size_t>(elements_) * 4; }

  int elements_ = 0;
  std::array<void*, kBuffers> buffers_{};
  std::uint64_t* cells_ = nullptr;
  std::uint64_t* own_conditions_ = nullptr;
  std::int32_t* minus_one_ = nullptr;
  std::array<aclrtEvent, kEvents> events_{};
  std::array<aclrtNotify, kNotifies> notifies_{};
  std::deque<HostCall> host_calls_;
};

}  // namespace capture_model
