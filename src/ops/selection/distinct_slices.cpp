// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/selection/distinct_slices.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "ops/data/rule_arguments.h"
#include "ops/element_rank.h"

namespace foothold {
namespace {

// x as [outer, count, block]; slice i is the blocks [*, i].
struct Slices {
  std::size_t outer = 1, count = 0, block = 1;

  std::size_t At(std::size_t slice, std::size_t element) const {
    return (element / block * count + slice) * block + element % block;
  }
  std::size_t elements() const { return outer * block; }
};

Slices SlicesOf(const Dims& dims, std::optional<std::size_t> axis) {
  if (!axis) return {1, static_cast<std::size_t>(ElementCount(dims)), 1};
  return {Product(dims, 0, *axis), static_cast<std::size_t>(dims[*axis]),
          Product(dims, *axis + 1, dims.size())};
}

// All elements of a slice one after the other, as numbers of their order.
class Comparison {
 public:
  Comparison(const TensorValue& x, const Slices& slices) : elements_(slices.elements()) {
    ranks_.resize(slices.count * elements_);
    VisitType(
        x.type().type, [&](auto tag) { Read(x.As<typename decltype(tag)::Type>(), slices); }, [] {});
  }

  bool Before(std::size_t a, std::size_t b) const {
    return std::lexicographical_compare(At(a), At(a) + elements_, At(b), At(b) + elements_);
  }
  bool Same(std::size_t a, std::size_t b) const {
    for (std::size_t i = 0; i < elements_; ++i)
      if (At(a)[i] != At(b)[i] || (has_nan_ && At(a)[i] == nan_)) return false;
    return true;
  }

 private:
  template <typename T>
  void Read(const T* x, const Slices& slices) {
    has_nan_ = kIsFloating<T>;
    nan_ = std::numeric_limits<ElementRank<T>>::max();
    for (std::size_t slice = 0; slice < slices.count; ++slice)
      for (std::size_t i = 0; i < elements_; ++i)
        ranks_[slice * elements_ + i] = RankOfElement(x[slices.At(slice, i)]);
  }
  const std::uint64_t* At(std::size_t slice) const { return ranks_.data() + slice * elements_; }

  std::size_t elements_;
  std::vector<std::uint64_t> ranks_;
  std::uint64_t nan_ = 0;
  bool has_nan_ = false;
};

// Slices by group, each group in the order of appearance, groups in order.
using Groups = std::vector<std::vector<std::size_t>>;

Groups GroupsOf(const TensorValue& x, const Slices& slices, SliceOrder order) {
  const Comparison comparison(x, slices);
  std::vector<std::size_t> all(slices.count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (order != SliceOrder::kConsecutive)
    std::stable_sort(all.begin(), all.end(),
                     [&](std::size_t a, std::size_t b) { return comparison.Before(a, b); });
  Groups groups;
  for (const std::size_t slice : all) {
    if (groups.empty() || !comparison.Same(groups.back().front(), slice)) groups.emplace_back();
    groups.back().push_back(slice);
  }
  if (order == SliceOrder::kFirstAppearance)
    std::sort(groups.begin(), groups.end(),
              [](const auto& a, const auto& b) { return a.front() < b.front(); });
  return groups;
}

TensorValue ValuesOf(const TensorValue& x, const Slices& slices, std::optional<std::size_t> axis,
                     const Groups& groups, std::size_t bytes) {
  Dims dims = axis ? x.dims() : Dims{0};
  dims[axis.value_or(0)] = static_cast<std::int64_t>(groups.size());
  TensorValue values(TensorType{x.type().type, Format::kNd, dims});
  const std::size_t block = slices.block * bytes;
  for (std::size_t outer = 0; outer < slices.outer; ++outer)
    for (std::size_t i = 0; i < groups.size() && block > 0; ++i)
      std::memcpy(values.mutable_data() + (outer * groups.size() + i) * block,
                  x.data() + (outer * slices.count + groups[i].front()) * block, block);
  return values;
}

}  // namespace

DistinctSlices FindDistinctSlices(const OpContext& context, const TensorValue& x,
                                  std::optional<std::size_t> axis, SliceOrder order) {
  const Slices slices = SlicesOf(x.dims(), axis);
  const bool real = VisitType(
      x.type().type, [](auto) { return true; }, [] { return false; });
  if (!real) context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(x.type().type));
  const Groups groups = GroupsOf(x, slices, order);
  DistinctSlices found;
  found.values = ValuesOf(x, slices, axis, groups, ElementBytes(context, x.type().type));
  found.inverse.resize(slices.count);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    found.firsts.push_back(static_cast<std::int64_t>(groups[i].front()));
    found.counts.push_back(static_cast<std::int64_t>(groups[i].size()));
    for (const std::size_t slice : groups[i])
      found.inverse[slice] = static_cast<std::int64_t>(i);
  }
  return found;
}

TensorValue IndexTensor(DataType type, const std::vector<std::int64_t>& numbers) {
  TensorValue value(TensorType{type, Format::kNd, {static_cast<std::int64_t>(numbers.size())}});
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (type == DataType::kInt64)
      value.MutableAs<std::int64_t>()[i] = numbers[i];
    else
      value.MutableAs<std::int32_t>()[i] = static_cast<std::int32_t>(numbers[i]);
  }
  return value;
}

}  // namespace foothold
