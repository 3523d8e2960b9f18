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
    memory.emplace_back(content(rank));
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

}  // namespace

void AllReduce(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation,
               bool in_place) {
  const Memory sent =
      Fill(ranks, [&](std::uint32_t rank) { return Encode(type.type, Values(rank, count, operation)); });
  const Memory received = Room(ranks, in_place ? 0 : count * type.size);
  const Memory& result = in_place ? sent : received;
  ranks.Call([&](std::uint32_t rank) {
    return HcclAllReduce(sent[rank].at(), result[rank].at(), count, type.type, operation, ranks.comm(rank),
                         ranks.stream(rank));
  });
  ranks.Synchronize();
  const Bytes expected = Encode(type.type, Combined(ranks.size(), count, operation));
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    Expect(ranks, result, rank, expected, About("all-reduce", ranks, type, count));
}

void Reduce(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation,
            bool in_place) {
  const Memory sent =
      Fill(ranks, [&](std::uint32_t rank) { return Encode(type.type, Values(rank, count, operation)); });
  const Memory received = Room(ranks, count * type.size);
  const Memory& result = in_place ? sent : received;
  const std::uint32_t root = ranks.size() / 2;
  ranks.Call([&](std::uint32_t rank) {
    return HcclReduce(sent[rank].at(), result[rank].at(), count, type.type, operation, root, ranks.comm(rank),
                      ranks.stream(rank));
  });
  ranks.Synchronize();
  Expect(ranks, result, root, Encode(type.type, Combined(ranks.size(), count, operation)),
         About("reduce", ranks, type, count));
}

void ReduceScatter(const Ranks& ranks, const ElementType& type, std::uint64_t count, HcclReduceOp operation,
                   bool in_place) {
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) {
    return Encode(type.type, Values(rank, count * ranks.size(), operation));
  });
  const Memory received = Room(ranks, count * type.size);
  ranks.Call([&](std::uint32_t rank) {
    void* const to = in_place ? sent[rank].at(rank * count * type.size) : received[rank].at();
    return HcclReduceScatter(sent[rank].at(), to, count, type.type, operation, ranks.comm(rank),
                             ranks.stream(rank));
  });
  ranks.Synchronize();
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const Bytes part = Encode(type.type, Combined(ranks.size(), count, operation, rank * count));
    Bytes expected = part;
    if (in_place) {
      expected = Encode(type.type, Values(rank, count * ranks.size(), operation));
      Overwrite(expected, rank * count * type.size, part);
    }
    Expect(ranks, in_place ? sent : received, rank, expected, About("reduce-scatter", ranks, type, count));
  }
}

