// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The value of a notify, its own or one that several processes share.
#include <utility>

#include "base/error.h"
#include "device/notify.h"
#include "device/sharing/share_codes.h"
#include "device/sharing/shared_sync.h"
#include "device/sharing/shared_watch.h"
#include "device/stream.h"

namespace foothold {

// Wakes the streams of this process when another one has set the notify, or cannot any more. They look for
// themselves, and come back here if somebody else was faster.
class NotifyState::RemoteSet : public SharedWait {
 public:
  RemoteSet(std::shared_ptr<NotifyState> state, std::shared_ptr<SharedNotify> shared)
      : state_(std::move(state)), shared_(std::move(shared)) {}

  std::atomic<std::uint32_t>& changes() const noexcept override { return shared_->changes(); }
  bool IsOver(bool look_for_death) noexcept override {
    const bool over = shared_->value() != 0 || (look_for_death && shared_->AllOthersDied());
    if (!over) return false;
    state_->watched_.store(false);  // before they are woken: who comes later asks for another look
    state_->value_.Update([](std::uint32_t&) {});
    return true;
  }

 private:
  const std::shared_ptr<NotifyState> state_;
  const std::shared_ptr<SharedNotify> shared_;
};

std::shared_ptr<SharedNotify> NotifyState::shared() {
  std::shared_ptr<SharedNotify> found;
  value_.Look([&](std::uint32_t) { found = shared_; });
  return found;
}

std::shared_ptr<SharedNotify> NotifyState::Share() {
  auto made = shared();
  if (made) return made;
  made = std::make_shared<SharedNotify>();
  value_.Update([&](std::uint32_t& value) {
    if (shared_) return;  // another thread was faster
    made->Set(value);
    shared_ = made;
  });
  return shared();
}

void NotifyState::Set(std::uint32_t to) {
  value_.Update([&](std::uint32_t& value) {
    value = to;
    if (shared_) shared_->Set(to);
  });
}

bool NotifyState::Take(Stream& stream) {
  std::shared_ptr<SharedNotify> shared;
  const bool taken = value_.TakeOrWait(stream, [&](std::uint32_t& value) {
    shared = shared_;
    return shared ? shared->Take() : std::exchange(value, 0) != 0;
  });
  if (taken || !shared) return taken;
  if (shared->AllOthersDied()) {
    if (shared->Take()) return true;  // it was their last deed
    Fail(kRtIpcError,
         "notify {} is shared with processes that have all ended, one of them without destroying it: nobody "
         "is left who would record it",
         id_);
  }
  if (!watched_.exchange(true)) WatchOthers(std::move(shared));
  return false;
}

void NotifyState::WatchOthers(std::shared_ptr<SharedNotify> shared) {
  try {
    SharedWatch::Get().Add(std::make_shared<RemoteSet>(shared_from_this(), std::move(shared)));
  } catch (...) {
    watched_.store(false);
    throw;
  }
}

}  // namespace foothold
