# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""The text the network of this example learns: conversations made from a grammar, with facts that facts.py lists.

A conversation is a few turns; a turn is a line "> question" and a line with the answer. One in ten possible pieces of
conversation, chosen by a checksum of their words, is never shown to the network: held-out text is made of those alone.
"""
import random
import zlib

import facts

COLOURS = "red green blue yellow white black orange brown grey purple".split()
ANIMALS = "mouse frog hedgehog cat fox goat wolf bear horse elephant".split()  # from small to big
SEASONS = "spring summer autumn winter".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
PLACES = "river hill forest lake garden bridge field harbour".split()
THINGS = "lamp key map bell apple boat drum kite stone book".split()
WEATHER = "sunny rainy windy foggy snowy cloudy".split()
STREAMS = "one two three four five six".split()
BYTES = {"float": 4, "float16": 2, "int8": 1, "int32": 4, "int64": 8}
OPENINGS = ["", "", "", "Please tell me: ", "I wonder: ", "A question: ", "Next: ", "Now tell me: "]


def capital(text):
    return text[0].upper() + text[1:]


def article(noun):
    return ("an " if noun[0] in "aeiou" else "a ") + noun


def fact(rng):
    questions, answer = rng.choice(facts.FACTS)
    return [(rng.choice(questions), answer)]


def opposite(rng):
    one, other = rng.sample(rng.choice(facts.OPPOSITES), 2)
    question = rng.choice(["What is the opposite of {}?", "Which word is the opposite of {}?", "Name the opposite of {}."])
    return [(question.format(one), f"The opposite of {one} is {other}.")]


def mixture(rng):
    pair, made = rng.choice(list(facts.MIXTURES.items()))
    one, other = rng.sample(pair, 2)
    question = rng.choice(["What do {} and {} make?", "Which colour do I get from {} and {}?", "What happens if I mix {} and {}?"])
    return [(question.format(one, other), f"{capital(one)} and {other} make {made}.")]


def total(rng):
    a, b = rng.randint(0, 20), rng.randint(0, 20)
    question = rng.choice(["What is {} plus {}?", "How much is {} plus {}?", "Add {} and {}."])
    return [(question.format(a, b), f"{a} plus {b} is {a + b}.")]


def difference(rng):
    b = rng.randint(0, 15)
    a = b + rng.randint(0, 15)
    question = rng.choice(["What is {} minus {}?", "How much is {} minus {}?", "Take {1} from {0}."])
    return [(question.format(a, b), f"{a} minus {b} is {a - b}.")]


def size(rng):
    name, each = rng.choice(list(BYTES.items()))
    count = rng.randint(1, 12)
    question = rng.choice(["How many bytes are {} values of {}?", "How much memory do {} values of {} need?"])
    return [(question.format(count, name), f"{count} values of {each} bytes each are {count * each} bytes.")]


def comparison(rng):
    a, b = rng.sample(range(100), 2)
    word = rng.choice(["bigger", "smaller"])
    answer = max(a, b) if word == "bigger" else min(a, b)
    return [(f"Which is {word}, {a} or {b}?", f"{answer} is {word}.")]


def parity(rng):
    a = rng.randint(0, 99)
    return [(rng.choice(["Is {} even or odd?", "Tell me if {} is even or odd."]).format(a), f"{a} is {['even', 'odd'][a % 2]}.")]


def animals(rng):
    a, b = rng.sample(range(len(ANIMALS)), 2)
    word = rng.choice(["bigger", "smaller"])
    verdict = "Yes" if (a > b) == (word == "bigger") else "No"
    rest = "bigger" if a > b else "smaller"
    question = f"Is {article(ANIMALS[a])} {word} than {article(ANIMALS[b])}?"
    return [(question, f"{verdict}, {article(ANIMALS[a])} is {rest} than {article(ANIMALS[b])}.")]


def neighbour(rng):
    kind, names = rng.choice([("day", DAYS), ("month", MONTHS), ("season", SEASONS), ("letter", LETTERS)])
    at = rng.randrange(1, len(names) - 1)
    where, step = rng.choice([("after", 1), ("before", -1)])
    question = rng.choice(["Which {} comes {} {}?", "What {} is {} {}?", "Name the {} {} {}."])
    return [(question.format(kind, where, names[at]), f"{capital(names[at + step])} comes {where} {names[at]}.")]


def counting(rng):
    first, count = rng.randint(0, 30), rng.randint(3, 7)
    numbers = list(range(first, first + count))
    if rng.random() < 0.4:
        numbers.reverse()
    question = rng.choice(["Count from {} to {}.", "Please count from {} to {}."])
    return [(question.format(numbers[0], numbers[-1]), " ".join(map(str, numbers)) + ".")]


def words(rng):
    chosen = rng.sample(rng.choice([COLOURS, ANIMALS, THINGS, PLACES]), rng.randint(2, 4))
    listed = ", ".join(chosen)
    task, answer = rng.choice([
        ("Say {} backwards.", ", ".join(reversed(chosen))), ("Repeat {}.", listed),
        ("What is the first of {}?", chosen[0]), ("What is the last of {}?", chosen[-1])])
    return [(task.format(listed), capital(answer) + ".")]


def memory(rng):
    """What is said in one turn is asked for in a later one."""
    kind, values = rng.choice([("colour", COLOURS), ("animal", ANIMALS), ("season", SEASONS), ("day", DAYS), ("number", "23456789")])
    value = rng.choice(values)
    told = (rng.choice([f"My favourite {kind} is {value}.", f"I like the {kind} {value} best."]),
            f"I will remember that your favourite {kind} is {value}.")
    asked = (rng.choice([f"What is my favourite {kind}?", f"Which {kind} do I like best?", f"Do you remember my favourite {kind}?"]),
             f"Your favourite {kind} is {value}.")
    between = rng.choice(SHORT)(rng) if rng.random() < 0.6 else []
    return [told, *between, asked]


def tasks(rng):
    stream = rng.choice(STREAMS)
    count = rng.randint(2, 12)
    done = rng.randint(1, count)
    end = rng.choice(["How many are left?", "How many still wait?"])
    noun = rng.choice(["tasks", "copies", "products"])
    left = f"{count - done} of {count}" if count > done else "Nothing"
    return [(f"Stream {stream} has {count} {noun} and {done} of them are done. {end}", f"{left} is left in stream {stream}.")]


def order(rng):
    first, second = rng.sample(STREAMS, 2)
    event = rng.choice(LETTERS[:8])
    what = rng.choice(["runs first", "has to wait"])
    who = first if what == "runs first" else second
    parts = [f"stream {first} records event {event}", f"stream {second} waits for event {event}"]
    rng.shuffle(parts)
    return [(f"{capital(parts[0])} and {parts[1]}. Which stream {what}?", f"Stream {who} {what}.")]


def story(rng):
    a, b = rng.sample(ANIMALS, 2)
    place, thing, colour = rng.choice(PLACES), rng.choice(THINGS), rng.choice(COLOURS)
    weather, day = rng.choice(WEATHER), rng.choice(DAYS)
    question = rng.choice(["Tell me a story about {} and {}.", "I want a story with {} and {}.", "Do you know a story about {} and {}?"])
    found = rng.choice(["found", "saw", "lost", "carried"])
    turn = {"found": f"The {b} said that it was missing a {thing}. So the {a} gave it back.",
            "saw": f"The {b} saw it too. They looked at the {thing} for a long time.",
            "lost": f"The {b} helped to look for it. In the end the {thing} was under a leaf.",
            "carried": f"It was heavy. The {b} took one side and the {a} took the other."}[found]
    end = rng.choice(["Then both went home.", f"They were friends from that {day} on.", "They laughed until the evening."])
    return [(question.format(article(a), article(b)),
             f"On a {weather} {day} {article(a)} went to the {place}. It {found} a {colour} {thing}. "
             f"There it met {article(b)}. {turn} {end}")]


def recall(rng):
    """A story, and a question about it."""
    told = story(rng)
    text = told[0][1].split()
    asked = rng.choice([
        ("On which day was that?", f"It was on a {text[3]}."), ("How was the weather?", f"It was {text[2]}."),
        ("Where did they meet?", f"They met at the {text[text.index('to') + 2]}")])
    return told + [asked]


def manners(rng):
    questions, answer = rng.choice(facts.MANNERS)
    return [(rng.choice(questions), answer)]


SHORT = [fact, fact, opposite, mixture, total, difference, comparison, parity, neighbour, manners]
KINDS = [fact] * 7 + [total, total, difference, size, comparison, parity, animals, neighbour, neighbour, counting, words, words,
                      opposite, mixture, memory, memory, memory, tasks, order, story, story, recall, manners]


def is_held_out(turns):
    return zlib.crc32(repr(turns).encode()) % 10 == 0


def piece(rng, held_out):
    """Turns that belong together, from the wanted side of the split."""
    while True:
        turns = rng.choice(KINDS)(rng)
        if turns[0][0][0].isupper() and rng.random() < 0.5:
            first, answer = turns[0]
            turns = [(rng.choice(OPENINGS) + first, answer), *turns[1:]]
        if is_held_out(turns) == held_out:
            return turns


def conversation(rng, held_out):
    turns = [turn for _ in range(rng.randint(1, 4)) for turn in piece(rng, held_out)]
    return "".join(f"> {question}\n{answer}\n" for question, answer in turns)


def conversations(seed, count, held_out):
    rng = random.Random(seed)
    return [conversation(rng, held_out) for _ in range(count)]
