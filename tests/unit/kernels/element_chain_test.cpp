// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"

namespace foothold {
namespace {

using Strides = std::vector<std::int64_t>;

ChainSpec::Step Step(const char* name, std::array<int, 3> operands, std::array<float, 4> params = {}) {
  return {FindElementFunction(name), operands, params};
}

std::vector<float> Numbers(std::size_t count, float scale) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = scale * static_cast<float>(i % 97) - 1.5f;
  return numbers;
}

const std::byte* Bytes(const std::vector<float>& numbers) {
  return reinterpret_cast<const std::byte*>(numbers.data());
}
std::byte* Bytes(std::vector<float>& numbers) {
  return reinterpret_cast<std::byte*>(numbers.data());
}

// ((a + b) * c - b) with c repeated along rows, columns or wholly, against plain loops.
struct Broadcast {
  Strides dims, strides;
};

class ElementChainBroadcast : public testing::TestWithParam<Broadcast> {};

TEST_P(ElementChainBroadcast, EqualsPlainLoops) {
  const auto& [dims, strides] = GetParam();
  const auto count = static_cast<std::size_t>(
      std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()));
  Strides natural(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;)
    natural[i - 1] = natural[i] * dims[i];
  const auto a = Numbers(count, 0.01f), b = Numbers(count, 0.03f), c = Numbers(count, 0.02f);
  const ElementChain chain({dims,
                            {{0, ElementType::kFloat, natural},
                             {1, ElementType::kFloat, natural},
                             {2, ElementType::kFloat, strides}},
                            {Step("Add", {0, 1, 0}), Step("Mul", {3, 2, 0}), Step("Sub", {4, 1, 0})},
                            {{0, ElementType::kFloat, 5}}});
  std::vector<float> y(count + 1, 42.0f);
  const std::byte* inputs[] = {Bytes(a), Bytes(b), Bytes(c)};
  std::byte* outputs[] = {Bytes(y)};
  chain.Run(inputs, outputs);
  EXPECT_EQ(y[count], 42.0f);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t at = 0, rest = i;
    for (std::size_t axis = dims.size(); axis-- > 0; rest /= static_cast<std::size_t>(dims[axis]))
      at += rest % static_cast<std::size_t>(dims[axis]) * static_cast<std::size_t>(strides[axis]);
    ASSERT_EQ(y[i], (a[i] + b[i]) * c[at] - b[i]) << "element " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ElementChainBroadcast,
                         testing::Values(Broadcast{{}, {}}, Broadcast{{0, 3}, {3, 1}}, Broadcast{{16}, {1}},
                                         Broadcast{{10001}, {0}}, Broadcast{{70001}, {1}},
                                         Broadcast{{700, 3}, {0, 1}}, Broadcast{{40, 768}, {0, 1}},
                                         Broadcast{{9, 5000}, {0, 1}}, Broadcast{{50, 1999}, {0, 1}},
                                         Broadcast{{4, 32, 7, 7}, {0, 1, 0, 0}}, Broadcast{{3000, 5}, {1, 0}},
                                         Broadcast{{6, 5, 4, 3}, {1, 0, 6, 0}},
                                         Broadcast{{100, 30}, {1, 100}},
                                         Broadcast{{300, 1, 300}, {0, 0, 1}}));

// (a + b) * c, where all lie apart in ways of their own, and the result too.
struct Apart {
  Strides dims, a, b, c, y;
};

class ElementChainApart : public testing::TestWithParam<Apart> {};

std::size_t PlaceOf(const Strides& dims, const Strides& strides, std::size_t element) {
  std::size_t at = 0;
  for (std::size_t axis = dims.size(); axis-- > 0; element /= static_cast<std::size_t>(dims[axis]))
    at += element % static_cast<std::size_t>(dims[axis]) * static_cast<std::size_t>(strides[axis]);
  return at;
}

