// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/call_trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "trace/trace.h"

namespace foothold::collectives {
namespace {

std::uint64_t Mixed(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29);
}

std::uint64_t NumberOf(const MeetingLabel& label, std::uint64_t run) {
  std::uint64_t hash = Mixed(label.captured ? 1 : 0, label.number);
  hash = Mixed(hash, label.captured ? run : 0);
  return Mixed(hash, (std::uint64_t{label.from} << 32) | label.to);
}

}  // namespace

void TraceCall(const Call& call, const CallPart& part, std::uint64_t run, const Meeting& meeting, int stream,
               Nanoseconds came) {
  const Communicator& communicator = *call.communicator;
  trace::Event event{trace::Kind::kSpan, stream, NameOf(part.request.collective)};
  event.detail = trace::Keep(fmt::format("{}\t{}\t{}\t{}", communicator.name(), communicator.rank(),
                                         communicator.size(), std::max(part.send.bytes, part.receive.bytes)));
  event.number = NumberOf(part.label, run);
  event.begin = came;
  event.end = Now();
  trace::Record(event);
  const Nanoseconds all_came = std::min(meeting.all_came(), event.end);
  if (all_came <= came) return;
  event.name = "waits";
  event.end = all_came;
  trace::Record(event);
}

}  // namespace foothold::collectives
