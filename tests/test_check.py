"""pyaclnn.check: what every product says to a call, without a device."""

import contextlib
import gc
import itertools
import json
import random
import re
import resource
from collections import Counter
from dataclasses import replace

import pyaclnn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyaclnn.chip import PRODUCTS, product_of
from pyaclnn.dtypes import ELEMENT_TYPES
from pyaclnn.handles import Handle
from pyaclnn.request_text import _CALL_KEYS

from geometry import SHORT_NAMES, random_problem
from oracle import Dtypes, operand_number
from product_status import expected_status
from products import A2
from products import PRODUCTS as ORACLES
from system import System
from toolchain import ROOT

INVALID, NULLPTR, INNER = 161002, 161001, 561103
NAMES = {**SHORT_NAMES, "hf32": "hf32-11"}

# a line; per product 0, or the status and the rule that decides it
ANSWERS = [
    ("2d ci4 co4 i8 k3 cube=1", 0, 0, 0, 0),
    ("2d ci4 co4 i8 k3 cube=2", 0, 0, 0, 0),
    ("2d ci4 co4 i8 k3 cube=0", 0, 0, *[(INVALID, "CUBE_MATH_TYPE_FLOAT")] * 2),
    ("2d ci4 co4 i8 k3 cube=3", 0, 0, *[(INVALID, "CUBE_MATH_TYPE_FLOAT")] * 2),
    ("2d ci4 co4 i8 k3 cube=0 mask=001", 0, 0, *[(INVALID, "CUBE_MATH_TYPE_FLOAT")] * 2),
    ("2d ci4 co4 i8 k3 cube=4", *[(INVALID, "CUBE_MATH_TYPE_RANGE")] * 4),
    ("2d ci4 co4 i8 k3 dtype=bf16", 0, 0, *[(INVALID, "DTYPE")] * 2),
    ("3d ci4 co4 i8 k3 dtype=f16", 0, 0, *[(INVALID, "PRODUCT_3D")] * 2),
    ("3d ci4 co4 i8 k3 dtype=f16 mask=000", 0, 0, *[(INVALID, "PRODUCT_3D")] * 2),
    ("2d ci4 co4 i8 k3 dtype=hif8 mask=100 transposed", (INVALID, "DTYPE"), 0, *[(INVALID, "DTYPE")] * 2),
    ("2d ci4 co4 i8 k3 dtype=hif8 mask=100", (INVALID, "DTYPE"), (INNER, "8BIT_KERNEL"), *[(INVALID, "DTYPE")] * 2),
    ("2d ci4 co4 i8 k3 dtype=e4m3 mask=100", (INVALID, "DTYPE"), (INNER, "8BIT_KERNEL"), *[(INVALID, "DTYPE")] * 2),
    ("2d ci4 co4 i8 k3 dtype=e4m3 mask=100 transposed", *[(INVALID, "DTYPE")] * 4),
    ("2d ci4 co4 i512x8 k300x1 dtype=f16", (INNER, "KERNEL_LIMIT"), 0, 0, 0),
    ("2d ci4 co4 i8 k300 dtype=f16 transposed", *[(INNER, "KERNEL_LIMIT")] * 2, 0, 0),
    ("2d ci4 co4 i8 k3 p256 dtype=f16", (INNER, "PADDING_LIMIT"), 0, 0, 0),
    ("3d ci4 co4 i99 k3 s1x1x64 dtype=f16", (INNER, "STRIDE_LIMIT"), 0, *[(INVALID, "PRODUCT_3D")] * 2),
    ("1d ci4 co4 g2 i99 k2 d45 dtype=f16", 0, (INNER, "DILATION_1D"), 0, 0),
    ("2d ci4 co4 i8 k3 dtype=f16 out=f16,f16,f32", 0, (INVALID, "GRAD_BIAS_DTYPE"), 0, 0),
    ("2d ci4 co4 i8 k3 dtype=f16 out=f32,f16,f16", 0, (INVALID, "GRAD_INPUT_DTYPE"), 0, 0),
    ("2d ci4 co4 i8 k3 dtype=f16 out=f16,f32,f16", 0, (INVALID, "GRAD_WEIGHT_DTYPE"), 0, 0),
    ("2d ci4 co4 i8 k3 dtype=f16 out=f16,f16,f32 mask=110", 0, 0, 0, 0),
    ("2d ci4 co6 g4 i8 k3 dtype=f16", (INVALID, "DEPTHWISE_CHANNELS"), (INNER, "GROUPS_DIVIDE"),
     *[(INVALID, "DEPTHWISE_CHANNELS")] * 2),
    ("2d ci4 co4 i8 o5x6 k3 dtype=f16", *[(INNER, "SIZE")] * 4),
    ("3d ci4 co4 i8 o5x6x6 k3 dtype=f16", *[(INVALID, "SIZE_3D")] * 4),
    ("2d n0 ci4 co4 i8 k3 dtype=f16", 0, 0, *[(INVALID, "NOT_EMPTY")] * 2),
]  # fmt: skip


