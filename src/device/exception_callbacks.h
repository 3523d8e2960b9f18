// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions of the program that are told about failed tasks: one slot that is overwritten, and a list. Called
// by the thread that saw the failure, with no lock held, before a synchronising caller learns of it. Any
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

// The public header's opaque type, valid during the callback.
struct rtExceptionInfo {
  std::uint32_t code;
  std::uint32_t task;
  std::uint32_t stream;
  std::uint32_t thread;
  std::uint32_t device;
  // Of a kernel of the program; null for other tasks. The arguments live during the callback.
  void* function = nullptr;
  const void* arguments = nullptr;
  std::uint32_t arguments_size = 0;
};

namespace foothold {

class ExceptionCallbacks {
 public:
  using Callback = void (*)(rtExceptionInfo*);

  void SetSlot(Callback callback);  // null clears it
  void Add(Callback callback);      // once, however often it is added
  void Remove(Callback callback);
  void Clear();

  bool any() const { return all() != nullptr; }
  void Notify(rtExceptionInfo info);
  // One function, that of the binary whose kernel failed.
  static void Notify(rtExceptionInfo info, void (*callback)(rtExceptionInfo*, void*), void* user_data);

 private:
  using All = std::shared_ptr<const std::vector<Callback>>;

  void Change(Callback slot, std::vector<Callback> list);
  All all() const;

  mutable std::mutex mutex_;  // guards all below
  Callback slot_ = nullptr;
  std::vector<Callback> list_;
  All all_;  // both; null if there are none. Put together before a failure, which may be want of memory
};

}  // namespace foothold
