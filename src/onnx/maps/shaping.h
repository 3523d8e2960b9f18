// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small compositions that many mappings need. One thread at a time.
#pragma once

#include "onnx/node_import.h"

namespace foothold::onnx {

OutputRef UnsqueezeAxes(NodeImport& node, OutputRef x, Ints axes);
OutputRef SqueezeAxes(NodeImport& node, OutputRef x, Ints axes);
OutputRef ReshapeTo(NodeImport& node, OutputRef x, const Ints& shape);  // 0 copies a dimension
OutputRef ShapeOf(NodeImport& node, OutputRef x);                       // int64
OutputRef DimensionOf(NodeImport& node, OutputRef x,
                      std::int64_t axis);  // int64 scalar; negative from the end
// x along `axis` from `begin` to `end`.
OutputRef SliceAxis(NodeImport& node, OutputRef x, std::int64_t axis, std::int64_t begin, std::int64_t end);
OutputRef TransposeTo(NodeImport& node, OutputRef x, const Ints& perm);
// 0, 1, ... up to `count`, an int64 scalar.
OutputRef CountTo(NodeImport& node, OutputRef count);

// Whether an optional list is missing: not given, or known to be empty.
bool IsEmptyList(const NodeImport& node, int input);
// A list that is an attribute in older versions and an input in newer ones. Nothing: neither is given, or its
// value is not known before a run.
std::optional<Ints> KnownList(const NodeImport& node, std::string_view attribute, int input);

}  // namespace foothold::onnx
