// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one aipp_op of a configuration file says: how pictures are prepared for an input of a network. Files
// are read by file.h; inside graphs and models the settings stand in the same words. Values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "kernels/aipp_picture.h"

namespace foothold {

struct AippSettings {
  bool dynamic = false;  // the program says the rest before each run
  std::int64_t related_input_rank = 0;
  std::string related_input_name;
  std::int64_t max_src_image_size = 0;  // bytes of all pictures of a run; dynamic only

  AippFormat input_format = AippFormat::kYuv420sp;
  std::int64_t src_image_size_w = 0, src_image_size_h = 0;  // 0: those of the network
  bool crop = false;
  std::int64_t load_start_pos_w = 0, load_start_pos_h = 0;
  std::int64_t crop_size_w = 0, crop_size_h = 0;  // 0: those of the network
  bool padding = false;
  std::int64_t left_padding_size = 0, right_padding_size = 0, top_padding_size = 0, bottom_padding_size = 0;
  double padding_value = 0;
  bool csc_switch = false, rbuv_swap_switch = false, ax_swap_switch = false;
  std::array<std::int64_t, 9> matrix{298, 516, 0, 298, -100, -208, 298, 0, 409};
  std::array<std::int64_t, 3> output_bias{16, 128, 128}, input_bias{16, 128, 128};
  std::array<std::int64_t, 4> mean_chn{};
  std::array<double, 4> min_chn{}, var_reci_chn{1, 1, 1, 1};

  bool operator==(const AippSettings&) const = default;
};

// "YUV420SP_U8"
const char* NameOf(AippFormat format);

}  // namespace foothold
