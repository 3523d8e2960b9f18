// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/accesses.h"

#include <fmt/format.h>

#include <algorithm>

namespace foothold::check {
namespace {

bool Overlap(const Touch& a, const Touch& b) {
  return a.address < b.end() && b.address < a.end();
}

// What touches only a part of its range surely meets what touches all of it.
bool SurelyMeet(const Touch& a, const Touch& b) {
  if (!Overlap(a, b)) return false;
  if (a.exact && b.exact) return true;
  return (a.exact && a.Holds(b)) || (b.exact && b.Holds(a));
}

// Of the access of the same agent, and of the same sort, in the list; the new one takes its place.
void Replace(std::vector<Access>& list, const DeedPtr& deed, const Touch& touch) {
  for (Access& known : list) {
    if (known.deed->agent != deed->agent || known.touch.write != touch.write) continue;
    known.deed = deed;
    known.touch = touch;
    return;
  }
  list.push_back({deed, touch});
}

}  // namespace

std::string Deed::Where() const {
  if (what == nullptr) return {};
  const std::string name = fmt::format("{} {}", what, stream);
  if (in_callback) return "a callback of " + name;
  return instance == 0 ? name : fmt::format("{}, model instance {}", name, instance);
}

void Accesses::Compare(const Access& before, const DeedPtr& deed, const Touch& touch,
                       std::vector<Hazard>& hazards) {
  if (!before.deed || before.deed == deed || before.touch.tells || touch.tells) return;
  if (!before.touch.write && !touch.write) return;
  if (before.deed->agent == deed->agent || deed->clock.Knows(before.deed->agent, before.deed->epoch)) return;
  if (!SurelyMeet(before.touch, touch)) return;
  const bool told = std::any_of(hazards.begin(), hazards.end(),
                                [&](const Hazard& known) { return known.before.deed == before.deed; });
  if (!told) hazards.push_back({before, {deed, touch}});
}

void Accesses::Update(Segment& segment, const DeedPtr& deed, const Touch& touch) {
  if (!touch.write || !touch.exact) return Replace(segment.others, deed, touch);
  segment.write.deed = deed;
  segment.write.touch = touch;
  segment.others.clear();
}

// The segment that begins at the address, if one holds it.
Accesses::Segments::iterator Accesses::SplitAt(std::uintptr_t address) {
  auto at = segments_.upper_bound(address);
  if (at == segments_.begin()) return at;
  --at;
  if (at->first == address || at->second.end <= address) return at->first == address ? at : std::next(at);
  Segment behind = at->second;
  at->second.end = address;
  return segments_.emplace(address, std::move(behind)).first;
}

// Segments for what has none yet.
void Accesses::Fill(std::uintptr_t begin, std::uintptr_t end) {
  for (auto at = segments_.lower_bound(begin); begin < end;) {
    const std::uintptr_t next = at == segments_.end() ? end : std::min(at->first, end);
    if (begin < next) segments_.emplace(begin, Segment{next, {}, {}});
    if (at == segments_.end() || at->first >= end) return;
    begin = at->second.end;
    ++at;
  }
}

// What one write has made the same becomes one.
void Accesses::Unite(std::uintptr_t begin, std::uintptr_t end) {
  const auto first = segments_.lower_bound(begin);
  first->second.end = end;
  segments_.erase(std::next(first), segments_.lower_bound(end));
}

void Accesses::Meet(Segment& segment, const DeedPtr& deed, const Touch& touch, std::vector<Hazard>& hazards) {
  Compare(segment.write, deed, touch, hazards);
  for (const Access& other : segment.others)
    Compare(other, deed, touch, hazards);
  Update(segment, deed, touch);
}

void Accesses::Add(const DeedPtr& deed, const Touch& touch, std::vector<Hazard>& hazards) {
  const std::uintptr_t begin = touch.address, end = touch.end();
  if (begin == end) return;
  Replace(latest_, deed, touch);
  // Most touch what others have touched before them.
  if (const auto same = segments_.find(begin); same != segments_.end() && same->second.end == end)
    return Meet(same->second, deed, touch, hazards);
  SplitAt(begin);
  SplitAt(end);
  Fill(begin, end);
  for (auto at = segments_.lower_bound(begin); at != segments_.end() && at->first < end; ++at)
    Meet(at->second, deed, touch, hazards);
  if (touch.write && touch.exact) Unite(begin, end);
}

const Access* Accesses::NotOver(const Clock& clock) const {
  const Access* found = nullptr;
  for (const Access& access : latest_) {
    if (clock.Knows(access.deed->agent, access.deed->epoch)) continue;
    if (found == nullptr || found->deed->sequence < access.deed->sequence) found = &access;
  }
  return found;
}

const Access* Accesses::LatestWrite() const {
  const Access* found = nullptr;
  for (const Access& access : latest_)
    if (access.touch.write && (found == nullptr || found->deed->sequence < access.deed->sequence))
      found = &access;
  return found;
}

const Access* Accesses::LastWrite(std::uintptr_t address) const {
  auto at = segments_.upper_bound(address);
  if (at == segments_.begin()) return nullptr;
  --at;
  if (at->second.end <= address) return nullptr;
  const Access* last = at->second.write.deed ? &at->second.write : nullptr;
  for (const Access& other : at->second.others)
    if (other.touch.write && (last == nullptr || last->deed->sequence < other.deed->sequence)) last = &other;
  return last;
}

}  // namespace foothold::check
