// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way back through a recurrent layer of one direction whose gates were kept: from the last step to the
// first what the sums of the gates take, then the products with inputs, states and weights. Cells say what
// one step of one sequence does. Made while lowering; constant afterwards.
#pragma once

#include <string>

#include "kernels/matmul.h"
#include "ops/recurrent/recurrence.h"

namespace foothold {

// Ports of an operator; -1: it has no such. Weights are [input, width] and [hidden, width], below each other
// in one input or apart, and so are their gradients.
struct GradientPorts {
  int x = -1, weights_input = -1, weights_hidden = -1;
  int init_h = -1, init_c = -1, h = -1, c = -1;
  int dy = -1, dh = -1, dc = -1;
  // Outputs.
  int dw_input = -1, dw_hidden = -1, db_input = -1, db_hidden = -1, dx = -1, dh_prev = -1, dc_prev = -1;
};

// One step of one sequence, in rows of `hidden` floats and, of sums, of all gates.
struct GradientRow {
  std::size_t at = 0;               // where it stands in tensors of every step
  const float* h_before = nullptr;  // the state and the memory it began with
  const float* c_before = nullptr;  // null for cells without memory
  // Read: of the state and memory after the step. Written: of those before, by all ways but the sums of the
  // gates.
  float* dh = nullptr;
  float* dc = nullptr;
  // Written: of the sums with inputs and of those with states, which are the same memory unless a cell has
  // them apart.
  float* input_sums = nullptr;
  float* state_sums = nullptr;
};

class LayerGradient : public Kernel {
 public:
  LayerGradient(const Recurrence& recurrence, const GradientPorts& ports, bool sums_apart, std::string name);

  std::size_t WorkspaceBytes() const override;
  void Run(const RunArgs& args) const override;

 protected:
  virtual void Step(const RunArgs& args, const GradientRow& row) const = 0;
  std::size_t hidden() const { return r_.hidden; }

 private:
  struct Scratch {
    float *input_sums, *state_sums;  // of all steps
    float* before;                   // the states they began with
    float *dh, *dc;
    float* step_sums;  // with states, of one step
    float* product;    // of those and the weights
    float* weights;    // packed
    std::byte* plans;
  };

  std::size_t Rows() const { return r_.steps * r_.batch; }
  std::size_t States() const { return r_.batch * r_.hidden; }
  std::size_t PlanBytes() const;
  Scratch Divide(std::byte* workspace) const;
  const float* HiddenWeights(const RunArgs& args) const;
  void Load(const RunArgs& args, int port, float* to) const;
  void GoBack(const RunArgs& args, std::size_t step, const Scratch& s) const;
  void GoBackIn(const RunArgs& args, std::size_t step, std::size_t sequence, const Scratch& s) const;
  void StoreWeights(const RunArgs& args, const Scratch& s) const;
  void AddUp(const RunArgs& args, int port, const float* sums) const;

  const Recurrence r_;
  const GradientPorts ports_;
  const bool sums_apart_;
  const std::string name_;
  const MatMulPlan to_state_, to_input_, to_input_weights_, to_hidden_weights_;
};

}  // namespace foothold
