// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows of tables, slices of caches.
#include <cmath>

#include "aclnn/places.h"
#include "samples/table.h"

namespace samples {
namespace {

const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};
constexpr const char* kSums = "sums of infinities of both signs";

// A table, indices and where bags begin; results, the bag of each index, sizes, and where maxima came from.
std::vector<Block> Bags(const Given& in) {
  const auto width = static_cast<std::size_t>(in[0].dims[1]);
  const std::size_t count = in[1].values.size(), bags = in[2].values.size() - (in.Flag("last") ? 1 : 0);
  const double mode = in.Number("mode"), padding = in.Number("padding");
  Block y{{static_cast<std::int64_t>(bags), in[0].dims[1]}, Values(bags * width, 0)};
  Block of{in[1].dims, Values(count, 0)}, sizes{{static_cast<std::int64_t>(bags)}, Values(bags, 0)};
  Block places{mode == 2 ? y.dims : sizes.dims, Values(mode == 2 ? bags * width : bags, 0)};
  for (std::size_t bag = 0; bag < bags; ++bag) {
    const auto begin = static_cast<std::size_t>(in[2].values[bag]);
    const std::size_t end =
        bag + 1 < in[2].values.size() ? static_cast<std::size_t>(in[2].values[bag + 1]) : count;
    for (std::size_t i = begin; i < end; ++i) {
      of.values[i] = static_cast<double>(bag);
      if (in[1].values[i] == padding) continue;
      const auto row = static_cast<std::size_t>(in[1].values[i]);
      for (std::size_t k = 0; k < width; ++k) {
        double& to = y.values[bag * width + k];
        const double x = in[0].values[row * width + k];
        if (mode != 2) to += (in.size() > 3 ? in[3].values[i] : 1) * x;
        if (mode == 2 && (sizes.values[bag] == 0 || x > to))
          to = x, places.values[bag * width + k] = static_cast<double>(row);
      }
      ++sizes.values[bag];
    }
    for (std::size_t k = 0; mode == 1 && sizes.values[bag] > 0 && k < width; ++k)
      y.values[bag * width + k] /= sizes.values[bag];
  }
  return {y, of, sizes, places};
}

Values Offsets(const Form& form) {
  Values offsets = {0, 3, 3, 7, 9};
  offsets.resize(nn::CountOf(form.dims[2]));
  return offsets;
}

Sample BagSample(const char* name) {
  return Functions(name)
      .Types(kFloating)
      .TypeOf(1, ACL_INT64)
      .TypeOf(2, ACL_INT64)
      .Whole(1, 0, 5)
      .Holds(2, Offsets)
      .Gives({kSame, ACL_INT64, ACL_INT64, ACL_INT64})
      .Within(4)
      .Without(Part::kSpecial, kSums)
      .Are(Bags);
}

const Table bags({
    BagSample("EmbeddingBag")
        .Calls(NN(EmbeddingBag), {X(0), X(1), X(2), false, V("mode"), false, nullptr, V("last"), V("padding"),
                                  Y(0), Y(1), Y(2), Y(3)})
        .Form({{6, 4}, {9}, {4}}, {{"mode", 0}, {"last", false}, {"padding", -1}})
        .Form({{6, 4}, {9}, {5}}, {{"mode", 1}, {"last", true}, {"padding", 2}})
        .Form({{6, 4}, {9}, {4}}, {{"mode", 2}, {"last", false}, {"padding", 3}})
        .Form({{6, 4}, {0}, {1}}, {{"mode", 1}, {"last", false}, {"padding", -1}}),
    BagSample("WeightedEmbeddingBag")
        .Calls(NN(EmbeddingBag), {X(0), X(1), X(2), false, V("mode"), false, X(3), V("last"), V("padding"),
                                  Y(0), Y(1), Y(2), Y(3)})
        .Form({{6, 4}, {9}, {4}, {9}}, {{"mode", 0}, {"last", false}, {"padding", 1}})
        .Form({{6, 4}, {0}, {1}, {0}}, {{"mode", 0}, {"last", false}, {"padding", -1}}),
});

double NormOf(const Values& row, double p) {
  double norm = 0;
  for (const double x : row)
    norm += std::pow(std::fabs(x), p);
  return std::pow(norm, 1 / p);
}
Values Shortened(const Values& row, double p, double most) {
  const double norm = NormOf(row, p);
  Values out = row;
  for (double& x : out)
    x *= norm > most ? most / (norm + 1e-7) : 1;
  return out;
}

Block Renormed(const Given& in) {
  Block out = in[0];
  const auto width = static_cast<std::size_t>(in[0].dims[1]);
  for (const double index : in[1].values) {
    const auto first =
        out.values.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(index) * width);
    const auto given = in[0].values.begin() + (first - out.values.begin());
    const Values row =
        Shortened(Values(given, given + static_cast<std::ptrdiff_t>(width)), in.Number("p"), 1.5);
    std::copy(row.begin(), row.end(), first);
  }
  return out;
}

