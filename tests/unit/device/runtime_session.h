// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What tests of streams and their kin share: device 0 chosen in this thread, and task bodies made from
// functions.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/current.h"
#include "device/runtime.h"

namespace foothold {

class RuntimeSession {
 public:
  RuntimeSession() {
    Runtime::Get().Start({});
    Runtime::Get().SetDevice(0);
  }
  ~RuntimeSession() { Runtime::Get().Stop(); }

  StreamRef NewStream(std::uint32_t flags = 0) const {
    Stream& stream = Runtime::Get().CreateStream(CurrentContext(), 0, flags);
    return {&stream, stream.handle()};
  }
};

// Runs `run` with the stream it is in; tells `cancelled` if it never will.
class FunctionTask {
 public:
  using Run_ = std::function<Outcome(Stream&)>;
  explicit FunctionTask(Run_ run, Place::Kind kind = Place::kAnywhere,
                        std::function<void()> cancelled = nullptr)
      : state_(new State{std::move(run), std::move(cancelled), kind}) {}

  Outcome Run(Stream& stream) { return state_->run(stream); }
  void Cancel(const Failure&) noexcept {
    if (state_->cancelled) state_->cancelled();
  }
  Place place() const { return {state_->kind, nullptr}; }
  std::string Describe() const { return "a=1"; }
  void ListAccesses(std::vector<Access>&) const {}
  static constexpr bool kReplays = false;

 private:
  struct State {
    Run_ run;
    std::function<void()> cancelled;
    Place::Kind kind;
  };
  std::unique_ptr<State> state_;
};

inline FunctionTask Do(std::function<void()> action) {
  return FunctionTask([action = std::move(action)](Stream&) {
    action();
    return Outcome::kDone;
  });
}

}  // namespace foothold
