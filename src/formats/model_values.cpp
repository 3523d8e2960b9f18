// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/model_values.h"

#include <cstring>
#include <type_traits>

#include "base/error.h"
#include "formats/type_numbers.h"
#include "ir/stored_weight.h"

namespace foothold {
namespace {

using List = model::AttrDef::ListValue;

// Where a description keeps what its message has no field for.
constexpr const char* kSet = "_foothold_set";
constexpr const char* kOriginShape = "origin_shape";
constexpr const char* kOriginFormat = "origin_format";
constexpr const char* kShapeRange = "shape_range";
constexpr const char* kPlacement = "_foothold_placement";
constexpr const char* kExpandDimsRule = "_foothold_expand_dims_rule";
constexpr const char* kConstant = "_foothold_constant";

std::string AsText(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

Bytes AsBytes(const std::string& text) {
  return {text.begin(), text.end()};
}

// One overload per alternative of Attribute.
struct AttributeWriter {
  const ValueWriter& writer;
  model::AttrDef& to;

  List& NewList(List::ListValueType type) const {
    to.mutable_list()->set_val_type(type);
    return *to.mutable_list();
  }

  void operator()(std::monostate) const {}
  void operator()(std::int64_t value) const { to.set_i(value); }
  void operator()(float value) const { to.set_f(value); }
  void operator()(const std::string& value) const { to.set_s(value); }
  void operator()(bool value) const { to.set_b(value); }
  void operator()(const TensorValue& value) const { writer.Write(value, *to.mutable_t()); }
  void operator()(const TensorType& value) const { writer.Write(value, *to.mutable_td()); }
  void operator()(DataType value) const { to.set_dt(ModelTypeNumber(value)); }
  void operator()(const Bytes& value) const { to.set_bt(AsText(value)); }
  void operator()(const std::shared_ptr<const NamedAttributes>& value) const {
    Named(value, *to.mutable_func());
  }
  void operator()(const std::shared_ptr<Graph>& value) const {
    if (value) writer.write_graph(*value, *to.mutable_g());
  }
  void operator()(const std::vector<std::int64_t>& values) const {
    NewList(List::INT).mutable_i()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<float>& values) const {
    NewList(List::FLOAT).mutable_f()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<std::string>& values) const {
    NewList(List::STRING).mutable_s()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<bool>& values) const {
    NewList(List::BOOL).mutable_b()->Add(values.begin(), values.end());
  }
  void operator()(const std::vector<TensorValue>& values) const {
    for (List& list = NewList(List::TENSOR); const TensorValue& value : values)
      writer.Write(value, *list.add_t());
  }
  void operator()(const std::vector<TensorType>& values) const {
    for (List& list = NewList(List::TENSOR_DESC); const TensorType& value : values)
      writer.Write(value, *list.add_td());
  }
  void operator()(const std::vector<DataType>& values) const {
    for (List& list = NewList(List::DATA_TYPE); const DataType value : values)
      list.add_dt(ModelTypeNumber(value));
  }
  void operator()(const std::vector<Bytes>& values) const {
    for (List& list = NewList(List::BYTES); const Bytes& value : values)
      list.add_bt(AsText(value));
  }
  void operator()(const std::vector<std::vector<std::int64_t>>& values) const {
    for (auto& lists = *to.mutable_list_list_int(); const auto& value : values)
      lists.add_list_list_i()->mutable_list_i()->Add(value.begin(), value.end());
  }
  void operator()(const std::vector<std::vector<float>>& values) const {
    for (auto& lists = *to.mutable_list_list_float(); const auto& value : values)
      lists.add_list_list_f()->mutable_list_f()->Add(value.begin(), value.end());
  }
  void operator()(const std::vector<std::shared_ptr<const NamedAttributes>>& values) const {
    for (List& list = NewList(List::NAMED_ATTRS); const auto& value : values)
      Named(value, *list.add_na());
  }
  void operator()(const std::vector<std::shared_ptr<Graph>>& values) const {
    for (List& list = NewList(List::GRAPH); const auto& value : values)
      if (value) writer.write_graph(*value, *list.add_g());
  }

  void Named(const std::shared_ptr<const NamedAttributes>& value, model::NamedAttrs& named) const {
    if (!value) return;
    named.set_name(value->name);
    writer.Write(value->attributes, *named.mutable_attr());
  }
};

std::shared_ptr<const NamedAttributes> ReadNamed(const ValueReader& reader, const model::NamedAttrs& from) {
  return std::make_shared<const NamedAttributes>(NamedAttributes{from.name(), reader.Read(from.attr())});
}

template <typename Value, typename Range, typename Convert>
std::vector<Value> ReadEach(const Range& range, Convert&& convert) {
  std::vector<Value> values;
  values.reserve(static_cast<std::size_t>(range.size()));
  for (const auto& element : range)
    values.push_back(convert(element));
  return values;
}

// Lists of older programs do not say what they hold.
List::ListValueType TypeOf(const List& list) {
  if (list.val_type() != List::NONE) return list.val_type();
  if (list.s_size() > 0) return List::STRING;
  if (list.f_size() > 0) return List::FLOAT;
  if (list.b_size() > 0) return List::BOOL;
  if (list.dt_size() > 0) return List::DATA_TYPE;
  if (list.t_size() > 0) return List::TENSOR;
  return List::INT;
}

Attribute ReadList(const ValueReader& reader, const List& list) {
  switch (TypeOf(list)) {
    case List::STRING:
      return std::vector<std::string>(list.s().begin(), list.s().end());
    case List::FLOAT:
      return std::vector<float>(list.f().begin(), list.f().end());
    case List::BOOL:
      return std::vector<bool>(list.b().begin(), list.b().end());
    case List::BYTES:
      return ReadEach<Bytes>(list.bt(), AsBytes);
    case List::TENSOR_DESC:
      return ReadEach<TensorType>(list.td(), [&](const auto& element) { return reader.ReadType(element); });
    case List::TENSOR:
      return ReadEach<TensorValue>(list.t(), [&](const auto& element) { return reader.Read(element); });
    case List::GRAPH:
      return ReadEach<std::shared_ptr<Graph>>(list.g(), reader.read_graph);
    case List::NAMED_ATTRS:
      return ReadEach<std::shared_ptr<const NamedAttributes>>(
          list.na(), [&](const auto& element) { return ReadNamed(reader, element); });
    case List::DATA_TYPE:
      return ReadEach<DataType>(list.dt(), TypeOfModelNumber);
    default:
      return std::vector<std::int64_t>(list.i().begin(), list.i().end());
  }
}

// Takes an attribute of the expected kind out of a description.
template <typename Value>
std::optional<Value> Take(Attributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  if (found == attributes.end() || !std::holds_alternative<Value>(found->second)) return std::nullopt;
  Value value = std::move(std::get<Value>(found->second));
  attributes.erase(found);
  return value;
}

std::vector<std::vector<std::int64_t>> AsLists(
    const std::vector<std::pair<std::int64_t, std::int64_t>>& ranges) {
  std::vector<std::vector<std::int64_t>> lists;
  for (const auto& [low, high] : ranges)
    lists.push_back({low, high});
  return lists;
}

std::vector<std::pair<std::int64_t, std::int64_t>> AsRanges(
    const std::vector<std::vector<std::int64_t>>& lists) {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (const auto& list : lists)
    if (list.size() == 2) ranges.emplace_back(list[0], list[1]);
  return ranges;
}

}  // namespace

void ValueWriter::Write(const Attribute& value, model::AttrDef& to) const {
  std::visit(AttributeWriter{*this, to}, value);
}

void ValueWriter::Write(const Attributes& values, AttributeMap& to) const {
  for (const auto& [name, value] : values)
    if (!std::holds_alternative<std::monostate>(value)) Write(value, to[name]);
}

void ValueWriter::Write(const TensorType& type, model::TensorDescriptor& to) const {
  to.set_dtype(static_cast<model::ElementType>(ModelTypeNumber(type.type)));
  to.mutable_shape()->mutable_dim()->Add(type.dims.begin(), type.dims.end());
  to.set_layout(LayoutName(type.format));
}

void ValueWriter::Write(const PortDesc& desc, model::TensorDescriptor& to) const {
  Write(static_cast<const TensorType&>(desc), to);
  const PortDetails& details = desc.details();
  to.set_name(details.name);
  to.set_size(details.size);
  to.set_real_dim_cnt(details.real_dim_count);
  if (details.reuses_input) {
    to.set_reuse_input(true);
    to.set_reuse_input_index(*details.reuses_input);
  }
  Attributes attributes = details.attributes;
  attributes[kSet] = desc.set;
  if (details.origin_dims) attributes[kOriginShape] = *details.origin_dims;
  if (details.origin_format) attributes[kOriginFormat] = LayoutName(*details.origin_format);
  if (!details.ranges.empty()) attributes[kShapeRange] = AsLists(details.ranges);
  if (desc.placement != 0) attributes[kPlacement] = std::int64_t{desc.placement};
  if (!details.expand_dims_rule.empty()) attributes[kExpandDimsRule] = details.expand_dims_rule;
  if (!details.constant.empty() && with_data) attributes[kConstant] = details.constant;
  Write(attributes, *to.mutable_attr());
}

void ValueWriter::Write(const TensorValue& value, model::TensorDef& to) const {
  Write(value.type(), *to.mutable_desc());
  if (!with_data || value.size() == 0) return;
  if (const auto offset = put_weight ? put_weight(value) : std::nullopt) {
    to.set_weight_offset(*offset);
    to.set_weight_size(value.size());
  } else {
    const WeightUses uses;
    LoadWeight(value);
    to.set_data(value.data(), value.size());
  }
}

Attribute ValueReader::Read(const model::AttrDef& from) const {
  switch (from.value_case()) {
    case model::AttrDef::kList:
      return ReadList(*this, from.list());
    case model::AttrDef::kS:
      return from.s();
    case model::AttrDef::kI:
      return from.i();
    case model::AttrDef::kF:
      return from.f();
    case model::AttrDef::kB:
      return from.b();
    case model::AttrDef::kBt:
      return AsBytes(from.bt());
    case model::AttrDef::kFunc:
      return ReadNamed(*this, from.func());
    case model::AttrDef::kTd:
      return ReadType(from.td());
    case model::AttrDef::kT:
      return Read(from.t());
    case model::AttrDef::kG:
      return read_graph(from.g());
    case model::AttrDef::kListListInt:
      return ReadEach<std::vector<std::int64_t>>(from.list_list_int().list_list_i(), [](const auto& list) {
        return std::vector<std::int64_t>(list.list_i().begin(), list.list_i().end());
      });
    case model::AttrDef::kDt:
      return TypeOfModelNumber(from.dt());
    case model::AttrDef::kListListFloat:
      return ReadEach<std::vector<float>>(from.list_list_float().list_list_f(), [](const auto& list) {
        return std::vector<float>(list.list_f().begin(), list.list_f().end());
      });
    case model::AttrDef::VALUE_NOT_SET:
      break;
  }
  return {};
}

Attributes ValueReader::Read(const AttributeMap& from) const {
  Attributes attributes;
  for (const auto& [name, value] : from)
    if (value.value_case() != model::AttrDef::VALUE_NOT_SET) attributes.emplace(name, Read(value));
  return attributes;
}

TensorType ValueReader::ReadType(const model::TensorDescriptor& from) const {
  return {TypeOfModelNumber(from.dtype()), LayoutOfName(from.layout()),
          Dims(from.shape().dim().begin(), from.shape().dim().end())};
}

PortDesc ValueReader::ReadDesc(const model::TensorDescriptor& from) const {
  PortDesc desc(ReadType(from));
  PortDetails details;
  details.name = from.name();
  details.size = from.size();
  details.real_dim_count = from.real_dim_cnt();
  if (from.reuse_input()) details.reuses_input = static_cast<std::uint32_t>(from.reuse_input_index());
  Attributes attributes = Read(from.attr());
  desc.set = Take<bool>(attributes, kSet).value_or(true);
  details.origin_dims = Take<Dims>(attributes, kOriginShape);
  if (const auto name = Take<std::string>(attributes, kOriginFormat))
    details.origin_format = LayoutOfName(*name);
  if (const auto lists = Take<std::vector<Dims>>(attributes, kShapeRange)) details.ranges = AsRanges(*lists);
  desc.placement = static_cast<int>(Take<std::int64_t>(attributes, kPlacement).value_or(0));
  details.expand_dims_rule = Take<std::string>(attributes, kExpandDimsRule).value_or("");
  details.constant = Take<Bytes>(attributes, kConstant).value_or(Bytes());
  details.attributes = std::move(attributes);
  desc.SetDetails(std::move(details));
  return desc;
}

TensorValue ValueReader::Read(const model::TensorDef& from) const {
  TensorType type = ReadType(from.desc());
  const std::string& data = from.data();
  const std::uint64_t size = from.has_weight_offset() ? from.weight_size() : data.size();
  const bool sized = BitsPerElement(type.type).value_or(0) > 0 && IsStatic(type.dims);
  if (size > 0 && sized && ByteSize(type) != size)
    Fail(kInvalidParam, "a tensor {} has {} bytes, but needs {}", ToString(type), size, ByteSize(type));
  if (from.has_weight_offset()) {
    if (!get_weight) Fail(kInvalidParam, "the bytes of a tensor {} are not in this file", ToString(type));
    return TensorValue(std::move(type), get_weight(from.weight_offset(), size), size);
  }
  SharedBytes bytes = AllocateBytes(data.size());
  if (!data.empty()) std::memcpy(bytes.get(), data.data(), data.size());
  return TensorValue(std::move(type), std::move(bytes), data.size());
}

}  // namespace foothold
