// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collectives with a part of its own size for each rank, whose sizes come as tensors. Parts are counted in
// elements; what is received is as large as they say, so the rules need them.
#include <algorithm>

#include "base/error.h"
#include "hcom/group_kernel.h"
#include "ops/data/rule_arguments.h"
#include "ops/input_checks.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

using Kind = GroupCall::Kind;
using Counts = GroupCall::Counts;

Counts Known(const OpContext& context, std::string_view input) {
  Counts counts;
  for (const std::int64_t count : context.NeededInts(input)) {
    if (count < 0) context.Refuse("'{}' has {}", input, count);
    counts.push_back(static_cast<std::uint64_t>(count));
  }
  return counts;
}

void CheckSame(const GroupCall& call, std::size_t given) {
  const std::uint32_t size = GroupSize(call.group);
  if (given != size)
    Fail(kInvalidParam, "there are counts for {} ranks, and group {} has {}", given, call.group, size);
}

// One row for each of so many elements, as long as those of x; or elements, where they are no whole rows.
Dims RowsOf(const TensorType& x, std::uint64_t elements) {
  Dims dims = x.dims;
  const auto row = static_cast<std::uint64_t>(dims.empty() ? 1 : Product(dims, 1, dims.size()));
  if (row == 0 || elements % row != 0 || dims.empty()) return {static_cast<std::int64_t>(elements)};
  dims[0] = static_cast<std::int64_t>(elements / row);
  return dims;
}

class CountsKernel : public GroupKernel {
 public:
  CountsKernel(GroupCall call, const OpContext& context, const char* counts, const char* places)
      : GroupKernel(std::move(call), 0, 0),
        counts_name_(counts),
        places_name_(places),
        counts_(context.Port(counts)),
        places_(OptionalPort(context, places)),
        ranks_(CountOf(context.In(counts))) {}

 protected:
  bool IsNothing(const GroupCall&) const override { return false; }
  Counts CountsOf(const RunArgs& args) const { return CountsAt(args, counts_, ranks_, counts_name_); }
  Counts PlacesOf(const RunArgs& args, const Counts& counts) const {
    return places_ < 0 ? RunningSums(counts) : CountsAt(args, places_, ranks_, places_name_);
  }
  std::size_t ranks() const { return ranks_; }

 private:
  const char* const counts_name_;
  const char* const places_name_;
  const int counts_, places_;
  const std::size_t ranks_;
};

// HcomAllGatherV

Counts KnownPlaces(const OpContext& context, const char* places, const Counts& counts) {
  return context.Has(places) ? Known(context, places) : RunningSums(counts);
}

void InferAllGatherV(OpContext& context) {
  const Counts counts = Known(context, "recv_counts");
  const std::uint64_t end = EndOf(counts, KnownPlaces(context, "recv_displacements", counts));
  context.SetOut(0, context.In(0).type, RowsOf(context.In(0), end), context.In(0).format);
}

class AllGatherVKernel final : public CountsKernel {
 public:
  explicit AllGatherVKernel(const OpContext& context)
      : CountsKernel(CallOf(context, Kind::kAllGatherV, "HcomAllGatherV", context.In(0).type), context,
                     "recv_counts", "recv_displacements"),
        elements_(CountOf(context.In(0))) {}

 protected:
  void Complete(GroupCall& call, const RunArgs& args) const override {
    CheckSame(call, ranks());
    call.receive_counts = CountsOf(args);
    call.receive_places = PlacesOf(args, call.receive_counts);
    call.count = call.receive_counts[GroupRank(call.group)];
    if (call.count > elements_)
      Fail(kInvalidParam, "'recv_counts' has {} for this rank, and x {} elements", call.count, elements_);
  }

 private:
  const std::uint64_t elements_;
};

// HcomReduceScatterV

void InferReduceScatterV(OpContext& context) {
  ReductionOf(context);
  const Counts count = Known(context, "recv_count");
  if (count.size() != 1) context.Refuse("'recv_count' has {} numbers, expected one", count.size());
  context.SetOut(0, context.In(0).type, RowsOf(context.In(0), count[0]), context.In(0).format);
}

