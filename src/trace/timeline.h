// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A recorded timeline, read back for drawing: rows for threads and streams, boxes in them, memory over time.
// One thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace foothold::timeline {

struct Box {
  std::string name, category;
  double begin = 0, end = 0;  // microseconds since the first event
  int depth = 0;              // boxes inside others lie deeper

  // A call that waits for something else to happen.
  bool Waits() const { return category == "wait"; }
};

struct Row {
  std::string name;        // what the thread does, where its own name does not tell
  std::vector<Box> boxes;  // by their beginning
  int depth = 0;           // of the deepest box, counted from 1
};

struct Arrow {
  std::size_t from_row = 0, to_row = 0;
  double from = 0, to = 0;
};

// A finding of the checking mode.
struct Mark {
  std::size_t row = 0;
  double time = 0;
  std::string name, text;
};

// How long a rank was held up by another that came last, in all collectives together.
struct RankWait {
  std::string communicator;
  std::int64_t rank = 0, late_rank = 0;
  double time = 0;  // microseconds
  std::size_t collectives = 0;
};

struct MemoryUse {
  double time = 0;
  double bytes = 0;
};

struct Timeline {
  std::vector<Row> rows;
  std::vector<Arrow> arrows;    // from where a task was queued to its run
  std::vector<Arrow> held_up;   // from where the last rank came to those that waited for it
  std::vector<RankWait> waits;  // the longest first
  std::vector<Mark> marks;
  std::vector<Arrow> findings;  // from what was before to what was found
  std::vector<MemoryUse> memory;
  double length = 0;  // microseconds
};

// One file of each process. Times of several hosts are put on one clock by the collectives they met in.
// Throws kInvalidFile if there is no such file, kParseFile if it is no trace.
Timeline ReadTimeline(const std::vector<std::string>& paths);
// The same for the text of one; `origin` is for messages.
Timeline ParseTimeline(const std::string& text, const std::string& origin);

std::string DrawSvg(const Timeline& timeline, const std::string& title);

}  // namespace foothold::timeline
