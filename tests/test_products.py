"""Every product computes with its own numbers, bit for bit: what operands, sums and results are rounded to.

The tests run for the product that ACLEMU_SOC names; the last one runs them for the other products. All FP32 sums are
exact, so that only the documented roundings show.
"""

import itertools
import os
import random
import re
import zlib
from dataclasses import replace

import numpy as np
import pyaclnn as acl
import pytest

import oracle
from dtypes import encode, largest_of, round_to
from geometry import ALL_FLOAT, Geometry, random_geometry
from oracle import Dtypes, operand_number
from products import A2, A910, C950, P310, current
from two_phase import OUTPUTS, PARAM_INVALID, of_geometry

pytestmark = pytest.mark.usefixtures("no_leftovers")

PRODUCT = current()
TRIPLES = list(itertools.product(PRODUCT.dtypes, repeat=3))
CUBES = range(4)
KINDS = [(triple, cube) for triple in TRIPLES for cube in CUBES]
COMPUTED = [k for k in KINDS if operand_number(Dtypes(*k[0], *k[0]), k[1], PRODUCT)]
by_kind = pytest.mark.parametrize("operands, cube", COMPUTED, ids=lambda x: "-".join(x) if isinstance(x, tuple) else x)


def all_dtypes(operands):
    """The operands' types with every type that the product lets the outputs have."""
    grad_output, input, weight = operands
    if PRODUCT.outputs_follow_inputs:
        return [Dtypes(*operands, input, weight, grad_output)]
    return [Dtypes(*operands, *[output] * 3) for output in PRODUCT.dtypes]


def pointwise(channels, positions, groups):
    """A 1-D problem with one tap: sums of `channels` terms (gradInput) and of `positions` (gradWeight, gradBias)."""
    return Geometry(1, groups, channels * groups, (positions,), (1,), (1,), (0,), (1,), (0,), groups=groups)


def canonical(bits, values):
    """Bits as integers; one pattern stands for every NaN."""
    whole = bits.view({1: np.uint8, 2: np.uint16, 4: np.uint32}[bits.itemsize])
    return np.where(np.isnan(values), 0xFFFFFFFF, whole.astype(np.int64))


def expect_emulation(problem, data):
    data = [round_to(x, d) for x, d in zip(data, problem.dtypes)]
    cube = problem.cube_math_type
    want = oracle.emulate(
        *data, dtypes=problem.dtypes, cube_math_type=cube, product=PRODUCT, **problem.mathematics
    )
    with of_geometry(problem, data) as call:
        got = call.run().values()
        for name, values, right, dtype in zip(OUTPUTS, got, want, problem.dtypes[3:]):
            bits = canonical(call.operands[name].raw(), values)
            assert np.array_equal(bits, canonical(encode(right, dtype), right)), f"{name} of {problem}"
    return got


def long_mantissas(numbers, shape):
    """FLOATs of 24 significant bits, none of them halfway between two values of a shorter format."""
    mantissas = numbers.integers(2**22, 2**23, shape) * 2 + 1
    return mantissas * 2.0 ** (-23 + numbers.integers(-3, 4, shape)) * numbers.choice([-1, 1], shape)


def test_the_process_emulates_the_product_that_was_asked_for():
    assert acl.ffi.string(acl.aclrtGetSocName()).decode() == os.environ.get("ACLEMU_SOC", A2.soc) == PRODUCT.soc


@by_kind
def test_operands_and_results_are_rounded_where_the_product_rounds(operands, cube):
    """One operand has numbers of 24 bits, the others are powers of two: every product and result is a rounding."""
    numbers = np.random.default_rng(zlib.crc32(f"{operands}{cube}".encode()))
    for dtypes, groups, position in itertools.product(all_dtypes(operands), (1, 12), range(3)):
        problem = replace(pointwise(1, 1, groups), cube_math_type=cube, dtypes=dtypes)
        data = [np.full(shape, 0.5) for shape in problem.operand_shapes]
        data[position] = long_mantissas(numbers, problem.operand_shapes[position])
        expect_emulation(problem, data)


