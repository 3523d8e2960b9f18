// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The activations of recurrent operators, from their attributes. Used while lowering; any thread.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/recurrent_cell.h"
#include "ops/op.h"

namespace foothold {

// By name, without regard to case, with the parameters it has when none are given. Refuses other names.
CellActivation ActivationNamed(const OpContext& context, std::string_view name);

// Attributes 'activations', 'activation_alpha', 'activation_beta' and 'clip', for each direction: as many
// activations as `usual` has, or none. A parameter is taken by the activations that have it, in their order.
std::vector<CellRules> RulesOf(const OpContext& context, const std::vector<CellFunction>& usual,
                               std::size_t directions);

}  // namespace foothold
