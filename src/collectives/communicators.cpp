// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/communicators.h"

#include <fmt/format.h>

#include "base/broken_rule.h"
#include "base/error.h"
#include "base/per_process.h"
#include "collectives/codes.h"
#include "device/device.h"

namespace foothold::collectives {

Communicators& Communicators::Get() {
  return PerProcess<Communicators>::Get();
}

void* Communicators::Add(std::shared_ptr<Communicator> communicator) {
  std::lock_guard<std::mutex> lock(naming_mutex_);
  const auto same = FindNamed(communicator->name(), &communicator->device());
  if (same && &same->group() != &communicator->group()) {  // a device may have several ranks of one
    Fail(kHcclPara, "device {} has a communicator of the name {} already; names must differ",
         communicator->device().id(), communicator->name());
  }
  Slot& slot = pool_.Take();
  slot.set_state(std::move(communicator));
  return pool_.Publish(slot);
}

std::shared_ptr<Communicator> Communicators::Find(const void* handle) const {
  if (handle == nullptr) throw Error(kHcclNullPointer, "comm must not be null", kTextHcclArgument);
  if (Slot* const slot = pool_.Find(handle)) {
    if (auto state = slot->state(); state && slot->IsCurrent(handle)) return state;
  }
  BreaksRule("ACL-LIFE-005", handle);
  if (IsHandleOf(HandleKind::kCommunicator, handle))
    Fail(kHcclPara, "communicator {} does not exist: it was destroyed, or belongs to the parent process",
         handle);
  Fail(kHcclPara, "{} is not a communicator", DescribeHandle(handle));
}

Communicators::Slot* Communicators::SlotNamed(const std::string& name, const Device* device) {
  Slot* found = nullptr;
  pool_.ForEach([&](Slot& slot) {
    const auto state = slot.state();
    if (state && state->name() == name && (device == nullptr || &state->device() == device)) found = &slot;
  });
  return found;
}

std::shared_ptr<Communicator> Communicators::FindNamed(const std::string& name, const Device* device) {
  Slot* const slot = SlotNamed(name, device);
  return slot == nullptr ? nullptr : slot->state();
}

void* Communicators::HandleNamed(const std::string& name, const Device* device) {
  Slot* const slot = SlotNamed(name, device);
  return slot == nullptr ? nullptr : slot->handle();
}

void Communicators::Destroy(const void* handle) {
  const auto communicator = Find(handle);
  communicator->Destroy();
  Slot* const slot = pool_.Find(handle);
  if (slot == nullptr || !pool_.Retire(*slot, handle)) return;  // another thread does the same
  slot->set_state(nullptr);
  pool_.Recycle(*slot);
}

}  // namespace foothold::collectives
