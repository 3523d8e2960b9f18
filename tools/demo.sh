#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
#
# Builds and runs examples against the toolkit tree as a user's programs would be: with set_env.sh and a compiler line.
# Called by make demo, which has built the tree.
set -eu
cd "$(dirname "$0")/.."
. build/toolkit/set_env.sh
mkdir -p build/demo

build() {
  g++ -std=c++11 -O2 "examples/$1"/*.cpp -I"$ASCEND_TOOLKIT_HOME/include" \
    -I"$ASCEND_OPP_PATH/built-in/op_proto/inc" -L"$ASCEND_TOOLKIT_HOME/lib64" -lfmk_onnx_parser -lge_runner -lgraph -lopapi -lnnopbase -lascendcl -pthread \
    -o "build/demo/$1"
}

show() {
  printf '\n=== %s (examples/%s) ===\n\n' "$2" "$1"
  local program="build/demo/$1"
  shift 2
  "$program" "$@"
}

show_ranks() {
  printf '\n=== %s (examples/%s) ===\n\n' "$2" "$1"
  local program="build/demo/$1" ranks="$3"
  shift 3
  foothold launch -n "$ranks" --rank-table -- "$program" "$@"
}

for example in pipeline graph_async train_checkpoint graph_allocator onnx_digits async_inference picture_digits aclnn_chat hccl_data_parallel; do
  build "$example"
done
show pipeline "Streams, events and callbacks"
show graph_async "A graph that runs asynchronously and calls back"
show train_checkpoint "Training: the loss as Summary reports it, weights saved by Save" --checkpoint build/demo/checkpoint.bin
show graph_allocator "Graphs in a memory pool of the program"
for ranks in 1 2 4; do
  show_ranks hccl_data_parallel "A network trained by ranks, one loss: $ranks of them" "$ranks" examples/onnx_digits/held_out.bin
done
show onnx_digits "An ONNX network reads digits it has never seen" examples/onnx_digits
atc --model=examples/onnx_digits/digits.onnx --framework=5 --output=build/demo/digits --input_shape="image:1,1,8,8" \
  --soc_version=Ascend310P3 > build/demo/atc.log
FOOTHOLD_TRACE=build/demo/trace.json show async_inference "The same network converted by atc, images queued on a stream" \
  build/demo/digits.om examples/onnx_digits/held_out.bin
atc --model=examples/onnx_digits/digits.onnx --framework=5 --output=build/demo/digits_of_pictures \
  --input_shape="image:1,1,8,8" --soc_version=Ascend310P3 --insert_op_conf=examples/picture_digits/aipp.cfg >> build/demo/atc.log
show picture_digits "A JPEG picture decoded, cut up, read by the network and drawn on" build/demo/digits_of_pictures.om \
  examples/onnx_digits/held_out.bin build/demo/sheet.jpg build/demo/answers.jpg
printf '\n=== What happened when (foothold trace; picture: build/demo/timeline.svg) ===\n\n'
foothold trace build/demo/trace.json --svg build/demo/timeline.svg
printf '\n=== Where its time goes (foothold run) ===\n\n'
foothold run build/demo/digits.om --repeat 2000 --warmup 100 --profile --profile-rows 5
show aclnn_chat "A language model by aclnn alone, with weights of float16, INT8 and INT4" --model examples/aclnn_chat \
  "What is a stream?" "My favourite colour is blue." "Tell me a story about a fox and a frog." "Which colour do I like best?"
