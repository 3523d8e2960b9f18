// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/current.h"

#include "base/broken_rule.h"
#include "base/error.h"
#include "check/check.h"
#include "check/thread_contexts.h"
#include "device/runtime.h"

namespace foothold {
namespace {

struct CurrentOfThread {
  Context* context = nullptr;
  const void* handle = nullptr;
};
thread_local CurrentOfThread current;

// Apart from what finds objects, which every call does: their messages would cost it a frame.
[[noreturn, gnu::noinline, gnu::cold]] void OfOtherContext(const StreamRef& found, const Context& context) {
  BreaksRule("ACL-STREAM-002", found.handle);
  Fail(kRtStreamContext,
       "stream {} belongs to another context (device {}) than the one current in this thread (device {}); "
       "switch with "
       "aclrtSetCurrentContext or aclrtSetDevice",
       found->id(), found->device(), context.device().id());
}

[[noreturn, gnu::noinline, gnu::cold]] void FailNullStream() {
  Fail(kRtParamInvalid, "stream must not be null here: this call does not take the default stream");
}

[[noreturn]] void NoSuchObject(HandleKind kind, const void* handle, Code code) {
  const char* name = HandleKindName(kind);
  if (handle == nullptr) Fail(code, "the {} must not be null here", name);
  BreaksRule("ACL-LIFE-005", handle);
  if (IsHandleOf(kind, handle)) {
    Fail(code, "{} {} does not exist: it was destroyed, or its device was reset", name, handle);
  }
  Fail(code, "{} is not a {}", DescribeHandle(handle), name);
}

}  // namespace

Context* CurrentContextOrNull() {
  const auto [context, handle] = current;
  return context != nullptr && context->IsCurrent(handle) ? context : nullptr;
}

Context& CurrentContext() {
  if (Context* context = CurrentContextOrNull()) return *context;
  bool lost = current.context != nullptr;
  ForgetCurrentContext();
  if (auto device = Runtime::Get().default_device(); device && Runtime::Get().started()) {
    Runtime::Get().SetDevice(*device);
    if (Context* context = CurrentContextOrNull()) return *context;
    lost = true;  // another thread, or a callback, has reset the device already
  }
  Fail(kRtContextNull, "{}; call aclrtSetDevice or aclrtSetCurrentContext in this thread first",
       lost ? "the context this thread used was destroyed" : "this thread has no current context");
}

void SetCurrentContext(Context& context, const void* handle) {
  current = {&context, handle};
  if (check::On()) check::ContextChosen(handle);
  Runtime::Get().mailboxes.NoteThread();
}

void ForgetCurrentContext() noexcept {
  current = {};
}

CurrentContextScope::CurrentContextScope(Context& context) noexcept
    : before_(current.context), handle_before_(current.handle) {
  current = {&context, context.handle()};
}

CurrentContextScope::~CurrentContextScope() {
  current = {before_, handle_before_};
}

Context& FindContext(const void* handle) {
  auto& pool = Runtime::Get().contexts;
  if (Context* context = pool.Find(handle)) return *context;
  NoSuchObject(HandleKind::kContext, handle, kRtParamInvalid);
}

StreamRef FindStreamAnywhere(const void* handle) {
  auto& pool = Runtime::Get().streams;
  if (Stream* stream = pool.Find(handle)) return {stream, handle};
  NoSuchObject(HandleKind::kStream, handle, kRtInvalidHandle);
}

StreamRef FindExplicitStream(const void* handle) {
  Context& context = CurrentContext();
  if (handle == nullptr) [[unlikely]]
    FailNullStream();
  const StreamRef found = FindStreamAnywhere(handle);
  if (&found->context() != &context) [[unlikely]]
    OfOtherContext(found, context);
  return found;
}

StreamRef FindStream(const void* handle) {
  if (handle != nullptr) return FindExplicitStream(handle);
  Stream& stream = CurrentContext().default_stream();
  return {&stream, stream.handle()};
}

std::shared_ptr<EventState> FindEvent(const void* handle) {
  auto& pool = Runtime::Get().events;
  if (Event* event = pool.Find(handle)) {
    if (auto state = event->state(); state && event->IsCurrent(handle)) return state;
  }
  NoSuchObject(HandleKind::kEvent, handle, handle == nullptr ? kRtParamInvalid : kRtInvalidHandle);
}

std::shared_ptr<NotifyState> FindNotify(const void* handle) {
  auto& pool = Runtime::Get().notifies;
  if (Notify* notify = pool.Find(handle)) {
    if (auto state = notify->state(); state && notify->IsCurrent(handle)) return state;
  }
  NoSuchObject(HandleKind::kNotify, handle, handle == nullptr ? kRtParamInvalid : kRtInvalidHandle);
}

std::shared_ptr<CountNotifyState> FindCountNotify(const void* handle) {
  auto& pool = Runtime::Get().count_notifies;
  if (CountNotify* notify = pool.Find(handle)) {
    if (auto state = notify->state(); state && notify->IsCurrent(handle)) return state;
  }
  NoSuchObject(HandleKind::kCountNotify, handle, handle == nullptr ? kRtParamInvalid : kRtInvalidHandle);
}

std::shared_ptr<const LabelState> FindLabel(const void* handle) {
  auto& pool = Runtime::Get().labels;
  if (Label* label = pool.Find(handle)) {
    if (auto state = label->state(); state && label->IsCurrent(handle)) return state;
  }
  NoSuchObject(HandleKind::kLabel, handle, handle == nullptr ? kRtParamInvalid : kRtInvalidHandle);
}

std::shared_ptr<const LabelListState> FindLabelList(const void* handle) {
  auto& pool = Runtime::Get().label_lists;
  if (LabelList* list = pool.Find(handle)) {
    if (auto state = list->state(); state && list->IsCurrent(handle)) return state;
  }
  NoSuchObject(HandleKind::kLabelList, handle, handle == nullptr ? kRtParamInvalid : kRtInvalidHandle);
}

}  // namespace foothold
