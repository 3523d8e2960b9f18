// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Aipp: pictures of bytes become the input of a network. With static settings it has one input, the pictures;
// with dynamic ones a second says what is done to them (block.h). Made by whoever inserts it into a model, or
// by a program with the name of a file. Any thread.
#pragma once

#include <string>

#include "ir/node.h"
#include "ops/aipp/geometry.h"

namespace foothold {

// Pictures as they stand in memory: dimensions whose product is their bytes. Sizes may be open.
Dims PictureDims(AippFormat format, std::int64_t batch, AippSize size);
// The same as programs are told: rows, columns and what is in a pixel.
Dims PictureDimsForPrograms(AippFormat format, std::int64_t batch, AippSize size);

// The sizes of an input of a network in planes or with channels last.
struct AippNetwork {
  std::int64_t batch = 0, channels = 0;
  AippSize size;
  bool channels_last = false;
};
// Throws kInvalidParam for what is no picture: `what` names it.
AippNetwork NetworkOf(const TensorType& type, const std::string& what);

// Turns a node into an Aipp with an output of this type; dynamic ones get a second input `params`.
void SetUpAipp(Node& node, const AippSettings& settings, const TensorType& features);
// Takes what the file of the attribute aipp_config_path says into the node. Throws what is wrong with it.
void EmbedAippFile(Node& node);
// What an Aipp that was set up does.
AippSettings AippSettingsOf(const Node& node);

// Can write blocks of its channels itself, with zeros around the pictures: floats in planes.
bool CanBlockAipp(const Node& node);
void BlockAipp(Node& node, const Dims& pads, const TensorType& blocks);

}  // namespace foothold
