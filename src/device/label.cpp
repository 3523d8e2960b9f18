// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/label.h"

#include <utility>

#include "base/error.h"
#include "device/current.h"
#include "device/runtime.h"

namespace foothold {
namespace {

template <typename Pool, typename State>
void* Publish(Pool& pool, std::shared_ptr<State> state) {
  auto& object = pool.Take();
  object.set_state(std::move(state));
  return pool.Publish(object);
}

template <typename Pool>
void Close(Pool& pool, const void* handle, const char* what) {
  auto* object = pool.Find(handle);
  if (object == nullptr || !pool.Retire(*object, handle))
    Fail(kRtInvalidHandle, "{} {} was destroyed by another thread", what, handle);
  object->set_state(nullptr);
  pool.Recycle(*object);
}

}  // namespace

LabelState::LabelState(Context& context, std::uint32_t id)
    : device_(context.device()), context_(context.handle()), id_(id) {}

void* CreateLabel(Context& context) {
  Runtime& runtime = Runtime::Get();
  if (runtime.labels.in_use() >= kMostLabels) {
    Fail(kRtOverLimit, "the process has {} labels already, which is the limit; destroy some first",
         kMostLabels);
  }
  return Publish(runtime.labels, std::make_shared<LabelState>(context, runtime.next_label.fetch_add(1)));
}

void DestroyLabel(const void* handle) {
  FindLabel(handle);
  Close(Runtime::Get().labels, handle, "label");
}

void* CreateLabelList(const Context& context, void* const* labels, std::size_t count) {
  auto list = std::make_shared<LabelListState>();
  list->labels.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto label = FindLabel(labels[i]);
    if (label->context() != context.handle()) {
      Fail(kRtLabelContext,
           "labels[{}], label {}, belongs to another context than the one current in this thread", i,
           label->id());
    }
    list->labels.push_back(std::move(label));
  }
  return Publish(Runtime::Get().label_lists, std::move(list));
}

void DestroyLabelList(const void* handle) {
  FindLabelList(handle);
  Close(Runtime::Get().label_lists, handle, "list of labels");
}

}  // namespace foothold
