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

  bool null() { return Put(); }
  bool boolean(bool) { return Put(); }
  bool number_integer(Json::number_integer_t value) { return PutInteger(value); }
  bool number_unsigned(Json::number_unsigned_t value) {
    return std::in_range<std::int64_t>(value) ? PutInteger(static_cast<std::int64_t>(value)) : Put();
  }
  bool number_float(Json::number_float_t, const std::string&) { return Put(); }
  bool string(std::string& value) {
    JsonTree& place = Place();
    place.kind_ = JsonTree::Kind::kText;
    place.text_ = std::move(value);
    return true;
  }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return Open(JsonTree::Kind::kObject); }
  bool key(std::string& name) {
    open_.back()->members_.emplace_back(std::move(name), JsonTree());
    return true;
  }
  bool end_object() { return Close(); }
  bool start_array(std::size_t) { return Open(JsonTree::Kind::kArray); }
  bool end_array() { return Close(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) {
    throw JsonTree::Mismatch(error.what());
  }

 private:
  static constexpr std::size_t kDeepest = 64;

  bool Put() {
    Place();
    return true;
  }
  bool PutInteger(std::int64_t value) {
    JsonTree& place = Place();
    place.kind_ = JsonTree::Kind::kInteger;
    place.number_ = value;
    return true;
  }
  bool Open(JsonTree::Kind kind) {
    if (open_.size() == kDeepest) throw JsonTree::Mismatch("it is nested too deep");
    JsonTree& place = Place();
    place.kind_ = kind;
    open_.push_back(&place);
    return true;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }
  // Where the next value goes.
  JsonTree& Place() {
    if (open_.empty()) return root_;
    JsonTree& in = *open_.back();
    return in.kind_ == JsonTree::Kind::kArray ? in.items_.emplace_back() : in.members_.back().second;
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
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Member& one) { return one.first == key; });
  return found == all.end() ? nullptr : &found->second;
}

const JsonTree& JsonTree::at(std::string_view key) const {
  if (const JsonTree* found = Find(key)) return *found;
  throw Mismatch("\"" + std::string(key) + "\" is missing");
}

const std::vector<JsonTree>& JsonTree::items() const {
  if (kind_ != Kind::kArray) throw Mismatch("a list is expected");
  return items_;
}

const std::vector<JsonTree::Member>& JsonTree::members() const {
  if (kind_ != Kind::kObject) throw Mismatch("an object is expected");
  return members_;
}

void JsonTree::Read(std::string& value) const {
  if (kind_ != Kind::kText) throw Mismatch("a text is expected");
  value = text_;
}

std::int64_t JsonTree::Integer() const {
  if (kind_ != Kind::kInteger) throw Mismatch("a number is expected");
  return number_;
}

std::string JsonQuoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace foothold
