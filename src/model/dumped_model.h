// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the dump configuration of this moment means for a model in a file. Any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "compiler/keep_nodes.h"
#include "dump/model_dump.h"
#include "model/om_file.h"

namespace foothold {

// Null if nothing of the model is to be dumped.
std::shared_ptr<ModelDump> DumpOf(const OmFile& file, std::uint32_t id, int device);

// The nodes such a model has to be compiled with.
NodePredicate KeptNodes(std::shared_ptr<ModelDump> dump);

}  // namespace foothold
