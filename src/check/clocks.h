// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Vector clocks: what one agent (a stream, the host, the callbacks of a stream) knows to be over of what the
// others have done. Values; copies share what is the same, and a clock that learns nothing new stays shared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace foothold::check {

using Agent = std::uint32_t;
using Epoch = std::uint64_t;  // counts what an agent has done, from 1
inline constexpr Agent kHost = 0;

class Clock {
  using Entries = std::vector<std::pair<Agent, Epoch>>;  // sorted by agent

  template <typename List>
  static auto Place(List& entries, Agent agent) {
    return std::lower_bound(entries.begin(), entries.end(), agent,
                            [](const auto& entry, Agent wanted) { return entry.first < wanted; });
  }

 public:
  // Everything up to and with this is over; 0: nothing.
  Epoch Of(Agent agent) const {
    if (agent == kHost) return host_;
    if (!entries_) return 0;
    const auto found = Place(*entries_, agent);
    return found != entries_->end() && found->first == agent ? found->second : 0;
  }
  bool Knows(Agent agent, Epoch epoch) const { return Of(agent) >= epoch; }

  void Raise(Agent agent, Epoch epoch) {
    if (Knows(agent, epoch)) return;
    if (agent == kHost) {
      host_ = epoch;
      return;
    }
    auto fresh = entries_ ? std::make_shared<Entries>(*entries_) : std::make_shared<Entries>();
    const auto at = fresh->begin() + (Place(*fresh, agent) - fresh->begin());
    if (at != fresh->end() && at->first == agent) {
      at->second = epoch;
    } else {
      fresh->insert(at, {agent, epoch});
    }
    entries_ = std::move(fresh);
  }

  // As an assignment, which leaves alone what is the same already.
  void Become(const Clock& other) {
    host_ = other.host_;
    if (entries_ != other.entries_) entries_ = other.entries_;
  }

  // The same without what is known of agents but the host.
  Clock OfHostOnly() const {
    Clock clock;
    clock.host_ = host_;
    return clock;
  }

  // What the other knows as well. `self`: nobody asks this clock about that agent, so news of it alone are
  // none.
  void Join(const Clock& other, Agent self = kHost) {
    host_ = std::max(host_, other.host_);
    if (!other.entries_ || other.entries_ == entries_ || !LearnsFrom(*other.entries_, self)) return;
    if (!entries_) {
      entries_ = other.entries_;
      return;
    }
    auto fresh = std::make_shared<Entries>();
    auto a = entries_->begin(), b = other.entries_->begin();
    while (a != entries_->end() || b != other.entries_->end()) {
      if (b == other.entries_->end() || (a != entries_->end() && a->first < b->first)) {
        fresh->push_back(*a++);
      } else if (a == entries_->end() || b->first < a->first) {
        fresh->push_back(*b++);
      } else {
        fresh->emplace_back(a->first, std::max(a->second, b->second));
        ++a, ++b;
      }
    }
    entries_ = std::move(fresh);
  }

  // What is known of agents but the host, which copies share.
  bool SharesWith(const Clock& other) const { return entries_ == other.entries_; }
  void ShareWith(const Clock& other) { entries_ = other.entries_; }

  // Agents that nobody asks about any more.
  template <typename IsOver>
  void Forget(IsOver&& is_over) {
    if (!entries_ ||
        std::none_of(entries_->begin(), entries_->end(), [&](const auto& e) { return is_over(e.first); }))
      return;
    auto fresh = std::make_shared<Entries>(*entries_);
    std::erase_if(*fresh, [&](const auto& entry) { return is_over(entry.first); });
    entries_ = std::move(fresh);
  }

 private:
  bool LearnsFrom(const Entries& others, Agent self) const {
    return std::any_of(others.begin(), others.end(), [&](const auto& entry) {
      return entry.first != self && Of(entry.first) < entry.second;
    });
  }

  Epoch host_ = 0;
  std::shared_ptr<const Entries> entries_;
};

}  // namespace foothold::check
