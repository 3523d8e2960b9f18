// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/rule_arguments.h"

#include <algorithm>

#include "ops/element_types.h"

namespace foothold {

std::size_t AxisIn(const OpContext& context, std::int64_t axis, std::size_t rank, std::string_view what) {
  const auto limit = static_cast<std::int64_t>(rank);
  if (axis < -limit || axis >= limit)
    context.Refuse("{} is {}, expected an axis of {} dimensions", what, axis, rank);
  return static_cast<std::size_t>(axis < 0 ? axis + limit : axis);
}

// What has no axes has one of 1 where one is named.
std::vector<bool> AxesIn(const OpContext& context, const std::vector<std::int64_t>& axes, std::size_t rank,
                         std::string_view what) {
  std::vector<bool> chosen(std::max<std::size_t>(rank, 1), false);
  for (const std::int64_t axis : axes)
    chosen[AxisIn(context, axis, chosen.size(), what)] = true;
  chosen.resize(rank);
  return chosen;
}

std::int64_t RequiredInt(const OpContext& context, std::string_view attribute) {
  if (context.node().FindAttribute(attribute) == nullptr)
    context.Refuse("attribute '{}' is not set", attribute);
  return context.node().Int(attribute, 0);
}

std::vector<std::int64_t> RequiredInts(const OpContext& context, std::string_view attribute) {
  if (context.node().FindAttribute(attribute) == nullptr)
    context.Refuse("attribute '{}' is not set", attribute);
  return context.node().Ints(attribute);
}

DataType TypeAttribute(const OpContext& context, std::string_view attribute, DataType otherwise) {
  const Attribute* value = context.node().FindAttribute(attribute);
  if (value == nullptr) return otherwise;
  if (const auto* type = std::get_if<DataType>(value)) return *type;
  if (const auto* number = std::get_if<std::int64_t>(value)) {
    const auto type = static_cast<DataType>(*number);
    if (*number < 0 || *number > 255 || !BitsPerElement(type))
      context.Refuse("attribute '{}' is {}, which is no data type", attribute, *number);
    return type;
  }
  context.Refuse("attribute '{}' is {}, expected a data type", attribute, AttributeKind(*value));
}

DataType IndexTypeAttribute(const OpContext& context, std::string_view attribute, DataType otherwise) {
  const DataType type = TypeAttribute(context, attribute, otherwise);
  if (type != DataType::kInt32 && type != DataType::kInt64)
    context.Refuse("attribute '{}' is {}, expected int32 or int64", attribute, DataTypeName(type));
  return type;
}

std::int64_t IntArgument(const OpContext& context, std::string_view name) {
  if (!context.Has(name)) return RequiredInt(context, name);
  const std::vector<std::int64_t> values = context.NeededInts(name);
  if (values.size() != 1) context.Refuse("input '{}' has {} elements, expected one", name, values.size());
  return values[0];
}

std::vector<std::int64_t> IntsArgument(const OpContext& context, std::string_view name) {
  return context.Has(name) ? context.NeededInts(name) : RequiredInts(context, name);
}

std::vector<int> DataPorts(const OpContext& context, std::string_view group) {
  std::vector<int> ports = context.node().InputGroup(group);
  if (ports.empty()) context.Refuse("there is no input '{}'", group);
  for (const int port : ports)
    if (!context.Has(port)) context.Refuse("input {} of '{}' is not connected", port, group);
  return ports;
}

void Ignore(OpContext& context, std::initializer_list<std::string_view> inputs) {
  for (const std::string_view input : inputs)
    if (context.Has(input)) context.SetUnused(context.Port(input));
}

std::size_t ElementBytes(const OpContext& context, DataType type) {
  const int bits = BitsPerElement(type).value_or(0);
  if (bits < 8 || bits % 8 != 0)
    context.Unsupported("no kernel for {}; types of whole bytes would run", DataTypeName(type));
  return static_cast<std::size_t>(bits / 8);
}

void StoreNumber(const OpContext& context, TensorValue& value, double number) {
  VisitType(
      value.type().type,
      [&](auto tag) {
        using T = typename decltype(tag)::Type;
        const auto count = static_cast<std::size_t>(ElementCount(value.dims()));
        std::fill_n(value.MutableAs<T>(), count, static_cast<T>(static_cast<Computed<T>>(number)));
      },
      [&] {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(value.type().type));
      });
}

std::vector<std::ptrdiff_t> Strides(const Dims& dims, std::size_t unit) {
  std::vector<std::ptrdiff_t> strides(dims.size());
  std::size_t stride = unit;  // unsigned: beside a 0 the other dimensions may be anything
  for (std::size_t i = dims.size(); i-- > 0;) {
    strides[i] = static_cast<std::ptrdiff_t>(stride);
    stride *= static_cast<std::size_t>(dims[i]);
  }
  return strides;
}

std::size_t Product(const Dims& dims, std::size_t begin, std::size_t end) {
  std::size_t product = 1;
  for (std::size_t i = begin; i < end; ++i)
    product *= static_cast<std::size_t>(dims[i]);
  return product;
}

}  // namespace foothold