Block RenormedSlices(const Given& in) {
  const auto axis = static_cast<std::size_t>(in.Number("dim"));
  std::vector<Values> slices(static_cast<std::size_t>(in[0].dims[axis]));
  for (std::size_t i = 0; i < in[0].values.size(); ++i)
    slices[static_cast<std::size_t>(nn::PlaceOf(i, in[0].dims)[axis])].push_back(in[0].values[i]);
  Block out = in[0];
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const double norm =
        NormOf(slices[static_cast<std::size_t>(nn::PlaceOf(i, in[0].dims)[axis])], in.Number("p"));
    out.values[i] *= norm > 1.5 ? 1.5 / (norm + 1e-7) : 1;
  }
  return out;
}

const Table renorms({
    Functions("EmbeddingRenorm")
        .Types(kFloating)
        .InPlace(NN(EmbeddingRenorm), {X(0), X(1), 1.5, V("p")})
        .TypeOf(1, ACL_INT64)
        .Whole(1, 0, 5)
        .Form({{6, 4}, {4}}, {{"p", 2.0}})
        .Form({{6, 4}, {7}}, {{"p", 1.0}})
        .Form({{6, 4}, {0}}, {{"p", 2.0}})
        .Within(4)
        .Without(Part::kSpecial, kSums)
        .Is(Renormed),
    Functions("Renorm")
        .Types(FloatTypes())
        .Calls(NN(Renorm), {X(0), V("p"), V("dim"), 1.5, Y(0)})
        .InPlace(NN(InplaceRenorm), {X(0), V("p"), V("dim"), 1.5})
        .Form({{3, 4, 5}}, {{"p", 2.0}, {"dim", 1}})
        .Form({{6, 4}}, {{"p", 1.0}, {"dim", 0}})
        .Form({{0, 4}}, {{"p", 2.0}, {"dim", 1}})
        .Within(8)
        .Without(Part::kSpecial, kSums)
        .Is(RenormedSlices),
});

// A cache [batch, heads, places, size], places, and updates of so many places.
Block Updated(const Given& in) {
  Block out = in[0];
  for (std::size_t i = 0; i < in[2].values.size(); ++i) {
    Dims place = nn::PlaceOf(i, in[2].dims);
    const bool pairs = in[1].dims.size() == 2;
    const auto b = static_cast<std::size_t>(place[0]);
    place[2] += static_cast<std::int64_t>(in[1].values[pairs ? 2 * b + 1 : b]);
    if (pairs) place[0] = static_cast<std::int64_t>(in[1].values[2 * b]);
    out.values[nn::NumberOf(place, out.dims)] = in[2].values[i];
  }
  return out;
}

// The same, quantised by one scale and one zero point for each element of the last dimension.
Block QuantUpdated(const Given& in) {
  Block out = in[0];
  for (std::size_t i = 0; i < in[2].values.size(); ++i) {
    Dims place = nn::PlaceOf(i, in[2].dims);
    const auto b = static_cast<std::size_t>(place[0]), k = static_cast<std::size_t>(place[3]);
    place[2] += static_cast<std::int64_t>(in[1].values[b]);
    const double q = std::nearbyint(in[2].values[i] / in[3].values[k] + in[4].values[k]);
    out.values[nn::NumberOf(place, out.dims)] = std::min(std::max(q, -128.0), 127.0);
  }
  return out;
}

