// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the program knows of tasks: whether they are over, and how many it has not waited for.
#include "check/order_state.h"

namespace foothold::check {
namespace {

// There is no memory to look closer.
template <typename Body>
void AskOrder(Body&& body) noexcept {
  try {
    body(Order::Get());
  } catch (...) {
  }
}

}  // namespace

Ticket Order::Last(const StreamName& name) {
  const Whole lock(*this);
  const StreamState& stream = StateOf(name);
  return {stream.agent, stream.queued};
}

bool Order::KnowsOver(const Ticket& ticket) {
  const Whole lock(*this);
  return (ticket.agent != kHost && !live_.contains(ticket.agent)) ||
         KnownHere().Knows(ticket.agent, ticket.epoch);
}

std::uint64_t Order::Waits(const StreamName& name) {
  const std::lock_guard<SpinLock> lock(lock_);
  return StateInOrder(name).waits;
}

std::vector<std::pair<const void*, std::uint64_t>> Order::Unknown() {
  const Whole lock(*this);
  const Clock known = KnownHere();
  std::vector<std::pair<const void*, std::uint64_t>> unknown;
  for (const auto& [key, stream] : streams_)
    if (stream.queued > known.Of(stream.agent))
      unknown.emplace_back(key, stream.queued - known.Of(stream.agent));
  return unknown;
}

Ticket LastQueued(const StreamName& stream) noexcept {
  Ticket ticket;
  AskOrder([&](Order& order) { ticket = order.Last(stream); });
  return ticket;
}

bool IsKnownOver(const Ticket& ticket) noexcept {
  bool over = true;
  AskOrder([&](Order& order) { over = order.KnowsOver(ticket); });
  return over;
}

std::uint64_t UnknownTasks(const StreamName& stream) noexcept {
  std::uint64_t tasks = 0;
  AskOrder([&](Order& order) {
    for (const auto& [key, count] : order.Unknown())
      if (key == stream.key) tasks = count;
  });
  return tasks;
}

std::uint64_t UnknownStreams() noexcept {
  std::uint64_t streams = 0;
  AskOrder([&](Order& order) { streams = order.Unknown().size(); });
  return streams;
}

std::uint64_t WaitsFor(const StreamName& stream) noexcept {
  std::uint64_t waits = 0;
  AskOrder([&](Order& order) { waits = order.Waits(stream); });
  return waits;
}

}  // namespace foothold::check
