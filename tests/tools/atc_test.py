# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Foothold authors
"""Converts models with `atc` and looks into them with `foothold info`. Arguments: both programs, an ONNX model that
recognises digits."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ATC, FOOTHOLD, DIGITS = sys.argv[1:4]
SHAPE = "--input_shape=image:1,1,8,8"
OPEN = "--input_shape=image:-1,1,8,8"


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, timeout=60, check=False, text=True)
    return done.returncode, done.stdout, done.stderr


def field(number, value):
    """One field of a protobuf message; numbers and lengths here are below 128."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    content = value.encode() if isinstance(value, str) else value
    return bytes([number << 3 | 2, len(content)]) + content


def onnx_model(*operators):
    """A chain of operators with one input and one output from float[4] to float[4]; "domain.Type" or "Type"."""
    def value(name):
        shape = field(2, field(1, field(1, 4)))
        return field(1, name) + field(2, field(1, field(1, 1) + shape))

    nodes = b""
    for i, operator in enumerate(operators):
        domain, _, kind = operator.rpartition(".")
        ports = field(1, f"v{i}") + field(2, f"v{i + 1}")
        nodes += field(1, ports + field(3, f"n{i}") + field(4, kind) + field(7, domain))
    graph = nodes + field(2, "chain") + field(11, value("v0")) + field(12, value(f"v{len(operators)}"))
    length = bytes([len(graph) & 127 | 128, len(graph) >> 7])
    opsets = field(8, field(1, "") + field(2, 13)) + field(8, field(1, "own") + field(2, 1))
    return field(1, 8) + bytes([7 << 3 | 2]) + length + graph + opsets


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.om = self.folder / "digits.om"

    def atc(self, *flags, model=DIGITS):
        flags = flags if "--framework=1" in flags else ("--framework=5", *flags)
        return run(ATC, f"--model={model}", f"--output={self.folder / 'digits'}", *flags)

    def convert(self, *flags):
        code, out, err = self.atc(*flags)
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(self.om.is_file())
        return out

    def refuse(self, expected_code, expected_text, *flags, **others):
        code, _, err = self.atc(*flags, **others)
        self.assertEqual(code, expected_code, err)
        self.assertIn(expected_text, err)
        self.assertFalse(self.om.exists())


