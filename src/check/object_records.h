// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Records of objects by their handle: those that live each at a place of its own, which the handle tells, so
// that a program that makes and destroys the same few again and again stays in a few lines of cache; of
// those that have ended the last ones, in a ring. The owner holds a lock around every call.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/handle_pool.h"
#include "check/growth.h"
#include "check/history.h"

namespace foothold::check {

class ObjectRecords {
 public:
  explicit ObjectRecords(std::size_t kept) : ended_(kept) {}

  // `counted`: where it is one of those that live, or null.
  void Add(const ObjectRecord& record, PlaceCount* counted = nullptr) {
    Place& place = PlaceOf(record.kind, record.handle);
    if (place.live.handle != 0) End(place);  // its end was not told
    place.live = record;
    place.counted = counted;
  }

  // Null if it is not remembered.
  ObjectRecord* Find(std::uint64_t handle) {
    const auto kind = KindOfHandle(reinterpret_cast<const void*>(handle));
    Place* const place = kind ? FindPlace(*kind, handle) : nullptr;
    if (place == nullptr) return nullptr;
    if (place->live.handle == handle) return &place->live;
    for (std::uint64_t number = place->last_ended; IsKept(number);) {
      Ended& ended = ended_[number % ended_.size()];
      if (ended.record.handle == handle) return &ended.record;
      number = ended.before;
    }
    return nullptr;
  }
  ObjectRecord* FindLive(HandleKind kind, std::uint64_t handle) {
    Place* const place = FindPlace(kind, handle);
    return place != nullptr && place->live.handle == handle ? &place->live : nullptr;
  }

  // Precondition: it lives. The oldest that has ended is forgotten.
  void End(const ObjectRecord& live) { End(PlaceOf(live.kind, live.handle)); }

  template <typename Visit>
  void ForEachLive(Visit&& visit) const {
    for (const auto& places : places_)
      for (const Place& place : places)
        if (place.live.handle != 0) visit(place.live);
  }

 private:
  struct Place {
    ObjectRecord live;             // its handle is 0: nobody
    std::uint64_t last_ended = 0;  // the number of who was there before
    PlaceCount* counted = nullptr;
  };
  struct Ended {
    ObjectRecord record;
    std::uint64_t before = 0;  // the number of who was at the same place before
  };

  static std::size_t IndexOf(std::uint64_t handle) {
    return (handle >> 4) & ((std::size_t{1} << handle_detail::kIndexBits) - 1);
  }
  Place& PlaceOf(HandleKind kind, std::uint64_t handle) {
    std::vector<Place>& places = places_[static_cast<std::size_t>(kind)];
    if (places.size() <= IndexOf(handle)) places.resize(IndexOf(handle) + 1);
    return places[IndexOf(handle)];
  }
  Place* FindPlace(HandleKind kind, std::uint64_t handle) {
    std::vector<Place>& places = places_[static_cast<std::size_t>(kind)];
    return places.size() <= IndexOf(handle) ? nullptr : &places[IndexOf(handle)];
  }

  // Those that have ended are numbered from 1.
  bool IsKept(std::uint64_t number) const { return number != 0 && number + ended_.size() > last_; }
  void End(Place& place) {
    const std::uint64_t number = ++last_;
    ended_[number % ended_.size()] = {place.live, place.last_ended};
    place.last_ended = number;
    if (place.counted != nullptr) CountGone(*place.counted);
    place.live.handle = 0;
  }

  std::array<std::vector<Place>, 256> places_;  // by kind and index
  std::vector<Ended> ended_;
  std::uint64_t last_ = 0;  // the number of who ended last
};

}  // namespace foothold::check
