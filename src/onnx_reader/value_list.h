// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The values that can be seen in a graph while it is read, by name and by number. Used by the graph reader.
// One thread at a time.
#pragma once

#include <string>
#include <vector>

#include "base/name_map.h"
#include "onnx_reader/type_inference.h"
#include "onnx_reader/type_table.h"

namespace foothold::onnx {

class ValueList {
 public:
  // `outer`: of the surrounding graph, or null.
  explicit ValueList(ValueList* outer) : outer_(outer) {}

  void Reserve(std::size_t count);
  // Throws kParseFile if the graph has a value of that name. An outer value may have it: the inner one counts
  // from now on. `data`, null if there is none, is that of a constant.
  ValueNumber Define(const std::string& name, const KnownType& type, const ::onnx::TensorProto* data);
  // Of this graph or one around it, which is a value of this graph then; kNoValue if nothing has defined it.
  ValueNumber Find(const std::string& name);

  KnownInput operator[](ValueNumber number) const {
    return number == kNoValue ? KnownInput() : inputs_[static_cast<std::size_t>(number)];
  }
  ModelValue& at(ValueNumber number) { return values_[static_cast<std::size_t>(number)]; }
  std::vector<ModelValue> Take() { return std::move(values_); }

 private:
  ValueNumber Add(ModelValue value, KnownInput input);

  ValueList* const outer_;
  NameMap<ValueNumber> numbers_;
  std::vector<ModelValue> values_;
  std::vector<KnownInput> inputs_;  // what shape inference is told of them
};

}  // namespace foothold::onnx
