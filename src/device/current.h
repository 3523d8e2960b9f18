// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From what a thread passes to the objects it means: its current context, and the stream, event or notify
// behind a handle. Each throws the documented error with what was passed, what it looks like, and what to do.
#pragma once

#include <cstdint>

#include "device/context.h"
#include "device/device.h"
#include "device/event.h"
#include "device/label.h"
#include "device/notify.h"
#include "device/stream.h"

namespace foothold {

// Throws 107002 when the thread has none (or it was destroyed). With a configured default device that one is
// chosen now.
Context& CurrentContext();
inline Device& CurrentDevice() {
  return CurrentContext().device();
}
// Null when the thread has none.
Context* CurrentContextOrNull();
// `handle` is what the caller found the context by: should it be destroyed meanwhile, the thread has none.
void SetCurrentContext(Context& context, const void* handle);
// The thread has none from now on.
void ForgetCurrentContext() noexcept;

// While it lives, `context` is the thread's current one, unless it was destroyed; then what was before is.
class CurrentContextScope {
 public:
  explicit CurrentContextScope(Context& context) noexcept;
  ~CurrentContextScope();
  CurrentContextScope(const CurrentContextScope&) = delete;
  CurrentContextScope& operator=(const CurrentContextScope&) = delete;

 private:
  Context* const before_;
  const void* const handle_before_;
};

// The stream a call means: null is the default stream of the current context. Throws 107002 without a
// context, 107017 for what is no live stream, 107003 for a stream of another context.
StreamRef FindStream(const void* handle);
// The same for calls that do not accept null.
StreamRef FindExplicitStream(const void* handle);
// Any live stream of the process, whatever the current context.
StreamRef FindStreamAnywhere(const void* handle);

Context& FindContext(const void* handle);
std::shared_ptr<EventState> FindEvent(const void* handle);
std::shared_ptr<NotifyState> FindNotify(const void* handle);
std::shared_ptr<CountNotifyState> FindCountNotify(const void* handle);
std::shared_ptr<const LabelState> FindLabel(const void* handle);
std::shared_ptr<const LabelListState> FindLabelList(const void* handle);

}  // namespace foothold
