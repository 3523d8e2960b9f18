// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One asynchronous run. Its object is used again and again, with room for all that most runs need: what one
// thread allocates and another one frees is paid by both. Filled by the thread that queues it, executed by
// that of the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "check/check.h"
#include "check/order.h"
#include "session/async_runs.h"
#include "session/graph_run.h"

namespace foothold {

class AsyncRun;

// What calls `run.Into` once and then the function of the program, which may end the thread. Kept in place.
class RunReply {
 public:
  static constexpr std::size_t kRoom = 32;

  RunReply() = default;
  template <typename Body>
  requires(!std::is_same_v<Body, RunReply>) explicit RunReply(Body body) noexcept : ops_(&kOps<Body>) {
    static_assert(sizeof(Body) <= kRoom && alignof(Body) <= alignof(void*));
    static_assert(std::is_nothrow_move_constructible_v<Body>);
    ::new (room_) Body(std::move(body));
  }
  RunReply(RunReply&& other) noexcept { *this = std::move(other); }
  RunReply& operator=(RunReply&& other) noexcept {
    Reset();
    if (other.ops_ == nullptr) return *this;
    other.ops_->move(other.room_, room_);
    ops_ = other.ops_;
    other.Reset();
    return *this;
  }
  ~RunReply() { Reset(); }

  void operator()(AsyncRun& run) { ops_->call(room_, run); }
  void Reset() noexcept {
    if (const Ops* const ops = std::exchange(ops_, nullptr)) ops->destroy(room_);
  }

 private:
  struct Ops {
    void (*call)(void* body, AsyncRun& run);
    void (*move)(void* from, void* to) noexcept;
    void (*destroy)(void* body) noexcept;
  };
  template <typename Body>
  static constexpr Ops kOps{
      [](void* body, AsyncRun& run) { (*static_cast<Body*>(body))(run); },
      [](void* from, void* to) noexcept { ::new (to) Body(std::move(*static_cast<Body*>(from))); },
      [](void* body) noexcept { static_cast<Body*>(body)->~Body(); }};

  const Ops* ops_ = nullptr;
  alignas(void*) std::byte room_[kRoom];
};

class AsyncRun final : public AsyncRuns::Run {
 public:
  // Before it is queued, on the calling thread, after GraphSlot::Enter. Throws what is wrong with the run: it
  // is never called back then.
  void Begin(GraphSlot& graph, std::span<const RunInput> inputs, RunReply reply);
  void TellsTo(std::shared_ptr<const ValueCallbacks> callbacks) { run_.TellsTo(std::move(callbacks)); }

  // By the reply: runs the graph. Throws what went wrong.
  void Into(RunOutputs& outputs);
  // By the reply: calls the function of the program; what that does belongs to this run.
  template <typename Function>
  void CallProgram(const Function& function) const {
    if (!check::On()) return function();
    const check::FunctionScope scope(checked_name(), true, nullptr);
    function();
  }

  void Execute() override;
  bool IsOver() const override { return !cut_short_; }
  bool Rest() noexcept override;

 private:
  check::StreamName checked_name() const;
  void BeginWatched() const;
  void EndWatched() const noexcept;

  // What the other thread reads comes first, in as few cache lines as may be.
  GraphRun run_;
  RunReply reply_;
  std::uint32_t number_ = 0;  // among those of the graph, while the program is checked
  bool cut_short_ = false;    // true during the run itself
  RunInputs inputs_;
};

}  // namespace foothold
