// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Packed forms of constant weights. Products that pack the same bytes in the same way share one: in one
// program, in the programs of a graph that is compiled for several shapes, and in a model that was loaded
// with them. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/tensor_value.h"

namespace foothold {

// The result of `pack` for this weight, which is of type `packed`. `way` names all that packing depends on
// besides the bytes of the weight and the CPU. Kept as long as somebody holds it.
TensorValue SharedPacking(const TensorValue& weight, const std::string& way, const TensorType& packed,
                          const std::function<void(TensorValue&)>& pack);

struct WeightPacking {
  std::string way;
  TensorValue packed;
};

// Those of a weight that somebody holds.
std::vector<WeightPacking> PackingsOf(const TensorValue& weight);
// This weight has been packed already, on a CPU with the same key. Counts as long as somebody holds it.
void OfferPacking(const TensorValue& weight, const WeightPacking& packing);
// Where it differs, weights are packed otherwise.
std::string PackingKeyOfCpu();

}  // namespace foothold