@by_kind
def test_sums_are_rounded_once_to_what_the_product_stores(operands, cube):
    """Integers whose sums have up to 20 bits, scaled so that FLOAT16 results overflow in half of the problems."""
    generator = random.Random(f"{operands}{cube}")
    numbers = np.random.default_rng(generator.randrange(2**32))
    for dtypes, (transposed, scale) in itertools.product(all_dtypes(operands), ((False, 8.0), (True, 0.125))):
        geometry = random_geometry(generator, generator.choice([1, 2]), transposed)
        problem = replace(geometry, cube_math_type=cube, dtypes=dtypes)
        data = [numbers.integers(-100, 101, shape) * scale for shape in problem.operand_shapes]
        expect_emulation(problem, data)


@by_kind
def test_too_large_operands_infinities_and_nan_take_the_products_way(operands, cube):
    """Every group of channels has another special number, or all of them lie in the one group."""
    specials = [np.inf, -np.inf, np.nan, 1e38, -70000.0, 1e-30]
    for dtypes, groups, position in itertools.product(all_dtypes(operands), (1, 6), range(3)):
        channels, positions = (2, 3) if groups == 6 else (6, 1)
        problem = replace(pointwise(channels, positions, groups), cube_math_type=cube, dtypes=dtypes)
        data = [np.ones(shape) for shape in problem.operand_shapes]
        data[1][...] = 0.5
        if data[position].size >= len(specials):
            data[position].reshape(len(specials), -1)[:, 0] = specials
        else:
            data[position].flat[0] = np.inf
        expect_emulation(problem, data)


@by_kind
def test_infinity_less_infinity_is_what_the_product_makes_of_it(operands, cube):
    for dtypes in all_dtypes(operands):
        problem = replace(pointwise(2, 2, 1), cube_math_type=cube, dtypes=dtypes)
        data = [np.ones(shape) for shape in problem.operand_shapes]
        data[0][...] = [[[np.inf, -np.inf], [-np.inf, np.inf]]]
        expect_emulation(problem, data)


@by_kind
def test_results_beyond_float16_take_the_products_way(operands, cube):
    """Products of 2^8 and 2^8 in sums of either sign: exact in FP32, out of FLOAT16."""
    for dtypes, groups in itertools.product(all_dtypes(operands), (1, 2)):
        problem = replace(pointwise(3, 4, groups), cube_math_type=cube, dtypes=dtypes)
        data = [np.full(shape, 256.0) for shape in problem.operand_shapes]
        data[0][:, ::2] *= -1
        expect_emulation(problem, data)


@pytest.mark.parametrize("dtype", [d for d in PRODUCT.dtypes if d != "bfloat16"])
def test_bias_sums_beyond_their_type_take_the_products_way(dtype):
    largest = largest_of(dtype)
    cube = 0 if operand_number(Dtypes(*[dtype] * 6), 0, PRODUCT) else 1
    for dtypes in all_dtypes([dtype] * 3):
        problem = replace(pointwise(2, 4, 1), dtypes=dtypes, cube_math_type=cube)
        data = [np.ones(shape) for shape in problem.operand_shapes]
        data[0][...] = [[[largest, largest, 1, 1], [-largest, -largest, -largest, 1]]]
        *_, grad_bias = expect_emulation(problem, data)
        if PRODUCT.saturates:
            most = min(largest, largest_of(dtypes.grad_bias))
            assert grad_bias.tolist() == [most, -most]
        else:
            assert grad_bias.tolist() == [np.inf, -np.inf]


