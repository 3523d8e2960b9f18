// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "tokenizer.h"

#include <algorithm>

Tokenizer::Tokenizer(const std::vector<std::string>& pieces) : pieces_(pieces) {
  for (size_t i = 0; i < pieces.size(); ++i) {
    numbers_[pieces[i]] = static_cast<int32_t>(i);
    longest_ = std::max(longest_, pieces[i].size());
  }
}

std::vector<int32_t> Tokenizer::Encode(std::string text) const {
  std::vector<int32_t> tokens;
  for (size_t at = 0; at < text.size();) {
    size_t length = std::min(longest_, text.size() - at);
    while (length > 1 && numbers_.count(text.substr(at, length)) == 0)
      --length;
    if (numbers_.count(text.substr(at, length)) == 0) text[at] = '?';
    tokens.push_back(numbers_.at(text.substr(at, length)));
    at += length;
  }
  return tokens;
}
