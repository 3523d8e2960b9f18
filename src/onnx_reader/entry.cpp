// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <new>

#include "base/error.h"
#include "onnx/reader_interface.h"
#include "onnx_reader/function_calls.h"
#include "onnx_reader/graph_reader.h"
#include "onnx_reader/model_bytes.h"
#include "onnx_reader/node_check.h"
#include "onnx_reader/type_inference.h"

namespace foothold::onnx {
namespace {

std::shared_ptr<const Model> Read(const ReadRequest& request) {
  ParsedModel model = ParseModel(request);
  CheckFunctionCalls(model.message);
  CheckNodes(model.message);
  SetInputShapes(*model.message.mutable_graph(), request.input_shapes);
  return ReadModel(request, std::move(model));
}

void Answer(ReadAnswer& answer, Code code, const char* text_code, const std::string& message) {
  answer.code = code;
  answer.text_code = text_code;
  answer.message = message;
}

}  // namespace

// No exception crosses the border, so that it does not matter whose types the other side knows.
extern "C" [[gnu::visibility("default")]] void FootholdReadOnnx(const ReadRequest& request,
                                                                ReadAnswer& answer) {
  try {
    answer.model = Read(request);
  } catch (const Error& error) {
    Answer(answer, error.code(), error.text_code(), error.message());
  } catch (const std::bad_alloc&) {
    Answer(answer, kBadAlloc, nullptr, "there is not enough memory to read the model");
  } catch (const std::exception& error) {
    Answer(answer, kParseFile, nullptr, std::string("the ONNX library refuses the model: ") + error.what());
  }
}

}  // namespace foothold::onnx