@pytest.mark.parametrize("line, answers", [(line, answers) for line, *answers in ANSWERS], ids=lambda x: str(x)[:60])
def test_each_product_answers_for_itself(line, answers):
    report = pyaclnn.check(line)
    assert [verdict.product for verdict in report.verdicts] == ["A2", "950", "310P", "910A"]
    for verdict, answer in zip(report.verdicts, answers):
        status, rule = answer or (0, None)
        assert (verdict.status, verdict.rule) == (status, rule and f"CONVBWD_{rule}"), verdict.product
        assert verdict.accepted == (status == 0)
        assert (verdict.arithmetic is None) == (verdict.workspace_size is None) == (not verdict.accepted)
    assert report.accepted == (answers == [0] * 4)


def system_of(problem):
    """The same call for the independent reading."""
    long_names = {short: long for long, short in SHORT_NAMES.items()}
    return System(
        id=str(problem),
        grad_output=problem.grad_output_shape,
        input=problem.input_shape,
        weight=problem.weight_shape,
        dtypes=Dtypes(*(long_names[name] for name in problem.dtypes + problem.output_dtypes)),
        range=(-1, 1),
        format={3: "NCL", 4: "NCHW", 5: "NCDHW"}[len(problem.input_shape)],
        bias_sizes=(problem.out_channels,),
        stride=problem.stride,
        padding=problem.padding,
        dilation=problem.dilation,
        output_padding=problem.output_padding,
        transposed=problem.transposed,
        groups=problem.groups,
        mask=problem.output_mask,
        cube_math_type=problem.cube_math_type,
    )


def altered(generator, problem):
    """The problem with one thing changed that some product may dislike."""
    axes = len(problem.input)
    changes = [
        {"stride": (0,) * axes},
        {"stride": (64,) * axes},
        {"padding": (-1,) * axes},
        {"padding": (256,) * axes},
        {"dilation": (0,) * axes},
        {"dilation": (45,) * axes},
        {"output_padding": (1,) * axes},
        {"output": tuple(size + 1 for size in problem.output)},
        {"kernel": tuple(size + 1 for size in problem.kernel)},
        {"cube_math_type": generator.choice([-1, 4])},
        {"groups": problem.groups + 1},
        {"groups": 0},
        {"out_channels": problem.out_channels + 1},
    ]
    return replace(problem, **generator.choice(changes))


def test_random_calls_have_the_statuses_of_the_independent_reading():
    generator = random.Random(20)
    seen = Counter()
    for _ in range(1500):
        geometry = random_problem(generator, generator.choice([1, 2, 3]), generator.random() < 0.5)
        problem = pyaclnn.Problem.parse(str(geometry))
        if generator.random() < 0.6:
            problem = altered(generator, problem)
        if 0 in problem.weight_shape:
            continue  # empty tensors take a route of their own
        report = pyaclnn.check(problem)
        for product in ORACLES:
            status = report[product.name].status
            assert status == expected_status(system_of(problem), product), f"{product.name}: {problem}"
            seen[product.name, status] += 1
    assert len(seen) == 3 * len(ORACLES) and min(seen.values()) > 30, seen


