// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// An asynchronous run like one that was made before. Its object is used again and again, with room for all
// that most runs need: what one thread allocates and another one frees is paid by both. Filled by the thread
// that queues it, executed by that of the graph.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ir/tensor_value.h"
#include "launch/prepared_program.h"
#include "session/async_runs.h"

namespace foothold {

class GraphSlot;
class RepeatedRun;
struct GivenInput;

// Says where the next output goes.
using PlaceOutput = std::function<std::byte*(const TensorType&)>;

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

  void operator()(RepeatedRun& run) { ops_->call(room_, run); }
  void Reset() noexcept {
    if (const Ops* const ops = std::exchange(ops_, nullptr)) ops->destroy(room_);
  }

 private:
  struct Ops {
    void (*call)(void* body, RepeatedRun& run);
    void (*move)(void* from, void* to) noexcept;
    void (*destroy)(void* body) noexcept;
  };
  template <typename Body>
  static constexpr Ops kOps{
      [](void* body, RepeatedRun& run) { (*static_cast<Body*>(body))(run); },
      [](void* from, void* to) noexcept { ::new (to) Body(std::move(*static_cast<Body*>(from))); },
      [](void* body) noexcept { static_cast<Body*>(body)->~Body(); }};

  const Ops* ops_ = nullptr;
  alignas(void*) std::byte room_[kRoom];
};

class RepeatedRun final : public AsyncRuns::Run {
 public:
  static constexpr std::size_t kMostInputs = 8;

  // Before it is queued, on the calling thread.
  std::shared_ptr<PreparedProgram>& runner() { return runner_; }
  // Inputs that nobody keeps are copied, and small ones as well.
  void Set(const GraphSlot& slot, std::span<const GivenInput> inputs, RunReply reply);

  // By the reply: runs the graph. Throws what went wrong.
  void Into(const PlaceOutput& place);

  void Execute() override;
  bool IsOver() const override { return !cut_short_; }
  bool Rest() noexcept override;

 private:
  static constexpr std::size_t kSmallInputs = 256;  // bytes of all

  const std::byte* Hold(const GivenInput& input);

  // What the other thread reads comes first, in as few cache lines as may be.
  std::shared_ptr<PreparedProgram> runner_;  // stays when it rests: the next run is likely to be of the same
  RunReply reply_;
  const GraphSlot* slot_ = nullptr;
  int device_ = 0;
  bool cut_short_ = false;  // true during the run itself
  std::size_t count_ = 0, used_ = 0;
  std::vector<SharedBytes> held_;  // memory of large inputs
  std::array<const std::byte*, kMostInputs> inputs_ = {};
  alignas(kTensorAlignment) std::array<std::byte, kSmallInputs> room_;
};

}  // namespace foothold
