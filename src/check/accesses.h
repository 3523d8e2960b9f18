// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Who has touched which bytes of an allocation last, and which of that has no order. As FastTrack does it:
// for each range the last write and what came since. The owner holds a lock around every call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "check/clocks.h"
#include "check/deed.h"
#include "check/touches.h"

namespace foothold::check {

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
  void Add(const DeedPtr& deed, const Touch& touch, std::vector<Hazard>& hazards);
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
  static void Compare(const Access& before, const DeedPtr& deed, const Touch& touch,
                      std::vector<Hazard>& hazards);
  static void Update(Segment& segment, const DeedPtr& deed, const Touch& touch);
  static void Meet(Segment& segment, const DeedPtr& deed, const Touch& touch, std::vector<Hazard>& hazards);

  static constexpr std::size_t kFewAgents = 16;
  Segments segments_;
  std::vector<Access> latest_;  // of each agent, of reads and of writes
  std::size_t crowd_ = kFewAgents;
};

}  // namespace foothold::check
