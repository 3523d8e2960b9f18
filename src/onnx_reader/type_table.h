// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The types of all values of a model. A model has many values and few types: each type is there once, as the
// ONNX library and as the importer want to see it. Used by the graph reader. One thread at a time.
#pragma once

#include <onnx/onnx_pb.h>

#include <deque>
#include <string>

#include "base/name_map.h"
#include "onnx/model.h"

namespace foothold::onnx {

struct KnownType {
  ::onnx::TypeProto proto;
  ValueType value;
};

class TypeTable {
 public:
  // References live as long as the table. Throws kFeatureUnsupported for an element type we do not know.
  const KnownType& Keep(::onnx::TypeProto type);
  // The type of a constant.
  const KnownType& TypeOf(const TensorValue& value);

 private:
  const KnownType* FindKey() const;
  const KnownType& Add(::onnx::TypeProto type);

  std::deque<KnownType> types_;
  std::deque<std::string> keys_;
  NameMap<const KnownType*> by_key_;
  std::string key_;  // of the type that is looked for
};

}  // namespace foothold::onnx
