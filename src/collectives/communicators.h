// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The communicators of the process by handle and by name. A forked child has none. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/handle_pool.h"
#include "base/handled_state.h"
#include "collectives/communicator.h"

namespace foothold::collectives {

class Communicators {
 public:
  static Communicators& Get();

  // A handle for it. Throws HCCL_E_PARA if the device has a communicator of this name.
  void* Add(std::shared_ptr<Communicator> communicator);
  // Throws HCCL_E_PTR for null, HCCL_E_PARA for what is no communicator.
  std::shared_ptr<Communicator> Find(const void* handle) const;
  // By name: that of the device, or of any if `device` is null. Null if there is none.
  std::shared_ptr<Communicator> FindNamed(const std::string& name, const Device* device);
  void* HandleNamed(const std::string& name, const Device* device);

  // Throws what Communicator::Destroy throws; the handle is dead otherwise.
  void Destroy(const void* handle);

 private:
  using Slot = HandledState<Communicator>;

  Slot* SlotNamed(const std::string& name, const Device* device);

  mutable HandlePool<Slot> pool_{HandleKind::kCommunicator};
  std::mutex naming_mutex_;  // held while one with a new name is added
};

}  // namespace foothold::collectives
