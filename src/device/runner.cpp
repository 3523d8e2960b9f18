// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/runner.h"

#include "device/mailbox.h"
#include "device/stream.h"

namespace foothold {
namespace {

thread_local Runner* current = nullptr;

}  // namespace

Runner::Runner(Role role, Mailbox* mailbox) : role(role), mailbox(mailbox), outer_(current) {
  current = this;
}

Runner::~Runner() {
  Flush();
  current = outer_;
}

Runner* Runner::Current() noexcept {
  return current;
}

Runner::Hidden::Hidden() noexcept : runner_(current) {
  if (runner_ != nullptr) runner_->Flush();
  current = nullptr;
}

Runner::Hidden::~Hidden() {
  current = runner_;
}

bool Runner::MayRun(const Place& place) const noexcept {
  const bool mine = mailbox != nullptr && place.mailbox == mailbox;
  if (mine && mailbox->batch_full()) return false;
  switch (place.kind) {
    case Place::kAnywhere:
      return true;
    case Place::kUnhurried:
      return role == Role::kWorker || role == Role::kCaller;
    case Place::kWorker:
      return role == Role::kWorker;
    case Place::kMailbox:
      return mine;
  }
  return false;
}

bool Runner::Keep(Stream& stream) noexcept {
  if (kept_ != nullptr) return false;
  kept_ = &stream;
  return true;
}

Stream* Runner::TakeKept() noexcept {
  Stream* stream = kept_;
  kept_ = nullptr;
  return stream;
}

void Runner::Flush() noexcept {
  if (Stream* stream = TakeKept()) stream->SubmitReady();
}

}  // namespace foothold
