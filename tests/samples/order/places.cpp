// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Places in an order, and numbers of elements.
#include <algorithm>
#include <cmath>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kNumbers =
    FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_UINT8};

using Choose = std::size_t (*)(const Values& line, const Given& in);  // the place of one element

std::size_t Kth(const Values& line, std::size_t k) {
  std::vector<std::size_t> order(line.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::isnan(line[b]) ? !std::isnan(line[a]) : line[a] < line[b];
  });
  return order[k];
}
std::size_t KthOf(const Values& line, const Given& in) {
  return Kth(line, static_cast<std::size_t>(in.Number("k")) - 1);
}
std::size_t NanMedian(const Values& line, const Given&) {
  const auto none = std::count_if(line.begin(), line.end(), [](double x) { return std::isnan(x); });
  const std::size_t numbers = line.size() - static_cast<std::size_t>(none);
  return numbers == 0 ? 0 : Kth(line, (numbers - 1) / 2);
}
std::size_t Median(const Values& line, const Given& in) {
  for (std::size_t i = 0; i < line.size(); ++i)
    if (std::isnan(line[i])) return i;
  return NanMedian(line, in);
}

template <Choose choose>
std::vector<Block> Chosen(const Given& in) {
  const double axis = in.Number("dim");
  Block values = AlongAxis(in[0], axis, [&](const Values& line) { return Values{line[choose(line, in)]}; });
  Block places = AlongAxis(in[0], axis,
                           [&](const Values& line) { return Values{static_cast<double>(choose(line, in))}; });
  if (in[0].dims.empty() || in.Flag("keep")) return {values, places};
  const auto at =
      static_cast<std::ptrdiff_t>(axis < 0 ? axis + static_cast<double>(in[0].dims.size()) : axis);
  for (Block* block : {&values, &places})
    block->dims.erase(block->dims.begin() + at);
  return {values, places};
}

template <Choose choose>
Block ChosenOfAll(const Given& in) {
  return {{}, {in[0].values[choose(in[0].values, in)]}};
}

Sample Lines(Sample sample) {
  return sample.Types(kNumbers)
      .Gives({kSame, ACL_INT64})
      .Form({{3, 6, 4}}, {{"dim", 1}, {"keep", true}, {"k", 3}})
      .Form({{3, 5, 7}}, {{"dim", -1}, {"keep", false}, {"k", 1}})
      .Form({{9}}, {{"dim", 0}, {"keep", false}, {"k", 9}})
      .Form({{}}, {{"dim", -1}, {"keep", false}, {"k", 1}})
      .Without(Part::kEmpty, "a line has an element");
}

const Table statistics({
    Lines(Functions("MedianDim"))
        .Calls(NN(MedianDim), {X(0), V("dim"), V("keep"), Y(0), Y(1)})
        .Are(Chosen<Median>),
    Lines(Functions("NanMedianDim"))
        .Calls(NN(NanMedianDim), {X(0), V("dim"), V("keep"), Y(0), Y(1)})
        .Are(Chosen<NanMedian>),
    Lines(Functions("Kthvalue"))
        .Calls(NN(Kthvalue), {X(0), V("k"), V("dim"), V("keep"), Y(0), Y(1)})
        .Are(Chosen<KthOf>),
    Functions("Median")
        .Types(kNumbers)
        .Calls(NN(Median))
        .Form({{3, 4, 5}})
        .Form({{7}})
        .Form({{}})
        .Without(Part::kEmpty, "of nothing there is no median")
        .Is(ChosenOfAll<Median>),
    Functions("NanMedian")
        .Types(kNumbers)
        .Calls(NN(NanMedian))
        .Form({{3, 4, 5}})
        .Form({{7}})
        .Form({{}})
        .Without(Part::kEmpty, "of nothing there is no median")
        .Is(ChosenOfAll<NanMedian>),
});

// The best so far; of equals the last, and after what is no number that.
std::vector<Block> Running(const Given& in, double sign) {
  const auto places = [&](const Values& line) {
    Values all;
    std::size_t best = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (std::isnan(line[i]) || (!std::isnan(line[best]) && sign * line[i] >= sign * line[best])) best = i;
      all.push_back(static_cast<double>(best));
    }
    return all;
  };
  return {AlongAxis(in[0], in.Number("dim"),
                    [&](const Values& line) {
                      Values values;
                      for (const double place : places(line))
                        values.push_back(line[static_cast<std::size_t>(place)]);
                      return values;
                    }),
          AlongAxis(in[0], in.Number("dim"), places)};
}

