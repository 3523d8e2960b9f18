// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Labels: names for places in the stored streams of a built model, and lists of them that a switch chooses
// from. Where a label is set is known by the task that sets it; tasks keep labels and lists alive after their
// handles are gone. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/handled_state.h"

namespace foothold {

class Context;
class Device;

inline constexpr std::uint32_t kMostLabels = 65535;  // in a process

class LabelState {
 public:
  LabelState(Context& context, std::uint32_t id);

  Device& device() const { return device_; }
  const void* context() const { return context_; }  // its handle
  std::uint32_t id() const { return id_; }

 private:
  Device& device_;
  const void* const context_;
  const std::uint32_t id_;
};

struct LabelListState {
  Device& device() const { return labels.front()->device(); }

  std::vector<std::shared_ptr<const LabelState>> labels;  // at least one
};

using Label = HandledState<LabelState>;
using LabelList = HandledState<LabelListState>;

// Throws 207012 where the process has as many as it may have.
void* CreateLabel(Context& context);
void DestroyLabel(const void* handle);
// Throws 507031 for labels of another context.
void* CreateLabelList(const Context& context, void* const* labels, std::size_t count);
void DestroyLabelList(const void* handle);

}  // namespace foothold