def test_all_broken_rules_are_named_in_the_order_of_the_device():
    verdict = pyaclnn.check("2d ci4 co4 i8 o8 k3 s0x1 d1x0 cube=7 dtype=f16,i8,f16 out=f16 mask=110")["A2"]
    assert (verdict.status, verdict.status_name) == (INVALID, "ACLNN_ERR_PARAM_INVALID")
    rules = ["CONVBWD_DTYPE", "CONVBWD_STRIDE_RANGE", "CONVBWD_DILATION_RANGE", "CONVBWD_CUBE_MATH_TYPE_RANGE"]
    assert [violation.rule for violation in verdict.violations] == rules
    dtype, stride, dilation, cube = verdict.violations
    assert "input" in dtype.values and "DT_INT8" in dtype.values and "A2" in dtype.values
    assert (stride.values, dilation.values, cube.values) == ("stride[0] is 0", "dilation[1] is 0", "cubeMathType is 7")
    assert (verdict.rule, verdict.hint) == (dtype.rule, dtype.hint)
    assert stride.sentence == "every element of stride is greater than 0" and stride.stage == "VALUES"
    assert verdict.rule in verdict.message


def test_a_further_rule_has_the_status_that_it_would_give():
    first, second = pyaclnn.check("2d n2 ci4 co4 i512x8 k300x1 cube=5 dtype=f16")["A2"].violations
    assert (first.rule, first.status) == ("CONVBWD_CUBE_MATH_TYPE_RANGE", INVALID)
    assert (second.rule, second.status, second.stage) == ("CONVBWD_KERNEL_LIMIT", INNER, "PLAN")


@pytest.mark.parametrize("product", ORACLES, ids=lambda product: product.name)
def test_operands_are_those_of_the_independent_reading(product):
    for operands in itertools.product(product.dtypes, repeat=3):
        names = ",".join(SHORT_NAMES[dtype] for dtype in operands)
        for cube in range(4):
            verdict = pyaclnn.check(f"2d ci4 co4 i8 k3 cube={cube} dtype={names}", [product.name])[product.name]
            number = operand_number(Dtypes(*operands, *operands), cube, product)
            if number is None:
                assert verdict.status == INVALID
            else:
                arithmetic = verdict.arithmetic
                assert (arithmetic.operands, arithmetic.accumulator) == (NAMES.get(number, number), "f32")


@pytest.mark.parametrize(
    "line, roundings",
    [
        ("2d ci4 co4 i8 k3 dtype=f16", [("f16",)] * 3),
        ("2d ci4 co4 i8 k3 dtype=f16 out=f32", [("f16", "f32"), ("f32",), ("f16", "f32")]),
        ("2d ci4 co4 g2 i8 k3 dtype=f16 out=f32", [("f16", "f32"), ("f16", "f32"), ("f16", "f32")]),
        ("2d ci4 co4 i8 k3 dtype=f32 cube=1", [("f32",)] * 3),
        ("2d ci4 co4 i8 k3 dtype=f32 cube=2", [("f16", "f32"), ("f32",), ("f32",)]),
        ("2d ci4 co4 i8 k3 dtype=bf16 mask=010", [(), ("bf16",), ()]),
    ],
)
def test_results_are_rounded_where_the_device_rounds(line, roundings):
    arithmetic = pyaclnn.check(line)["A2"].arithmetic
    assert [arithmetic.grad_input, arithmetic.grad_weight, arithmetic.grad_bias] == roundings
    assert arithmetic.route == "compute"


def test_a_call_without_a_convolution_has_no_operands():
    for mask in ("001", "000"):
        assert pyaclnn.check(f"2d ci4 co4 i8 k3 mask={mask}")["A2"].arithmetic.operands is None


def test_an_empty_input_leads_to_zeros():
    verdict = pyaclnn.check("2d n0 ci4 co4 i8 k3 dtype=f16", ["A2"])["A2"]
    assert (verdict.arithmetic.route, verdict.arithmetic.operands) == ("zeros", None)
    assert verdict.arithmetic.grad_weight == verdict.arithmetic.grad_bias == ("f16",)


