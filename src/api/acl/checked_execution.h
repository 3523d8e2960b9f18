// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the checking mode wants to know of executions of models. Precondition of all: check::On(). Any thread.
#pragma once

#include <cstdint>

#include "device/current.h"
#include "model/data_set.h"
#include "model/loaded_model.h"
#include "model/model_run.h"

namespace foothold {

// An execution with these datasets is asked for (ACL-MDL-004, 005, 009).
void LookAtExecution(const LoadedModel& model, const DataSet& inputs, const DataSet& outputs) noexcept;
// The call itself is about to run it. Throws if it must not because of what was found.
void TellRun(const ModelRun& run);
// It was put into the stream's queue, with the datasets behind these handles.
void TellExecution(std::uint32_t model, const void* input, const void* output,
                   const StreamRef& stream) noexcept;

}  // namespace foothold
