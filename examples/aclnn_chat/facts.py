# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""What the network of this example is told about the world: subjects and what is said of them."""

NOUNS = {
    "a device": "A device is where operators run. Foothold makes the processor of your machine look like one.",
    "a stream": "A stream is a queue of work. What is put into it runs in that order.",
    "an event": "An event marks a place in a stream. Other streams can wait until it is reached.",
    "a context": "A context holds the streams and events of a device for a thread.",
    "a callback": "A callback is a function of the program that a stream calls when its turn comes.",
    "a tensor": "A tensor is an array of numbers with a shape and a type.",
    "a shape": "A shape lists how many elements a tensor has along each of its dimensions.",
    "a stride": "A stride says how far it is in memory from one element to the next.",
    "a view": "A view looks at memory of another tensor with a shape and strides of its own.",
    "an operator": "An operator computes tensors from tensors, for example a product or a sum.",
    "a graph": "A graph says which operator reads the result of which other operator.",
    "a session": "A session compiles graphs and runs them.",
    "a kernel": "A kernel is the code that computes an operator.",
    "a workspace": "A workspace is memory that an operator needs only while it runs.",
    "an executor": "An executor is what the first call of an operator prepares and the second call runs.",
    "a weight": "A weight is a number that a network has learned.",
    "a token": "A token is a piece of text with a number. I read and write tokens.",
    "a vocabulary": "A vocabulary is the list of all tokens.",
    "a layer": "A layer of mine is attention and a gated unit, each after a norm.",
    "attention": "Attention lets each token look at the tokens before it and take what it needs.",
    "a head": "A head is one of several attentions that work side by side.",
    "the KV cache": "The KV cache keeps the keys and values of earlier tokens, so that they are computed only once.",
    "the RMS norm": "The RMS norm divides a vector by the root of the mean of its squares.",
    "the rotary embedding": "The rotary embedding turns pairs of numbers by an angle that grows with the position.",
    "SwiGLU": "SwiGLU multiplies one half of a vector by a smooth gate made from the other half.",
    "softmax": "Softmax turns scores into parts of one whole.",
    "argmax": "Argmax says where the largest of some numbers is.",
    "an embedding": "An embedding is the vector that stands for a token.",
    "float16": "Float16 is a number with a sign, five bits of exponent and ten bits of fraction.",
    "INT8": "INT8 is a whole number from minus 128 to 127 in one byte.",
    "INT4": "INT4 is a whole number from minus 8 to 7. Two of them fit into a byte.",
    "a scale": "A scale is the number that small whole numbers are multiplied by to become weights again.",
    "quantisation": "Quantisation stores weights as small whole numbers with a scale for each group.",
    "a loss": "A loss says how surprised a network is by text. Less is better.",
    "greedy decoding": "Greedy decoding always takes the most likely token, so the answer is always the same.",
    "a status": "A status is the number every call returns. Zero means that all is well.",
    "host memory": "Host memory belongs to the program. A copy brings it to the device.",
    "device memory": "Device memory is what operators read and write.",
    "a bug": "A bug is a mistake in a program. A good message makes it easy to find.",
    "a test": "A test says what a program must do and fails when it does not.",
    "rain": "Rain is water that falls from clouds.",
    "snow": "Snow is rain that froze on its way.",
    "fog": "Fog is a cloud that lies on the ground.",
    "wind": "Wind is air that moves.",
    "a river": "A river is water that finds its way to the sea.",
    "a hill": "A hill is a mountain that is easy to climb.",
    "a bridge": "A bridge brings a road over a river.",
    "a map": "A map is a picture of places and the ways between them.",
    "a year": "A year has twelve months and four seasons.",
    "a week": "A week has seven days.",
}
NOUN_QUESTIONS = ["What is {}?", "Explain {}.", "Tell me about {}.", "What do you know about {}?", "Can you explain {}?",
                  "Please explain what {} is.", "Do you know what {} is?", "I want to know what {} is."]