def test_the_workspace_is_what_phase_one_asks_for():
    line = "2d n2 ci4 co4 i8 k3 dtype=f16"
    problem = pyaclnn.Problem.parse(line)
    with pyaclnn.soc("310P"), contextlib.ExitStack() as stack:
        arguments = pyaclnn.Request.of_problem(problem).arguments(stack)
        executor = stack.enter_context(pyaclnn.Executor("aclnnConvolutionBackward", *arguments))
        assert pyaclnn.check(line, ["310P"])["310P"].workspace_size == executor.workspace_size > 0


# ---- which products ------------------------------------------------------------------------------------------------


def test_a_problem_with_a_chip_is_asked_of_that_chip_only():
    (verdict,) = pyaclnn.check("2d ci4 co4 i8 k3 dtype=f16 soc=Ascend310P1").verdicts
    assert (verdict.product, verdict.soc) == ("310P", "Ascend310P1")


def test_named_chips_and_products_go_before_that_of_the_problem():
    report = pyaclnn.check("2d ci4 co4 i8 k3 dtype=f16 soc=Ascend310P1", ["950", "Ascend910_9391"])
    chips = [(verdict.product, verdict.soc) for verdict in report.verdicts]
    assert chips == [("950", PRODUCTS["950"]), ("A2", "Ascend910_9391")]
    with pytest.raises(KeyError):
        report["310P"]


def test_a_chip_that_does_not_exist_is_an_error_that_names_the_nearest():
    with pytest.raises(pyaclnn.AclError, match='"Ascend310P9".*Ascend310P') as raised:
        pyaclnn.check("2d ci4 co4 i8 k3", ["A2", "Ascend310P9"])
    assert raised.value.code == 100000 and raised.value.violations == ()


def test_every_chip_belongs_to_the_product_of_its_architecture():
    rows = re.findall(r'^SOC\("([^"]+)", (\d+)', (ROOT / "lib/runtime/socs.def").read_text(), re.MULTILINE)
    assert len(rows) > 20
    products = {"2201": "A2", "3510": "950", "2002": "310P", "1001": "910A"}
    for name, architecture in [*rows, ("Ascend950DT_1", "3510")]:
        assert product_of(name) == products[architecture], name
    assert {product_of(chip): chip for chip in PRODUCTS.values()} == PRODUCTS


# ---- calls in JSON -------------------------------------------------------------------------------------------------


def call(**changes):
    """A good call; a change to ... leaves a key out."""
    tensor = {"shape": [1, 4, 8, 8], "dtype": "float16"}
    given = {"gradOutput": tensor, "input": tensor, "weight": {"shape": [4, 4, 1, 1], "dtype": "float16"}}
    return {key: value for key, value in {**given, **changes}.items() if value is not ...}


def test_rows_of_the_system_test_table_are_calls():
    rows = [json.loads(line) for line in (ROOT / "tests/cases/system_cases.jsonl").read_text().splitlines()]
    for row in rows[::10]:
        verdict = pyaclnn.check(row, ["A2"])["A2"]
        assert verdict.status == expected_status(System.of_row(row), A2), row["id"]
    assert len(rows) > 100


def test_a_call_and_a_problem_that_say_the_same_have_the_same_answers():
    problem = pyaclnn.check("2d ci4 co4 i8 k1 dtype=f16")
    assert pyaclnn.check(call()) == problem
    named = {"shape": [1, 4, 8, 8], "dtype": "ACL_FLOAT16", "format": "ACL_FORMAT_NCHW", "strides": [256, 64, 8, 1],
             "offset": 0, "storageShape": [256]}  # fmt: skip
    weight = {"shape": [4, 4, 1, 1], "dtype": "DT_FLOAT16"}
    explicit = call(
        id="x", soc=None, gradOutput=named, input=named, weight=weight, biasSizes=[4], stride=[1, 1], padding=[0, 0],
        dilation=[1, 1], transposed=False, outputPadding=[0, 0], groups=1, outputMask=[True] * 3, cubeMathType=0,
        format="NCHW", gradInput=named, gradWeight=weight, gradBias={"shape": [4], "dtype": "f16", "format": "ND"},
    )  # fmt: skip
    assert pyaclnn.check(explicit) == problem


