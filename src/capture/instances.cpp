// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/instances.h"

#include "base/error.h"
#include "base/per_process.h"

namespace foothold {

Instances& Instances::Get() {
  return PerProcess<Instances>::Get();
}

void* Instances::Add(std::shared_ptr<Instance> instance) {
  Slot& slot = pool_.Take();
  slot.set_state(instance);
  void* const handle = pool_.Publish(slot);
  instance->set_handle(handle);
  return handle;
}

std::shared_ptr<Instance> Instances::Find(const void* handle) const {
  if (Slot* const slot = pool_.Find(handle)) {
    auto instance = slot->state();
    if (instance && slot->IsCurrent(handle)) return instance;
  }
  if (handle == nullptr) Fail(kRtParamInvalid, "modelRI must not be null");
  if (IsHandleOf(HandleKind::kModelInstance, handle))
    Fail(kRtParamInvalid, "model instance {} does not exist: it was destroyed", handle);
  Fail(kRtParamInvalid, "{} is not a model instance", DescribeHandle(handle));
}

void Instances::Destroy(const void* handle) {
  if (Find(handle)->state() == Instance::State::kFilling)
    Fail(kRtModelCaptured, "model instance {} is still being captured or built; end that first", handle);
  Remove(handle);
}

void Instances::Remove(const void* handle) noexcept {
  Slot* const slot = pool_.Find(handle);
  if (slot == nullptr) return;
  const auto instance = slot->state();
  if (!pool_.Retire(*slot, handle)) return;
  slot->set_state(nullptr);
  pool_.Recycle(*slot);
  if (!instance) return;
  instance->set_handle(nullptr);
  for (const auto& child : instance->children())
    Remove(child->handle());
}

}  // namespace foothold