class Conversion(WithFolder):
    def test_summarizes_a_model_of_one_shape(self):
        out = self.convert(SHAPE, "--soc_version=Ascend310P3")
        lines = out.splitlines()
        self.assertEqual([line.split()[0] for line in lines[:3]], ["reading", "compiling", "writing"])
        self.assertIn("inputs    image: float[1,1,8,8] ND", lines)
        self.assertRegex(out, r"\noutputs   /11/Softmax:0:\w+: float\[1,10\] ND\n")
        self.assertRegex(out, r"\nnodes     \d+\nweights   0\.02 MB\nfile      0\.(?:0\d|10) MB\ntime      \d+\.\d\d s\n$")

    def test_takes_values_behind_blanks(self):
        code, _, err = run(ATC, "--model", DIGITS, "--framework", 5, "--output", self.om, "--input_shape",
                           "image:1,1,8,8")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(list(self.folder.iterdir()), [self.om])

    def test_takes_flags_with_one_dash(self):
        code, _, err = run(ATC, f"-model={DIGITS}", "-framework", 5, f"-output={self.om}", "-input_shape", "image:1,1,8,8")
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(self.om.is_file())
        self.assertIn("no flag --outputt; did you mean --output?", run(ATC, "-outputt=x")[2])
        self.assertEqual(run(ATC, "-h")[0], 0)

    def test_makes_folders_on_the_way(self):
        model = self.folder / "one" / "two" / "digits"
        code, _, err = run(ATC, f"--model={DIGITS}", "--framework=5", f"--output={model}", SHAPE)
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(model.with_suffix(".om").is_file())

    def test_says_how_long_a_stage_takes(self):
        self.assertRegex(self.convert(SHAPE, "--progress=0.0001"), r"\n?(reading|compiling|writing) .*: 0 s so far\n")
        self.assertNotIn("so far", self.convert(SHAPE))

    def test_compiles_gears(self):
        self.assertIn("gears     batch: 1; 4\n", self.convert(OPEN, "--dynamic_batch_size=1,4"))
        self.assertIn("gears     open dimensions: 2; 3\n", self.convert(OPEN, "--dynamic_dims=2;3"))

    def test_changes_the_types_and_layouts_of_ports(self):
        out = self.convert(SHAPE, "--output_type=FP16", "--input_format=NCHW", "--input_fp16_nodes=image")
        self.assertIn("image: float16[1,1,8,8] NCHW\n", out)
        self.assertIn(": float16[1,10] ND\n", out)

    def aipp(self, text):
        path = self.folder / "aipp.cfg"
        path.write_text(text)
        return f"--insert_op_conf={path}"

    def test_puts_preprocessing_of_pictures_into_models(self):
        out = self.convert(SHAPE, self.aipp("aipp_op { aipp_mode: static input_format: YUV420SP_U8 mean_chn_0: 7 }"))
        self.assertIn("inputs    image: uint8[1,12,8,1] NHWC\n", out)
        self.assertIn("aipp      image: static float[1,1,8,8]\n", out)
        self.assertIn("            mean_chn_0: 7\n", out)
        report = run(FOOTHOLD, "info", self.om)[1]
        self.assertIn("aipp      image: static float[1,1,8,8]\n", report)
        out = self.convert(SHAPE, self.aipp("aipp_op { aipp_mode: dynamic max_src_image_size: 500 }"))
        self.assertIn("ascend_dynamic_aipp_data: uint8[160] ND\n", out)
        self.assertIn("aipp      image: dynamic float[1,1,8,8]\n", out)

    def test_names_what_is_wrong_with_a_file_of_preprocessing(self):
        for text, part in (("aipp_op {\n crop: perhaps }", 'line 2: crop: expected true or false, found "perhaps"'),
                           ("aipp_op { aipp_mode: static input_format: RGB888_U8 src_image_size_w: 9 }", "become 9 x 8")):
            self.refuse(2, part, SHAPE, self.aipp(text))
        self.refuse(2, "nowhere.cfg cannot be read", SHAPE, "--insert_op_conf=nowhere.cfg")

    def test_converts_saved_graphs(self):
        model, saved = self.folder / "chain.onnx", self.folder / "chain.air"
        model.write_bytes(onnx_model("Relu", "Neg"))
        self.assertEqual(self.atc(model=model)[0], 0)
        report = run(FOOTHOLD, "info", self.om)[1]
        offset, size = map(int, re.search(r"\ngraph +(\d+) +(\d+) ", report).groups())
        saved.write_bytes(self.om.read_bytes()[offset:offset + size])  # which is a saved graph
        self.om.unlink()
        code, out, err = self.atc("--framework=1", model=saved)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("inputs    v0: float[4] ND\n", out)

    def test_notes_flags_of_the_hardware_once(self):
        code, _, err = self.atc(SHAPE, "--op_select_implmode=high_precision", "--buffer_optimize=off_optimize")
        self.assertEqual(code, 0)
        self.assertEqual(len(err.splitlines()), 1)
        self.assertIn("--buffer_optimize, --op_select_implmode", err)

    def test_prints_the_log_it_is_asked_for(self):
        self.assertIn("[INFO] FOOTHOLD", self.convert(SHAPE, "--log=info", "--precision_mode=force_fp16"))
        self.assertNotIn("FOOTHOLD", self.convert(SHAPE, "--precision_mode=force_fp16"))