const Table caches({
    Functions("InplaceScatterUpdate")
        .Types({ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32})
        .InPlace(NN(InplaceScatterUpdate), {X(0), X(1), X(2), -2})
        .TypeOf(1, ACL_INT64)
        .Holds(1,
               [](const Form& form) {
                 return form.dims[1].size() == 2 ? Values{2, 1, 0, 4} : Values{3, 0, 4};
               })
        .Form({{3, 2, 6, 4}, {3}, {3, 2, 2, 4}})
        .Form({{3, 2, 6, 4}, {2, 2}, {2, 2, 1, 4}})
        .Form({{3, 0, 6, 4}, {3}, {3, 0, 2, 4}})
        .Is(Updated),
    Functions("InplaceQuantScatter")
        .Types({ACL_FLOAT16, ACL_BF16})
        .InPlace(NN(InplaceQuantScatter), {X(0), X(1), X(2), X(3), X(4), -2, -1, 1})
        .TypeOf(0, ACL_INT8)
        .TypeOf(1, ACL_INT32)
        .TypeOf(3, ACL_FLOAT)
        .TypeOf(4, ACL_FLOAT)
        .Gives({ACL_INT8})
        .Holds(1,
               [](const Form&) {
                 return Values{3, 0, 4};
               })
        .Range(3, 0.03, 0.05)
        .Form({{3, 2, 6, 4}, {3}, {3, 2, 2, 4}, {4}, {4}})
        .Form({{3, 0, 6, 4}, {3}, {3, 0, 2, 4}, {4}, {4}})
        .Within(300)
        .Without(Part::kSpecial, "what is no number is not quantised")
        .Is(QuantUpdated),
});

// Two slices of a cache [heads, places, size], places, and updates of both.
std::vector<Block> ListUpdated(const Given& in) {
  std::vector<Block> out = {in[0], in[1]};
  for (std::size_t i = 0; i < in[3].values.size(); ++i) {
    Dims place = nn::PlaceOf(i, in[3].dims);
    const auto b = static_cast<std::size_t>(place[0]);
    place.erase(place.begin());
    place[1] += static_cast<std::int64_t>(in[2].values[b]);
    out[b].values[nn::NumberOf(place, out[b].dims)] = in[3].values[i];
  }
  return out;
}

// Tokens, positions, lengths, slots, what was sampled, and tables of blocks of 4.
std::vector<Block> Advanced(const Given& in) {
  std::vector<Block> out = {in[0], in[1], in[2], in[3]};
  for (std::size_t q = 0; q < 5; ++q) {
    const auto at = static_cast<std::size_t>(in[2].values[q]);
    const bool goes_on = q < 3;
    out[0].values[q] = goes_on ? in[4].values[q] : 0;
    out[1].values[q] = goes_on ? static_cast<double>(at) : 0;
    if (goes_on) out[2].values[q] = static_cast<double>(at + 1);
    out[3].values[q] = goes_on ? in[5].values[q * 3 + at / 4] * 4 + static_cast<double>(at % 4) : -1;
  }
  return out;
}

const Table steps({
    Functions("ScatterList")
        .Types({ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8})
        .Calls(NN(ScatterList), {Xs({0, 1}), X(2), X(3), nullptr, "update", -2})
        .Changes({0, 1})
        .TypeOf(2, ACL_INT64)
        .Holds(2,
               [](const Form&) {
                 return Values{3, 1};
               })
        .Gives({kSame, kSame})
        .Form({{2, 6, 4}, {2, 6, 4}, {2}, {2, 2, 2, 4}})
        .Form({{0, 6, 4}, {0, 6, 4}, {2}, {2, 0, 2, 4}})
        .Are(ListUpdated),
    Functions("AdvanceStep")
        .Types({ACL_INT64})
        .Calls(NN(AdvanceStep), {X(0), X(4), X(1), X(2), X(3), X(5), 5, 3, 4})
        .Changes({0, 1, 2, 3})
        .Whole(2, 0, 11)
        .Whole(5, 0, 20)
        .Gives({kSame, kSame, kSame, kSame})
        .Form({{5}, {5}, {5}, {5}, {3, 1}, {3, 3}})
        .Without(Part::kHalf, "tokens are numbers")
        .Without(Part::kEmpty, "an engine has requests")
        .Are(Advanced),
});

}  // namespace
}  // namespace samples
