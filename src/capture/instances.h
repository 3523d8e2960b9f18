// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The instances of the process behind their handles. A forked child starts with none. Any thread.
#pragma once

#include <memory>

#include "base/handled_state.h"
#include "capture/instance.h"

namespace foothold {

class Instances {
 public:
  static Instances& Get();

  void* Add(std::shared_ptr<Instance> instance);
  // Throws 107000 for what is no live instance.
  std::shared_ptr<Instance> Find(const void* handle) const;
  // Runs that are queued keep it until they are over. Its children go with it. Throws 107026 while it is
  // being captured.
  void Destroy(const void* handle);
  // The same, whatever its state; harmless for what is none.
  void Remove(const void* handle) noexcept;

 private:
  class Slot : public HandledState<Instance> {};

  HandlePool<Slot> pool_{HandleKind::kModelInstance};
};

}  // namespace foothold
