// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The task of a launch: runs the kernel over its blocks. By the thread that drains the stream and those that
// help it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "binaries/kernel_launch.h"
#include "device/task_form.h"

namespace foothold {

class KernelTask {
 public:
  static constexpr bool kReplays = true;  // the same launch again

  explicit KernelTask(std::shared_ptr<const KernelLaunch> launch) : launch_(std::move(launch)) {}

  Outcome Run(Stream& stream);
  std::string Describe() const;
  // Not on a thread with a time limit: how long it takes is the program's affair.
  Place place() const { return {Place::kUnhurried}; }
  void ListAccesses(std::vector<Access>& list) const;
  TaskKernel kernel() const;
  static const TaskForm kForm;

 private:
  std::shared_ptr<const KernelLaunch> launch_;
};

// For KernelBlock::fail where no block runs.
void IgnoreKernelFailure(const KernelBlock*, const char*) noexcept;

// Where addresses as programs hold them cannot be followed, those among these bytes that are of device memory
// become addresses that can: nobody but the kernel knows which of the bytes are addresses.
void FollowAddresses(std::byte* bytes, std::size_t size);

}  // namespace foothold
