// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What tests of operators that quantise ask: results that are the nearest int8 of numbers computed in double.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/op_run.h"

namespace foothold {

// A number beside the middle of two whole ones by less than `tolerance` may go either way.
inline void ExpectRounded(const TensorValue& found, const std::vector<double>& exact,
                          double tolerance = 1e-3) {
  ASSERT_EQ(found.type().type, DataType::kInt8);
  const std::vector<double> numbers = Numbers(found);
  ASSERT_EQ(numbers.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i)
    EXPECT_LE(std::abs(numbers[i] - std::clamp(exact[i], -128.0, 127.0)), 0.5 + tolerance)
        << "element " << i << " is " << numbers[i] << ", exactly " << exact[i];
}

// The message of what a run throws; empty if it throws nothing.
template <typename Body>
std::string MessageOf(Body&& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace foothold
