// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The options that give an offline model its gears (dynamic_batch_size, dynamic_image_size, dynamic_dims),
// under all their names, as the one option that shapes of inputs know.
#pragma once

#include "ir/graph.h"
#include "model/description.h"
#include "options/options.h"

namespace foothold {

struct GearOptions {
  OptionMap options;  // with input_shape and ge.dynamicDims as options/input_shapes.h reads them
  ModelGears::Kind kind = ModelGears::Kind::kNone;
  std::vector<Dims> values;  // as the user wrote them
};

// `data` are the inputs of a normal graph. Throws E10001-like errors: two kinds at once, open dimensions that
// do not fit the kind, sizes that are none.
GearOptions ReadGearOptions(const std::vector<Node*>& data, const OptionMap& options);

}  // namespace foothold
