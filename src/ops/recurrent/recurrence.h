// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A recurrent network of one layer, in one or both directions, whatever operator it comes from: the operators
// say where their weights, states and outputs stand, this runs it. Built while lowering; constant afterwards.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/matmul.h"
#include "kernels/recurrent_cell.h"
#include "ops/op.h"

namespace foothold {

enum class CellKind { kLstm, kGru, kPlain };

// Gates of a cell: LSTM has input, output, forget, candidate; GRU update, reset, candidate; a plain one 1.
std::size_t GatesOf(CellKind cell);

// A matrix or vector inside an input, in floats. Port -1: there is none.
struct PartOfInput {
  int port = -1;
  std::size_t offset = 0;
  std::size_t row = 0;     // from one element of the depth to the next
  std::size_t column = 0;  // from one unit of the gate to the next
};

struct GateWeights {
  PartOfInput input;      // [input size, hidden]
  PartOfInput recurrent;  // [hidden, hidden]
  PartOfInput input_bias, recurrent_bias, peephole;
  float extra_bias = 0;
};

// One number for each sequence, or floats like a tensor of every step, 0 behind the end of a sequence.
enum class LengthForm : std::uint8_t { kInt32, kInt64, kMask };

// Ports of an operator; -1: it has no such.
struct RecurrencePorts {
  int x = 0;
  int lengths = -1;
  int continues = -1;  // [steps, batch]: 0 where a new sequence begins
  int h = -1, c = -1;  // states to begin with
  int y = -1;          // outputs from here: state at every step
  int last_h = -1, last_c = -1;
  int every_h = -1, every_c = -1;  // one direction only, as the gates below
  int gate_input = -1, gate_candidate = -1, gate_forget = -1, gate_output = -1, tanh_c = -1;
  int gate_update = -1, gate_reset = -1, gate_new = -1, hidden_new = -1;
};

struct Recurrence {
  CellKind cell = CellKind::kLstm;
  std::size_t steps = 0, batch = 0, input = 0, hidden = 0;
  std::size_t directions = 1;
  bool reversed = false;       // the first direction goes from the end
  bool batch_first = false;    // x[batch, steps, input] and so on, else [steps, batch, input]
  bool product_first = false;  // GRU: the candidate's product before the reset gate
  LengthForm lengths = LengthForm::kInt32;
  std::vector<CellRules> rules;      // by direction
  std::vector<GateWeights> weights;  // by direction, then by gate
  RecurrencePorts ports;

  std::size_t gates() const { return GatesOf(cell); }
  std::size_t width() const { return gates() * hidden; }

  // Of a sequence in a run; throws with the operator named if there cannot be such.
  std::size_t LengthOf(const RunArgs& args, std::size_t sequence, std::string_view name) const;

  // Where a sequence stands in x, in tensors of every step and in tensors of states, in rows.
  std::size_t RowOfX(std::size_t step, std::size_t sequence) const {
    return batch_first ? sequence * steps + step : step * batch + sequence;
  }
  std::size_t RowOfY(std::size_t step, std::size_t sequence, std::size_t direction) const {
    return batch_first ? (sequence * steps + step) * directions + direction
                       : (step * directions + direction) * batch + sequence;
  }
  std::size_t RowOfState(std::size_t sequence, std::size_t direction) const {
    return batch_first ? sequence * directions + direction : direction * batch + sequence;
  }
};

// Packs weights that are constant. The kernel computes on floats.
std::unique_ptr<Kernel> MakeRecurrence(OpContext& context, Recurrence recurrence);
// The same for 16-bit floats too.
std::unique_ptr<Kernel> LowerRecurrence(OpContext& context, Recurrence recurrence);

}  // namespace foothold
