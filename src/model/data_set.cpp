// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/data_set.h"

#include "base/error.h"

namespace foothold {

DataSet::Item& DataSet::At(std::size_t index) {
  if (index < items.size()) return items[index];
  Fail(kInvalidParam, "the data set has {} buffers, and index {} is none of them", items.size(), index);
}

void DataSet::Describe(std::size_t index, TensorDesc desc) {
  Item& item = At(index);
  if (item.desc == nullptr) {
    item.desc = TensorDescs::Get().Add(std::move(desc));
    return;
  }
  try {
    TensorDescs::Get().Find(item.desc) = desc;
  } catch (const Error&) {  // the program has destroyed what it was shown
    item.desc = TensorDescs::Get().Add(std::move(desc));
  }
}

// Most runs find what the last one has left.
void DataSet::DescribeAs(std::size_t index, const TensorType& type) {
  const TensorDesc* there = TensorDescs::Get().FindOrNull(At(index).desc);
  if (there != nullptr && there->IsPlain() && there->type() == type.type && there->format == type.format &&
      there->shape().dims() == type.dims)
    return;
  Describe(index, {type.type, type.format, Shape(static_cast<int>(type.dims.size()), type.dims.data())});
}

void DataSet::Clear() {
  for (const Item& item : items) {
    if (item.desc == nullptr) continue;
    try {
      TensorDescs::Get().Remove(item.desc);
    } catch (const Error&) {  // as above
    }
  }
  items.clear();
}

}  // namespace foothold
