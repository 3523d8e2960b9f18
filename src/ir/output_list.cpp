// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/output_list.h"

#include <algorithm>

namespace foothold {

void OutputList::push_back(const OutputRef& output) {
  list_.push_back(output);
  places_.clear();
}

void OutputList::clear() {
  list_.clear();
  places_.clear();
}

void OutputList::Set(std::size_t index, const OutputRef& output) {
  list_.at(index) = output;
  places_.clear();
}

bool OutputList::IsShort() const {
  return list_.size() <= 16;
}

void OutputList::FindPlaces() const {
  if (!places_.empty()) return;
  for (std::size_t i = 0; i < list_.size(); ++i)
    places_[list_[i].node].push_back(i);
}

bool OutputList::Has(const Node& node) const {
  if (IsShort())
    return std::any_of(list_.begin(), list_.end(),
                       [&](const OutputRef& output) { return output.node == &node; });
  FindPlaces();
  return places_.count(&node) != 0;
}

void OutputList::Replace(const OutputRef& from, const OutputRef& to) {
  if (IsShort() || from.node == to.node) {
    std::replace(list_.begin(), list_.end(), from, to);
    return;
  }
  FindPlaces();
  const auto found = places_.find(from.node);
  if (found == places_.end()) return;
  std::vector<std::size_t> stay, go = std::move(found->second);
  for (const std::size_t place : go)
    (list_[place] == from ? places_[to.node] : stay).push_back(place);
  for (const std::size_t place : go)
    if (list_[place] == from) list_[place] = to;
  stay.empty() ? void(places_.erase(from.node)) : void(places_[from.node] = std::move(stay));
}

}  // namespace foothold
