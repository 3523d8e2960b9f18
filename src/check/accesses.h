// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Who has touched which bytes of an allocation last, and which of that has no order. As FastTrack does it:
// for each range the last write and what came since. The owner holds a lock around every call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/clocks.h"
#include "check/stacks.h"
#include "check/touches.h"

namespace foothold::check {

// A task, or a call of the host. Never changes once others know it.
struct Deed {
  Agent agent = kHost;
  Epoch epoch = 0;
  Clock clock;                 // what it knew when it began
  std::uint64_t sequence = 0;  // of calls, in the order the program made them
  Site site;
  const char* call = "";
  const char* what = nullptr;         // "stream", and below its number; null: the host
  std::optional<std::uint32_t> task;  // its number in the stream
  std::int32_t stream = 0;
  bool on_default_stream = false, in_callback = false;
  // Of a captured task: the number of its instance and of the run, and who asked for the run.
  std::uint32_t instance = 0;
  std::uint64_t run = 0;
  Site run_by;

  std::string Where() const;  // "stream 3"; empty: the host
};
using DeedPtr = std::shared_ptr<const Deed>;

struct Access {
  DeedPtr deed;
  Touch touch;
};

// Two accesses that nothing orders and that surely meet.
struct Hazard {
  Access before, now;
};

class Accesses {
 public:
  // Adds the access, and to `hazards` what it has no order with.
  void Add(const Access& access, std::vector<Hazard>& hazards);
  // Any access that is not known to be over by `clock`; the latest of them.
  const Access* NotOver(const Clock& clock) const;
  // The last write of all.
  const Access* LatestWrite() const;
  // Who wrote these bytes last; null if nobody did.
  const Access* LastWrite(std::uintptr_t address) const;

  // There are so many agents that it is time to forget those that have ended.
  bool crowded() const { return latest_.size() > crowd_; }
  // Accesses nobody can have a hazard with any more: `is_over(const Deed&)`.
  template <typename IsOver>
  void Forget(IsOver&& is_over) {
    const auto over = [&](const Access& access) { return access.deed && is_over(*access.deed); };
    for (auto& [begin, segment] : segments_) {
      std::erase_if(segment.others, over);
      if (over(segment.write)) segment.write = {};
    }
    std::erase_if(latest_, over);
    crowd_ = 2 * latest_.size() + kFewAgents;
  }

 private:
  struct Segment {
    std::uintptr_t end = 0;
    Access write;                // the last exact one; without a deed: none
    std::vector<Access> others;  // since then: reads, and writes of parts
  };
  using Segments = std::map<std::uintptr_t, Segment>;

  Segments::iterator SplitAt(std::uintptr_t address);
  void Fill(std::uintptr_t begin, std::uintptr_t end);
  void Unite(std::uintptr_t begin, std::uintptr_t end);
  static void Compare(const Access& before, const Access& now, std::vector<Hazard>& hazards);
  static void Update(Segment& segment, const Access& access);
  static void Meet(Segment& segment, const Access& access, std::vector<Hazard>& hazards);
  void KeepLatest(const Access& access);

  static constexpr std::size_t kFewAgents = 16;
  Segments segments_;
  std::vector<Access> latest_;  // of each agent, of reads and of writes
  std::size_t crowd_ = kFewAgents;
};

}  // namespace foothold::check
