// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where values belong in a sorted sequence: SearchSorted has one sequence for each row of values or one for
// all, Bucketize has it as an attribute.
#include <algorithm>

#include "base/error.h"
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

constexpr std::size_t kGrain = 4096;

struct Search {
  std::size_t rows, length, values;
  bool one_sequence, right, wide;
  int sorter;
  std::string name;
};

template <typename T>
class SearchKernel : public Kernel {
 public:
  explicit SearchKernel(Search search) : s_(std::move(search)) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(s_.rows * s_.values, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        Store(args, i, Place(args, s_.one_sequence ? 0 : i / s_.values * s_.length, args.In<T>(1)[i]));
    });
  }

 private:
  Computed<T> At(const RunArgs& args, std::size_t first, std::size_t i) const {
    if (s_.sorter < 0) return static_cast<Computed<T>>(args.In<T>(0)[first + i]);
    const std::int64_t place = args.In<std::int64_t>(s_.sorter)[first + i];
    if (place < 0 || static_cast<std::size_t>(place) >= s_.length)
      Fail(kInvalidParam, "{}: sorter has {}, expected 0 to {}", s_.name, place, s_.length - 1);
    return static_cast<Computed<T>>(args.In<T>(0)[first + static_cast<std::size_t>(place)]);
  }

  // The first element that is not before the value, or, from the right, that is behind it.
  std::size_t Place(const RunArgs& args, std::size_t first, T given) const {
    const auto value = static_cast<Computed<T>>(given);
    std::size_t low = 0, high = s_.length;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const auto element = At(args, first, middle);
      const bool before = s_.right ? !(element > value) : !(element >= value);
      (before ? low : high) = before ? middle + 1 : middle;
    }
    return low;
  }

  void Store(const RunArgs& args, std::size_t i, std::size_t place) const {
    if (s_.wide)
      args.Out<std::int64_t>(0)[i] = static_cast<std::int64_t>(place);
    else
      args.Out<std::int32_t>(0)[i] = static_cast<std::int32_t>(place);
  }

  Search s_;
};

bool FitsRows(const Dims& sequence, const Dims& values) {
  return !sequence.empty() && sequence.size() == values.size() &&
         std::equal(sequence.begin(), sequence.end() - 1, values.begin());
}

void InferSearch(OpContext& context) {
  const TensorType &sequence = context.In(0), &values = context.In(1);
  if (sequence.type != values.type)
    context.Refuse("sorted_sequence is {} and values {}; they must have the same type", ToString(sequence),
                   ToString(values));
  if (sequence.dims.size() != 1 && !FitsRows(sequence.dims, values.dims))
    context.Refuse("sorted_sequence is {} and values {}; all but the last dimension must be the same",
                   ToString(sequence), ToString(values));
  if (context.Has("sorter") &&
      (context.In("sorter").dims != sequence.dims || context.In("sorter").type != DataType::kInt64))
    context.Refuse("sorter is {}, expected int64 shaped as {}", ToString(context.In("sorter")),
                   ToString(sequence));
  context.SetOut(0, IndexTypeAttribute(context, "dtype", DataType::kInt64), values.dims, values.format);
}

template <typename Make>
std::unique_ptr<Kernel> ForType(const OpContext& context, DataType type, Make make) {
  return VisitType(
      type, [&](auto tag) -> std::unique_ptr<Kernel> { return make(tag); },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(type));
      });
}

std::unique_ptr<Kernel> LowerSearch(OpContext& context) {
  const Dims &sequence = context.InDims(0), &values = context.InDims(1);
  const bool one = sequence.size() == 1;
  Search search{
      one ? 1 : Product(values, 0, values.size() - 1),
      static_cast<std::size_t>(sequence.back()),
      one ? static_cast<std::size_t>(ElementCount(values)) : static_cast<std::size_t>(values.back()),
      one,
      context.node().Bool("right", false),
      context.Out(0).type == DataType::kInt64,
      context.Has("sorter") ? context.Port("sorter") : -1,
      context.node().Description()};
  return ForType(context, context.In(0).type, [&](auto tag) {
    return std::make_unique<SearchKernel<typename decltype(tag)::Type>>(search);
  });
}

template <typename T>
class BucketizeKernel : public Kernel {
 public:
  BucketizeKernel(std::vector<double> bounds, std::size_t count, bool right, bool wide)
      : bounds_(std::move(bounds)), count_(count), right_(right), wide_(wide) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(count_, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::ptrdiff_t place = Place(static_cast<double>(static_cast<Computed<T>>(args.In<T>(0)[i])));
        if (wide_)
          args.Out<std::int64_t>(0)[i] = place;
        else
          args.Out<std::int32_t>(0)[i] = static_cast<std::int32_t>(place);
      }
    });
  }

 private:
  std::ptrdiff_t Place(double x) const {
    const auto found = right_ ? std::upper_bound(bounds_.begin(), bounds_.end(), x)
                              : std::lower_bound(bounds_.begin(), bounds_.end(), x);
    return found - bounds_.begin();
  }

  std::vector<double> bounds_;
  std::size_t count_;
  bool right_, wide_;
};

std::vector<double> Boundaries(const OpContext& context) {
  if (context.node().FindAttribute("boundaries") == nullptr)
    context.Refuse("attribute 'boundaries' is not set");
  const std::vector<float> given = context.node().Floats("boundaries");
  if (!std::is_sorted(given.begin(), given.end()))
    context.Refuse("attribute 'boundaries' is not in ascending order");
  return {given.begin(), given.end()};
}

void InferBucketize(OpContext& context) {
  Boundaries(context);
  context.SetOut(0, IndexTypeAttribute(context, "dtype", DataType::kInt32), context.InDims(0),
                 context.In(0).format);
}

std::unique_ptr<Kernel> LowerBucketize(OpContext& context) {
  return ForType(context, context.In(0).type, [&](auto tag) {
    return std::make_unique<BucketizeKernel<typename decltype(tag)::Type>>(
        Boundaries(context), static_cast<std::size_t>(ElementCount(context.InDims(0))),
        context.node().Bool("right", true), context.Out(0).type == DataType::kInt64);
  });
}

const RegisterOp searches(
    {OpDef("SearchSorted").Infer(InferSearch).Lower(LowerSearch).Types(NumberAndBoolTypes()),
     OpDef("Bucketize").Infer(InferBucketize).Lower(LowerBucketize).Types(NumberAndBoolTypes())});

}  // namespace
}  // namespace foothold
