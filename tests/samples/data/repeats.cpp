// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Slices several times, and brought to places.
#include <cmath>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kAll = NumberTypes() + std::vector<aclDataType>{ACL_BOOL};
const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};
constexpr const char* kSums = "sums of infinities of both signs";

// 0, 1, 2, 0, 1, 2, ...
Values Turns(std::size_t count) {
  Values turns;
  for (std::size_t i = 0; i < count; ++i)
    turns.push_back(static_cast<double>(i % 3));
  return turns;
}
Values Repeats(const Form& form) {
  return form.dims[1] == Dims{1} ? Values{2} : Turns(nn::CountOf(form.dims[1]));
}

Block Repeated(const Block& x, const Values& repeats, double axis) {
  return AlongAxis(x, axis, [&](const Values& line) {
    Values out;
    for (std::size_t i = 0; i < line.size(); ++i)
      out.insert(out.end(), static_cast<std::size_t>(repeats[repeats.size() == 1 ? 0 : i]), line[i]);
    return out;
  });
}

const Table repeats({
    Functions("RepeatInterleave")
        .Types(kAll)
        .Calls(NN(RepeatInterleave), {X(0), X(1), V("size"), Y(0)})
        .TypeOf(1, ACL_INT64)
        .Holds(1, Repeats)
        .Form({{2, 3}, {6}}, {{"size", 6}})
        .Form({{7}, {1}}, {{"size", 14}})
        .Form({{}, {1}}, {{"size", 2}})
        .Form({{0}, {1}}, {{"size", 0}})
        .Is([](const Given& in) {
          const Block line{{static_cast<std::int64_t>(in[0].values.size())}, in[0].values};
          return in[0].values.empty() ? line : Repeated(line, in[1].values, 0);
        }),
    Functions("RepeatInterleaveWithDim")
        .Types(kAll)
        .Calls(NN(RepeatInterleaveWithDim), {X(0), X(1), V("dim"), V("size"), Y(0)})
        .TypeOf(1, ACL_INT32)
        .Holds(1, Repeats)
        .Form({{2, 4, 3}, {4}}, {{"dim", 1}, {"size", 3}})
        .Form({{2, 3, 5}, {1}}, {{"dim", -1}, {"size", 10}})
        .Form({{0, 3}, {3}}, {{"dim", 1}, {"size", 3}})
        .Is([](const Given& in) {
          Block out = Repeated(in[0], in[1].values, in.Number("dim"));
          return out;
        }),
    Functions("RepeatInterleaveTensor")
        .Types({ACL_INT64, ACL_INT32})
        .Calls(NN(RepeatInterleaveTensor), {X(0), V("size"), Y(0)})
        .Holds(0, [](const Form& form) { return Turns(nn::CountOf(form.dims[0])); })
        .Form({{7}}, {{"size", 6}})
        .Form({{0}}, {{"size", 0}})
        .Without(Part::kHalf, "repeats are whole numbers")
        .Is([](const Given& in) {
          Block out{{}, {}};
          for (std::size_t i = 0; i < in[0].values.size(); ++i)
            out.values.insert(out.values.end(), static_cast<std::size_t>(in[0].values[i]),
                              static_cast<double>(i));
          out.dims = {static_cast<std::int64_t>(out.values.size())};
          return out;
        }),
    Functions("RepeatInterleaveGradient")
        .Types(kFloating)
        .Calls(NN(RepeatInterleaveGrad), {X(0), X(1), V("axis"), Y(0)})
        .TypeOf(1, ACL_INT64)
        .Holds(1, Repeats)
        .Form({{2, 6, 3}, {7}}, {{"axis", 1}})
        .Form({{6, 5}, {6}}, {{"axis", 0}})
        .Form({{0, 3}, {3}}, {{"axis", 1}})
        .Within(4)
        .Without(Part::kSpecial, kSums)
        .Is([](const Given& in) {
          Block out = AlongAxis(in[0], in.Number("axis"), [&](const Values& line) {
            Values sums(in[1].values.size(), 0);
            std::size_t at = 0;
            for (std::size_t i = 0; i < sums.size(); ++i)
              for (int k = 0; k < static_cast<int>(in[1].values[i]); ++k)
                sums[i] += line[at++];
            return sums;
          });
          return out;
        }),
});