class ReduceScatterVKernel final : public CountsKernel {
 public:
  ReduceScatterVKernel(GroupCall call, const OpContext& context)
      : CountsKernel(std::move(call), context, "send_counts", "send_displacements"),
        elements_(CountOf(context.In(0))) {}

 protected:
  void Complete(GroupCall& call, const RunArgs& args) const override {
    CheckSame(call, ranks());
    call.send_counts = CountsOf(args);
    call.send_places = PlacesOf(args, call.send_counts);
    const std::uint64_t own = call.send_counts[GroupRank(call.group)];
    if (own != call.count)
      Fail(kInvalidParam, "'send_counts' has {} for this rank, and 'recv_count' is {}", own, call.count);
    if (EndOf(call.send_counts, call.send_places) > elements_)
      Fail(kInvalidParam, "'send_counts' has more than the {} elements of x", elements_);
  }

 private:
  const std::uint64_t elements_;
};

std::unique_ptr<Kernel> LowerReduceScatterV(OpContext& context) {
  GroupCall call = CallOf(context, Kind::kReduceScatterV, "HcomReduceScatterV", context.In(0).type);
  call.reduction = ReductionOf(context);
  call.count = CountOf(context.Out(0));
  return Waiting(std::make_unique<ReduceScatterVKernel>(std::move(call), context));
}

// All-to-all

void InferAllToAllV(OpContext& context) {
  const Counts counts = Known(context, "recv_counts");
  const std::uint64_t end = EndOf(counts, KnownPlaces(context, "recv_displacements", counts));
  context.SetOut(0, context.In(0).type, RowsOf(context.In(0), end), context.In(0).format);
}

void CheckWithin(const Counts& counts, const Counts& places, std::uint64_t elements, const char* what) {
  const std::uint64_t end = EndOf(counts, places);
  if (end > elements)
    Fail(kInvalidParam, "parts reach to element {} of '{}', which has {}", end, what, elements);
}

class AllToAllVKernel final : public CountsKernel {
 public:
  explicit AllToAllVKernel(const OpContext& context)
      : CountsKernel(CallOf(context, Kind::kAllToAll, "HcomAllToAllV", context.In(0).type), context,
                     "send_counts", "send_displacements"),
        sent_(CountOf(context.In(0))),
        received_(CountOf(context.Out(0))),
        receive_counts_(context.Port("recv_counts")),
        receive_places_(context.Port("recv_displacements")) {}

 protected:
  void Complete(GroupCall& call, const RunArgs& args) const override {
    CheckSame(call, ranks());
    call.send_counts = CountsOf(args);
    call.send_places = PlacesOf(args, call.send_counts);
    call.receive_counts = CountsAt(args, receive_counts_, ranks(), "recv_counts");
    call.receive_places = CountsAt(args, receive_places_, ranks(), "recv_displacements");
    CheckWithin(call.send_counts, call.send_places, sent_, "send_data");
    CheckWithin(call.receive_counts, call.receive_places, received_, "recv_data");
  }

 private:
  const std::uint64_t sent_, received_;
  const int receive_counts_, receive_places_;
};

// What one rank gets of all, from a matrix whose rows are the senders.
Counts ColumnOf(const Counts& matrix, std::size_t ranks, std::size_t rank) {
  Counts column;
  for (std::size_t sender = 0; sender < ranks; ++sender)
    column.push_back(matrix[sender * ranks + rank]);
  return column;
}

std::size_t RanksOfMatrix(const OpContext& context, std::size_t numbers) {
  std::size_t ranks = 1;
  while (ranks * ranks < numbers)
    ++ranks;
  if (ranks * ranks != numbers)
    context.Refuse("'send_count_matrix' has {} numbers, which is no square", numbers);
  return ranks;
}

