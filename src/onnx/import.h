// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From an ONNX model to a graph of the Graph Engine. Called by the API. Any thread.
#pragma once

#include <memory>

#include "ir/graph.h"
#include "onnx/import_options.h"
#include "onnx/model.h"

namespace foothold::onnx {

// Throws one error that lists every node that cannot be imported (E16002), and kInvalidParam for options that
// name what the model does not have.
std::shared_ptr<Graph> ImportModel(const Model& model, const ImportOptions& options);

}  // namespace foothold::onnx