void ReduceScatterV(const Ranks& ranks, const ElementType& type, std::uint64_t count,
                    HcclReduceOp operation) {
  const Counts counts = Unequal(ranks.size(), count);
  const Counts places = PlacesWithGaps(counts);
  const std::uint64_t all = places.back() + counts.back();
  const Memory sent =
      Fill(ranks, [&](std::uint32_t rank) { return Encode(type.type, Values(rank, all, operation)); });
  const Memory received = Room(ranks, count * type.size);
  ranks.Call([&](std::uint32_t rank) {
    return HcclReduceScatterV(sent[rank].at(), counts.data(), places.data(), received[rank].at(),
                              counts[rank], type.type, operation, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    Expect(ranks, received, rank,
           Encode(type.type, Combined(ranks.size(), counts[rank], operation, places[rank])),
           About("reduce-scatter with counts", ranks, type, count));
  }
}

void Broadcast(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const Memory memory =
      Fill(ranks, [&](std::uint32_t rank) { return Encode(type.type, Values(rank, count)); });
  const std::uint32_t root = ranks.size() - 1;
  ranks.Call([&](std::uint32_t rank) {
    return HcclBroadcast(memory[rank].at(), count, type.type, root, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    Expect(ranks, memory, rank, Encode(type.type, Values(root, count)),
           About("broadcast", ranks, type, count));
}

void Scatter(const Ranks& ranks, const ElementType& type, std::uint64_t count, bool in_place) {
  const std::uint32_t root = ranks.size() / 2;
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) {
    return Encode(type.type, Values(rank, count * (rank == root ? ranks.size() : 1)));
  });
  const Memory received = Room(ranks, count * type.size);
  ranks.Call([&](std::uint32_t rank) {
    void* const to = in_place && rank == root ? sent[rank].at(rank * count * type.size) : received[rank].at();
    return HcclScatter(rank == root ? sent[rank].at() : nullptr, to, count, type.type, root, ranks.comm(rank),
                       ranks.stream(rank));
  });
  ranks.Synchronize();
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    if (in_place && rank == root) continue;
    Expect(ranks, received, rank, Encode(type.type, Values(root, count, HCCL_REDUCE_SUM, rank * count)),
           About("scatter", ranks, type, count));
  }
  Expect(ranks, sent, root, Encode(type.type, Values(root, count * ranks.size())),
         About("root of a scatter", ranks, type, count));
}

void AllGather(const Ranks& ranks, const ElementType& type, std::uint64_t count, bool in_place) {
  const std::size_t bytes = count * type.size;
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) { return Encode(type.type, Values(rank, count)); });
  const Memory received = Fill(ranks, [&](std::uint32_t rank) {
    Bytes room(bytes * ranks.size(), 0xEE);
    if (in_place) Overwrite(room, rank * bytes, Encode(type.type, Values(rank, count)));
    return room;
  });
  ranks.Call([&](std::uint32_t rank) {
    void* const from = in_place ? received[rank].at(rank * bytes) : sent[rank].at();
    return HcclAllGather(from, received[rank].at(), count, type.type, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  Bytes expected;
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const Bytes part = Encode(type.type, Values(rank, count));
    expected.insert(expected.end(), part.begin(), part.end());
  }
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    Expect(ranks, received, rank, expected, About("all-gather", ranks, type, count));
}

void AllGatherV(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const Counts counts = Unequal(ranks.size(), count);
  const Counts places = PlacesWithGaps(counts);
  const std::size_t room = (places.back() + counts.back()) * type.size;
  const Memory sent =
      Fill(ranks, [&](std::uint32_t rank) { return Encode(type.type, Values(rank, counts[rank])); });
  const Memory received = Room(ranks, room);
  ranks.Call([&](std::uint32_t rank) {
    return HcclAllGatherV(counts[rank] == 0 ? nullptr : sent[rank].at(), counts[rank], received[rank].at(),
                          counts.data(), places.data(), type.type, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  Bytes expected(room, 0xEE);
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    Overwrite(expected, places[rank] * type.size, Encode(type.type, Values(rank, counts[rank])));
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
    Expect(ranks, received, rank, expected, About("all-gather with counts", ranks, type, count));
}

void AllToAll(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const Memory sent =
      Fill(ranks, [&](std::uint32_t rank) { return Encode(type.type, Values(rank, count * ranks.size())); });
  const Memory received = Room(ranks, count * ranks.size() * type.size);
  ranks.Call([&](std::uint32_t rank) {
    return HcclAlltoAll(sent[rank].at(), count, type.type, received[rank].at(), count, type.type,
                        ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    Bytes expected;
    for (std::uint32_t from = 0; from < ranks.size(); ++from) {
      const Bytes part = Encode(type.type, Values(from, count, HCCL_REDUCE_SUM, rank * count));
      expected.insert(expected.end(), part.begin(), part.end());
    }
    Expect(ranks, received, rank, expected, About("all-to-all", ranks, type, count));
  }
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
    return Encode(type.type, Values(rank, places.back() + matrix[rank].back()));
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
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const Counts counts = Column(matrix, rank);
    const Counts places = PlacesWithGaps(counts);
    Bytes expected((places.back() + counts.back()) * type.size, 0xEE);
    for (std::uint32_t from = 0; from < ranks.size(); ++from) {
      const std::uint64_t first = PlacesWithGaps(matrix[from])[rank];
      Overwrite(expected, places[from] * type.size,
                Encode(type.type, Values(from, counts[from], HCCL_REDUCE_SUM, first)));
    }
    Expect(ranks, received, rank, expected, About("all-to-all with counts", ranks, type, count));
  }
}

void AllToAllVC(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const auto matrix = Matrix(ranks.size(), count);
  Counts flat;
  for (const Counts& row : matrix)
    flat.insert(flat.end(), row.begin(), row.end());
  const Memory sent =
      Fill(ranks, [&](std::uint32_t rank) { return Encode(type.type, Values(rank, Total(matrix[rank]))); });
  const Memory received =
      Fill(ranks, [&](std::uint32_t rank) { return Bytes(Total(Column(matrix, rank)) * type.size, 0xEE); });
  ranks.Call([&](std::uint32_t rank) {
    return HcclAlltoAllVC(sent[rank].at(), flat.data(), type.type, received[rank].at(), type.type,
                          ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    Bytes expected;
    for (std::uint32_t from = 0; from < ranks.size(); ++from) {
      const Bytes part = Encode(
          type.type, Values(from, matrix[from][rank], HCCL_REDUCE_SUM, PlacesInARow(matrix[from])[rank]));
      expected.insert(expected.end(), part.begin(), part.end());
    }
    Expect(ranks, received, rank, expected, About("all-to-all with a matrix", ranks, type, count));
  }
}

void Messages(const Ranks& ranks, const ElementType& type, std::uint64_t count) {
  const Memory sent = Fill(ranks, [&](std::uint32_t rank) { return Encode(type.type, Values(rank, count)); });
  const Memory received = Room(ranks, count * type.size);
  ranks.Call([&](std::uint32_t rank) {
    HcclSendRecvItem items[] = {
        {HCCL_SEND, sent[rank].at(), count, type.type, (rank + 1) % ranks.size()},
        {HCCL_RECV, received[rank].at(), count, type.type, (rank + ranks.size() - 1) % ranks.size()}};
    return HcclBatchSendRecv(items, 2, ranks.comm(rank), ranks.stream(rank));
  });
  ranks.Synchronize();
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    const std::uint32_t before = (rank + ranks.size() - 1) % ranks.size();
    Expect(ranks, received, rank, Encode(type.type, Values(before, count)),
           About("ring of messages", ranks, type, count));
  }
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
  Broadcast(ranks, type, count);
  AllGatherV(ranks, type, count);
  AllToAll(ranks, type, count);
  AllToAllV(ranks, type, count);
  AllToAllVC(ranks, type, count);
  Messages(ranks, type, count);
}