@pytest.mark.parametrize("operands", TRIPLES, ids="-".join)
def test_cube_math_type_never_touches_the_bias_gradient(operands):
    seen = {}
    for dtypes, cube in itertools.product(all_dtypes(operands), CUBES):
        problem = replace(pointwise(2, 1, 1), cube_math_type=cube, dtypes=dtypes, mask=(False, False, True))
        data = [long_mantissas(np.random.default_rng(7), shape) for shape in problem.operand_shapes]
        data = [round_to(x, d) for x, d in zip(data, dtypes)]
        with of_geometry(problem, data) as call:
            if not operand_number(dtypes, cube, PRODUCT):
                continue
            bits = call.run().bits()[2]
        assert seen.setdefault(dtypes.grad_bias, bits) == bits
    assert len(seen) == len({dtypes.grad_bias for dtypes in all_dtypes(operands)})


def test_types_are_refused_where_the_product_cannot_compute_them():
    for operands, cube in KINDS:
        grad_output, input, weight = operands
        dtypes = Dtypes(*operands, input, weight, grad_output)
        problem = replace(pointwise(1, 1, 1), cube_math_type=cube, dtypes=dtypes)
        with of_geometry(problem, [np.ones(shape) for shape in problem.operand_shapes]) as call:
            if (operands, cube) in COMPUTED:
                call.run()
            else:
                assert call.phase_one() == PARAM_INVALID, problem
                assert call.out_pointers_untouched


if PRODUCT.hf32 is not None:  # 310P and 910A have neither HF32 nor 3-D

    @pytest.mark.parametrize("cube", [1, 3])
    def test_hf32_keeps_the_products_mantissa_bits(cube):
        bits = {"hf32": 11, "hf32-10": 10}[PRODUCT.hf32]
        problem = replace(pointwise(1, 1, 1), cube_math_type=cube, dtypes=ALL_FLOAT)
        for value, kept in [
            (1 + 2.0**-bits, 1 + 2.0**-bits),
            (1 + 2.0 ** -(bits + 1) - 2**-20, 1),
            (1 + 2.0 ** -(bits + 1), 1),  # a tie, and 1 is even
            (1 + 3 * 2.0 ** -(bits + 1), 1 + 2.0 ** (1 - bits)),
            (1 + 2.0 ** -(bits + 1) + 2**-20, 1 + 2.0**-bits),
        ]:
            grad_input, grad_weight, grad_bias = expect_emulation(problem, [[[[value]]], [[[1]]], [[[1]]]])
            assert grad_input == grad_weight == kept
            assert grad_bias == value

    def test_3d_calls_round_alike():
        generator, numbers = random.Random(3), np.random.default_rng(3)
        for (operands, cube), transposed in itertools.product(COMPUTED, (False, True)):
            geometry = replace(random_geometry(generator, 3, transposed), cube_math_type=cube)
            while geometry.groups > 1:  # a grouped FLOAT gradWeight is refused by one of the products
                geometry = replace(random_geometry(generator, 3, transposed), cube_math_type=cube)
            problem = replace(geometry, dtypes=all_dtypes(operands)[0])
            expect_emulation(problem, [numbers.integers(-60, 61, shape) * 1.0 for shape in problem.operand_shapes])


# ---- the same on every product -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "product, overflow",
    [(A2, "device"), (C950, "ieee"), (C950, "device"), (P310, "ieee"), (P310, "device"), (A910, "device")],
    ids=lambda x: x if isinstance(x, str) else x.name,
)
def test_all_of_this_holds_on(product, overflow, in_process_of_its_own):
    """Where products cannot saturate, the option must change nothing: what would saturate is enough to see that."""
    which = "products_way" if overflow == "device" and not product.saturates else "not all_of_this_holds_on"
    options = ("-q", "-p", "no:cacheprovider", "-k", which)
    report = in_process_of_its_own(
        "-m", "pytest", *options, __file__, ACLEMU_SOC=product.soc, ACLEMU_OVERFLOW=overflow
    )
    passed = re.search(r"^(\d+) passed, \d+ deselected in", report, re.MULTILINE)
    assert passed and int(passed[1]) >= 6 * len(product.dtypes) ** 3, report