// x, index and source; the place of an element of the index in x.
Block ScatterReduced(const Given& in) {
  Block out = in[0];
  const std::string& reduce = in.Find("name")->text;
  const auto axis = static_cast<std::size_t>(in.Number("dim"));
  std::vector<Values> all(out.values.size());
  for (std::size_t i = 0; i < in[1].values.size(); ++i) {
    Dims place = nn::PlaceOf(i, in[1].dims);
    const double value = in[2].values[nn::NumberOf(place, in[2].dims)];
    place[axis] = static_cast<std::int64_t>(in[1].values[i]);
    all[nn::NumberOf(place, out.dims)].push_back(value);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].empty()) continue;
    if (in.Flag("include_self")) all[i].insert(all[i].begin(), out.values[i]);
    double result = all[i][0];
    for (std::size_t k = 1; k < all[i].size(); ++k) {
      const double value = all[i][k];
      result = reduce == "multiply" ? result * value
               : reduce == "max"    ? std::max(result, value)
               : reduce == "min"    ? std::min(result, value)
                                    : result + value;
    }
    if (reduce == "mean") result /= static_cast<double>(all[i].size());
    out.values[i] = reduce == "mean" && in.type == ACL_INT32 ? std::floor(result) : result;
  }
  return out;
}

Sample Reducing(const char* name, int number) {
  return Functions(name)
      .Types(kFloating + std::vector<aclDataType>{ACL_INT32})
      .Calls(NN(ScatterReduce), {X(0), V("dim"), X(1), X(2), number, V("include_self"), Y(0)})
      .InPlace(NN(InplaceScatterReduce), {X(0), V("dim"), X(1), X(2), number, V("include_self")})
      .TypeOf(1, ACL_INT64)
      .Whole(1, 0, 3)
      .With("name", name)
      .Form({{2, 4, 5}, {2, 6, 5}, {2, 6, 5}}, {{"dim", 1}, {"include_self", true}})
      .Form({{3, 4, 5}, {2, 3, 3}, {2, 6, 5}}, {{"dim", 1}, {"include_self", false}})
      .Form({{4}, {7}, {7}}, {{"dim", 0}, {"include_self", true}})
      .Form({{4, 3}, {0, 3}, {0, 3}}, {{"dim", 0}, {"include_self", true}})
      .Within(8)
      .Without(Part::kSpecial, kSums)
      .Is(ScatterReduced);
}

const Table scatters({
    Reducing("add", 1),
    Reducing("multiply", 2),
    Reducing("max", 3),
    Reducing("min", 4),
    Reducing("mean", 5),
});

// self, index, source along a dimension.
Block Copied(const Given& in, double axis, bool add) {
  Block out = in[0];
  const std::size_t at = static_cast<std::size_t>(axis);
  for (std::size_t i = 0; i < in[2].values.size(); ++i) {
    Dims place = nn::PlaceOf(i, in[2].dims);
    place[at] = static_cast<std::int64_t>(in[1].values[static_cast<std::size_t>(place[at])]);
    double& to = out.values[nn::NumberOf(place, out.dims)];
    to = add ? to + in[2].values[i] : in[2].values[i];
  }
  return out;
}

Block Put(const Given& in, bool add) {
  Block out = in[0];
  for (std::size_t i = 0; i < in[1].values.size(); ++i) {
    double& to = out.values[static_cast<std::size_t>(in[1].values[i])];
    to = add ? to + in[2].values[i] : in[2].values[i];
  }
  return out;
}