class Refusal(WithFolder):
    def test_says_what_is_wrong_with_a_model(self):
        self.refuse(2, "No such file", model=self.folder / "none.onnx")
        page = self.folder / "page.onnx"
        page.write_text("<!DOCTYPE html><html></html>")
        self.refuse(2, "looks like HTML", model=page)

    def test_notices_another_kind_of_model(self):
        self.refuse(2, "the bytes are not a saved graph", "--framework=1")
        model = self.folder / "chain.onnx"
        model.write_bytes(onnx_model("Relu"))
        self.refuse(2, "has no nodes; does --framework say what it is?", "--framework=1", model=model)

    def test_lists_all_nodes_it_cannot_convert(self):
        model = self.folder / "chain.onnx"
        model.write_bytes(onnx_model("own.First", "Relu", "own.Second"))
        _, _, err = self.atc(model=model)
        self.assertEqual(re.findall(r"node '(\w+)' \((\w+),", err), [("n0", "First"), ("n2", "Second")])
        self.refuse(2, "cannot be imported", model=model)

    def test_names_the_inputs_there_are(self):
        self.refuse(2, "has no input 'picture'", "--input_shape=picture:1,1,8,8")

    def test_names_the_flag_that_was_meant(self):
        self.refuse(1, "no flag --input_shap; did you mean --input_shape?", "--input_shap", "image:1,1,8,8")
        self.refuse(1, "no flag --dynamic_batchsize; did you mean --dynamic_batch_size?", "--dynamic_batchsize=1")
        self.refuse(1, "no flag --zzzzzzzzzz; --help", "--zzzzzzzzzz=1")
        self.refuse(1, '"stray" belongs to no flag', "stray")

    def test_says_what_is_wrong_with_gears(self):
        self.refuse(2, "must have 2 to 256 gears", "--input_shape=image:1,1,-1,-1", "--dynamic_image_size=8,8")

    def test_takes_one_kind_of_gears(self):
        self.refuse(1, "--dynamic_batch_size and --dynamic_dims exclude each other", OPEN, "--dynamic_batch_size=1",
                    "--dynamic_dims=2")

    def test_names_what_is_not_supported(self):
        self.refuse(1, "--mode=3 (check a model only) is not supported", "--mode=3")
        self.refuse(1, "--log=loud is no level", "--log=loud")

    def test_needs_model_framework_and_output(self):
        out = f"--output={self.folder / 'digits'}"
        for arguments, missing in (([], "--model"), (["--framework=5", out], "--model"),
                                   ([f"--model={DIGITS}", out], "--framework"),
                                   ([f"--model={DIGITS}", "--framework=5"], "--output"),
                                   (["--mode=1"], "--om")):
            code, _, err = run(ATC, *arguments)
            self.assertEqual(code, 1, arguments)
            self.assertIn(f"{missing} is missing", err)
        code, _, err = run(ATC, f"--model={DIGITS}", "--framework=3", out)
        self.assertEqual(code, 1)
        self.assertIn("(TensorFlow) is not supported", err)

    def test_looks_at_the_folder_before_it_compiles(self):
        (self.folder / "file").write_text("")
        code, out, err = run(ATC, f"--model={DIGITS}", "--framework=5", f"--output={self.folder / 'file' / 'in' / 'm'}")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("file is a file, not a folder", err)

    def test_leaves_no_folder_when_it_fails(self):
        code, _, _ = run(ATC, f"--model={DIGITS}", "--framework=5", f"--output={self.folder / 'new' / 'm'}",
                         "--input_shape=nothing:1")
        self.assertEqual(code, 2)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_says_why_a_layout_cannot_be(self):
        self.refuse(1, "--input_format=NHWC does not fit an ONNX model", "--input_format=NHWC")
        self.refuse(2, "is a layout that inputs cannot have here", SHAPE, "--input_format=NC1HWC0")
        self.refuse(2, "is no layout", SHAPE, "--input_format=WHCN")
        self.refuse(1, "--progress=often is no number", "--progress=often")


def tensor(dims, kind="int32", layout="ND", **more):
    return {"format": layout, "shape": dims, "type": kind, **more}


