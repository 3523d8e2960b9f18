// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/hccl/collectives.h"

#include <numeric>
#include <string>

namespace {

using Memory = std::vector<DeviceBytes>;
using Counts = std::vector<std::uint64_t>;

std::string About(const char* what, const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  return std::string(what) + " of " + std::to_string(count) + " x " + type.name + " on " +
         std::to_string(ranks.size()) + " ranks";
}

// Memory of every rank with what `values(rank)` says.
template <typename Content>
Memory Fill(const Ranks& ranks, const Content& content) {
  Memory memory;
  memory.reserve(ranks.size());
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    if (!ranks.Has(rank)) {
      memory.emplace_back();
      continue;
    }
    ranks.Use(rank);
    memory.emplace_back(content(rank), &ranks.used_memory(rank));
  }
  return memory;
}

Memory Room(const Ranks& ranks, std::size_t bytes) {
  return Fill(ranks, [&](std::uint32_t) { return Bytes(bytes, 0xEE); });
}

void Expect(const Ranks& ranks, const Memory& memory, std::uint32_t rank, const Bytes& expected,
            const std::string& about) {
  if (!ranks.Has(rank)) return;
  ranks.Use(rank);
  Bytes found = memory[rank].Read();
  found.resize(expected.size());
  EXPECT_TRUE(found == expected) << about << ": rank " << rank << " has other values";
}

// Of each rank that is here, what `expected(rank)` says.
template <typename Expected>
void ExpectEach(const Ranks& ranks, const Memory& memory, const std::string& about,
                const Expected& expected) {
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    if (ranks.Has(rank)) Expect(ranks, memory, rank, expected(rank), about);
  }
}

// Counts that differ from rank to rank, some of them 0, and places with gaps.
Counts Unequal(std::uint32_t ranks, std::uint64_t count) {
  Counts counts(ranks);
  for (std::uint32_t rank = 0; rank < ranks; ++rank)
    counts[rank] = rank % 3 == 1 ? 0 : count / (rank + 1);
  return counts;
}

Counts PlacesWithGaps(const Counts& counts) {
  Counts places(counts.size());
  std::uint64_t place = 2;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    places[i] = place;
    place += counts[i] + 1;
  }
  return places;
}

Counts PlacesInARow(const Counts& counts) {
  Counts places(counts.size());
  for (std::size_t i = 1; i < counts.size(); ++i)
    places[i] = places[i - 1] + counts[i - 1];
  return places;
}

std::uint64_t Total(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

void Overwrite(Bytes& bytes, std::size_t at, const Bytes& with) {
  std::copy(with.begin(), with.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

// What `part(from)` says of all ranks, one behind the other.
template <typename Part>
Bytes InARow(const Ranks& ranks, const Part& part) {
  Bytes row;
  for (std::uint32_t from = 0; from < ranks.size(); ++from) {
    const Bytes one = part(from);
    row.insert(row.end(), one.begin(), one.end());
  }
  return row;
}

}  // namespace

void AllReduce(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation,
               bool in_place) {
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, count, operation); });
  const Memory received = Room(ranks, in_place ? 0 : count * type.size);
  const Memory& result = in_place ? sent : received;
  ranks.Call([&](std::uint32_t rank) {
    return HcclAllReduce(sent[rank].at(), result[rank].at(), count, type.type, operation, ranks.comm(rank),
                         ranks.stream(rank));
  });
  ranks.Synchronize();
  const Bytes expected = Combined(type, ranks.size(), count, operation);
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    Expect(ranks, result, rank, expected, About("all-reduce", ranks, type, count));
}

void Reduce(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation,
            bool in_place) {
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, count, operation); });
  const Memory received = Room(ranks, count * type.size);
  const Memory& result = in_place ? sent : received;
  const std::uint32_t root = ranks.size() / 2;
  ranks.Call([&](std::uint32_t rank) {
    return HcclReduce(sent[rank].at(), result[rank].at(), count, type.type, operation, root, ranks.comm(rank),
                      ranks.stream(rank));
  });
  ranks.Synchronize();
  Expect(ranks, result, root, Combined(type, ranks.size(), count, operation),
         About("reduce", ranks, type, count));
}

void ReduceScatter(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation,
                   bool in_place) {
  const Memory sent =
      Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, count * ranks.size(), operation); });
  const Memory received = Room(ranks, count * type.size);
  ranks.Call([&](std::uint32_t rank) {
    void* const to = in_place ? sent[rank].at(rank * count * type.size) : received[rank].at();
    return HcclReduceScatter(sent[rank].at(), to, count, type.type, operation, ranks.comm(rank),
                             ranks.stream(rank));
  });
  ranks.Synchronize();
  const Memory& result = in_place ? sent : received;
  ExpectEach(ranks, result, About("reduce-scatter", ranks, type, count), [&](std::uint32_t rank) {
    Bytes part = Combined(type, ranks.size(), count, operation, rank * count);
    if (!in_place) return part;
    Bytes all = Elements(type, rank, count * ranks.size(), operation);
    Overwrite(all, rank * count * type.size, part);
    return all;
  });
}

