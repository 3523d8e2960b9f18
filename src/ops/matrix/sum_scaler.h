// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From the exact sums of a product of small integers to its result: times a scale for each column and each
// row, plus a bias or an offset. Made while lowering, used by runs on any thread.
#pragma once

#include <cstdint>

#include "ops/kernel.h"
#include "ops/op.h"

namespace foothold {

// Ports; -1: there is no such input. Of scale, bias and offset there is one number or one for each column, in
// float, float16, bfloat16, or as 64 bits with a float in their low half.
struct ScalePorts {
  int scale = -1;
  int row_scale = -1;  // one, or one for each row, or for those of a matrix; float
  int bias = -1;       // added after scaling
  int offset = -1;     // the same
};

class SumScaler {
 public:
  // Refuses inputs of other types or sizes. `rows` are those of all matrices, `matrix_rows` those of one.
  SumScaler(const OpContext& context, const ScalePorts& ports, std::size_t rows, std::size_t matrix_rows,
            std::size_t columns);

  std::size_t WorkspaceBytes() const;
  // Writes output 0, which is float, float16, bfloat16 or, rounded to the nearest, int8.
  void Run(const RunArgs& args, const std::int32_t* sums, std::byte* workspace) const;

 private:
  struct Factor {
    int port = -1;
    DataType type = DataType::kFloat;
    std::size_t count = 0;

    void Read(const RunArgs& args, std::size_t wanted, float* to) const;
  };
  struct Values;
  Factor FactorOf(const OpContext& context, int port, std::size_t each) const;
  void WriteRow(const Values& values, std::size_t row, const std::int32_t* sums, std::byte* out) const;

  std::size_t rows_, columns_;
  Factor scale_, row_scale_, bias_, offset_;
  DataType out_;
};

}  // namespace foothold
