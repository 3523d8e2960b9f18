// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/page_heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace foothold {
namespace {

// Zero pages that cost nothing until they are touched.
std::atomic<Span*>* NewMap(std::size_t entries) {
  void* const at = mmap(nullptr, entries * sizeof(std::atomic<Span*>), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::atomic<Span*>*>(at);
}

std::uint32_t RoundUp(std::uint32_t value, std::uint32_t align) {
  return (value + align - 1) & ~(align - 1);
}

}  // namespace

PageHeap::PageHeap(AddressRange& range)
    : range_(range), page_count_(range.size() / kPage), map_(NewMap(page_count_)) {}

PageHeap::~PageHeap() {
  munmap(map_, page_count_ * sizeof(std::atomic<Span*>));
}

// What is free may be cut in two when pages are taken, given back or trimmed. The spans for that are made
// here, so that nothing but this needs memory.
void PageHeap::PrepareSpans() {
  constexpr std::size_t kForTaking = 4;
  while (unused_spans_.size() < used_spans_ + kForTaking) {
    if (unused_spans_.capacity() < spans_.size() + 1) unused_spans_.reserve(2 * spans_.size() + 8);
    FreeList made;
    made.emplace();
    Span& span = spans_.emplace_back();
    span.node = made.extract(made.begin());
    unused_spans_.push_back(&span);
  }
}

Span* PageHeap::Allocate(std::uint32_t pages, std::uint32_t align) {
  PrepareSpans();
  Span* span = TakeBestFit(Span::State::kWarm, pages, align);
  if (span == nullptr) span = TakeBestFit(Span::State::kCold, pages, align);
  if (span == nullptr) span = Grow(pages, align);
  if (span == nullptr && warm_pages_ > 0) {
    Trim(0);  // lets warm and cold neighbours join
    span = TakeBestFit(Span::State::kCold, pages, align);
    if (span == nullptr) span = Grow(pages, align);
  }
  if (span == nullptr) return nullptr;
  ++used_spans_;
  MapAll(*span);
  return span;
}

void PageHeap::Free(Span& span) noexcept {
  --used_spans_;
  span.slab.store(nullptr, std::memory_order_release);
  span.state = Span::State::kWarm;
  warm_pages_ += span.pages;
  Join(span);
  Insert(span);
}

Span* PageHeap::TakeBestFit(Span::State state, std::uint32_t pages, std::uint32_t align) {
  constexpr int kLooks = 8;
  FreeList& list = ListOf(state);
  auto candidate = list.lower_bound({pages, 0});
  for (int look = 0; candidate != list.end(); ++candidate, ++look) {
    // A run this much longer than asked for fits wherever it starts; no need to look at all that do not.
    if (look == kLooks) candidate = list.lower_bound({std::max(candidate->first, pages + align - 1), 0});
    if (candidate == list.end()) break;
    const auto [length, first] = *candidate;
    const std::uint32_t start = RoundUp(first, align);
    if (start - first + pages > length) continue;
    Span& span = *map_[first].load(std::memory_order_relaxed);
    Remove(span);
    return Carve(span, start, pages);
  }
  return nullptr;
}

Span* PageHeap::Grow(std::uint32_t pages, std::uint32_t align) {
  const std::uint32_t start = RoundUp(top_, align);
  if (start + std::uint64_t{pages} > page_count_ || !range_.Commit((start + std::size_t{pages}) * kPage)) {
    return nullptr;
  }
  if (start > top_) AddFree(top_, start - top_, Span::State::kCold);
  Span& span = NewSpan();
  span.first.store(start, std::memory_order_relaxed);
  span.pages = pages;
  span.state = Span::State::kUsed;
  top_ = start + pages;
  return &span;
}

// Cuts the wanted part out of a span that is in no list; what is left on either side is free as before.
Span* PageHeap::Carve(Span& span, std::uint32_t start, std::uint32_t pages) {
  const std::uint32_t first = span.first.load(std::memory_order_relaxed);
  const std::uint32_t end = first + span.pages;
  if (span.state == Span::State::kWarm) warm_pages_ -= pages;
  const Span::State state = span.state;
  if (start != first || pages != span.pages) span.mapped = false;
  span.first.store(start, std::memory_order_relaxed);
  span.pages = pages;
  span.state = Span::State::kUsed;
  if (start > first) AddFree(first, start - first, state);
  if (end > start + pages) AddFree(start + pages, end - start - pages, state);
  return &span;
}

void PageHeap::AddFree(std::uint32_t first, std::uint32_t pages, Span::State state) {
  Span& span = NewSpan();
  span.first.store(first, std::memory_order_relaxed);
  span.pages = pages;
  span.state = state;
  Join(span);
  Insert(span);
}

// Takes in free neighbours of the same kind. `span` is in no list.
void PageHeap::Join(Span& span) {
  // The page beside this run is the end of its neighbour, and the ends of a free run point at it. Inside a
  // run that is being cut the entries may be stale, hence the comparison of places.
  const std::uint32_t first = span.first.load(std::memory_order_relaxed);
  Span* const before = first > 0 ? map_[first - 1].load(std::memory_order_relaxed) : nullptr;
  if (before != nullptr && before->state == span.state && before->first.load() + before->pages == first) {
    Absorb(span, *before);
    span.first.store(before->first.load(), std::memory_order_relaxed);
  }
  const std::uint32_t end = span.first.load() + span.pages;
  Span* const behind = end < top_ ? map_[end].load(std::memory_order_relaxed) : nullptr;
  if (behind != nullptr && behind->state == span.state && behind->first.load() == end) Absorb(span, *behind);
}

void PageHeap::Absorb(Span& span, Span& neighbour) {
  Remove(neighbour);
  span.pages += neighbour.pages;
  span.mapped = false;
  Retire(neighbour);
}

void PageHeap::Retire(Span& span) {
  span.pages = 0;
  span.state = Span::State::kUsed;
  unused_spans_.push_back(&span);
}

void PageHeap::Insert(Span& span) {
  const std::uint32_t first = span.first.load(std::memory_order_relaxed);
  if (span.state == Span::State::kCold && first + span.pages == top_) {
    top_ = first;  // as if never used
    Retire(span);
    return;
  }
  MapEnds(span);
  span.node.value() = {span.pages, first};
  ListOf(span.state).insert(std::move(span.node));
}

void PageHeap::Remove(Span& span) {
  span.node = ListOf(span.state).extract({span.pages, span.first.load(std::memory_order_relaxed)});
}

void PageHeap::MapEnds(Span& span) {
  const std::uint32_t first = span.first.load(std::memory_order_relaxed);
  map_[first].store(&span, std::memory_order_release);
  map_[first + span.pages - 1].store(&span, std::memory_order_release);
}

void PageHeap::MapAll(Span& span) {
  if (span.mapped) return;
  const std::uint32_t first = span.first.load(std::memory_order_relaxed);
  for (std::uint32_t page = first; page < first + span.pages; ++page) {
    map_[page].store(&span, std::memory_order_release);
  }
  span.mapped = true;
}

Span& PageHeap::NewSpan() noexcept {
  Span& span = *unused_spans_.back();
  unused_spans_.pop_back();
  span.mapped = false;
  return span;
}

void PageHeap::Trim(std::uint64_t bytes) noexcept {
  const std::uint64_t keep = bytes / kPage;
  constexpr std::uint64_t kHugePages = kHugePage / kPage;
  while (warm_pages_ > keep) {
    const auto [length, first] = *warm_.rbegin();
    Span& span = *map_[first].load(std::memory_order_relaxed);
    const std::uint64_t excess = (warm_pages_ - keep + kHugePages - 1) / kHugePages * kHugePages;
    const auto drop = static_cast<std::uint32_t>(std::min<std::uint64_t>(excess, length));
    const std::uint32_t start = first + length - drop;
    Remove(span);
    range_.Discard(std::size_t{start} * kPage, std::size_t{drop} * kPage);
    warm_pages_ -= drop;
    if (drop == length) {
      span.state = Span::State::kCold;
      Join(span);
      Insert(span);
    } else {
      span.pages -= drop;
      span.mapped = false;
      Insert(span);
      AddFree(start, drop, Span::State::kCold);
    }
  }
}

}  // namespace foothold
