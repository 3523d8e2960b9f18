// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/wait_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace foothold::check {
namespace {

bool Writes(const Order::Standing& stream, const void* address) {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  return std::any_of(stream.writes.begin(), stream.writes.end(), [&](const Touch& touch) {
    return touch.address < begin + sizeof(std::uint64_t) && begin < touch.end();
  });
}

bool IsNotify(const SyncUse& use) {
  return use.what == SyncUse::What::kNotify || use.what == SyncUse::What::kCountNotify;
}

std::string TaskOf(const Order::Standing& stream) {
  return stream.head && stream.head->task ? fmt::format(", task {}", *stream.head->task) : std::string();
}

}  // namespace

WaitGraph::WaitGraph(std::vector<Order::Standing> streams, std::vector<StreamFacts> facts,
                     std::vector<Waiting> threads, int outside)
    : streams_(std::move(streams)),
      facts_(std::move(facts)),
      threads_(std::move(threads)),
      outside_(outside) {
  for (const Order::Standing& stream : streams_)
    nodes_.push_back({&stream, nullptr, false});
  for (const Waiting& thread : threads_)
    nodes_.push_back({nullptr, &thread, false});
  Settle();
}

const StreamFacts* WaitGraph::FactsOf(const void* key) const {
  const auto found =
      std::find_if(facts_.begin(), facts_.end(), [&](const StreamFacts& one) { return one.key == key; });
  return found == facts_.end() ? nullptr : &*found;
}

const WaitGraph::Node* WaitGraph::StreamNode(const void* key) const {
  const auto found = std::find_if(nodes_.begin(), nodes_.end(), [&](const Node& node) {
    return node.stream != nullptr && node.stream->key == key;
  });
  return found == nodes_.end() ? nullptr : &*found;
}

// The innermost wait of a thread counts.
const WaitGraph::Node* WaitGraph::ThreadNode(std::uint32_t thread) const {
  const Node* last = nullptr;
  for (const Node& node : nodes_)
    if (node.thread != nullptr && node.thread->thread == thread) last = &node;
  return last;
}

const WaitGraph::Node* WaitGraph::ThreadNodeBySelf(std::uint64_t self) const {
  const Node* last = nullptr;
  for (const Node& node : nodes_)
    if (node.thread != nullptr && node.thread->self == self) last = &node;
  return last;
}

void WaitGraph::Settle() {
  for (bool changed = true; changed;) {
    changed = false;
    for (Node& node : nodes_) {
      if (node.goes_on || !GoesOn(node)) continue;
      node.goes_on = changed = true;
    }
  }
}

bool WaitGraph::GoesOn(const Node& node) const {
  return node.stream != nullptr ? StreamGoesOn(*node.stream) : ThreadGoesOn(*node.thread);
}

// Unless it is known what a stream waits for, it goes on.
bool WaitGraph::StreamGoesOn(const Order::Standing& stream) const {
  const StreamFacts* const facts = FactsOf(stream.key);
  if (facts == nullptr) return true;
  if (facts->function && stream.function != 0) {
    const Node* const thread = ThreadNode(stream.function);
    return thread == nullptr || thread->goes_on;
  }
  if (facts->needs != 0) {
    const Node* const thread = ThreadNodeBySelf(facts->needs);
    if (thread == nullptr || thread->goes_on) return true;
    return thread->thread->kind == HostWait::For::kReports;  // it comes to it
  }
  if (!facts->blocked) return true;
  if (stream.waits.kind != SyncUse::Kind::kWaits || stream.waits.limited || stream.waits.outside) return true;
  return WillBeTold(stream.waits);
}

std::vector<const WaitGraph::Node*> WaitGraph::TellersOf(const SyncUse& wait) const {
  std::vector<const Node*> tellers;
  for (const Node& node : nodes_) {
    if (node.stream == nullptr) continue;
    const auto& tells = node.stream->tells;
    const bool told = std::any_of(tells.begin(), tells.end(),
                                  [&](const auto& one) { return one.first.point == wait.point; });
    const bool written = wait.what == SyncUse::What::kValue && Writes(*node.stream, wait.point);
    if (told || written) tellers.push_back(&node);
  }
  return tellers;
}

bool WaitGraph::WillBeTold(const SyncUse& wait) const {
  const auto tellers = TellersOf(wait);
  for (const Node& node : nodes_)
    if (node.stream != nullptr && node.stream->replays && node.goes_on) return true;
  if (std::any_of(tellers.begin(), tellers.end(), [](const Node* node) { return node->goes_on; }))
    return true;
  switch (wait.what) {
    case SyncUse::What::kEvent:  // a record that was queued; without one it is not known here
      return tellers.empty();
    case SyncUse::What::kNotify:
    case SyncUse::What::kCountNotify:
      if (tellers.empty() && Order::Get().IsEnded(wait.object)) return false;
      return tellers.empty() && outside_ > 0;
    case SyncUse::What::kValue:
      return outside_ > 0;
    case SyncUse::What::kOther:
      return true;
  }
  return true;
}

