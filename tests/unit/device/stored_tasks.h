// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a queued call says it touches, and that a copy of its task does the work again. Tasks are looked at in
// a stream that stores them, and their copies run in one that runs them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <vector>

#include "device/copy.h"
#include "device/device_memory.h"
#include "device/memory_map.h"
#include "unit/device/runtime_session.h"

namespace foothold {

inline void PrintTo(const Access& access, std::ostream* out) {
  *out << access.address << " +" << access.bytes << (access.use == Use::kRead ? " read" : " written")
       << (access.extent == Extent::kExact ? "" : " in part") << ", allocation " << access.serial;
}

// A task made by TaskType::clone.
class Copied {
 public:
  explicit Copied(const Task& from) { from.type->clone(from, task_); }
  ~Copied() { task_.type->destroy(task_); }
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;
  Task& task() { return task_; }

 private:
  Task task_;
};

// Runs a copy in its stead, in any stream.
class Replay {
 public:
  static constexpr bool kReplays = false;
  explicit Replay(std::shared_ptr<Copied> copy) : copy_(std::move(copy)) {}
  Outcome Run(Stream& stream) { return copy_->task().type->run(copy_->task(), stream); }
  std::string Describe() const { return copy_->task().type->describe(copy_->task()); }
  void ListAccesses(std::vector<Access>&) const {}
  Place place() const { return copy_->task().type->place(copy_->task()); }

 private:
  std::shared_ptr<Copied> copy_;
};

class TaskAccesses : public testing::Test {
 protected:
  template <typename T>
  T* OnDevice(const std::vector<T>& values) {
    T* const memory =
        static_cast<T*>(CurrentDevice().memory().Allocate(values.size() * sizeof(T), "aclrtMalloc"));
    Write(memory, values);
    return memory;
  }
  template <typename T>
  static void Write(T* device, const std::vector<T>& values) {
    const std::size_t bytes = values.size() * sizeof(T);
    Copy(device, bytes, values.data(), bytes, CopyKind::kHostToDevice);
  }
  template <typename T>
  static std::vector<T> Read(const T* device, std::size_t count) {
    std::vector<T> values(count);
    Copy(values.data(), count * sizeof(T), device, count * sizeof(T), CopyKind::kDeviceToHost);
    return values;
  }
  static std::uint64_t SerialOf(const void* address) { return MemoryMap::Get().Find(address).serial; }
  static Access Reads(const void* address, std::size_t bytes, Extent extent = Extent::kExact) {
    return {address, bytes, Use::kRead, extent, SerialOf(address)};
  }
  static Access Writes(const void* address, std::size_t bytes, Extent extent = Extent::kExact) {
    return {address, bytes, Use::kWrite, extent, SerialOf(address)};
  }

  // The task queued last: each is looked at in a stream of its own.
  const StreamRef& Stored() { return stored_ = session_.NewStream(kStreamPersistent); }
  const Task& Queued() const { return stored_->running_task(); }
  std::vector<Access> Accesses() const {
    std::vector<Access> list;
    Queued().type->accesses(Queued(), list);
    return list;
  }

  // A copy of the queued task first, later copies of that copy after it has run.
  void RunCopy(const std::shared_ptr<Copied>& copy) {
    live_.Push("test", Replay(copy));
    EXPECT_TRUE(live_->Synchronize(kForever));
  }
  template <typename Between>
  void RunTwice(const Between& between) {
    ASSERT_NE(Queued().type->clone, nullptr);
    const auto first = std::make_shared<Copied>(Queued());
    RunCopy(first);
    between();
    RunCopy(std::make_shared<Copied>(first->task()));
  }
  bool Replays() const { return Queued().type->clone != nullptr; }

  RuntimeSession session_;
  StreamRef live_ = session_.NewStream();
  StreamRef stored_{};
};

}  // namespace foothold
