// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/json_tree.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace foothold {

// Fills a tree while the text is read.
class JsonTreeBuilder {
 public:
  using Json = nlohmann::json;

  explicit JsonTreeBuilder(JsonTree& root) : root_(root) {}

  bool null() { return Put({}); }
  bool boolean(bool value) { return Put(value); }
  bool number_integer(Json::number_integer_t value) { return Put(std::int64_t{value}); }
  bool number_unsigned(Json::number_unsigned_t value) {
    if (!std::in_range<std::int64_t>(value)) return Put(static_cast<double>(value));
    return Put(static_cast<std::int64_t>(value));
  }
  bool number_float(Json::number_float_t value, const std::string&) { return Put(value); }
  bool string(std::string& value) { return Put(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return Open(std::vector<JsonTree::Member>()); }
  bool key(std::string& name) {
    std::get<std::vector<JsonTree::Member>>(open_.back()->value_).emplace_back(std::move(name), JsonTree());
    return true;
  }
  bool end_object() { return Close(); }
  bool start_array(std::size_t) { return Open(std::vector<JsonTree>()); }
  bool end_array() { return Close(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) {
    throw JsonTree::Mismatch(error.what());
  }

 private:
  static constexpr std::size_t kDeepest = 64;

  bool Put(decltype(JsonTree::value_) value) {
    Place().value_ = std::move(value);
    return true;
  }
  bool Open(decltype(JsonTree::value_) value) {
    if (open_.size() == kDeepest) throw JsonTree::Mismatch("it is nested too deep");
    JsonTree& place = Place();
    open_.push_back(&place);
    place.value_ = std::move(value);
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }
  // Where the next value goes.
  JsonTree& Place() {
    if (open_.empty()) return root_;
    auto& in = open_.back()->value_;
    if (auto* array = std::get_if<std::vector<JsonTree>>(&in)) return array->emplace_back();
    return std::get<std::vector<JsonTree::Member>>(in).back().second;
  }

  JsonTree& root_;
  std::vector<JsonTree*> open_;
};

JsonTree JsonTree::Parse(std::string_view text) {
  JsonTree root;
  JsonTreeBuilder builder(root);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return root;
}

const JsonTree* JsonTree::Find(std::string_view key) const {
  const std::vector<Member>& all = members();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Member& one) { return one.first == key; });
  return found == all.end() ? nullptr : &found->second;
}

const JsonTree& JsonTree::at(std::string_view key) const {
  if (const JsonTree* found = Find(key)) return *found;
  throw Mismatch("\"" + std::string(key) + "\" is missing");
}

const std::vector<JsonTree>& JsonTree::items() const {
  if (const auto* array = std::get_if<std::vector<JsonTree>>(&value_)) return *array;
  throw Mismatch("a list is expected");
}

const std::vector<JsonTree::Member>& JsonTree::members() const {
  if (const auto* object = std::get_if<std::vector<Member>>(&value_)) return *object;
  throw Mismatch("an object is expected");
}

void JsonTree::Read(std::string& value) const {
  const auto* text = std::get_if<std::string>(&value_);
  if (text == nullptr) throw Mismatch("a text is expected");
  value = *text;
}

std::int64_t JsonTree::Integer() const {
  if (const auto* number = std::get_if<std::int64_t>(&value_)) return *number;
  throw Mismatch("a number is expected");
}

std::string JsonQuoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace foothold
