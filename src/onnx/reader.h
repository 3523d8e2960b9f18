// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Reads models with libfoothold_onnx.so, which stands beside this library. Any thread.
#pragma once

#include <memory>

#include "onnx/reader_interface.h"

namespace foothold::onnx {

// Throws kInvalidFile, kParseFile or what else the reader finds, and kApiNotSupport if the reader itself is
// not installed. Fills the functions of the request.
std::shared_ptr<const Model> ReadModel(ReadRequest request);

}  // namespace foothold::onnx
