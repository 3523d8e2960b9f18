# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Text as tokens: a token stands for a piece of text, and text is cut into the longest pieces there are, from the left.
Every printable character is a piece, so that all English text can be cut; the others are the most frequent words, with
the space before them. Token 0 is the start of a conversation."""
import collections
import re

CHARACTERS = ["\n"] + [chr(code) for code in range(32, 127)]


def make_pieces(text, count):
    words = collections.Counter(re.findall(r"> | ?[A-Za-z]+| [0-9]", text))
    frequent = [word for word, _ in sorted(words.items(), key=lambda item: (-item[1], item[0])) if len(word) > 1]
    return ["", *CHARACTERS, *frequent][:count]


class Tokenizer:
    def __init__(self, pieces):
        self.pieces = pieces
        self.numbers = {piece: number for number, piece in enumerate(pieces) if piece}
        self.longest = max(map(len, pieces))

    def encode(self, text):
        tokens, at = [], 0
        while at < len(text):
            length = next(n for n in range(self.longest, 0, -1) if text[at:at + n] in self.numbers)
            tokens.append(self.numbers[text[at:at + length]])
            at += length
        return tokens

    def decode(self, tokens):
        return "".join(self.pieces[token] for token in tokens)
