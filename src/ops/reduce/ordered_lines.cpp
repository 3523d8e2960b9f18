// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Each element becomes an unsigned number of the same order, with its place below it; those numbers are
// sorted. So there are two sorts for all types and directions, and they read neighbours.
#include "ops/reduce/ordered_lines.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/thread_pool.h"
#include "ops/element_rank.h"

namespace foothold {
namespace {

constexpr std::size_t kGrainElements = std::size_t{1} << 13;
constexpr int kPlaceBits = 32;

// For elements of 64 bits; others have rank and place in one number.
struct WideEntry {
  std::uint64_t rank, place;
  friend bool operator<(const WideEntry& a, const WideEntry& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.place < b.place;
  }
};

std::size_t PlaceOf(std::uint64_t entry) {
  return static_cast<std::uint32_t>(entry);
}

std::size_t PlaceOf(const WideEntry& entry) {
  return entry.place;
}

template <typename T>
void ReadLine(const LineOrder& order, const std::byte* line, std::byte* entries) {
  const auto* from = reinterpret_cast<const T*>(line);
  const ElementRank<T> flip = order.descending ? std::numeric_limits<ElementRank<T>>::max() : 0;
  for (std::size_t i = 0; i < order.length; ++i, from += order.inner) {
    const ElementRank<T> rank = RankOfElement(*from) ^ flip;
    if constexpr (sizeof(T) == 8)
      reinterpret_cast<WideEntry*>(entries)[i] = {rank, i};
    else
      reinterpret_cast<std::uint64_t*>(entries)[i] = std::uint64_t{rank} << kPlaceBits | i;
  }
}

template <typename Entry>
void SortEntries(const LineOrder& order, std::byte* entries) {
  auto* first = reinterpret_cast<Entry*>(entries);
  if (order.count < order.length) std::nth_element(first, first + order.count, first + order.length);
  std::sort(first, first + order.count);
}

template <typename Moved, typename Entry>
void WriteLine(const LineOrder& order, const std::byte* entries, const std::byte* line, std::byte* to,
               std::int32_t* places) {
  const auto* first = reinterpret_cast<const Entry*>(entries);
  for (std::size_t i = 0; i < order.count; ++i) {
    const std::size_t place = PlaceOf(first[i]);
    reinterpret_cast<Moved*>(to)[i * order.inner] = reinterpret_cast<const Moved*>(line)[place * order.inner];
    if (places != nullptr) places[i * order.inner] = static_cast<std::int32_t>(place);
  }
}

// What is done with the lines of one type.
struct LineSteps {
  std::size_t element_bytes, entry_bytes;
  decltype(&ReadLine<float>) read;
  decltype(&SortEntries<std::uint64_t>) sort;
  decltype(&WriteLine<std::uint32_t, std::uint64_t>) write;
};

template <typename T>
LineSteps StepsFor() {
  using Entry = std::conditional_t<sizeof(T) == 8, WideEntry, std::uint64_t>;
  using Two = std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>;
  using Small = std::conditional_t<sizeof(T) == 4, std::uint32_t, Two>;
  using Moved = std::conditional_t<sizeof(T) == 8, std::uint64_t, Small>;
  return {sizeof(T), sizeof(Entry), ReadLine<T>, SortEntries<Entry>, WriteLine<Moved, Entry>};
}

class OrderedLinesKernel : public Kernel {
 public:
  OrderedLinesKernel(const LineOrder& order, const LineSteps& steps) : order_(order), steps_(steps) {}

  std::size_t WorkspaceBytes() const override { return order_.outer * order_.inner * LineBytes(); }

  void Run(const RunArgs& args) const override {
    ParallelFor(order_.outer * order_.inner, std::max<std::size_t>(1, kGrainElements / (order_.length + 1)),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    RunLine(args, i);
                });
  }

 private:
  std::size_t LineBytes() const { return order_.length * steps_.entry_bytes; }

  void RunLine(const RunArgs& args, std::size_t i) const {
    const std::size_t column = i % order_.inner, row = i / order_.inner * order_.inner;
    const std::size_t to = row * order_.count + column;
    const std::byte* line = args.In<std::byte>(0) + (row * order_.length + column) * steps_.element_bytes;
    std::byte* entries = args.workspace + i * LineBytes();
    steps_.read(order_, line, entries);
    steps_.sort(order_, entries);
    steps_.write(order_, entries, line, args.Out<std::byte>(0) + to * steps_.element_bytes,
                 order_.places ? args.Out<std::int32_t>(1) + to : nullptr);
  }

  LineOrder order_;
  LineSteps steps_;
};

}  // namespace

std::unique_ptr<Kernel> OrderLines(DataType type, const LineOrder& order) {
  return VisitType(
      type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        return std::make_unique<OrderedLinesKernel>(order, StepsFor<typename decltype(tag)::Type>());
      },
      []() -> std::unique_ptr<Kernel> { return nullptr; });
}

}  // namespace foothold
