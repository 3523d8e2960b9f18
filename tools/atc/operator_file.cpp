// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "atc/operator_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "atc/conversion.h"
#include "base/error.h"
#include "base/format_names.h"
#include "base/json_text.h"

namespace foothold::atc {
namespace {

using Json = nlohmann::json;

struct TypeName {
  std::string_view name;
  ge::DataType type;
};
constexpr TypeName kTypeNames[] = {{"float", ge::DT_FLOAT},
                                   {"float32", ge::DT_FLOAT},
                                   {"fp32", ge::DT_FLOAT},
                                   {"float16", ge::DT_FLOAT16},
                                   {"fp16", ge::DT_FLOAT16},
                                   {"bfloat16", ge::DT_BF16},
                                   {"bf16", ge::DT_BF16},
                                   {"double", ge::DT_DOUBLE},
                                   {"int8", ge::DT_INT8},
                                   {"int16", ge::DT_INT16},
                                   {"int32", ge::DT_INT32},
                                   {"int64", ge::DT_INT64},
                                   {"uint8", ge::DT_UINT8},
                                   {"uint16", ge::DT_UINT16},
                                   {"uint32", ge::DT_UINT32},
                                   {"uint64", ge::DT_UINT64},
                                   {"bool", ge::DT_BOOL},
                                   {"complex64", ge::DT_COMPLEX64},
                                   {"complex128", ge::DT_COMPLEX128},
                                   {"undefined", ge::DT_UNDEFINED},
                                   {"reserved", ge::DT_UNDEFINED}};

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

std::string Show(const Json& value) {
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= 80 ? text : text.substr(0, 80) + "...";
}

// A value and where it stands: "[0].input_desc[1].shape".
class Place {
 public:
  Place(const Json& value, std::string where) : value_(value), where_(std::move(where)) {}

  const Json& value() const { return value_; }
  bool Has(const char* key) const { return value_.contains(key) && !value_.at(key).is_null(); }
  Place operator[](const char* key) const {
    if (!Has(key)) Refuse(fmt::format("lacks \"{}\"", key));
    return {value_.at(key), where_ + "." + key};
  }

  std::vector<Place> Items() const {
    if (!value_.is_array()) RefuseValue("a list");
    std::vector<Place> items;
    for (std::size_t i = 0; i < value_.size(); ++i)
      items.emplace_back(value_[i], fmt::format("{}[{}]", where_, i));
    return items;
  }
  const Place& Object() const {
    if (!value_.is_object()) RefuseValue("an object in braces");
    return *this;
  }
  std::string Text() const {
    if (!value_.is_string()) RefuseValue("text in quotes");
    return value_.get<std::string>();
  }
  int64_t Int() const {
    if (!value_.is_number_integer()) RefuseValue("a whole number");
    return value_.get<int64_t>();
  }
  float Float() const {
    if (!value_.is_number()) RefuseValue("a number");
    return value_.get<float>();
  }
  bool Bool() const {
    if (!value_.is_boolean()) RefuseValue("true or false");
    return value_.get<bool>();
  }

  [[noreturn]] void Refuse(const std::string& why) const {
    throw CannotConvert(fmt::format("{} {}", where_.empty() ? "the file" : where_, why));
  }
  [[noreturn]] void RefuseValue(std::string_view expected) const {
    Refuse(fmt::format("is {}; expected {}", Show(value_), expected));
  }

 private:
  const Json& value_;
  std::string where_;
};

template <typename T, typename Read>
std::vector<T> ListOf(const Place& place, Read read) {
  std::vector<T> list;
  for (const Place& item : place.Items())
    list.push_back(read(item));
  return list;
}

std::vector<int64_t> Ints(const Place& place) {
  return ListOf<int64_t>(place, [](const Place& item) { return item.Int(); });
}

// By name, or as the number of the enum.
ge::DataType TypeAt(const Place& place) {
  if (place.value().is_number_integer()) return static_cast<ge::DataType>(place.Int());
  std::string name = Lower(place.Text());
  if (name.starts_with("dt_")) name.erase(0, 3);
  for (const TypeName& known : kTypeNames)
    if (known.name == name) return known.type;
  place.RefuseValue("an element type such as \"float16\" or \"int32\"");
}

ge::Format FormatAt(const Place& place) {
  const std::string name = place.Text();
  if (name == "UNDEFINED") return ge::FORMAT_RESERVED;
  const auto names = FormatNames();
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const char* known) { return name == known; });
  if (found == names.end()) place.RefuseValue("a layout such as \"ND\" or \"NCHW\"");
  return static_cast<ge::Format>(found - names.begin());
}

std::vector<std::pair<int64_t, int64_t>> RangesAt(const Place& place) {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (const Place& item : place.Items()) {
    const std::vector<int64_t> ends = Ints(item);
    if (ends.size() != 2) item.RefuseValue("a list of the least and the greatest size");
    ranges.emplace_back(ends[0], ends[1]);
  }
  return ranges;
}

