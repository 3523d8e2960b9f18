// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/capture_modes.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/per_process.h"
#include "base/thread_id.h"

namespace foothold {
namespace {

constinit thread_local CaptureMode mode_of_thread = CaptureMode::kGlobal;

}  // namespace

CaptureModes& CaptureModes::Get() {
  return PerProcess<CaptureModes>::Get();
}

CaptureMode CaptureModes::ExchangeForThread(CaptureMode mode) noexcept {
  return std::exchange(mode_of_thread, mode);
}

void CaptureModes::Begin(CaptureMode mode, std::uint32_t by) {
  if (mode == CaptureMode::kRelaxed) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  threads_.push_back(by);
  if (mode == CaptureMode::kGlobal) global_.fetch_add(1);
  any_strict_.store(true);
}

void CaptureModes::End(CaptureMode mode, std::uint32_t by) noexcept {
  if (mode == CaptureMode::kRelaxed) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find(threads_.begin(), threads_.end(), by);
  if (found == threads_.end()) return;
  threads_.erase(found);
  if (mode == CaptureMode::kGlobal) global_.fetch_sub(1);
  any_strict_.store(!threads_.empty());
}

void CaptureModes::Look(const char* what) const {
  if (mode_of_thread == CaptureMode::kRelaxed) return;
  bool mine;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    mine = std::find(threads_.begin(), threads_.end(), KernelThreadId()) != threads_.end();
  }
  const bool others = mode_of_thread == CaptureMode::kGlobal && global_.load() != 0;
  if (!mine && !others) return;
  Fail(kRtCaptureModeNotSupport,
       "{} is not possible while {}; capture in mode ACL_MODEL_RI_CAPTURE_MODE_RELAXED (2), or let this "
       "thread "
       "choose it with aclmdlRICaptureThreadExchangeMode",
       what,
       mine ? "this thread captures a stream in mode GLOBAL or THREAD_LOCAL"
            : "a stream is being captured in mode GLOBAL");
}

}  // namespace foothold
