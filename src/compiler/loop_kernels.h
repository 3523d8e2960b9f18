// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Kernels that run programs: branches and loops whose shapes are known. Made by compiler/control_flow.
#pragma once

#include <memory>
#include <vector>

#include "compiler/control_flow.h"
#include "program/program.h"

namespace foothold {

enum class Choice { kTruth, kIndex };

// The branch a value chooses: for a truth value 0 or 1 (a tensor that is no scalar is true if it has
// elements), for an index the branch of that number, or the last if there is none.
std::size_t ChooseBranch(Choice choice, const TensorValue& value, std::size_t branches);

// The chooser is input 0, of type `chooser`; the programs take what follows among `ports` inputs.
LoweredControlFlow LowerChoice(std::vector<std::shared_ptr<const Program>> programs, Choice choice,
                               const TensorType& chooser, int ports);

// Repeats `body` on values of these types while `condition` gives true for them.
LoweredControlFlow LowerLoop(std::shared_ptr<const Program> condition, std::shared_ptr<const Program> body,
                             const std::vector<TensorType>& carried);

}  // namespace foothold