Sample RunningSample(Sample sample) {
  return sample.Types(kNumbers)
      .Gives({kSame, ACL_INT64})
      .Form({{3, 6, 4}}, {{"dim", 1}})
      .Form({{5, 7}}, {{"dim", -1}})
      .Form({{}}, {{"dim", 0}})
      .Form({{0, 3}}, {{"dim", 1}});
}

const Table running({
    RunningSample(Functions("Cummax"))
        .Calls(NN(Cummax), {X(0), V("dim"), Y(0), Y(1)})
        .Are([](const Given& in) { return Running(in, 1); }),
    RunningSample(Functions("Cummin"))
        .Calls(NN(Cummin), {X(0), V("dim"), Y(0), Y(1)})
        .Are([](const Given& in) { return Running(in, -1); }),
});

Block Histogram(const Given& in) {
  Block out{{4}, Values(4, 0)};
  for (const double x : in[0].values)
    if (x >= -2 && x <= 2) ++out.values[std::min<std::size_t>(static_cast<std::size_t>((x + 2) / 4 * 4), 3)];
  return out;
}

Block Counts(const Given& in) {
  Block out{{8}, Values(8, 0)};
  for (std::size_t i = 0; i < in[0].values.size(); ++i)
    out.values[static_cast<std::size_t>(in[0].values[i])] += in.size() > 1 ? in[1].values[i] : 1;
  return out;
}

// The first element that is not below the number, in 1 3 3 5 7.
Values Sorted(const Form&) {
  return {1, 3, 3, 5, 7};
}

const Table counts({
    Functions("Histc")
        .Types(FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE, ACL_INT32})
        .Calls(NN(Histc), {X(0), 4, -2.0, 2.0, Y(0)})
        .Range(-3, 3)
        .Form({{6, 7}})
        .Form({{}})
        .Form({{0, 3}})
        .Is(Histogram),
    Functions("Bincount")
        .Types({ACL_INT64, ACL_INT32, ACL_UINT8, ACL_INT8})
        .Calls(NN(Bincount), {X(0), nullptr, 8, Y(0)})
        .Range(0, 7)
        .Gives({ACL_INT64})
        .Form({{40}})
        .Form({{1}})
        .Form({{0}})
        .Without(Part::kHalf, "whole numbers are counted")
        .Is(Counts),
    Functions("WeightedBincount")
        .Types({ACL_INT64, ACL_INT32})
        .Calls(NN(Bincount), {X(0), X(1), 8, Y(0)})
        .Range(0, 0, 7)
        .TypeOf(1, ACL_FLOAT)
        .Gives({ACL_FLOAT})
        .Form({{40}, {40}})
        .Form({{0}, {0}})
        .Without(Part::kHalf, "whole numbers are counted")
        .Is(Counts),
    Functions("SearchSorteds")
        .Types(FloatTypes() + std::vector<aclDataType>{ACL_INT32, ACL_INT64})
        .Calls(NN(SearchSorteds), {X(0), 3, false, false, nullptr, Y(0)})
        .Holds(0, Sorted)
        .Gives({ACL_INT64})
        .Form({{5}})
        .Without(Part::kEmpty, "the place in nothing is 0")
        .Without(Part::kSpecial, "what is no number has no place")
        .Is([](const Given&) {
          return Block{{}, {1}};
        }),
    Functions("SearchSortedsRight")
        .Types(FloatTypes() + std::vector<aclDataType>{ACL_INT32, ACL_INT64})
        .Calls(NN(SearchSorteds), {X(0), 3, true, true, nullptr, Y(0)})
        .Holds(0, Sorted)
        .Gives({ACL_INT32})
        .Form({{5}})
        .Without(Part::kEmpty, "the place in nothing is 0")
        .Without(Part::kSpecial, "what is no number has no place")
        .Is([](const Given&) {
          return Block{{}, {3}};
        }),
    Functions("IsInTensorScalar")
        .Types(kNumbers)
        .Calls(NN(IsInTensorScalar), {X(0), 1, false, false, Y(0)})
        .Gives({ACL_BOOL})
        .Each([](double x) -> double { return x == 1; }),
    Functions("IsNotInTensorScalar")
        .Types(kNumbers)
        .Calls(NN(IsInTensorScalar), {X(0), 1, false, true, Y(0)})
        .Gives({ACL_BOOL})
        .Each([](double x) -> double { return x != 1; }),
    Functions("IsInScalarTensor")
        .Types({ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT64})
        .Calls(NN(IsInScalarTensor), {1, X(0), false, false, Y(0)})
        .Gives({ACL_BOOL})
        .Whole(0, -5, 5)
        .Form({{40}})
        .Form({{3, 4}})
        .Form({{0}})
        .Form({{}})
        .Without(Part::kSpecial, "numbers are whole")
        .Is([](const Given& in) {
          return Block{{},
                       {static_cast<double>(std::count(in[0].values.begin(), in[0].values.end(), 1.0) > 0)}};
        }),
});

