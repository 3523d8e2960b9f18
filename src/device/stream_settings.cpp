// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream_settings.h"

#include <mutex>

#include "device/context.h"
#include "device/device.h"

namespace foothold {

void StreamSettings::Set(Context& context, Executor& executor, Timers& timers,
                         const Settings& settings) noexcept {
  context_ = &context;
  executor_ = &executor;
  timers_ = &timers;
  device_ = context.device().id();
  id_ = settings.id;
  priority_ = settings.priority;
  flags_ = settings.flags;
  is_default_ = settings.is_default;
  overflow_switch = custom_tag = cache_op_info = res_limit[0] = res_limit[1] = 0;
  set_allocator(nullptr);
  Unbind();
}

std::shared_ptr<const StreamAllocator> StreamSettings::allocator() const {
  std::lock_guard<SpinLock> lock(allocator_lock_);
  return allocator_;
}

void StreamSettings::set_allocator(std::shared_ptr<const StreamAllocator> allocator) {
  std::lock_guard<SpinLock> lock(allocator_lock_);
  allocator_.swap(allocator);
}

std::shared_ptr<StreamBinding> StreamSettings::binding() const {
  std::lock_guard<SpinLock> lock(allocator_lock_);
  return binding_.lock();
}

bool StreamSettings::BindTo(const std::shared_ptr<StreamBinding>& binding) {
  std::lock_guard<SpinLock> lock(allocator_lock_);
  if (!binding_.expired()) return false;
  binding_ = binding;
  return true;
}

void StreamSettings::Unbind() noexcept {
  std::weak_ptr<StreamBinding> none;
  std::lock_guard<SpinLock> lock(allocator_lock_);
  binding_.swap(none);
}

}  // namespace foothold
