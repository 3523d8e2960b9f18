// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A call of the API, from its beginning to its end, on the thread that makes it: the timeline gets it, and
// while the program is being checked everything that happens meanwhile can say which call of the program it
// is for, with its arguments and its stack. Unwatched it costs one relaxed load.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/watch.h"
#include "check/stacks.h"

namespace foothold {
class Error;
}

namespace foothold::check {

struct ThreadState;

class CallScope {
 public:
  // `call` has a name, a Describe() for its arguments and a ForEachPointer() over them; it must outlive this.
  template <typename Call>
  requires requires(const Call& call) { call.name; }
  explicit CallScope(const Call& call) noexcept : name_(call.name) {
    if (watch::Watching() != 0) Begin(&call, &kAboutCall<Call>);
  }
  explicit CallScope(const char* name) noexcept : name_(name) {
    if (watch::Watching() != 0) Begin(nullptr, nullptr);
  }
  ~CallScope() {
    if (watched_ != 0) End();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  // The call answers with this error: if that says the program broke a rule, it is reported.
  void Failed(const std::string& arguments, const Error& error) const noexcept {
    if ((watched_ & watch::kCheck) != 0) ReportFailure(arguments, error);
  }

  // First inside the border of the API: throws what the plan of faults has for this call (faults.h).
  void FailIfPlanned() const {
    if ((watched_ & watch::kFaults) != 0) FailByPlan();
  }

  // The innermost one of this thread, or null.
  static const CallScope* Current() noexcept;
  const char* name() const { return name_; }
  Site site() const { return site_; }
  std::string Arguments() const;

 private:
  static void UsePointer(const void* pointer, ThreadState& thread) noexcept;

  struct About {
    std::string (*describe)(const void* call);
    void (*visit)(const void* call, ThreadState& thread);
  };
  template <typename Call>
  static constexpr About kAboutCall{
      [](const void* call) { return static_cast<const Call*>(call)->Describe(); },
      [](const void* call, ThreadState& thread) {
        static_cast<const Call*>(call)->ForEachPointer(
            [&](const void* pointer) { UsePointer(pointer, thread); });
      }};

  void Begin(const void* call, const About* about) noexcept;
  void End() noexcept;
  void ReportFailure(const std::string& arguments, const Error& error) const noexcept;
  void FailByPlan() const;

  const char* const name_;
  std::uint32_t watched_ = 0;  // bits of watch.h; what follows counts only where they are set
  mutable bool injected_;      // the failure is the plan's
  Nanoseconds begin_;
  const void* call_;
  const About* about_;
  Site site_;
  CallScope* outer_;
  std::uint32_t handles_;  // among the arguments
};

}  // namespace foothold::check
