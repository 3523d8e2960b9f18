// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a run of a graph gives back, in order. A list that can be asked whether a node is in it without
// looking through all of it: passes ask for every node. One thread at a time.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/node.h"

namespace foothold {

class OutputList {
 public:
  OutputList() = default;
  OutputList(std::vector<OutputRef> list) : list_(std::move(list)) {}
  OutputList(std::initializer_list<OutputRef> list) : list_(list) {}

  using const_iterator = std::vector<OutputRef>::const_iterator;
  const_iterator begin() const { return list_.begin(); }
  const_iterator end() const { return list_.end(); }
  std::size_t size() const { return list_.size(); }
  bool empty() const { return list_.empty(); }
  const OutputRef& operator[](std::size_t index) const { return list_[index]; }
  const OutputRef& at(std::size_t index) const { return list_.at(index); }
  const OutputRef& front() const { return list_.front(); }
  const OutputRef& back() const { return list_.back(); }
  const std::vector<OutputRef>& list() const { return list_; }

  void push_back(const OutputRef& output);
  void clear();
  void Set(std::size_t index, const OutputRef& output);
  template <typename Predicate>
  void EraseIf(Predicate&& predicate) {
    if (std::erase_if(list_, std::forward<Predicate>(predicate)) > 0) places_.clear();
  }

  bool Has(const Node& node) const;
  // Wherever `from` is given back, `to` is from now on.
  void Replace(const OutputRef& from, const OutputRef& to);

 private:
  bool IsShort() const;
  void FindPlaces() const;

  std::vector<OutputRef> list_;
  // Of the outputs of a long list, by node; made when first needed, gone with most changes.
  mutable std::unordered_map<const Node*, std::vector<std::size_t>> places_;
};

}  // namespace foothold
