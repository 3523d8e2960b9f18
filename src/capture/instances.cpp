// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/instances.h"

#include "base/error.h"
#include "base/per_process.h"
#include "capture/built/built_model.h"
#include "capture/condition.h"

namespace foothold {

namespace {

void CollectEndCallbacks(const Instance& instance, std::vector<std::shared_ptr<EndCallbacks>>& callbacks) {
  callbacks.push_back(instance.end_callbacks());
  for (const auto& child : instance.children())
    CollectEndCallbacks(*child, callbacks);
}

}  // namespace

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
  auto instance = Find(handle);
  if (instance->state() == Instance::State::kFilling && instance->built() == nullptr)
    Fail(kRtModelCaptured, "model instance {} is still being captured; end that first", instance->id());
  if (instance->is_child()) {
    Fail(kRtParamInvalid, "model instance {} is the child of a condition and ends with its parent",
         instance->id());
  }
  std::vector<std::shared_ptr<EndCallbacks>> callbacks;
  CollectEndCallbacks(*instance, callbacks);
  Remove(handle);
  instance = nullptr;
  for (const auto& told : callbacks) {
    if (told.use_count() == 1) told->Call();  // or else when the last run is over
  }
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
  instance->tasks().Retire();
  ConditionHandles::Get().RemoveOf(*instance);
  if (instance->built() != nullptr) instance->built()->UnbindAll();
  for (const auto& child : instance->children())
    Remove(child->handle());
}

}  // namespace foothold
