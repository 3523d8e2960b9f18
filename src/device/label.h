// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Labels: names for places in the stored streams of a built model, and lists of them that a switch chooses
// from. Where a label is set is known by the task that sets it; tasks keep labels and lists alive after their
// handles are gone. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/handled_state.h"

namespace foothold {

class Context;
class Device;

// Labels the process has, and the number of the next one.
struct LabelNumbers {
  static constexpr std::uint32_t kMost = 65535;

  std::atomic<std::uint32_t> live{0};
  std::atomic<std::uint32_t> next{0};
};

class LabelState {
 public:
  // Throws 207012 where the process has as many as it may have.
  LabelState(Context& context, LabelNumbers& numbers);
  ~LabelState();
  LabelState(const LabelState&) = delete;
  LabelState& operator=(const LabelState&) = delete;

  Device& device() const { return device_; }
  const void* context() const { return context_; }  // its handle
  std::uint32_t id() const { return id_; }

 private:
  Device& device_;
  const void* const context_;
  LabelNumbers& numbers_;
  const std::uint32_t id_;
};

struct LabelListState {
  Device& device() const { return labels.front()->device(); }

  std::vector<std::shared_ptr<const LabelState>> labels;  // at least one
};

using Label = HandledState<LabelState>;
using LabelList = HandledState<LabelListState>;

void* CreateLabel(Context& context);
void DestroyLabel(const void* handle);
// Throws 507031 for labels of another context.
void* CreateLabelList(const Context& context, void* const* labels, std::size_t count);
void DestroyLabelList(const void* handle);

}  // namespace foothold