// What only a run tells the size of, where it is the largest there can be: all differ, and none is 0.
Values Rising(const Form& form) {
  Values values;
  for (std::size_t i = 0; i < nn::CountOf(form.dims[0]); ++i)
    values.push_back(static_cast<double>(i + 1));
  return values;
}
Values UpTo(std::size_t count) {
  Values values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(static_cast<double>(i));
  return values;
}

const Table told({
    Functions("NonzeroV2")
        .Types(kNumbers + std::vector<aclDataType>{ACL_BOOL})
        .Calls(NN(NonzeroV2))
        .Gives({ACL_INT64})
        .Holds(0, Rising)
        .Form({{3, 4, 5}})
        .Form({{7}})
        .Without(Part::kEmpty, "of nothing no place is told")
        .Without(Part::kView, "what is told lies packed")
        .Is([](const Given& in) {
          const auto count = static_cast<std::int64_t>(in[0].values.size());
          Block out{{static_cast<std::int64_t>(in[0].dims.size()), count}, {}};
          for (std::size_t axis = 0; axis < in[0].dims.size(); ++axis)
            for (std::size_t i = 0; i < in[0].values.size(); ++i)
              out.values.push_back(static_cast<double>(nn::PlaceOf(i, in[0].dims)[axis]));
          return out;
        }),
    Functions("UniqueConsecutive")
        .Types(kNumbers)
        .Calls(NN(UniqueConsecutive), {X(0), true, true, 1000, Y(0), Y(1), Y(2)})
        .Gives({kSame, ACL_INT64, ACL_INT64})
        .Holds(0, Rising)
        .Form({{3, 4, 5}})
        .Form({{7}})
        .Without(Part::kEmpty, "of nothing no value is told")
        .Without(Part::kView, "what is told lies packed")
        .Are([](const Given& in) {
          const auto count = static_cast<std::int64_t>(in[0].values.size());
          return std::vector<Block>{{{count}, in[0].values},
                                    {in[0].dims, UpTo(in[0].values.size())},
                                    {{count}, Values(in[0].values.size(), 1)}};
        }),
});

// Whether all elements are the same.
const Table equality({
    Functions("EqualElements")
        .Types(kNumbers)
        .Calls(NN(Equal))
        .Gives({ACL_BOOL})
        .Whole(0, 1, 1)
        .Whole(1, 1, 1)
        .Form({{3, 4, 5}, {3, 4, 5}})
        .Form({{3, 4}, {4, 3}})
        .Form({{}, {}})
        .Form({{0, 3}, {0, 3}})
        .Is([](const Given& in) {
          return Block{{1}, {static_cast<double>(in[0].dims == in[1].dims && in[0].values == in[1].values)}};
        }),
    Functions("DifferentElements")
        .Types(kNumbers)
        .Calls(NN(Equal))
        .Gives({ACL_BOOL})
        .Form({{5, 7}, {5, 7}})
        .Form({{0}, {0}})
        .Is([](const Given& in) {
          return Block{{1}, {static_cast<double>(in[0].values == in[1].values)}};
        }),
});

}  // namespace
}  // namespace samples
