// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <vector>

#include "acl/acl.h"
#include "conformance/library.h"

namespace {

using Dims = std::vector<int64_t>;

// The dimensions in another layout; empty if there are none.
Dims Changed(aclDataType type, aclFormat from, const Dims& dims, aclFormat to) {
  aclTensorDesc* const desc = aclCreateTensorDesc(type, static_cast<int>(dims.size()), dims.data(), from);
  aclTensorDesc* changed = nullptr;
  Dims found;
  if (aclTransTensorDescFormat(desc, to, &changed) == ACL_SUCCESS) {
    EXPECT_EQ(aclGetTensorDescFormat(changed), to);
    EXPECT_EQ(aclGetTensorDescType(changed), type);
    found.resize(aclGetTensorDescNumDims(changed));
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_OK(aclGetTensorDescDimV2(changed, i, &found[i]));
    aclDestroyTensorDesc(changed);
  }
  aclDestroyTensorDesc(desc);
  return found;
}

TEST(aclTransTensorDescFormat, ReordersByLetters) {
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_NCHW, {1, 3, 4, 5}, ACL_FORMAT_NHWC), (Dims{1, 4, 5, 3}));
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_NHWC, {1, 4, 5, 3}, ACL_FORMAT_NCHW), (Dims{1, 3, 4, 5}));
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_NCHW, {1, 3, 4, 5}, ACL_FORMAT_HWCN), (Dims{4, 5, 3, 1}));
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_NCDHW, {1, 2, 3, 4, 5}, ACL_FORMAT_NDHWC), (Dims{1, 3, 4, 5, 2}));
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_NCHW, {1, 3, 4, 5}, ACL_FORMAT_NCHW), (Dims{1, 3, 4, 5}));
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_NCHW, {1, 3, 4, 5}, ACL_FORMAT_ND), (Dims{1, 3, 4, 5}));
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_ND, {1, 3, 4, 5}, ACL_FORMAT_NHWC), (Dims{1, 3, 4, 5}));
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_NCHW, {-1, 3, -1, 5}, ACL_FORMAT_NHWC), (Dims{-1, -1, 5, 3}));
}

TEST(aclTransTensorDescFormat, CutsIntoBlocks) {
  EXPECT_EQ(Changed(ACL_FLOAT16, ACL_FORMAT_NCHW, {1, 20, 4, 5}, ACL_FORMAT_NC1HWC0), (Dims{1, 2, 4, 5, 16}));
  EXPECT_EQ(Changed(ACL_INT8, ACL_FORMAT_NHWC, {1, 4, 5, 20}, ACL_FORMAT_NC1HWC0), (Dims{1, 1, 4, 5, 32}));
  EXPECT_EQ(Changed(ACL_FLOAT16, ACL_FORMAT_ND, {7, 20, 40}, ACL_FORMAT_FRACTAL_NZ), (Dims{7, 3, 2, 16, 16}));
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_ND, {20, -1}, ACL_FORMAT_FRACTAL_NZ), (Dims{-1, 2, 16, 8}));
}

TEST(aclTransTensorDescFormat, RefusesWhatHasNoAnswer) {
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_NCHW, {1, 3}, ACL_FORMAT_NHWC), Dims{});
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_ND, {3}, ACL_FORMAT_FRACTAL_NZ), Dims{});
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_ND, {3, 2}, ACL_FORMAT_NCHW), Dims{});
  EXPECT_EQ(Changed(ACL_FLOAT16, ACL_FORMAT_NC1HWC0, {1, 2, 4, 5, 16}, ACL_FORMAT_NCHW), Dims{});
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_NCHW, {1, 3, 4, 5}, ACL_FORMAT_NDHWC), Dims{});
  EXPECT_EQ(Changed(ACL_STRING, ACL_FORMAT_ND, {3, 2}, ACL_FORMAT_FRACTAL_NZ), Dims{});
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_ND, {-2}, ACL_FORMAT_FRACTAL_NZ), Dims{});
  EXPECT_EQ(Changed(ACL_FLOAT, ACL_FORMAT_UNDEFINED, {1, 3, 4, 5}, ACL_FORMAT_NCHW), Dims{});
  const int64_t dims[] = {1};
  aclTensorDesc* const desc = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  aclTensorDesc* changed = nullptr;
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclTransTensorDescFormat(nullptr, ACL_FORMAT_ND, &changed));
  EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, aclTransTensorDescFormat(desc, ACL_FORMAT_ND, nullptr));
  aclDestroyTensorDesc(desc);
}

}  // namespace