bool WaitGraph::ThreadGoesOn(const Waiting& thread) const {
  if (thread.limited) return true;
  switch (thread.kind) {
    case HostWait::For::kStream: {
      const Node* const stream = StreamNode(thread.what);
      return stream == nullptr || stream->goes_on;
    }
    case HostWait::For::kPoint: {
      SyncUse wait;
      wait.what = SyncUse::What::kEvent;
      wait.point = thread.what;
      return WillBeTold(wait);
    }
    case HostWait::For::kReports:
      return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
        const StreamFacts* const facts = node.stream == nullptr ? nullptr : FactsOf(node.stream->key);
        return facts != nullptr && node.goes_on && (node.stream->head || facts->letters);
      });
  }
  return true;
}

bool WaitGraph::IsHopeless(std::uint32_t thread) const {
  const Node* const node = ThreadNode(thread);
  return node != nullptr && !node->goes_on;
}

const WaitGraph::Node* WaitGraph::Next(const Node& node, Object& line) const {
  line.label = "wait";
  if (node.thread != nullptr) {
    line.history.emplace_back("called by", node.thread->site);
    if (node.thread->kind == HostWait::For::kStream) {
      const Node* const stream = StreamNode(node.thread->what);
      if (stream == nullptr) return nullptr;
      line.text = fmt::format("thread {} waits for {}", node.thread->thread, stream->stream->name);
      return stream;
    }
    SyncUse wait;
    wait.point = node.thread->what;
    const auto tellers = TellersOf(wait);
    line.text = tellers.empty() ? fmt::format("thread {} waits for callbacks", node.thread->thread)
                                : fmt::format("thread {} waits for an event of {}", node.thread->thread,
                                              tellers[0]->stream->name);
    return tellers.empty() ? nullptr : tellers[0];
  }
  const Order::Standing& stream = *node.stream;
  const StreamFacts* const facts = FactsOf(stream.key);
  if (stream.head) line.history.emplace_back("queued by", stream.head->site);
  if (facts != nullptr && facts->function && stream.function != 0) {
    line.text = fmt::format("{}{} is held up by a function of the program in thread {}", stream.name,
                            TaskOf(stream), stream.function);
    return ThreadNode(stream.function);
  }
  if (facts != nullptr && facts->needs != 0) {
    const Node* const thread = ThreadNodeBySelf(facts->needs);
    line.text = fmt::format("{}{} waits for a callback, which {} has to run", stream.name, TaskOf(stream),
                            thread == nullptr ? fmt::format("thread {:#x}", facts->needs)
                                              : fmt::format("thread {}", thread->thread->thread));
    return thread;
  }
  const auto tellers = TellersOf(stream.waits);
  if (tellers.empty()) {
    const bool ended = IsNotify(stream.waits) && Order::Get().IsEnded(stream.waits.object);
    line.text = fmt::format("{}{} waits for {}; {}", stream.name, TaskOf(stream), stream.waits.Name(),
                            ended ? "that was destroyed, and no task is queued that records it"
                                  : "no task is queued that would end that");
    return nullptr;
  }
  line.text = fmt::format("{}{} waits for {}, which a task of {} ends", stream.name, TaskOf(stream),
                          stream.waits.Name(), tellers[0]->stream->name);
  return tellers[0];
}

WaitGraph::Chain WaitGraph::ChainFrom(std::uint32_t thread) const {
  Chain chain;
  std::set<const Node*> passed;
  for (const Node* node = ThreadNode(thread); node != nullptr;) {
    if (!passed.insert(node).second) {
      chain.circle = true;
      break;
    }
    Object line;
    node = Next(*node, line);
    chain.waits.push_back(std::move(line));
  }
  return chain;
}

std::string WaitGraph::Describe(const Node& node) const {
  Object line;
  if (node.thread == nullptr) {
    const StreamFacts* const facts = FactsOf(node.stream->key);
    if (!node.stream->head) return {};
    const bool waits = facts != nullptr && (facts->blocked || facts->needs != 0);
    if (facts != nullptr && facts->function && ThreadNode(node.stream->function) == nullptr)
      return fmt::format("{}{} is inside a function of the program", node.stream->name, TaskOf(*node.stream));
    if (!waits && !(facts != nullptr && facts->function))
      return fmt::format("{}{} goes on", node.stream->name, TaskOf(*node.stream));
  }
  Next(node, line);
  return line.text;
}

std::vector<Object> WaitGraph::All() const {
  std::vector<Object> lines;
  for (const Node& node : nodes_) {
    Object line{"wait", Describe(node), {}};
    if (line.text.empty()) continue;
    if (node.thread != nullptr) line.history.emplace_back("called by", node.thread->site);
    if (node.stream != nullptr && node.stream->head)
      line.history.emplace_back("queued by", node.stream->head->site);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace foothold::check
