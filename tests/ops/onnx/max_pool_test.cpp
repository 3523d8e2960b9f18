// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <memory>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

std::unique_ptr<OpRun> MaxPool(TensorValue x, const Ints& kernel) {
  auto run = std::make_unique<OpRun>("OnnxMaxPool");
  const Ints ones(kernel.size(), 1), zeros(kernel.size(), 0);
  run->In("x0", std::move(x)).Attr("kernel", kernel).Attr("strides", ones).Attr("dilations", ones);
  run->Attr("begins", zeros).Attr("ends", zeros).Out("y").Out("indices");
  return run;
}

const TensorValue kImage = Floats({1, 1, 3, 3}, {1, 2, 9, 8, 5, 6, 7, 4, 3});

TEST(OnnxMaxPool, GivesMaximaAndWhereTheyAre) {
  const auto found = MaxPool(kImage, {2, 2})->RunAll();
  ExpectNear(found[0], {8, 9, 8, 6});
  ExpectNear(found[1], {3, 2, 3, 5});
}

TEST(OnnxMaxPool, CountsPlacesThroughAllPlanes) {
  const auto found = MaxPool(Floats({1, 2, 2}, {1, 2, 4, 3}), {2})->RunAll();
  ExpectNear(found[1], {1, 2});
}

TEST(OnnxMaxPool, CountsPlacesColumnByColumn) {
  const auto found = MaxPool(kImage, {2, 2})->Attr("column_major", true).RunAll();
  ExpectNear(found[1], {1, 6, 1, 7});
}

TEST(OnnxMaxPool, LooksOnlyAtDilatedPlaces) {
  const auto found = MaxPool(kImage, {2, 2})->Attr("dilations", Ints{2, 2}).RunAll();
  EXPECT_EQ(found[0].dims(), (Dims{1, 1, 1, 1}));
  ExpectNear(found[0], {9});
}

TEST(OnnxMaxPool, NeverChoosesPadding) {
  const auto found =
      MaxPool(Floats({1, 1, 2}, {-3, -4}), {3})->Attr("begins", Ints{1}).Attr("ends", Ints{1}).RunAll();
  ExpectNear(found[0], {-3, -3});
}

TEST(OnnxMaxPool, RoundsUpWhenAsked) {
  auto run = MaxPool(Floats({1, 1, 4}, {1, 2, 3, 4}), {3});
  const auto found = run->Attr("strides", Ints{2}).Attr("ceil_mode", true).RunAll();
  ExpectNear(found[0], {3, 4});
}

TEST(OnnxMaxPool, RefusesAWindowThatDoesNotFit) {
  EXPECT_THROW(MaxPool(Floats({1, 1, 2}, {1, 2}), {3})->RunAll(), Error);
}

}  // namespace
}  // namespace foothold
