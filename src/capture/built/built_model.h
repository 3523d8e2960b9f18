// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A model built by hand: stored streams that are bound to it. What they keep when a run is asked for is what
// that run does: it is copied into the lanes of an instance, which serves until a stream changes. Lane 0 of
// it begins the run, the others are the streams in the order they were bound. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "capture/instance.h"
#include "device/context.h"
#include "device/stream.h"

namespace foothold {

class BuiltModel final : public StreamBinding, public std::enable_shared_from_this<BuiltModel> {
 public:
  // Streams that are not heads start when they are activated.
  struct Bound {
    StreamRef stream;
    bool is_head;
  };

  // `instance` is the one the program has a handle of.
  BuiltModel(Context& context, const Instance& instance)
      : context_(context),
        context_handle_(context.handle()),
        id_(instance.id()),
        end_callbacks_(instance.end_callbacks()) {}
  ~BuiltModel() override;

  // Throws 107000 for a stream that runs its tasks itself, 107004 for one of another context and 107005 for
  // one that is bound already.
  void Bind(const StreamRef& stream, bool is_head);
  // Throws 107005 for a stream that is not bound to it.
  void Unbind(const StreamRef& stream);
  void CheckBound(const StreamRef& stream) const;
  void UnbindAll() noexcept;
  std::vector<Bound> streams() const;

  // What its streams keep now. Throws 107005 for a stream that was destroyed or a label set twice, 207000 for
  // a task that cannot be run again.
  std::shared_ptr<Instance> Content();
  // The same for a run. Throws 107005 if there is no head to start with.
  std::shared_ptr<Instance> ContentToRun();
  // The last one made, or null.
  std::shared_ptr<Instance> last_content() const;

  // The model a stream is bound to, or null.
  static std::shared_ptr<BuiltModel> Of(const StreamRef& stream);

 private:
  // A stream as it was when it was copied.
  struct Seen {
    Bound bound;
    std::uint64_t from;  // tasks that were dropped by then
    std::uint64_t to;    // and those queued
  };

  bool IsAsSeen() const;

  Context& context_;
  const void* const context_handle_;
  const std::uint32_t id_;
  const std::shared_ptr<EndCallbacks> end_callbacks_;
  mutable std::mutex mutex_;  // guards all below
  std::vector<Bound> streams_;
  std::vector<Seen> seen_;
  std::shared_ptr<Instance> content_;
};

}  // namespace foothold
