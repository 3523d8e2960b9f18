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
#include <vector>

#include "base/memory_role.h"
#include "check/clocks.h"
#include "check/stacks.h"

namespace foothold::check {

// Memory a task or call touches. Partial: perhaps not all of it.
struct Touch {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  bool write = false, exact = true;
  bool tells = false;        // a value others wait for: it makes order and needs none
  std::uint64_t serial = 0;  // of the allocation; 0 for memory of the program
  bool to_host = false;      // memory of the host
  std::uint64_t life = 0;    // of the block of a pool (pool_blocks.h); 0 for none
  MemoryRole role = MemoryRole::kData;

  std::uintptr_t end() const { return address + bytes; }
  bool Holds(const Touch& other) const { return address <= other.address && other.end() <= end(); }
};

// A task, or a call of the host. Never changes once others know it.
struct Deed {
  Agent agent = kHost;
  Epoch epoch = 0;
  Clock clock;                 // what it knew when it began
  std::uint64_t sequence = 0;  // of calls, in the order the program made them
  Site site;
  const char* call = "";
  std::string where;                  // "stream 3"; empty: the host
  std::optional<std::uint32_t> task;  // its number in the stream
  std::int32_t stream = 0;
  bool on_default_stream = false, in_callback = false;
  // Of a captured task: the number of its instance and of the run, and who asked for the run.
  std::uint32_t instance = 0;
  std::uint64_t run = 0;
  Site run_by;
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

  Segments segments_;
  std::map<std::pair<Agent, bool>, Access> latest_;  // of each agent, of reads and of writes
};

}  // namespace foothold::check