class SingleOperators(WithFolder):
    ADD = {"op": "Add", "input_desc": [tensor([8, 16])] * 2, "output_desc": [tensor([8, 16])]}

    def convert_operators(self, *operators, flags=()):
        file = self.folder / "ops.json"
        file.write_text(json.dumps(operators))
        return run(ATC, f"--singleop={file}", f"--output={self.folder / 'op_models'}", "--soc_version=Ascend310", *flags)

    def files(self):
        return sorted(path.name for path in (self.folder / "op_models").iterdir())

    def test_become_a_file_each_named_after_their_tensors(self):
        soft = {"op": "SoftmaxV2", "input_desc": [tensor([1, 4], "float16")], "output_desc": [tensor([1, 4], "float16")],
                "attr": [{"name": "axes", "type": "list_int", "value": [0]}], "compile_flag": 0}
        code, out, err = self.convert_operators(self.ADD, soft)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(self.files(), ["0_Add_3_2_8_16_3_2_8_16_3_2_8_16.om", "1_SoftmaxV2_1_2_1_4_1_2_1_4.om"])
        self.assertIn("operators 2\n", out)

    def test_may_have_lists_open_sizes_and_no_tensor_for_an_optional_port(self):
        two = tensor([2, 2], "float")
        concat = {"op": "ConcatD", "input_desc": [{**two, "name": "x0"}, {**two, "name": "x1"}],
                  "output_desc": [tensor([4, 2], "float")],
                  "attr": [{"name": "concat_dim", "type": "int", "value": 0}, {"name": "N", "type": "int", "value": 2}]}
        split = {"op": "SplitD", "input_desc": [tensor([4], "float")], "output_desc": [tensor([2], "float")] * 2,
                 "attr": [{"name": "split_dim", "type": "int", "value": 0}, {"name": "num_split", "type": "int", "value": 2}]}
        opened = {"op": "Relu", "input_desc": [tensor([-1, 4], "float", shape_range=[[1, 8], [4, 4]])],
                  "output_desc": [tensor([-1, 4], "float")]}
        product = {"op": "MatMulV2", "input_desc": [two, two, tensor([], "UNDEFINED", "RESERVED")], "output_desc": [two]}
        code, _, err = self.convert_operators(concat, split, opened, product)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(len(self.files()), 4)
        self.assertIn("3_MatMulV2_0_2_2_2_0_2_2_2_28_40_0_2_2_2.om", self.files())
        report = run(FOOTHOLD, "info", self.folder / "op_models" / "2_Relu_0_2_-1_4_0_2_-1_4.om")[1]
        self.assertIn("float[-1,4] ND of 1~8,4", report)

    def test_that_cannot_be_are_named_and_nothing_is_written(self):
        for wrong, text in (({"op": "Ad"}, "operator 1 (Ad): "),
                            ({"input_desc": []}, '[1] lacks "op"'),
                            ({**self.ADD, "input_desc": [tensor([1], "int31")]}, '[1].input_desc[0].type is "int31"'),
                            ({**self.ADD, "input_desc": [tensor([1], layout="NX")]}, '[1].input_desc[0].format is "NX"'),
                            ({**self.ADD, "input_desc": [tensor("8")]}, '[1].input_desc[0].shape is "8"; expected a list'),
                            ({**self.ADD, "attr": [{"name": "a", "type": "map", "value": 1}]}, '[1].attr[0].type is "map"'),
                            ({"op": "Add", "input_desc": [tensor([2]), tensor([3])], "output_desc": [tensor([2])]},
                             "operator 1 (Add): ")):
            code, _, err = self.convert_operators(self.ADD, wrong)
            self.assertEqual(code, 2, err)
            self.assertIn(text, err)
            self.assertFalse((self.folder / "op_models").exists())

    def test_are_described_by_their_file_alone(self):
        for flag in ("--input_shape=x:1", f"--model={DIGITS}"):
            code, _, err = self.convert_operators(self.ADD, flags=[flag])
            self.assertEqual(code, 1)
            self.assertIn(flag[:7], err)
        (self.folder / "bad.json").write_text('[{"op": "Add",}]')
        code, _, err = run(ATC, f"--singleop={self.folder / 'bad.json'}", f"--output={self.folder / 'out'}")
        self.assertEqual(code, 2)
        self.assertIn("bad.json: is not valid JSON: line 1, column 15: } cannot stand here", err)
        self.assertIn("--output is missing", run(ATC, "--singleop=x.json")[2])


class Info(WithFolder):
    def test_shows_description_and_sections(self):
        self.convert(OPEN, "--dynamic_batch_size=1,4", "--soc_version=Ascend310P3")
        code, out, err = run(FOOTHOLD, "info", self.om)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("inputs    image: float[-1,1,8,8] ND\n", out)
        self.assertIn("gears     batch: 1; 4\n", out)
        self.assertIn("ge.socVersion = Ascend310P3\n", out)
        for section in ("description", "graph", "weights"):
            self.assertRegex(out, rf"\n{section} +\d+ +\d+  [0-9a-f]{{16}}\n")
        for mode in (1, 6):
            self.assertEqual(run(ATC, f"--mode={mode}", f"--om={self.om}"), (0, out, ""))

    def test_shows_ranges(self):
        self.convert("--input_shape=image:1~8,1,8,8")
        self.assertIn("image: float[-1,1,8,8] ND of 1~8,1,8,8\n", run(FOOTHOLD, "info", self.om)[1])

    def test_writes_the_description_as_json(self):
        self.convert(SHAPE)
        file = self.folder / "digits.json"
        self.assertEqual(run(ATC, "--mode=1", f"--om={self.om}", f"--json={file}"), (0, "", ""))
        self.assertEqual(json.loads(file.read_text())["inputs"][0]["dims"], [1, 1, 8, 8])

    def test_verifies_checksums(self):
        self.convert(SHAPE)
        code, out, _ = run(FOOTHOLD, "info", "--verify", self.om)
        self.assertEqual(code, 0)
        self.assertTrue(out.endswith("all 5 checksums fit\n"), out)
        damaged = bytearray(self.om.read_bytes())
        damaged[16384] ^= 1  # the weights, which only --verify reads
        self.om.write_bytes(damaged)
        self.assertEqual(run(FOOTHOLD, "info", self.om)[0], 0)
        code, _, err = run(FOOTHOLD, "info", "--verify", self.om)
        self.assertEqual(code, 2)
        self.assertIn("weights", err)

    def test_refuses_what_is_no_model(self):
        code, out, err = run(FOOTHOLD, "info", DIGITS)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("digits.onnx", err)
        self.assertEqual(run(ATC, "--mode=1", f"--om={DIGITS}")[0], 2)


unittest.main(argv=sys.argv[:1])