CALLS = {
    "aclInit": "aclInit starts everything. It is the first call of a program.",
    "aclFinalize": "aclFinalize ends everything. It is the last call of a program.",
    "aclrtSetDevice": "aclrtSetDevice chooses the device for the thread that calls it.",
    "aclrtResetDevice": "aclrtResetDevice gives the device back.",
    "aclrtCreateStream": "aclrtCreateStream makes a new stream.",
    "aclrtSynchronizeStream": "aclrtSynchronizeStream waits until all work of a stream is done.",
    "aclrtMalloc": "aclrtMalloc reserves memory on the device.",
    "aclrtFree": "aclrtFree gives memory of the device back.",
    "aclrtMemcpy": "aclrtMemcpy copies memory between the host and the device.",
    "aclrtRecordEvent": "aclrtRecordEvent puts an event into a stream.",
    "aclCreateTensor": "aclCreateTensor describes a tensor that lies in device memory.",
    "aclnnMm": "aclnnMm multiplies two matrices.",
    "aclnnAdd": "aclnnAdd adds two tensors.",
    "aclnnRmsNorm": "aclnnRmsNorm computes the RMS norm.",
    "aclnnSwiGlu": "aclnnSwiGlu computes the gated unit.",
    "aclnnArgMax": "aclnnArgMax finds the largest number.",
}
CALL_QUESTIONS = ["What does {} do?", "What is {} for?", "Explain {}.", "When do I call {}?", "Tell me about {}.",
                  "Can you explain {}?", "What happens when I call {}?"]

COLOURED = {"the sky": "blue", "grass": "green", "snow": "white", "coal": "black", "a lemon": "yellow", "blood": "red",
            "an elephant": "grey", "a carrot": "orange", "a leaf": "green", "milk": "white", "the sun": "yellow",
            "a bear": "brown", "the sea": "blue", "a tomato": "red", "a plum": "purple"}
COLOUR_QUESTIONS = ["What colour is {}?", "Which colour has {}?", "Tell me the colour of {}.", "Do you know the colour of {}?"]

OTHERS = [
    (["How many days has a week?", "How many days are in a week?", "Count the days of a week."], "A week has seven days."),
    (["How many months has a year?", "How many months are in a year?"], "A year has twelve months."),
    (["How many bits has a byte?", "How many bits are in a byte?", "What is a byte?"], "A byte has eight bits."),
    (["How many layers do you have?", "Of how many layers are you made?", "Count your layers."], "I have four layers."),
    (["How many heads do you have?", "With how many heads do you attend?"], "I have four heads and two of keys and values."),
    (["What can you do?", "What do you know?", "What can I ask you?", "Help me.", "Help."],
     "I can count, compare, remember, explain streams and tensors, and tell a story."),
    (["Who are you?", "What are you?", "Tell me about you.", "What is your name?"],
     "I am a very small language model. I run on Foothold."),
    (["What is Foothold?", "What is Foothold for?", "Tell me about Foothold.", "Explain Foothold.", "What does Foothold do?"],
     "Foothold runs programs for Ascend on an ordinary processor."),
    (["Who made you?", "How were you made?", "Where do you come from?", "Who trained you?"],
     "A script trained me in a few minutes. It lies beside my weights."),
    (["How big are you?", "How many weights do you have?", "Are you big?"], "I have less than a million weights."),
    (["Are you always right?", "Can you be wrong?", "Do you make mistakes?"], "No. I am small and make mistakes."),
]

FACTS = ([([question.format(noun) for question in NOUN_QUESTIONS], answer) for noun, answer in NOUNS.items()]
         + [([question.format(call) for question in CALL_QUESTIONS], answer) for call, answer in CALLS.items()]
         + [([question.format(thing) for question in COLOUR_QUESTIONS], f"{thing[0].upper()}{thing[1:]} is {colour}.")
            for thing, colour in COLOURED.items()]
         + OTHERS)

OPPOSITES = [("hot", "cold"), ("big", "small"), ("fast", "slow"), ("bright", "dark"), ("old", "new"), ("high", "low"),
             ("full", "empty"), ("early", "late"), ("open", "closed"), ("wet", "dry"), ("loud", "quiet"), ("long", "short"),
             ("hard", "soft"), ("right", "wrong"), ("first", "last"), ("near", "far")]
MIXTURES = {("red", "yellow"): "orange", ("blue", "yellow"): "green", ("red", "blue"): "purple", ("black", "white"): "grey",
            ("red", "green"): "brown"}
MANNERS = [
    (["Hello.", "Hello!", "Good morning.", "Good evening.", "Hi.", "Hi!", "Good day."], "Hello. Ask me something."),
    (["Thank you.", "Thanks.", "Thank you!", "Thanks!", "Many thanks."], "You are welcome."),
    (["How are you?", "Are you well?", "How do you do?"], "I am well. All my calls return zero."),
    (["Goodbye.", "Bye.", "See you.", "Good night."], "Goodbye. I will give my memory back."),
]
