"""The problem language: what is printed is read back, what is left out is filled in, what is wrong is named."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyaclnn import Problem
from pyaclnn.dtypes import BY_NAME

NUMBERS = st.integers(-(2**63), 2**63 - 1)
TYPES = st.sampled_from(sorted(BY_NAME))
FULL = "2d n8 ci64 co64 i56x56 o56x56 k3x3 s1x1 p1x1 d1x1 g1 mask=111 cube=0 dtype=bf16"


@st.composite
def problems(draw):
    dimensions = draw(st.integers(1, 3))
    axes = st.tuples(*[NUMBERS] * dimensions)
    maybe_pairs = axes | st.tuples(*[NUMBERS] * 4) if dimensions == 2 else axes
    three_types = st.tuples(TYPES, TYPES, TYPES)
    return Problem(
        batch=draw(NUMBERS),
        in_channels=draw(NUMBERS),
        out_channels=draw(NUMBERS),
        input=draw(axes),
        output=draw(axes),
        kernel=draw(axes),
        stride=draw(axes),
        padding=draw(maybe_pairs),
        dilation=draw(axes),
        output_padding=draw(maybe_pairs | st.just((0,) * dimensions)),
        groups=draw(NUMBERS),
        output_mask=draw(st.tuples(st.booleans(), st.booleans(), st.booleans())),
        cube_math_type=draw(NUMBERS),
        dtypes=draw(three_types),
        output_dtypes=draw(three_types),
        transposed=draw(st.booleans()),
        soc=draw(st.none() | st.from_regex(r"Ascend[0-9A-Z_]+", fullmatch=True)),
    )


@given(problems())
def test_a_printed_problem_is_read_back_equal(problem):
    assert Problem.parse(str(problem)) == problem


@given(problems(), st.randoms(use_true_random=False))
def test_the_order_of_the_items_does_not_matter(problem, random):
    dimensions, *items = str(problem).split()
    random.shuffle(items)
    assert Problem.parse(" ".join([dimensions, *items])) == problem


@pytest.mark.parametrize(
    "line",
    [
        FULL,
        "2d n1 ci3 co8 i9x9 o5x4 k3x3 s2x2 p1:2x0:1 d1x1 g1 mask=110 cube=1 dtype=f32,f16,bf16 out=f32 soc=Ascend910B3",
        "1d n2 ci6 co4 i10 o22 k4 s2 p0 d1 g2 mask=111 cube=0 dtype=f16 transposed op0",
        "2d n1 ci1 co1 i1x1 o1x1 k1x1 s1x1 p0x0 d1x1 g1 mask=000 cube=0 dtype=f32 op0:0x0:0",
        "3d n-1 ci0 co1 i1x2x3 o1x2x3 k1x1x1 s0x-1x1 p0x0x0 d1x1x1 g0 mask=001 cube=-1 dtype=hif8 out=f32,f16,hif8",
    ],
)
def test_the_printed_form_of_a_full_line_is_the_line(line):
    assert str(Problem.parse(line)) == line


def test_items_left_out_have_their_documented_values():
    assert str(Problem.parse("2d ci3 co4 i9x9 k3x3")) == (
        "2d n1 ci3 co4 i9x9 o7x7 k3x3 s1x1 p0x0 d1x1 g1 mask=111 cube=0 dtype=f32"
    )


def test_one_value_counts_for_every_axis():
    assert Problem.parse("3d ci1 co1 i8 k3 s2 p1 d1") == Problem.parse("3d ci1 co1 i8x8x8 k3x3x3 s2x2x2 p1x1x1 d1x1x1")


@pytest.mark.parametrize(
    "line, output",
    [
        ("1d ci1 co1 i10 k3 s2", (4,)),  # floor((10 - 3) / 2) + 1
        ("1d ci1 co1 i10 k3 s2 p1 d2", (4,)),  # floor((10 + 2 - 5) / 2) + 1
        ("2d ci1 co1 i9x9 k3 s2 p1:2x0:1", (5, 4)),  # floor((12 - 3) / 2) + 1, floor((10 - 3) / 2) + 1
        ("3d ci1 co1 i4x5x6 k1x2x3", (4, 4, 4)),
        ("1d ci1 co1 i10 k4 s2 transposed op1", (23,)),  # (10 - 1) * 2 + 3 + 1 + 1
        ("2d ci1 co1 i5x5 k3 transposed op0:1x0:2", (8, 9)),  # 4 + 2 + 1 + 1, 4 + 2 + 2 + 1
        ("2d ci1 co1 i5x5 k3 s2 p1:0x1:2 d1x2 transposed op1x0", (11, 10)),  # 8 - 1 + 2 + 1 + 1, 8 - 3 + 4 + 0 + 1
    ],
)
def test_an_output_size_left_out_follows_from_the_shape_equation(line, output):
    assert Problem.parse(line).output == output


def test_an_output_size_that_is_given_stays_even_if_it_is_wrong():
    assert Problem.parse("1d ci1 co1 i10 k3 o99").output == (99,)


def test_shapes_of_a_grouped_convolution():
    problem = Problem.parse("2d n5 ci6 co4 i9x8 k3x2 g2")
    assert problem.grad_output_shape == (5, 4, 7, 7)
    assert problem.input_shape == (5, 6, 9, 8)
    assert problem.weight_shape == (4, 3, 3, 2)


def test_shapes_of_a_grouped_transposed_convolution():
    problem = Problem.parse("1d n5 ci6 co4 i9 k3 g2 transposed")
    assert problem.grad_output_shape == (5, 4, 11)
    assert problem.weight_shape == (6, 2, 3)


def test_types_of_the_outputs_are_those_of_input_weight_and_grad_output():
    assert Problem.parse("1d ci1 co1 i4 k1 dtype=f32,f16,bf16").output_dtypes == ("f16", "bf16", "f32")


def test_a_symmetric_padding_of_four_values_is_not_one_of_two():
    two, four = Problem.parse("2d ci1 co1 i4 k1 p1x1"), Problem.parse("2d ci1 co1 i4 k1 p1:1x1:1")
    assert (two.padding, four.padding) == ((1, 1), (1, 1, 1, 1))
    assert two.output == four.output


@pytest.mark.parametrize(
    "line, named",
    [
        ("", "1d, 2d or 3d"),
        ("4d ci1 co1 i1 k1", "1d, 2d or 3d"),
        ("ci1 co1 i1 k1", "1d, 2d or 3d"),
        ("2d co1 i1 k1", "ci missing"),
        ("2d", "ci, co, i, k missing"),
        ("2d ci1 co1 i1 k1 z3", "'z3'"),
        ("2d ci1 co1 i1 k1 s", "'s'"),
        ("2d ci1 co1 i1 k1 mask111", "'mask111'"),
        ("2d ci1 co1 i1 k1 n=1", "'n=1'"),
        ("2d ci1 co1 i1 k1 s1 s1", "s is given twice"),
        ("2d ci1 co1 i1 k1 n1x1", "n: '1x1'"),
        ("2d ci1 co1 i1 k1 s1x", "s: ''"),
        ("2d ci1 co1 i1x1x1 k1", "i: '1x1x1'"),
        ("3d ci1 co1 i1 k1 p1x1", "p: '1x1'"),
        ("2d ci1 co1 i1 k1 p1:1x1", "p: '1:1x1'"),
        ("2d ci1 co1 i1 k1 p1:1:1x1", "p: '1:1:1x1'"),
        ("1d ci1 co1 i1 k1 p1:1", "p: '1:1'"),
        ("2d ci1 co1 i1 k1 s1:1x1:1", "s: '1:1'"),
        ("2d ci1 co1 i1 k1 s1.5", "s: '1.5'"),
        ("2d ci1 co1 i1 k1 s0", "stride 0"),
        ("2d ci1 co1 i1 k1 mask=11", "mask: '11'"),
        ("2d ci1 co1 i1 k1 mask=112", "mask: '112'"),
        ("2d ci1 co1 i1 k1 cube=", "cube: ''"),
        ("2d ci1 co1 i1 k1 dtype=float", "dtype: unknown element type 'float'"),
        ("2d ci1 co1 i1 k1 dtype=f32,f32", "dtype: 'f32,f32'"),
        ("2d ci1 co1 i1 k1 out=f32,f32,", "out: unknown element type ''"),
        ("2d ci1 co1 i1 k1 soc=", "soc"),
    ],
)
def test_a_wrong_line_is_refused_by_the_name_of_the_item(line, named):
    with pytest.raises(ValueError) as refused:
        Problem.parse(line)
    assert named in str(refused.value)


def test_the_examples_of_the_documentation_are_in_the_printed_form_and_complete():
    text = (Path(__file__).parent.parent / "docs" / "problems.md").read_text()
    first, second, third = re.search(r"```problem\n(.*?)```", text, re.DOTALL)[1].splitlines()
    assert str(Problem.parse(first)) == first
    assert str(Problem.parse(second)) == second
    for line in (first, second, third):
        without_output = re.sub(r" o\d\S*", "", line)
        assert without_output != line
        assert Problem.parse(without_output) == Problem.parse(line)


def test_the_documentation_names_every_element_type():
    text = (Path(__file__).parent.parent / "docs" / "problems.md").read_text()
    assert re.search(r"Element types: `([^`]*)`", text)[1].split() == list(BY_NAME)
