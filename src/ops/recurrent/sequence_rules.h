// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the operators DynamicRNN, DynamicGRU and their kind have in common: attributes, lengths and states of
// sequences. All refuse what cannot be. Used while inferring and lowering; any thread.
#pragma once

#include <array>
#include <initializer_list>
#include <string_view>

#include "ops/recurrent/recurrence.h"

namespace foothold {

// -1: the operator has no such port, or it is not connected.
int PortIf(const OpContext& context, std::string_view name);

// Sizes from x[steps, batch, input], or [batch, steps, input] if 'time_major' is false, or [batch, input] of
// one step, and the units of a cell, as the width of a bias or weight divided by the number of gates in it.
Recurrence SequenceOf(const OpContext& context, CellKind cell, std::int64_t gates_width, std::int64_t gates);

// Direction, lengths, clipping of the memory; refuses dropout and projections, which have no kernel.
void ReadSequenceAttributes(const OpContext& context, Recurrence& recurrence);

// The attribute 'gate_order': where input, output, forget and candidate stand among the columns of gates, and
// where update, reset and candidate do.
using LstmOrder = std::array<std::size_t, 4>;
LstmOrder LstmOrderOf(const OpContext& context);
using GruOrder = std::array<std::size_t, 3>;
GruOrder GruOrderOf(const OpContext& context);

// Whether a sequence is read from its end; refuses both directions at once.
bool GoesBackwards(const OpContext& context);
// The input 'seq_length', numbers or a mask.
void ReadLengths(const OpContext& context, Recurrence& recurrence);

// All outputs hold the state or a gate of every step.
void SetStepOutputs(OpContext& context, const Recurrence& recurrence);

// Refuses an input that is there and has another number of elements.
void ExpectElements(const OpContext& context, std::string_view name, std::initializer_list<std::size_t> dims);

}  // namespace foothold
