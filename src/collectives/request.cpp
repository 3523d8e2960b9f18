// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/request.h"

#include <fmt/format.h>

#include <algorithm>

namespace foothold::collectives {
namespace {

using Counts = std::vector<std::uint64_t>;

// Keeps the largest end of all parts; nothing once a number did not fit.
class Reach {
 public:
  explicit Reach(Element element) : size_(SizeOf(element)) {}
  void Include(std::uint64_t place, std::uint64_t count) {
    std::uint64_t end = 0;
    fits_ = fits_ && !__builtin_add_overflow(place, count, &end);
    fits_ = fits_ && !__builtin_mul_overflow(end, size_, &end) && end <= kMost;
    if (fits_ && count > 0) bytes_ = std::max(bytes_, end);
  }
  void Repeat(std::uint64_t count, std::uint64_t times) {
    std::uint64_t all = 0;
    fits_ = fits_ && !__builtin_mul_overflow(count, times, &all);
    Include(0, all);
  }
  void IncludeAll(const Counts& places, const Counts& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i)
      Include(places[i], counts[i]);
  }
  bool fits() const { return fits_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint64_t kMost = std::uint64_t{1} << 62;

  const std::uint64_t size_;
  std::uint64_t bytes_ = 0;
  bool fits_ = true;
};

std::optional<std::string> DifferentCounts(const Counts& own, std::uint32_t rank, const Counts& others,
                                           std::uint32_t other) {
  const auto [mine, theirs] = std::mismatch(own.begin(), own.end(), others.begin(), others.end());
  if (mine == own.end() || theirs == others.end()) return std::nullopt;
  return fmt::format("rank {} passes count {} for rank {}, rank {} passes {}", rank, *mine,
                     mine - own.begin(), other, *theirs);
}

std::optional<std::string> DifferentMessage(const Request& from, std::uint32_t sender, const Request& to,
                                            std::uint32_t receiver) {
  const std::uint64_t sent = from.send_counts[receiver] * SizeOf(from.element);
  const std::uint64_t taken = to.receive_counts[sender] * SizeOf(to.received);
  if (sent == taken) return std::nullopt;
  return fmt::format("rank {} sends {} bytes to rank {}, which expects {} bytes", sender, sent, receiver,
                     taken);
}

}  // namespace

const char* NameOf(Collective collective) noexcept {
  switch (collective) {
    case Collective::kAllReduce:
      return "all-reduce";
    case Collective::kReduce:
      return "reduce";
    case Collective::kReduceScatter:
      return "reduce-scatter";
    case Collective::kReduceScatterV:
      return "reduce-scatter with counts";
    case Collective::kBroadcast:
      return "broadcast";
    case Collective::kScatter:
      return "scatter";
    case Collective::kAllGather:
      return "all-gather";
    case Collective::kAllGatherV:
      return "all-gather with counts";
    case Collective::kAllToAll:
      return "all-to-all";
    case Collective::kBarrier:
      return "barrier";
    case Collective::kSend:
      return "send";
    case Collective::kReceive:
      return "receive";
  }
  return "unknown";
}

std::string Request::Describe() const {
  std::string text = NameOf(collective);
  if (collective == Collective::kBarrier) return text;
  text += fmt::format(", {} x {}", count, NameOf(element));
  if (reduces()) text += fmt::format(", {}", NameOf(reduction));
  return text;
}

std::optional<BufferBytes> BytesOf(const Request& request, std::uint32_t rank, std::uint32_t ranks) {
  Reach send(request.element);
  Reach receive(request.collective == Collective::kAllToAll ? request.received : request.element);
  switch (request.collective) {
    case Collective::kAllReduce:
    case Collective::kReduce:
    case Collective::kBroadcast:
      send.Include(0, request.count);
      receive.Include(0, request.count);
      break;
    case Collective::kReduceScatter:
      send.Repeat(request.count, ranks);
      receive.Include(0, request.count);
      break;
    case Collective::kScatter:
      if (rank == request.root) send.Repeat(request.count, ranks);
      receive.Repeat(request.count, 1);
      break;
    case Collective::kAllGather:
      send.Include(0, request.count);
      receive.Repeat(request.count, ranks);
      break;
    case Collective::kReduceScatterV:
      send.IncludeAll(request.send_places, request.send_counts);
      receive.Include(0, request.count);
      break;
    case Collective::kAllGatherV:
      send.Include(0, request.count);
      receive.IncludeAll(request.receive_places, request.receive_counts);
      break;
    case Collective::kAllToAll:
      send.IncludeAll(request.send_places, request.send_counts);
      receive.IncludeAll(request.receive_places, request.receive_counts);
      break;
    case Collective::kSend:
      send.Include(0, request.count);
      break;
    case Collective::kReceive:
      receive.Include(0, request.count);
      break;
    case Collective::kBarrier:
      break;
  }
  if (!send.fits() || !receive.fits()) return std::nullopt;
  return BufferBytes{send.bytes(), receive.bytes()};
}

std::optional<std::string> Difference(const Request& request, std::uint32_t rank, const Request& others,
                                      std::uint32_t other) {
  const bool pair = request.collective == Collective::kSend || request.collective == Collective::kReceive;
  if (!pair && request.collective != others.collective) {
    return fmt::format("rank {} calls {}, rank {} calls {}", rank, request.Describe(), other,
                       others.Describe());
  }
  if (request.collective == Collective::kAllToAll) {
    if (auto sent = DifferentMessage(request, rank, others, other)) return sent;
    return DifferentMessage(others, other, request, rank);
  }
  if (request.element != others.element) {
    return fmt::format("rank {} passes elements of type {}, rank {} of type {}", rank,
                       NameOf(request.element), other, NameOf(others.element));
  }
  if (request.collective == Collective::kReduceScatterV)
    return DifferentCounts(request.send_counts, rank, others.send_counts, other);
  if (request.collective == Collective::kAllGatherV)
    return DifferentCounts(request.receive_counts, rank, others.receive_counts, other);
  if (request.count != others.count) {
    return fmt::format("rank {} passes count {}, rank {} passes count {}", rank, request.count, other,
                       others.count);
  }
  if (request.reduces() && request.reduction != others.reduction) {
    return fmt::format("rank {} passes operation {}, rank {} passes {}", rank, NameOf(request.reduction),
                       other, NameOf(others.reduction));
  }
  if (request.root != others.root && !pair)
    return fmt::format("rank {} passes root {}, rank {} passes root {}", rank, request.root, other,
                       others.root);
  return std::nullopt;
}

}  // namespace foothold::collectives