TEST_P(ElementChainApart, EqualsPlainLoops) {
  const auto& [dims, of_a, of_b, of_c, of_y] = GetParam();
  std::size_t count = 1;
  for (const std::int64_t dim : dims)
    count *= static_cast<std::size_t>(dim);
  const auto numbers = [&, &dims = dims](const Strides& strides, float scale) {
    return Numbers(PlaceOf(dims, strides, count - 1) + 1, scale);
  };
  const auto a = numbers(of_a, 0.01f), b = numbers(of_b, 0.03f), c = numbers(of_c, 0.02f);
  const ElementChain chain(
      {dims,
       {{0, ElementType::kFloat, of_a}, {1, ElementType::kFloat, of_b}, {2, ElementType::kFloat, of_c}},
       {Step("Add", {0, 1, 0}), Step("Mul", {3, 2, 0})},
       {{0, ElementType::kFloat, 4, of_y}}});
  std::vector<float> y(PlaceOf(dims, of_y, count - 1) + 2, 42.0f);
  auto expected = y;
  for (std::size_t i = 0; i < count; ++i)
    expected[PlaceOf(dims, of_y, i)] =
        (a[PlaceOf(dims, of_a, i)] + b[PlaceOf(dims, of_b, i)]) * c[PlaceOf(dims, of_c, i)];
  const std::byte* inputs[] = {Bytes(a), Bytes(b), Bytes(c)};
  std::byte* outputs[] = {Bytes(y)};
  chain.Run(inputs, outputs);
  EXPECT_EQ(y, expected);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, ElementChainApart,
    testing::Values(Apart{{70, 130}, {1, 70}, {130, 1}, {0, 1}, {130, 1}},
                    Apart{{70, 130}, {1, 70}, {1, 71}, {1, 0}, {140, 1}},
                    Apart{{70, 130}, {1, 70}, {130, 1}, {0, 0}, {1, 75}},
                    Apart{{70, 130}, {2, 141}, {130, 1}, {0, 0}, {260, 2}},
                    Apart{{5, 6, 7, 8}, {1, 5, 30, 210}, {336, 56, 8, 1}, {7, 0, 1, 0}, {1, 40, 240, 5}},
                    Apart{{5, 6, 7, 8}, {8, 1, 400, 50}, {336, 56, 8, 1}, {7, 0, 1, 0}, {336, 56, 8, 1}},
                    Apart{{1000}, {3}, {0}, {1}, {2}}, Apart{{3, 5000}, {1, 3}, {1, 4}, {1, 5}, {5000, 1}},
                    Apart{{5000, 3}, {1, 5000}, {3, 1}, {1, 5001}, {3, 1}},
                    Apart{{64, 1, 64}, {1, 9, 64}, {64, 0, 1}, {0, 0, 1}, {64, 1, 1}},
                    Apart{{200, 200}, {1, 1}, {1, 200}, {200, 1}, {200, 1}}));

TEST(ElementChain, JoinsShortFunctionsThatOnlyTheNextOneReads) {
  const std::vector<ChainSpec::Step> steps = {Step("Add", {0, 1, 0}), Step("Mul", {2, 1, 0}),
                                              Step("Exp", {3, 0, 0}), Step("Sub", {4, 3, 0}),
                                              Step("Neg", {5, 0, 0})};
  const ChainPlan plan = PlanChain({{100},
                                    {{0, ElementType::kFloat, {1}}, {1, ElementType::kFloat, {1}}},
                                    steps,
                                    {{0, ElementType::kFloat, 6}}});
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(plan.steps[0].links.size(), 2u);
  EXPECT_TRUE(plan.steps[1].links.empty());
  EXPECT_EQ(plan.steps[2].links.size(), 2u);
}

// Short functions that follow each other run as one sequence, in either place of their operands.
TEST(ElementChain, RunsSequencesOfShortFunctionsLikeTheFunctionsThemselves) {
  const std::vector<ChainSpec::Step> steps = {
      Step("Add", {0, 1, 0}),           Step("Sub", {1, 2, 0}),
      Step("Abs", {3, 0, 0}),           Step("Mul", {1, 4, 0}),
      Step("AddBy", {5, 0, 0}, {2.5f}), Step("Div", {6, 1, 0}),
      Step("Neg", {7, 0, 0}),           Step("Square", {8, 0, 0}),
      Step("Div", {1, 9, 0}),           Step("MulBy", {10, 0, 0}, {0.75f}),
      Step("Exp", {11, 0, 0}),          Step("Sub", {12, 0, 0}),
      Step("Mul", {13, 13, 0}),         Step("Add", {14, 12, 0})};
  for (const std::int64_t count : {1, 7, 8, 63, 64, 65, 200, 5003}) {
    const auto size = static_cast<std::size_t>(count);
    std::vector<std::vector<float>> values = {Numbers(size, 0.01f), Numbers(size, 0.03f)};
    for (float& value : values[1])
      value += 3;  // a divisor
    const std::vector<std::vector<float>> operands = values;
    for (const auto& step : steps) {
      std::vector<float> result(size);
      const auto operand = [&](std::size_t k) {
        return values[static_cast<std::size_t>(step.operands[k])].data();
      };
      step.function->loop(operand(0), operand(1), operand(2), result.data(), size, step.params.data());
      values.push_back(result);
    }
    const ElementChain chain({{count},
                              {{0, ElementType::kFloat, {1}}, {1, ElementType::kFloat, {1}}},
                              steps,
                              {{0, ElementType::kFloat, 15}, {1, ElementType::kFloat, 6}}});
    std::vector<float> y(size + 1, 42.0f), between(size + 1, 42.0f);
    const std::byte* inputs[] = {Bytes(operands[0]), Bytes(operands[1])};
    std::byte* outputs[] = {Bytes(y), Bytes(between)};
    chain.Run(inputs, outputs);
    values[15].push_back(42.0f);
    values[6].push_back(42.0f);
    EXPECT_EQ(y, values[15]) << count;
    EXPECT_EQ(between, values[6]) << count;
  }
}

