"""What phase one answers on the A2 series for dense, non-empty tensors whose outputs have the documented shapes.

A second, independent reading of the operator's rules, in their order; it knows nothing of null handles, views and
empty tensors, which have tests of their own.
"""

import math

from oracle import promoted

SUCCESS, PARAM_INVALID, INNER = 0, 161002, 561103
DTYPES = {"float32", "float16", "bfloat16"}
FORMATS = {3: {"NCL", "ND"}, 4: {"NCHW"}, 5: {"NCDHW"}}


def expected_status(call):
    """`call` has grad_output, input, weight (shapes), dtypes, stride ... as attributes: a System."""
    for is_broken in INVALID:
        if is_broken(call):
            return PARAM_INVALID
    if not any(call.mask[:2]):
        return SUCCESS  # the sum over gradOutput asks nothing of the other tensors
    if _has_no_grouped_3d_weight_kernel(call):
        return PARAM_INVALID
    return INNER if any(is_broken(call) for is_broken in PLANNING) else SUCCESS


def _maps(call):
    """The map that the kernel slides over, and the one that this yields."""
    return (call.grad_output, call.input) if call.transposed else (call.input, call.grad_output)


def _around(call):
    if call.spatial == 2 and len(call.padding) == 4:
        return [sum(call.padding[:2]), sum(call.padding[2:])]
    return [2 * p for p in call.padding]


def _slack(call):
    """Per axis, how far the dilated kernel can move over the padded big map."""
    big, _ = _maps(call)
    axes = zip(big[2:], _around(call), call.weight[2:], call.dilation)
    return [x + p - (d * (k - 1) + 1) for x, p, k, d in axes]


def _violates_the_size_equation(call):
    _, small = _maps(call)
    return any(slack < 0 or slack // s + 1 != o for slack, s, o in zip(_slack(call), call.stride, small[2:]))


def _wrong_length(call):
    right = {call.spatial}
    right_padding = right | {4} if call.spatial == 2 else right
    return (
        len(call.stride) not in right
        or len(call.dilation) not in right
        or len(call.padding) not in right_padding
        or len(call.output_padding) not in right_padding
    )


def _wrong_output_padding(call):
    if not call.transposed:
        return any(call.output_padding)
    reaches_stride = call.spatial == 3 and any(o >= s for o, s in zip(call.output_padding, call.stride))
    return min(call.output_padding) < 0 or reaches_stride


def _wrong_channels(call):
    big, small = _maps(call)
    groups, weight = call.groups, call.weight
    if small[1] != weight[0] or big[1] % weight[1] or big[1] // weight[1] != groups:
        return True
    return big[1] == groups and (small[1] < groups or small[1] % groups != 0)


INVALID = [
    lambda call: not set(call.dtypes) <= DTYPES,
    lambda call: any(call.format not in FORMATS.get(len(s), ()) for s in (call.grad_output, call.input, call.weight)),
    lambda call: min(call.stride) < 1 or min(call.padding) < 0 or min(call.dilation) < 1,
    _wrong_output_padding,
    lambda call: call.groups < 1,
    lambda call: not 0 <= call.cube_math_type <= 3,
    lambda call: not len(call.grad_output) == len(call.input) == len(call.weight),
    _wrong_length,
    _wrong_channels,
    lambda call: call.spatial == 3 and _violates_the_size_equation(call),
]


def _has_no_grouped_3d_weight_kernel(call):
    sixteen_bit = call.cube_math_type == 2 or promoted(call.dtypes) != "float32"
    return (
        call.spatial == 3 and call.mask[1] and call.groups > 1 and sixteen_bit and call.dtypes.grad_weight == "float32"
    )


def _leaves_the_ranges(call):
    kernel = call.weight[2:]
    dilation = [d for d, k in zip(call.dilation, kernel) if k > 1]  # one tap has no distance to another
    if max(dilation, default=1) > 255 or max(call.padding) > 255:
        return True
    if call.spatial < 3:
        return max(kernel) > 255
    return call.stride[0] > 255 or max(call.stride[1:]) > 63 or max(kernel[1:]) > 511


PLANNING = [
    _violates_the_size_equation,
    lambda call: call.grad_output[0] != call.input[0],
    lambda call: call.weight[0] % call.groups != 0,
    lambda call: call.groups > 65535,
    lambda call: math.prod(call.grad_output + call.input + call.weight) < 1,
    _leaves_the_ranges,
]
