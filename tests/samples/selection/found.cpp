// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements that are looked for: those that are not zero, those that differ, the place of a number.
#include <algorithm>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

constexpr const char* kTold = "only the run tells how much comes out, so the output has to be contiguous";
constexpr const char* kOrdered = "what is no number has no place in an order";

// The places of all that is not zero, dimension by dimension.
Block NonZero(const Given& in) {
  std::vector<Dims> places;
  for (std::size_t e = 0; e < in[0].values.size(); ++e)
    if (in[0].values[e] != 0) places.push_back(nn::PlaceOf(e, in[0].dims));
  Block out{{static_cast<std::int64_t>(in[0].dims.size()), static_cast<std::int64_t>(places.size())}, {}};
  for (std::size_t d = 0; d < in[0].dims.size(); ++d)
    for (const Dims& place : places)
      out.values.push_back(static_cast<double>(place[d]));
  return out;
}

// Runs of equal elements: their values, which run each element is of, and how long they are.
std::vector<Block> Runs(const Given& in) {
  Block values, inverse{in[0].dims, {}}, counts;
  for (const double value : in[0].values) {
    if (values.values.empty() || values.values.back() != value) {
      values.values.push_back(value);
      counts.values.push_back(0);
    }
    counts.values.back() += 1;
    inverse.values.push_back(static_cast<double>(values.values.size() - 1));
  }
  values.dims = counts.dims = {static_cast<std::int64_t>(values.values.size())};
  return {values, inverse, counts};
}

// In order, each of the halves twice.
Values InOrder(const Form& form) {
  Values values(nn::CountOf(form.dims[0]));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(i / 2);
  return values;
}

Block Searched(const Given& in) {
  const Values& all = in[0].values;
  const double number = in.Number("number");
  const auto found = in.Flag("right") ? std::upper_bound(all.begin(), all.end(), number)
                                      : std::lower_bound(all.begin(), all.end(), number);
  return {{}, {static_cast<double>(found - all.begin())}};
}

const Table found({
    Functions("NonzeroV2")
        .Types(NumberTypes())
        .Gives({ACL_INT64})
        .Without(Part::kView, kTold)
        .Calls(NN(NonzeroV2))
        .Whole(0, 0, 1)
        .Form({{2, 3, 4}})
        .Form({{7}})
        .Form({{0, 3}})
        .Is(NonZero),
    Functions("UniqueConsecutive")
        .Types(NumberTypes())
        .Gives({kSame, ACL_INT64, ACL_INT64})
        .Without(Part::kView, kTold)
        .Without(Part::kSpecial, kOrdered)
        .Calls(NN(UniqueConsecutive), {X(0), true, true, 1000, Y(0), Y(1), Y(2)})
        .Whole(0, 0, 1)
        .Form({{2, 3, 4}})
        .Form({{7}})
        .Form({{0}})
        .Are(Runs),
    Functions("SearchSorteds")
        .Types(NumberTypes())
        .Gives({ACL_INT64})
        .Without(Part::kSpecial, kOrdered)
        .Calls(NN(SearchSorteds), {X(0), V("number"), false, V("right"), nullptr, Y(0)})
        .Holds(0, InOrder)
        .Form({{9}}, {{"number", 2}, {"right", false}})
        .Form({{9}}, {{"number", 2}, {"right", true}})
        .Form({{9}}, {{"number", 7}, {"right", true}})
        .Form({{0}}, {{"number", 7}, {"right", true}})
        .Is(Searched),
});

}  // namespace
}  // namespace samples