@pytest.mark.parametrize(
    "changes, status, rule",
    [
        ({"gradOutput": None}, NULLPTR, "ARGUMENT_NULL"),
        ({"stride": None}, NULLPTR, "ARGUMENT_NULL"),
        ({"gradWeight": None}, NULLPTR, "OUTPUT_NULL"),
        ({"gradWeight": None, "outputMask": [True, False, True]}, 0, None),
        ({"outputMask": [True, True]}, NULLPTR, "OUTPUT_MASK_LENGTH"),
        ({"format": "NHWC"}, INVALID, "FORMAT"),
        ({"format": "ND"}, INVALID, "FORMAT"),
        ({"gradBias": {"shape": [4], "dtype": "f16", "format": "NCL"}}, INVALID, "GRAD_BIAS_FORMAT"),
        ({"gradBias": {"shape": [5], "dtype": "f16"}, "outputMask": [True, True, False]}, INVALID, "GRAD_BIAS_LENGTH"),
        ({"gradInput": {"shape": [1, 4, 8, 9], "dtype": "f16"}}, INVALID, "GRAD_INPUT_SHAPE"),
        ({"weight": {"shape": [4, 4, 1], "dtype": "f16"}}, INVALID, "RANKS_EQUAL"),
        ({"stride": [1, 1, 1]}, INVALID, "STRIDE_LENGTH"),
        ({"biasSizes": None}, 0, None),
        ({"input": {"shape": [1, 4, 8, 8], "dtype": "f16", "strides": [0, 0, 0, 9], "storageShape": [9]}},
         INNER, "INPUT_IN_STORAGE"),
        ({"input": {"shape": [2, 4, 8, 8], "dtype": "f16"}}, INNER, "BATCH"),
    ],
)  # fmt: skip
def test_a_call_in_json_can_say_what_a_problem_line_cannot(changes, status, rule):
    verdict = pyaclnn.check(call(**changes), ["A2"])["A2"]
    assert (verdict.status, verdict.rule) == (status, rule and f"CONVBWD_{rule}")


@pytest.mark.parametrize(
    "changes, complaint",
    [
        ({"weight": ...}, "weight missing; null stands for a null pointer"),
        ({"strides": [1, 1]}, "a call has no 'strides'; did you mean stride?"),
        ({"stride": [1, 1.5]}, "stride[1]: 1.5 is not an integer"),
        ({"stride": [True, 1]}, "stride[0]: True is not an integer"),
        ({"stride": "1x1"}, "stride: '1x1' is no list of integers"),
        ({"groups": "2"}, "groups: '2' is not an integer"),
        ({"groups": 2**31}, "groups: 2147483648 does not fit into 32 bits"),
        ({"cubeMathType": 128}, "cubeMathType: 128 does not fit into 8 bits"),
        ({"padding": [0, 2**63]}, "padding: 9223372036854775808 does not fit into 64 bits"),
        ({"transposed": 1}, "transposed: 1 is neither true nor false"),
        ({"outputMask": "111"}, "outputMask: '111' is no list of true and false"),
        ({"outputMask": [True, 0, True]}, "outputMask[1]: 0 is neither true nor false"),
        ({"format": "NCWH"}, "format: unknown format 'NCWH'; known: "),
        ({"weight": {"shape": [4, 4, 1, 1]}}, "weight: dtype is missing"),
        ({"weight": {"shape": [4], "dtype": "float23"}}, "weight.dtype: unknown element type 'float23'; known: "),
        ({"weight": {"shape": [4, 4], "dtype": "f16", "stride": [1]}}, "weight has no 'stride'; did you mean strides?"),
        ({"weight": {"shape": [4, 4], "dtype": "f16", "strides": [1]}}, "weight: 1 strides for 2 dimensions"),
        ({"weight": {"shape": [1] * 26, "dtype": "f16"}}, "weight: aclCreateTensor returned no object"),
        ({"weight": [4, 4, 1, 1]}, "weight: [4, 4, 1, 1] is no object with shape and dtype"),
        ({"soc": 950}, "soc: 950 is no text"),
    ],
)
def test_a_call_that_cannot_be_made_is_an_error_that_names_the_item(changes, complaint):
    with pytest.raises(ValueError) as raised:
        pyaclnn.check(call(**changes))
    assert str(raised.value).startswith(complaint)


