// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/add_condition.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "capture/capture.h"
#include "capture/instances.h"
#include "device/device.h"

namespace foothold {
namespace {

// Instances with handles, which end again unless they are kept.
class NewChildren {
 public:
  explicit NewChildren(std::size_t count) {
    instances.reserve(count);
    handles_.reserve(count);
    while (instances.size() < count) {
      instances.push_back(std::make_shared<Instance>());
      handles_.push_back(Instances::Get().Add(instances.back()));
    }
  }
  ~NewChildren() {
    for (const void* handle : handles_)
      Instances::Get().Remove(handle);
  }
  NewChildren(const NewChildren&) = delete;
  NewChildren& operator=(const NewChildren&) = delete;

  void Keep(void** to) {
    std::copy(handles_.begin(), handles_.end(), to);
    handles_.clear();
  }

  std::vector<std::shared_ptr<Instance>> instances;

 private:
  std::vector<void*> handles_;
};

}  // namespace

void* CreateCondition(const std::shared_ptr<Instance>& instance, Device& device, std::uint64_t default_value,
                      ConditionCell::AtBegin at_begin) {
  auto cell = std::make_shared<ConditionCell>(device, default_value, at_begin);
  void* const handle =
      ConditionHandles::Get().Add(std::make_shared<ConditionHandle>(ConditionHandle{instance, cell}));
  try {
    instance->cells().Add(std::move(cell));
  } catch (...) {
    ConditionHandles::Get().Remove(handle);
    throw;
  }
  return handle;
}

void AddCondition(const StreamRef& stream, const char* api, Condition::Kind kind,
                  const ConditionHandle& handle, std::size_t count, void** children) {
  const auto lane = Capture::LaneOf(stream);
  if (!lane) Fail(kRtStreamNotCaptured, "stream {} is not being captured", stream->id());
  Instance& instance = lane->capture().instance();
  if (handle.instance.lock().get() != &instance) {
    Fail(kRtParamInvalid,
         "params.handle was created for another model instance than {}, into which stream {} is captured",
         instance.id(), stream->id());
  }
  NewChildren made(count);
  instance.ReserveChildren(count);
  stream.Push(api, ControlTask(std::make_shared<Condition>(kind, handle.cell, made.instances)));
  for (auto& child : made.instances)
    instance.AddChild(std::move(child));
  made.Keep(children);
}

}  // namespace foothold
