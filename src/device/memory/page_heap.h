// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Hands out runs of pages of one address range: best fit, neighbours joined when freed. Freed pages stay with
// the process ("warm": reused without page faults) until the owner trims them ("cold"). The owner holds a
// lock around every call but Find, which any thread may make at any time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "device/memory/address_range.h"

namespace foothold {

struct Slab;

// A run of pages, free or in use. Spans are recycled, never freed, so a reader that came too late finds a
// span.
struct Span {
  using FreeList = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // length, first page
  enum class State : std::uint8_t { kUsed, kWarm, kCold };

  std::atomic<std::uint32_t> first{0};
  std::atomic<Slab*> slab{nullptr};  // of a used span: the blocks in it
  std::uint32_t pages = 0;
  State state = State::kUsed;
  bool shared = false;         // of a used span: its pages are in a file (shared_spans.h)
  bool moving = false;         // and they are being put there
  bool mapped = false;         // every page of the run points here, not only the first and the last
  FreeList::node_type node{};  // its place in a list, so that entering one needs no memory; empty while it is
};

class PageHeap {
 public:
  static constexpr std::size_t kPage = std::size_t{64} << 10;

  explicit PageHeap(AddressRange& range);
  ~PageHeap();
  PageHeap(const PageHeap&) = delete;
  PageHeap& operator=(const PageHeap&) = delete;

  // A run that starts at a multiple of `align` pages (a power of two), or null when there is no room.
  Span* Allocate(std::uint32_t pages, std::uint32_t align);
  void Free(Span& span) noexcept;

  // Gives warm pages back to the system until at most `bytes` are left.
  void Trim(std::uint64_t bytes) noexcept;
  std::uint64_t warm_bytes() const { return warm_pages_ * kPage; }

  // The span that `page` belongs to or once belonged to; the caller makes sure which.
  Span* Find(std::size_t page) const noexcept { return map_[page].load(std::memory_order_acquire); }

 private:
  using FreeList = Span::FreeList;

  void PrepareSpans();
  Span* TakeBestFit(Span::State state, std::uint32_t pages, std::uint32_t align);
  Span* Grow(std::uint32_t pages, std::uint32_t align);
  Span* Carve(Span& span, std::uint32_t start, std::uint32_t pages);
  void AddFree(std::uint32_t first, std::uint32_t pages, Span::State state);
  void Insert(Span& span);
  void Retire(Span& span);
  void Remove(Span& span);
  void Join(Span& span);
  void Absorb(Span& span, Span& neighbour);
  void MapEnds(Span& span);
  void MapAll(Span& span);
  Span& NewSpan() noexcept;
  FreeList& ListOf(Span::State state) { return state == Span::State::kWarm ? warm_ : cold_; }

  AddressRange& range_;
  const std::size_t page_count_;
  std::atomic<Span*>* const map_;  // one entry per page
  std::uint32_t top_ = 0;          // pages from here on were never used
  std::uint64_t warm_pages_ = 0;
  FreeList warm_;
  FreeList cold_;
  std::size_t used_spans_ = 0;
  std::deque<Span> spans_;
  std::vector<Span*> unused_spans_;
};

}  // namespace foothold