void ReduceScatterV(const Ranks& ranks, const ElementType& type, std::uint64_t count,
                    HcclReduceOp operation) {
  const Counts counts = Unequal(ranks.size(), count);
  const Counts places = PlacesWithGaps(counts);
  const std::uint64_t all = places.back() + counts.back();
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, all, operation); });
  const Memory received = Room(ranks, count * type.size);
  ranks.Call([&](std::uint32_t rank) {
    return HcclReduceScatterV(sent[rank].at(), counts.data(), places.data(), received[rank].at(),
                              counts[rank], type.type, operation, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  ExpectEach(ranks, received, About("reduce-scatter with counts", ranks, type, count),
             [&](std::uint32_t rank) {
               return Combined(type, ranks.size(), counts[rank], operation, places[rank]);
             });
}

void Broadcast(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const Memory memory = Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, count); });
  const std::uint32_t root = ranks.size() - 1;
  ranks.Call([&](std::uint32_t rank) {
    return HcclBroadcast(memory[rank].at(), count, type.type, root, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  ExpectEach(ranks, memory, About("broadcast", ranks, type, count),
             [&](std::uint32_t) { return Elements(type, root, count); });
}

void Scatter(const Ranks& ranks, const ElementType& type, std::uint64_t count, bool in_place) {
  const std::uint32_t root = ranks.size() / 2;
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) {
    return Elements(type, rank, count * (rank == root ? ranks.size() : 1));
  });
  const Memory received = Room(ranks, count * type.size);
  ranks.Call([&](std::uint32_t rank) {
    void* const to = in_place && rank == root ? sent[rank].at(rank * count * type.size) : received[rank].at();
    return HcclScatter(rank == root ? sent[rank].at() : nullptr, to, count, type.type, root, ranks.comm(rank),
                       ranks.stream(rank));
  });
  ranks.Synchronize();
  ExpectEach(ranks, received, About("scatter", ranks, type, count), [&](std::uint32_t rank) {
    if (in_place && rank == root) return Bytes();  // below
    return Elements(type, root, count, HCCL_REDUCE_SUM, rank * count);
  });
  Expect(ranks, sent, root, Elements(type, root, count * ranks.size()),
         About("root of a scatter", ranks, type, count));
}