Block Diagonal(const Given& in) {
  Block out = in[0];
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const Dims place = nn::PlaceOf(i, out.dims);
    bool equal = true;
    for (const std::int64_t at : place)
      equal = equal && at == place[0];
    if (in.Flag("wrap") && out.dims.size() == 2) equal = i % (static_cast<std::size_t>(out.dims[1]) + 1) == 0;
    if (equal) out.values[i] = 3;
  }
  return out;
}

const Table places({
    Functions("IndexCopy")
        .Types(kAll)
        .Calls(NN(IndexCopy), {X(0), V("dim"), X(1), X(2), Y(0)})
        .TypeOf(1, ACL_INT64)
        .Holds(1,
               [](const Form& form) {
                 return form.dims[1] == Dims{3} ? Values{3, 0, 2} : Values(nn::CountOf(form.dims[1]), 0);
               })
        .Form({{2, 4, 5}, {3}, {2, 3, 5}}, {{"dim", 1}})
        .Form({{4, 5}, {3}, {3, 5}}, {{"dim", 0}})
        .Form({{4, 0}, {3}, {3, 0}}, {{"dim", 0}})
        .Is([](const Given& in) { return Copied(in, in.Number("dim"), false); }),
    Functions("IndexAdd")
        .Types(kFloating)
        .Calls(NN(IndexAddV2), {X(0), V("dim"), X(1), X(2), 1, 0, Y(0)})
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 3)
        .Form({{4, 5}, {7}, {7, 5}}, {{"dim", 0}})
        .Form({{2, 4, 5}, {7}, {2, 7, 5}}, {{"dim", 1}})
        .Form({{4, 0}, {3}, {3, 0}}, {{"dim", 0}})
        .Within(8)
        .Without(Part::kSpecial, kSums)
        .Is([](const Given& in) { return Copied(in, in.Number("dim"), true); }),
    Functions("InplacePut")
        .Types(kAll)
        .InPlace(NN(InplacePut), {X(0), X(1), X(2), false})
        .TypeOf(1, ACL_INT64)
        .Holds(1,
               [](const Form& form) {
                 Values places = {11, 3, 0, 7};
                 places.resize(nn::CountOf(form.dims[1]));
                 return places;
               })
        .Form({{3, 4}, {2, 2}, {2, 2}})
        .Form({{12}, {4}, {4}})
        .Form({{3, 4}, {0}, {0}})
        .Is([](const Given& in) { return Put(in, false); }),
    Functions("InplacePutAdding")
        .Types(kFloating)
        .InPlace(NN(InplacePut), {X(0), X(1), X(2), true})
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 5)
        .Form({{3, 4}, {2, 5}, {2, 5}})
        .Form({{3, 4}, {0}, {0}})
        .Within(8)
        .Without(Part::kSpecial, kSums)
        .Is([](const Given& in) { return Put(in, true); }),
    Functions("InplaceFillDiagonal")
        .Types(NumberTypes())
        .InPlace(NN(InplaceFillDiagonal), {X(0), 3, V("wrap")})
        .Form({{3, 5}}, {{"wrap", false}})
        .Form({{7, 2}}, {{"wrap", false}})
        .Form({{7, 2}}, {{"wrap", true}})
        .Form({{3, 3, 3}}, {{"wrap", false}})
        .Form({{0, 3}}, {{"wrap", false}})
        .Is(Diagonal),
    Functions("GatherV3")
        .Types(kAll)
        .Calls(NN(GatherV3), {X(0), 0, X(1), 0, 1, Y(0)})
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 3)
        .Form({{4, 5}, {2, 3}})
        .Form({{4}, {3}})
        .Form({{4, 5}, {0}})
        .Is([](const Given& in) {
          Block out{in[1].dims, {}};
          out.dims.insert(out.dims.end(), in[0].dims.begin() + 1, in[0].dims.end());
          const std::size_t width = in[0].values.size() / 4;
          for (const double row : in[1].values)
            for (std::size_t k = 0; k < width; ++k)
              out.values.push_back(in[0].values[static_cast<std::size_t>(row) * width + k]);
          return out;
        }),
});

}  // namespace
}  // namespace samples
