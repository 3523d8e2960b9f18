// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The shape of a tensor in another layout. Any thread.
#pragma once

#include "base/data_type.h"
#include "base/format.h"
#include "base/tensor_desc.h"

namespace foothold {

// Between layouts of images and volumes by their letters (NCHW, NHWC, HWCN; NCDHW, NDHWC), to and from ND
// with the same dimensions, and into the hardware's blocks: channels to NC1HWC0, matrices to FRACTAL_NZ, in
// pieces of 32 bytes. A dimension that is not known (-1) stays so. Throws 100000 for a shape that does not
// have the layout it is said to have, and 200006 for other pairs: out of blocks, how much of them is filling
// is not known.
Shape ChangeLayout(const Shape& shape, DataType type, Format from, Format to);

}  // namespace foothold
