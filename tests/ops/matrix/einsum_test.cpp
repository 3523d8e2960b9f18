// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "ops/data/reference.h"

namespace foothold {
namespace {

TensorValue Einsum(const std::string& equation, const std::vector<TensorValue>& operands) {
  OpRun run("Einsum");
  for (std::size_t i = 0; i < operands.size(); ++i)
    run.Late("x" + std::to_string(i), operands[i]);
  run.Attr("equation", equation).Attr("N", static_cast<std::int64_t>(operands.size()));
  return run.Out("y").Run();
}

// `full` is the equation with every label written out, for the definition: dimensions may be 1 where they
// are repeated.
struct Case {
  std::string equation, full;
  std::vector<Dims> shapes;
  std::map<char, std::int64_t> extents;
};

std::vector<double> Defined(const Case& c, const std::vector<TensorValue>& operands, Dims& dims) {
  const std::size_t arrow = c.full.find("->");
  const std::string result = c.full.substr(arrow + 2);
  dims.clear();
  for (const char label : result)
    dims.push_back(c.extents.at(label));
  std::vector<double> sums(static_cast<std::size_t>(ElementCount(dims)));
  Dims all;
  std::string labels;
  for (const auto& [label, extent] : c.extents) {
    labels += label;
    all.push_back(extent);
  }
  std::vector<std::vector<double>> numbers;
  for (const TensorValue& operand : operands)
    numbers.push_back(Numbers(operand));
  ForIndices(all, [&](const Index& at) {
    double product = 1;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Index place;
      for (const std::int64_t dim : c.shapes[i]) {
        const std::int64_t index = at[labels.find(c.full[begin + place.size()])];
        place.push_back(dim == 1 ? 0 : index);
      }
      product *= numbers[i][Offset(c.shapes[i], place)];
      begin += c.shapes[i].size() + 1;
    }
    Index to;
    for (const char label : result)
      to.push_back(at[labels.find(label)]);
    sums[Offset(dims, to)] += product;
  });
  return sums;
}

class EinsumEquation : public testing::TestWithParam<Case> {};

TEST_P(EinsumEquation, EqualsItsDefinition) {
  const Case& c = GetParam();
  for (const DataType type : {DataType::kFloat, DataType::kDouble, DataType::kFloat16}) {
    std::vector<TensorValue> operands;
    for (std::size_t i = 0; i < c.shapes.size(); ++i)
      operands.push_back(Random(type, c.shapes[i], static_cast<unsigned>(i + 1)));
    Dims dims;
    const std::vector<double> expected = Defined(c, operands, dims);
    const TensorValue y = Einsum(c.equation, operands);
    EXPECT_EQ(y.dims(), dims) << c.equation;
    ExpectNear(y, expected, type == DataType::kFloat16 ? 5e-3 : 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, EinsumEquation,
    testing::Values(
        Case{"ij,jk->ik", "ij,jk->ik", {{3, 4}, {4, 5}}, {{'i', 3}, {'j', 4}, {'k', 5}}},
        Case{"ij,jk", "ij,jk->ik", {{3, 4}, {4, 5}}, {{'i', 3}, {'j', 4}, {'k', 5}}},
        Case{"ij->ji", "ij->ji", {{3, 4}}, {{'i', 3}, {'j', 4}}},
        Case{"ba", "ba->ab", {{3, 4}}, {{'b', 3}, {'a', 4}}},
        Case{"ij->", "ij->", {{3, 4}}, {{'i', 3}, {'j', 4}}}, Case{"ii", "ii->", {{3, 3}}, {{'i', 3}}},
        Case{"ii->i", "ii->i", {{3, 3}}, {{'i', 3}}},
        Case{"...ii->...i", "abii->abi", {{2, 3, 4, 4}}, {{'a', 2}, {'b', 3}, {'i', 4}}},
        Case{"i,i", "i,i->", {{5}, {5}}, {{'i', 5}}},
        Case{"i,j->ji", "i,j->ji", {{5}, {4}}, {{'i', 5}, {'j', 4}}},
        Case{"ij,ij->ij", "ij,ij->ij", {{5, 2}, {5, 2}}, {{'i', 5}, {'j', 2}}},
        Case{"bhqd,bhkd->bhqk",
             "bhqd,bhkd->bhqk",
             {{2, 3, 4, 5}, {2, 3, 6, 5}},
             {{'b', 2}, {'h', 3}, {'q', 4}, {'d', 5}, {'k', 6}}},
        Case{"...ij, ...jk",
             "abij,abjk->abik",
             {{1, 2, 3, 4}, {3, 1, 4, 5}},
             {{'a', 3}, {'b', 2}, {'i', 3}, {'j', 4}, {'k', 5}}},
        Case{"i...j,j->...i", "iabj,j->abi", {{3, 2, 2, 4}, {4}}, {{'i', 3}, {'a', 2}, {'b', 2}, {'j', 4}}},
        Case{"ik,jkl,il->ij",
             "ik,jkl,il->ij",
             {{2, 3}, {4, 3, 5}, {2, 5}},
             {{'i', 2}, {'j', 4}, {'k', 3}, {'l', 5}}},
        Case{"ab,bc,cd,da->",
             "ab,bc,cd,da->",
             {{2, 3}, {3, 4}, {4, 2}, {2, 2}},
             {{'a', 2}, {'b', 3}, {'c', 4}, {'d', 2}}},
        Case{"abc,d->cb", "abc,d->cb", {{2, 3, 4}, {5}}, {{'a', 2}, {'b', 3}, {'c', 4}, {'d', 5}}},
        Case{"aab,bcc->ac", "aab,bcc->ac", {{2, 2, 3}, {3, 4, 4}}, {{'a', 2}, {'b', 3}, {'c', 4}}},
        Case{"Ab,bA->Ab", "Ab,bA->Ab", {{2, 3}, {3, 2}}, {{'A', 2}, {'b', 3}}}));

TEST(Einsum, TakesScalarsAndIntegersAndNothing) {
  ExpectNear(Einsum(",i->i", {Floats({}, {3}), Floats({2}, {1, 2})}), {3, 6});
  ExpectNear(Einsum("ij,j->i", {Int32s({2, 2}, {1, 2, 3, 4}), Int32s({2}, {10, 1})}), {12, 34});
  ExpectNear(Einsum("ij,jk->ik", {Floats({2, 0}, {}), Floats({0, 1}, {})}), {0, 0});
  EXPECT_EQ(Einsum("ij,jk->ik", {Floats({0, 2}, {}), Floats({2, 1}, {1, 2})}).dims(), (Dims{0, 1}));
}

TEST(Einsum, RefusesEquationsThatDoNotFit) {
  const TensorValue matrix = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const char* equation :
       {"ij,jk->ik", "ijk->i", "i->i", "ij->k", "ij->ii", "i.j->i", "i1->i", "......ij->i", "ii->i", ""})
    EXPECT_THROW(Einsum(equation, {matrix}), Error) << equation;
  EXPECT_THROW(Einsum("ij,ij->", {matrix, Floats({3, 2}, {1, 2, 3, 4, 5, 6})}), Error);
  EXPECT_THROW(Einsum("ij,ij->", {matrix, Int32s({2, 3}, {1, 2, 3, 4, 5, 6})}), Error);
}

}  // namespace
}  // namespace foothold