def test_sizes_whose_products_overflow_are_refused_and_not_an_error():
    report = pyaclnn.check(f"2d n{2**62} ci4 co4 i{2**40} k3 dtype=f16")
    assert [verdict.status for verdict in report.verdicts] == [INNER] * 4


# ---- nothing is left over ------------------------------------------------------------------------------------------


def test_no_device_is_opened_and_no_error_text_is_left():
    pyaclnn.check("2d ci4 co4 i8 k3 s0 o1 dtype=bf16")
    assert not pyaclnn.Device.is_open()
    assert not pyaclnn.lib.aclGetRecentErrMsg()


def test_thousands_of_checks_leave_nothing_behind():
    lines = ["2d n8 ci64 co64 i56 k3 p1 cube=1", "3d ci4 co4 i8 k3 s0 o1 dtype=bf16"]

    def check(times):
        for _ in range(times):
            for line in lines:
                pyaclnn.check(line)
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # KiB

    before = check(500)
    assert check(2500) - before < 1024
    assert not [handle for handle in gc.get_objects() if isinstance(handle, Handle) and not handle.closed]


# ---- whatever is written ------------------------------------------------------------------------------------------


NUMBERS = st.integers(-2, 9) | st.sampled_from([45, 64, 255, 256, 300, 65536, 2**31, 2**62, 2**63, -(2**63), 10**30])


@st.composite
def lines(draw):
    axes = draw(st.integers(1, 3))

    def values(letter, often=True):
        count = axes if draw(st.integers(0, 9)) else draw(st.integers(1, 4))
        text = "x".join(str(draw(NUMBERS)) for _ in range(count))
        return [f"{letter}{text}"] if often or draw(st.booleans()) else []

    types = st.sampled_from([row.name for row in ELEMENT_TYPES])
    words = [f"{axes}d", f"ci{draw(NUMBERS)}", f"co{draw(NUMBERS)}", *values("i"), *values("k")]
    for letter in ("n", "g", "s", "p", "d", "op", "o"):
        words += [f"{letter}{draw(NUMBERS)}"] if letter in "ng" else values(letter, often=False)
    words += [f"cube={draw(NUMBERS)}", f"mask={draw(st.sampled_from(['111', '110', '001', '000', '11']))}"]
    words += draw(st.sampled_from([[], ["transposed"], [draw(st.text(max_size=9))]]))
    words.append("dtype=" + ",".join(draw(st.lists(types, min_size=1, max_size=3))))
    return " ".join(words)


def expect_answers_or_a_value_error(problem):
    try:
        report = pyaclnn.check(problem)
    except ValueError as error:
        assert str(error)
        return
    for verdict in report.verdicts:
        assert verdict.status in (0, INVALID, NULLPTR, INNER)
        assert bool(verdict.violations) == (verdict.status != 0)
        assert all(violation.status == verdict.status for violation in verdict.violations[:1])


@settings(max_examples=200, deadline=None)
@given(lines())
def test_a_random_line_has_answers_or_is_a_value_error(line):
    expect_answers_or_a_value_error(line)


JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | st.text(max_size=5) | st.sampled_from(["NCL", "f16", "ND"]),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(["shape", "dtype"]), inner),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(_CALL_KEYS)), JSON, max_size=3))
def test_a_random_change_of_a_call_has_answers_or_is_a_value_error(changes):
    changes.pop("soc", None)
    expect_answers_or_a_value_error({**call(), **changes})
