// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Functions that no header declares: programs look them up by name.
#include <cmath>

#include "samples/table.h"

extern "C" {
aclnnStatus aclnnInplaceRoundGetWorkspaceSize(aclTensor* self, std::uint64_t* size, aclOpExecutor** executor);
aclnnStatus aclnnInplaceRound(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                              aclrtStream stream);
aclnnStatus aclnnInplaceTruncGetWorkspaceSize(aclTensor* self, std::uint64_t* size, aclOpExecutor** executor);
aclnnStatus aclnnInplaceTrunc(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                              aclrtStream stream);
aclnnStatus aclnnSeluGetWorkspaceSize(const aclTensor* self, aclTensor* out, std::uint64_t* size,
                                      aclOpExecutor** executor);
aclnnStatus aclnnSelu(void* workspace, std::uint64_t size, aclOpExecutor* executor, aclrtStream stream);
aclnnStatus aclnnInplaceSeluGetWorkspaceSize(aclTensor* self, std::uint64_t* size, aclOpExecutor** executor);
aclnnStatus aclnnInplaceSelu(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                             aclrtStream stream);
aclnnStatus aclnnSeluBackwardGetWorkspaceSize(const aclTensor* gradient, const aclTensor* result,
                                              aclTensor* out, std::uint64_t* size, aclOpExecutor** executor);
aclnnStatus aclnnSeluBackward(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                              aclrtStream stream);
aclnnStatus aclnnCoalesceSparseGetWorkspaceSize(const aclTensor* length, const aclTensor* unique,
                                                const aclTensor* indices, const aclTensor* values,
                                                aclTensor* new_indices, aclTensor* new_values,
                                                std::uint64_t* size, aclOpExecutor** executor);
aclnnStatus aclnnCoalesceSparse(void* workspace, std::uint64_t size, aclOpExecutor* executor,
                                aclrtStream stream);
}

namespace samples {
namespace {

constexpr double kScale = 1.0507009873554805, kAlpha = 1.6732632423543772;
const std::vector<aclDataType> kFloating = FloatTypes() + std::vector<aclDataType>{ACL_DOUBLE};

// Four elements of a sparse matrix, two of them at one place.
std::vector<Block> Coalesced(const Given& in) {
  Block indices{{3, 2}, Values(6, 0)}, values{{3, in[3].dims[1]}, {}};
  const auto width = static_cast<std::size_t>(in[3].dims[1]);
  values.values.assign(3 * width, 0);
  for (std::size_t k = 0; k < in[1].values.size(); ++k) {
    const auto at = static_cast<std::size_t>(in[1].values[k]);
    for (std::size_t i = 0; i < 2; ++i)
      indices.values[at * 2 + i] = in[2].values[k * 2 + i];
    for (std::size_t i = 0; i < width; ++i)
      values.values[at * width + i] += in[3].values[k * width + i];
  }
  return {indices, values};
}

const Table undeclared({
    Functions("InplaceRound").Types(kFloating).InPlace(NN(InplaceRound)).Each(std::nearbyint),
    Functions("InplaceTrunc").Types(kFloating).InPlace(NN(InplaceTrunc)).Each(std::trunc),
    Functions("Selu")
        .Types(FloatTypes())
        .Calls(NN(Selu))
        .InPlace(NN(InplaceSelu))
        .Within(2)
        .Each([](double x) { return kScale * (x > 0 ? x : kAlpha * std::expm1(x)); }),
    Functions("SeluGradient").Types(kFloating).Calls(NN(SeluBackward)).Within(2).Each([](double g, double y) {
      return y > 0 ? g * kScale : g * (y + kScale * kAlpha);
    }),
    Functions("CoalesceSparse")
        .Types({ACL_FLOAT})
        .Calls(NN(CoalesceSparse), {X(0), X(1), X(2), X(3), Y(0), Y(1)})
        .TypeOf(0, ACL_INT32)
        .TypeOf(1, ACL_INT32)
        .TypeOf(2, ACL_INT32)
        .Gives({ACL_INT32, kSame})
        .Holds(1,
               [](const Form&) {
                 return Values{2, 0, 1, 0};
               })
        .Holds(2, [](const Form&) { return Values{5, 6, 1, 2, 3, 4, 1, 2}; })
        .Form({{3}, {4}, {4, 2}, {4, 5}})
        .Without(Part::kHalf, "values are cast before")
        .Without(Part::kEmpty, "a sparse tensor has elements")
        .Without(Part::kSpecial, "sums of infinities of both signs")
        .Are(Coalesced),
});

}  // namespace
}  // namespace samples
