// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the weights and intermediate values of one graph live: in memory the program has set, in its pool, or
// in memory of ours, from the moment the graph is loaded. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "device/access.h"
#include "device/device_charge.h"
#include "launch/prepared_program.h"
#include "session/graph_order.h"
#include "session/graph_summary.h"
#include "session/memory_pool.h"
#include "session/pooled_constants.h"

namespace foothold {

class GraphForms;
class GraphSlot;

class GraphMemory {
 public:
  enum class Kind { kConstants, kFeatures, kFixedFeatures, kRefreshableFeatures };

  GraphMemory(std::uint32_t graph, int device, const GraphOrder& order)
      : graph_(graph), device_(device), order_(order) {}

  // The calls that set it. `summary`: nothing before the graph is compiled.
  void Set(Kind which, void* address, std::size_t bytes, const std::optional<GraphSummary>& summary,
           const GraphForms& forms);
  bool is_set() const noexcept { return is_set_.load(std::memory_order_acquire); }

  // Puts the form of the declared shapes, if there is one, where it is to live. `pool` may be null; it is
  // asked with no lock held. False: another thread was faster.
  bool Load(const GraphSlot& graph, MemoryPool* pool);
  bool is_loaded() const noexcept { return is_loaded_.load(std::memory_order_acquire); }
  // What runs of the declared shapes work in, while they are checked.
  std::optional<Access> LoadedWork() const;

  // What a run of another form gets from the pool.
  struct Pooled {
    SharedBytes arena;
    std::optional<Access> work;
  };
  Pooled TakeFromPool(PreparedProgram& form, MemoryPool& pool);

  // Counts constants as memory of the device: weights are shared by all forms, so the largest count.
  void CountConstants(std::size_t bytes);

 private:
  struct Base {
    void* address = nullptr;
    std::size_t bytes = 0;
  };
  std::optional<Base>& BaseOf(Kind which);
  // Throws where memory of this kind cannot be set any more; with the lock.
  void CheckMaySet(Kind which, const char* api, bool refreshable);
  SharedBytes Borrow(void* address, std::size_t needed) const;

  const std::uint32_t graph_;
  const int device_;
  const GraphOrder& order_;
  std::atomic<bool> is_set_{false}, is_loaded_{false};
  PooledConstants pooled_constants_;

  mutable std::mutex mutex_;  // guards all below
  std::optional<Base> constants_, features_, refreshable_;
  std::optional<Access> loaded_work_;

  std::mutex charge_mutex_;  // guards both below
  std::size_t counted_constants_ = 0;
  std::vector<DeviceCharge> constants_charges_;
};

}  // namespace foothold
