// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One step of a recurrent cell for one sequence, after the matrix products: gates, activations and the new
// state in one pass. Any thread.
#pragma once

#include <cstddef>
#include <limits>

namespace foothold {

enum class CellFunction {
  kSigmoid,
  kTanh,
  kRelu,
  kAffine,
  kLeakyRelu,
  kThresholdedRelu,
  kScaledTanh,
  kHardSigmoid,
  kElu,
  kSoftsign,
  kSoftplus
};

struct CellActivation {
  CellFunction function = CellFunction::kTanh;
  float alpha = 0, beta = 0;
};

struct CellRules {
  CellActivation activations[3];  // f, g and h of LSTM; f and g of GRU; f of a plain cell
  float clip = std::numeric_limits<float>::infinity();       // of what goes into the gates
  float cell_clip = std::numeric_limits<float>::infinity();  // of the memory of LSTM
  bool coupled = false;                                      // LSTM forgets as much as it takes in
};

// Gates stand one after the other, `hidden` floats each: input, output, forget, candidate. Sums are given in
// two parts. The pointers in `kept` are null or take the values of the gates.
struct LstmRow {
  const float* x = nullptr;
  const float* recurrent = nullptr;
  const float* peephole = nullptr;  // null, or input, output, forget
  float* h = nullptr;               // written
  float* c = nullptr;               // read and written
  struct {
    float *input = nullptr, *candidate = nullptr, *forget = nullptr, *output = nullptr, *tanh_c = nullptr;
  } kept;
};
void RunLstmRow(const CellRules& rules, std::size_t hidden, const LstmRow& row);

// Gates: update, reset, candidate. The first call leaves the update gate and `reset` times the state, or
// times the recurrent part of the candidate if the product was done before the reset; the second call takes
// the recurrent part of the candidate and makes the new state.
struct GruRow {
  const float* x = nullptr;
  const float* recurrent = nullptr;
  float* h = nullptr;
  float* update = nullptr;
  float* reset = nullptr;  // null, or takes the gate
  float* reset_product = nullptr;
  const float* candidate = nullptr;
  float* new_state = nullptr;  // null, or takes the candidate after its activation
};
void RunGruGates(const CellRules& rules, std::size_t hidden, bool product_first, const GruRow& row);
void RunGruState(const CellRules& rules, std::size_t hidden, const GruRow& row);

void RunPlainCellRow(const CellRules& rules, std::size_t hidden, const float* x, const float* recurrent,
                     float* h);

}  // namespace foothold