void AllGather(const Ranks& ranks, const ElementType& type, std::uint64_t count, bool in_place) {
  const std::size_t bytes = count * type.size;
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, count); });
  const Memory received = Fill(ranks, [&](std::uint32_t rank) {
    Bytes room(bytes * ranks.size(), 0xEE);
    if (in_place) Overwrite(room, rank * bytes, Elements(type, rank, count));
    return room;
  });
  ranks.Call([&](std::uint32_t rank) {
    void* const from = in_place ? received[rank].at(rank * bytes) : sent[rank].at();
    return HcclAllGather(from, received[rank].at(), count, type.type, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  const Bytes expected = InARow(ranks, [&](std::uint32_t from) { return Elements(type, from, count); });
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    Expect(ranks, received, rank, expected, About("all-gather", ranks, type, count));
}

void AllGatherV(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const Counts counts = Unequal(ranks.size(), count);
  const Counts places = PlacesWithGaps(counts);
  const std::size_t room = (places.back() + counts.back()) * type.size;
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, counts[rank]); });
  const Memory received = Room(ranks, room);
  ranks.Call([&](std::uint32_t rank) {
    return HcclAllGatherV(counts[rank] == 0 ? nullptr : sent[rank].at(), counts[rank], received[rank].at(),
                          counts.data(), places.data(), type.type, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  Bytes expected(room, 0xEE);
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    Overwrite(expected, places[rank] * type.size, Elements(type, rank, counts[rank]));
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    Expect(ranks, received, rank, expected, About("all-gather with counts", ranks, type, count));
}

void AllToAll(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const Memory sent =
      Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, count * ranks.size()); });
  const Memory received = Room(ranks, count * ranks.size() * type.size);
  ranks.Call([&](std::uint32_t rank) {
    return HcclAlltoAll(sent[rank].at(), count, type.type, received[rank].at(), count, type.type,
                        ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  ExpectEach(ranks, received, About("all-to-all", ranks, type, count), [&](std::uint32_t rank) {
    return InARow(ranks, [&](std::uint32_t from) {
      return Elements(type, from, count, HCCL_REDUCE_SUM, rank * count);
    });
  });
}

namespace {

// matrix[from][to]
std::vector<Counts> Matrix(std::uint32_t ranks, std::uint64_t count) {
  std::vector<Counts> matrix(ranks, Counts(ranks));
  for (std::uint32_t from = 0; from < ranks; ++from) {
    for (std::uint32_t to = 0; to < ranks; ++to)
      matrix[from][to] = (from + 2 * to) % 3 == 2 ? 0 : count / (from + 1) + to;
  }
  return matrix;
}

Counts Column(const std::vector<Counts>& matrix, std::uint32_t to) {
  Counts column;
  for (const Counts& row : matrix)
    column.push_back(row[to]);
  return column;
}

}  // namespace

void AllToAllV(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const auto matrix = Matrix(ranks.size(), count);
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) {
    const Counts places = PlacesWithGaps(matrix[rank]);
    return Elements(type, rank, places.back() + matrix[rank].back());
  });
  const Memory received = Fill(ranks, [&](std::uint32_t rank) {
    const Counts counts = Column(matrix, rank);
    return Bytes((PlacesWithGaps(counts).back() + counts.back()) * type.size, 0xEE);
  });
  ranks.Call([&](std::uint32_t rank) {
    // Freed before the task runs: counts and places are read during the call.
    const Counts receive_counts = Column(matrix, rank);
    const Counts send_places = PlacesWithGaps(matrix[rank]);
    const Counts receive_places = PlacesWithGaps(receive_counts);
    return HcclAlltoAllV(sent[rank].at(), matrix[rank].data(), send_places.data(), type.type,
                         received[rank].at(), receive_counts.data(), receive_places.data(), type.type,
                         ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  ExpectEach(ranks, received, About("all-to-all with counts", ranks, type, count), [&](std::uint32_t rank) {
    const Counts counts = Column(matrix, rank);
    const Counts places = PlacesWithGaps(counts);
    Bytes expected((places.back() + counts.back()) * type.size, 0xEE);
    for (std::uint32_t from = 0; from < ranks.size(); ++from) {
      const std::uint64_t first = PlacesWithGaps(matrix[from])[rank];
      Overwrite(expected, places[from] * type.size,
                Elements(type, from, counts[from], HCCL_REDUCE_SUM, first));
    }
    return expected;
  });
}

void AllToAllVC(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const auto matrix = Matrix(ranks.size(), count);
  Counts flat;
  for (const Counts& row : matrix)
    flat.insert(flat.end(), row.begin(), row.end());
  const Memory sent =
      Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, Total(matrix[rank])); });
  const Memory received =
      Fill(ranks, [&](std::uint32_t rank) { return Bytes(Total(Column(matrix, rank)) * type.size, 0xEE); });
  ranks.Call([&](std::uint32_t rank) {
    return HcclAlltoAllVC(sent[rank].at(), flat.data(), type.type, received[rank].at(), type.type,
                          ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  ExpectEach(ranks, received, About("all-to-all with a matrix", ranks, type, count), [&](std::uint32_t rank) {
    return InARow(ranks, [&](std::uint32_t from) {
      return Elements(type, from, matrix[from][rank], HCCL_REDUCE_SUM, PlacesInARow(matrix[from])[rank]);
    });
  });
}

void Messages(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, count); });
  const Memory received = Room(ranks, count * type.size);
  ranks.Call([&](std::uint32_t rank) {
    HcclSendRecvItem items[] = {
        {HCCL_SEND, sent[rank].at(), count, type.type, (rank + 1) % ranks.size()},
        {HCCL_RECV, received[rank].at(), count, type.type, (rank + ranks.size() - 1) % ranks.size()}};
    return HcclBatchSendRecv(items, 2, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  ExpectEach(ranks, received, About("ring of messages", ranks, type, count), [&](std::uint32_t rank) {
    return Elements(type, (rank + ranks.size() - 1) % ranks.size(), count);
  });
}

void Chain(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const Memory memory = Fill(ranks, [&](std::uint32_t rank) { return Elements(type, rank, count); });
  ranks.Call([&](std::uint32_t rank) {
    if (rank == 0) return HCCL_SUCCESS;
    return HcclRecv(memory[rank].at(), count, type.type, rank - 1, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Call([&](std::uint32_t rank) {
    if (rank + 1 == ranks.size()) return HCCL_SUCCESS;
    return HcclSend(memory[rank].at(), count, type.type, rank + 1, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  ExpectEach(ranks, memory, About("chain of messages", ranks, type, count),
             [&](std::uint32_t) { return Elements(type, 0, count); });
}

void RunEveryCollective(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  if (type.reduces) {
    for (const HcclReduceOp operation :
         {HCCL_REDUCE_SUM, HCCL_REDUCE_PROD, HCCL_REDUCE_MAX, HCCL_REDUCE_MIN}) {
      for (const bool in_place : {false, true}) {
        AllReduce(ranks, type, count, operation, in_place);
        Reduce(ranks, type, count, operation, in_place);
        ReduceScatter(ranks, type, count, operation, in_place);
      }
      ReduceScatterV(ranks, type, count, operation);
    }
  }
  for (const bool in_place : {false, true}) {
    AllGather(ranks, type, count, in_place);
    Scatter(ranks, type, count, in_place);
  }
  Chain(ranks, type, count);
  Broadcast(ranks, type, count);
  AllGatherV(ranks, type, count);
  AllToAll(ranks, type, count);
  AllToAllV(ranks, type, count);
  AllToAllVC(ranks, type, count);
  Messages(ranks, type, count);
}