TEST(ElementChain, WritesOverAnOperandThatIsReadByALaterStep) {
  constexpr std::size_t kCount = 5000;
  std::vector<float> x = Numbers(kCount, 0.1f), second(kCount);
  const std::vector<float> before = x;
  const ElementChain chain({{kCount},
                            {{0, ElementType::kFloat, {1}}},
                            {Step("Square", {0, 0, 0}), Step("Add", {1, 0, 0}), Step("Mul", {1, 0, 0})},
                            {{0, ElementType::kFloat, 1}, {1, ElementType::kFloat, 3}}});
  const std::byte* inputs[] = {Bytes(x)};
  std::byte* outputs[] = {Bytes(x), Bytes(second)};
  chain.Run(inputs, outputs);
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(x[i], before[i] * before[i]);
    ASSERT_EQ(second[i], before[i] * before[i] * before[i]);
  }
}

TEST(ElementChain, ComputesWhatIsTheSameForAllElementsOnlyOnce) {
  const std::vector<float> x = Numbers(9000, 0.1f), rate = {3.0f};
  std::vector<float> y(x.size());
  const ElementChain chain(
      {{9000},
       {{0, ElementType::kFloat, {1}}, {1, ElementType::kFloat, {0}}},
       {Step("Square", {1, 0, 0}), Step("MulBy", {2, 0, 0}, {0.5f}), Step("Mul", {0, 3, 0})},
       {{0, ElementType::kFloat, 4}}});
  const std::byte* inputs[] = {Bytes(x), Bytes(rate)};
  std::byte* outputs[] = {Bytes(y)};
  chain.Run(inputs, outputs);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(y[i], x[i] * 4.5f);
  EXPECT_EQ(PlanChain({{9000},
                       {{0, ElementType::kFloat, {1}}, {1, ElementType::kFloat, {0}}},
                       {Step("Square", {1, 0, 0}), Step("Mul", {0, 2, 0})},
                       {{0, ElementType::kFloat, 3}}})
                .uniform.size(),
            1u);
}

TEST(ElementChain, GoesBetweenElementTypes) {
  const std::vector<float> x = {0.0f, -300.0f, 300.0f, NAN, 1.75f, -1.75f, 0.0f, 5.0f, 127.4f};
  std::vector<std::int8_t> bytes(x.size());
  std::vector<std::uint8_t> truths(x.size());
  const ElementChain chain({{static_cast<std::int64_t>(x.size())},
                            {{0, ElementType::kFloat, {1}}},
                            {},
                            {{0, ElementType::kInt8, 0}, {1, ElementType::kBool, 0}}});
  const std::byte* inputs[] = {Bytes(x)};
  std::byte* outputs[] = {reinterpret_cast<std::byte*>(bytes.data()),
                          reinterpret_cast<std::byte*>(truths.data())};
  chain.Run(inputs, outputs);
  EXPECT_EQ(bytes, (std::vector<std::int8_t>{0, -128, 127, 0, 1, -1, 0, 5, 127}));
  EXPECT_EQ(truths, (std::vector<std::uint8_t>{0, 1, 1, 1, 1, 1, 0, 1, 1}));
}

TEST(ElementChain, RefusesStepsThatReadWhatIsNotThereYet) {
  EXPECT_THROW(ElementChain({{4},
                             {{0, ElementType::kFloat, {1}}},
                             {Step("Add", {0, 2, 0}), Step("Neg", {1, 0, 0})},
                             {{0, ElementType::kFloat, 1}}}),
               Error);
  EXPECT_THROW(ElementChain({{4, 4}, {{0, ElementType::kFloat, {1}}}, {}, {{0, ElementType::kFloat, 0}}}),
               Error);
}

}  // namespace
}  // namespace foothold
