// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Text as tokens: text is cut from the left into the longest pieces of the vocabulary.
#ifndef ACLNN_CHAT_TOKENIZER_H
#define ACLNN_CHAT_TOKENIZER_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

class Tokenizer {
 public:
  explicit Tokenizer(const std::vector<std::string>& pieces);

  // A byte the vocabulary does not have is read as a question mark.
  std::vector<int32_t> Encode(std::string text) const;
  const std::string& Piece(int32_t token) const { return pieces_[static_cast<size_t>(token)]; }

 private:
  std::vector<std::string> pieces_;
  std::map<std::string, int32_t> numbers_;
  size_t longest_ = 0;
};

#endif  // ACLNN_CHAT_TOKENIZER_H
