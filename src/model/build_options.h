// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Options of offline compilation (aclgrphBuildModel, atc) that ask something of the graph itself, under all
// names they have: constants of the headers, keys of the documents, flags of atc. Any thread.
#pragma once

#include <optional>
#include <string>

#include "ir/graph.h"
#include "options/options.h"

namespace foothold {

// Notes in the log what a mode of precision means; options/known_options.h warns about the rest.
void NoteBuildOptions(const OptionMap& options);

// out_nodes: the values that are outputs, "node:port;...". Before the graph is made normal.
void ChooseOutputs(Graph& graph, const OptionMap& options);
// input_format: the layout of inputs that have not said theirs.
void SetInputFormats(Graph& graph, const OptionMap& options);
// input_fp16_nodes and output_type: elements of another type at the borders, and a Cast inside each. Of a
// normal graph.
void CastInputs(Graph& graph, const OptionMap& options);
void CastOutputs(Graph& graph, const OptionMap& options);

}  // namespace foothold