void InferAllToAllVC(OpContext& context) {
  const Counts matrix = Known(context, "send_count_matrix");
  const std::size_t ranks = RanksOfMatrix(context, matrix.size());
  const std::uint32_t rank = RankOf(context, "rank");
  if (rank >= ranks) context.Refuse("attribute 'rank' is {}, and there are counts for {} ranks", rank, ranks);
  const Counts column = ColumnOf(matrix, ranks, rank);
  context.SetOut(0, context.In(0).type, RowsOf(context.In(0), EndOf(column, RunningSums(column))),
                 context.In(0).format);
}

class AllToAllVCKernel final : public GroupKernel {
 public:
  explicit AllToAllVCKernel(const OpContext& context)
      : GroupKernel(CallOf(context, Kind::kAllToAll, "HcomAllToAllVC", context.In(0).type), 0, 0),
        sent_(CountOf(context.In(0))),
        received_(CountOf(context.Out(0))),
        matrix_(context.Port("send_count_matrix")),
        ranks_(RanksOfMatrix(context, CountOf(context.In(matrix_)))) {}

 protected:
  bool IsNothing(const GroupCall&) const override { return false; }
  void Complete(GroupCall& call, const RunArgs& args) const override {
    CheckSame(call, ranks_);
    const std::uint32_t rank = GroupRank(call.group);
    const Counts matrix = CountsAt(args, matrix_, ranks_ * ranks_, "send_count_matrix");
    call.send_counts.assign(matrix.begin() + static_cast<std::ptrdiff_t>(rank * ranks_),
                            matrix.begin() + static_cast<std::ptrdiff_t>((rank + 1) * ranks_));
    call.send_places = RunningSums(call.send_counts);
    call.receive_counts = ColumnOf(matrix, ranks_, rank);
    call.receive_places = RunningSums(call.receive_counts);
    CheckWithin(call.send_counts, call.send_places, sent_, "send_data");
    CheckWithin(call.receive_counts, call.receive_places, received_, "recv_data");
  }

 private:
  const std::uint64_t sent_, received_;
  const int matrix_;
  const std::size_t ranks_;
};

class AllToAllKernel final : public GroupKernel {
 public:
  explicit AllToAllKernel(const OpContext& context)
      : GroupKernel(CallOf(context, Kind::kAllToAll, "HcomAllToAll", context.In(0).type), 0, 0),
        elements_(CountOf(context.In(0))) {}

 protected:
  bool IsNothing(const GroupCall&) const override { return elements_ == 0; }
  void Complete(GroupCall& call, const RunArgs&) const override {
    const std::uint32_t ranks = GroupSize(call.group);
    if (elements_ % ranks != 0)
      Fail(kInvalidParam, "{} elements cannot be shared out to the {} ranks of group {}", elements_, ranks,
           call.group);
    call.send_counts = call.receive_counts = Counts(ranks, elements_ / ranks);
    call.send_places = call.receive_places = RunningSums(call.send_counts);
  }

 private:
  const std::uint64_t elements_;
};

template <typename Made>
std::unique_ptr<Kernel> Lower(OpContext& context) {
  ElementBytes(context, context.In(0).type);
  return Waiting(std::make_unique<Made>(context));
}

const RegisterOp hcom_counts({
    OpDef("HcomAllGatherV")
        .Infer(InferAllGatherV)
        .Lower(Lower<AllGatherVKernel>)
        .Stateful()
        .Types(NumberTypes()),
    OpDef("HcomReduceScatterV")
        .Infer(InferReduceScatterV)
        .Lower(LowerReduceScatterV)
        .Stateful()
        .Types(NumberTypes()),
    OpDef("HcomAllToAll").Infer(SameAsInput).Lower(Lower<AllToAllKernel>).Stateful().Types(NumberTypes()),
    OpDef("HcomAllToAllV")
        .Infer(InferAllToAllV)
        .Lower(Lower<AllToAllVKernel>)
        .Stateful()
        .Types(NumberTypes()),
    OpDef("HcomAllToAllVC")
        .Infer(InferAllToAllVC)
        .Lower(Lower<AllToAllVCKernel>)
        .Stateful()
        .Types(NumberTypes()),
});

}  // namespace
}  // namespace foothold