ge::TensorDesc TensorAt(const Place& place) {
  const ge::DataType type = TypeAt(place.Object()["type"]);
  const ge::Format format = place.Has("format") ? FormatAt(place["format"]) : ge::FORMAT_ND;
  const std::vector<int64_t> dims = place.Has("shape") ? Ints(place["shape"]) : std::vector<int64_t>();
  ge::TensorDesc tensor(ge::Shape(dims), format, type);
  if (place.Has("name")) tensor.SetName(place["name"].Text());
  if (place.Has("is_const") && place["is_const"].Bool())
    place["is_const"].Refuse(
        "asks for a constant input, which models of single operators cannot have here; give it "
        "to aclopCompileAndExecute with aclSetTensorConst");
  if (!place.Has("shape_range")) return tensor;
  const auto ranges = RangesAt(place["shape_range"]);
  if (ranges.size() != dims.size() &&
      ranges.size() != static_cast<std::size_t>(std::count(dims.begin(), dims.end(), -1)))
    place["shape_range"].RefuseValue("a pair for each dimension");
  if (ranges.size() == dims.size()) tensor.SetShapeRange(ranges);
  return tensor;
}

std::vector<ge::TensorDesc> TensorsAt(const Place& place, const char* key) {
  if (!place.Has(key)) return {};
  return ListOf<ge::TensorDesc>(place[key], TensorAt);
}

ge::AscendString StringAt(const Place& place) {
  return ge::AscendString(place.Text().c_str());
}

using Setter = void (*)(const Place&, const ge::AttrValue&);
struct AttributeType {
  std::string_view name;
  Setter set;
};
constexpr AttributeType kAttributeTypes[] = {
    {"int", [](const Place& at, const ge::AttrValue& to) { to.SetAttrValue(at.Int()); }},
    {"float", [](const Place& at, const ge::AttrValue& to) { to.SetAttrValue(at.Float()); }},
    {"bool", [](const Place& at, const ge::AttrValue& to) { to.SetAttrValue(at.Bool()); }},
    {"string", [](const Place& at, const ge::AttrValue& to) { to.SetAttrValue(StringAt(at)); }},
    {"data_type", [](const Place& at, const ge::AttrValue& to) { to.SetAttrValue(TypeAt(at)); }},
    {"list_int", [](const Place& at, const ge::AttrValue& to) { to.SetAttrValue(Ints(at)); }},
    {"list_float",
     [](const Place& at, const ge::AttrValue& to) {
       to.SetAttrValue(ListOf<float>(at, [](const Place& item) { return item.Float(); }));
     }},
    {"list_bool",
     [](const Place& at, const ge::AttrValue& to) {
       to.SetAttrValue(ListOf<bool>(at, [](const Place& item) { return item.Bool(); }));
     }},
    {"list_string", [](const Place& at,
                       const ge::AttrValue& to) { to.SetAttrValue(ListOf<ge::AscendString>(at, StringAt)); }},
    {"list_data_type",
     [](const Place& at, const ge::AttrValue& to) { to.SetAttrValue(ListOf<ge::DataType>(at, TypeAt)); }},
    {"list_list_int", [](const Place& at, const ge::AttrValue& to) {
       to.SetAttrValue(ListOf<std::vector<int64_t>>(at, Ints));
     }}};

std::pair<std::string, ge::AttrValue> AttributeAt(const Place& place) {
  const std::string type = Lower(place.Object()["type"].Text());
  const auto found = std::find_if(std::begin(kAttributeTypes), std::end(kAttributeTypes),
                                  [&](const AttributeType& known) { return known.name == type; });
  if (found == std::end(kAttributeTypes))
    place["type"].RefuseValue(
        "int, float, bool, string, data_type, or one of these behind list_, or list_list_int");
  std::pair<std::string, ge::AttrValue> attribute{place["name"].Text(), {}};
  found->set(place["value"], attribute.second);
  return attribute;
}

OperatorEntry OperatorAt(const Place& place) {
  OperatorEntry entry{
      place.Object()["op"].Text(), TensorsAt(place, "input_desc"), TensorsAt(place, "output_desc"), {}};
  if (place.Has("attr"))
    for (const Place& item : place["attr"].Items())
      entry.attributes.push_back(AttributeAt(item));
  return entry;
}

}  // namespace

std::vector<OperatorEntry> ReadOperators(const std::string& path) try {
  const std::string text = ReadConfigFile(path.c_str());
  Json json;
  try {
    json = ParseJson(text);
  } catch (const Error& error) {
    throw CannotConvert(fmt::format("is not valid JSON: {}", error.message()));
  }
  const Json list = json.is_object() ? Json::array({json}) : json;  // one operator alone needs no brackets
  std::vector<OperatorEntry> entries = ListOf<OperatorEntry>(Place(list, ""), OperatorAt);
  if (entries.empty()) throw CannotConvert("has no operators");
  return entries;
} catch (const CannotConvert& error) {
  throw CannotConvert(fmt::format("{}: {}", path, error.what()));
} catch (const Error& error) {
  throw CannotConvert(error.message());
}

}  // namespace foothold::atc
