// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Code of the program that kernels are taken from, and one such kernel. Whoever holds a kernel holds its
// code: a launch that is queued outlives the unloading of its binary. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/shared_object.h"
#include "base/spin.h"
#include "binaries/kernel_form.h"

struct rtExceptionInfo;

namespace foothold {

using BinaryExceptionCallback = void (*)(rtExceptionInfo*, void*);

class Binary {
 public:
  // Null code: functions of the program itself.
  Binary(std::shared_ptr<const SharedObject> code, bool for_cpu_kernels)
      : code_(std::move(code)), for_cpu_kernels_(for_cpu_kernels) {}

  const SharedObject* code() const { return code_.get(); }
  // For messages.
  const std::string& name() const;
  // Loaded with ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE.
  bool for_cpu_kernels() const { return for_cpu_kernels_; }

  void SetExceptionCallback(BinaryExceptionCallback callback, void* user_data);
  std::pair<BinaryExceptionCallback, void*> exception_callback() const;

  std::atomic<void*> handle{nullptr};  // null once it was unloaded

 private:
  friend class BinaryRegistry;

  const std::shared_ptr<const SharedObject> code_;
  const bool for_cpu_kernels_;
  mutable SpinLock callback_lock_;  // guards the next two
  BinaryExceptionCallback callback_ = nullptr;
  void* user_data_ = nullptr;
  std::mutex mutex_;                                  // guards functions_
  std::unordered_map<std::string, void*> functions_;  // handles, by kind and name
};

class KernelFunction {
 public:
  enum class Kind { kVector, kCpu };

  struct Parts {
    std::string name;  // as the program calls it
    KernelEntry entry;
    std::size_t size;  // of its code; 0 if unknown
    KernelAccesses accesses = nullptr;
    std::vector<std::size_t> parameters = {};  // their sizes; empty if not declared
    Kind kind = Kind::kVector;
  };
  KernelFunction(Parts parts, std::shared_ptr<Binary> binary)
      : parts_(std::move(parts)), binary_(std::move(binary)) {}

  const Parts& parts() const { return parts_; }
  const std::string& name() const { return parts_.name; }
  Binary& binary() const { return *binary_; }
  // Where parameter `index` begins in the argument block.
  std::size_t OffsetOf(std::size_t index) const;

  // Whether its blocks take so little time that other threads would hear of them too late. What the last
  // launches took decides; one that took long counts for many.
  bool is_brief() const noexcept { return long_runs_.load(std::memory_order_relaxed) == 0; }
  void Note(bool was_brief) noexcept;

  std::atomic<void*> handle{nullptr};  // null once its binary was unloaded

 private:
  const Parts parts_;
  const std::shared_ptr<Binary> binary_;
  std::atomic<int> long_runs_{1};  // what is not known may be long
};

// The next multiple of a parameter's alignment: that of a C structure's member.
std::size_t ArgumentOffset(std::size_t end, std::size_t size) noexcept;

}  // namespace foothold
