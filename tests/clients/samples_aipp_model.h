// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A network that tells the colour of a picture, converted with an AIPP file as atc does for samples, and
// pictures of one colour as decoders make them. For the programs that follow samples with AIPP.
#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "array_ops.h"
#include "clients/check.h"
#include "ge/ge_ir_build.h"
#include "nn_pooling_ops.h"

constexpr int64_t kSide = 32;

// The mean of each channel of a picture of kSide x kSide.
inline ge::Graph ColourGraph() {
  const ge::TensorDesc desc(ge::Shape({1, 3, kSide, kSide}), ge::FORMAT_NCHW, ge::DT_FLOAT);
  ge::op::Data picture("data");
  picture.update_input_desc_x(desc);
  picture.update_output_desc_y(desc);
  const ge::op::GlobalAveragePool means = ge::op::GlobalAveragePool("means").set_input_x(picture);
  return ge::Graph("colour").SetInputs({picture}).SetOutputs(std::vector<ge::Operator>{means});
}

// Writes <name>.om.
inline void ConvertWithAipp(const std::string& name, const std::string& settings) {
  const std::string path = name + ".cfg";
  FILE* file = std::fopen(path.c_str(), "w");
  REQUIRE(file != nullptr && std::fputs(settings.c_str(), file) >= 0 && std::fclose(file) == 0);
  std::map<ge::AscendString, ge::AscendString> none;
  REQUIRE(ge::aclgrphBuildInitialize(none) == ge::GRAPH_SUCCESS);
  ge::ModelBufferData model;
  std::map<ge::AscendString, ge::AscendString> options = {{ge::ir_option::INSERT_OP_FILE, path.c_str()}};
  REQUIRE(ge::aclgrphBuildModel(ColourGraph(), options, model) == ge::GRAPH_SUCCESS);
  REQUIRE(ge::aclgrphSaveModel(name.c_str(), model) == ge::GRAPH_SUCCESS);
  ge::aclgrphBuildFinalize();
  std::remove(path.c_str());
}

// NV12 of one colour.
inline std::vector<uint8_t> PictureOf(uint8_t y, uint8_t u, uint8_t v, int64_t width = kSide,
                                      int64_t height = kSide) {
  std::vector<uint8_t> picture(static_cast<size_t>(width * height), y);
  for (int64_t i = 0; i < width * height / 4; ++i) {
    picture.push_back(u);
    picture.push_back(v);
  }
  return picture;
}
