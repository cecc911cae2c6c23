"""What phase one answers on each product for dense, non-empty tensors whose outputs have the documented shapes.

Outputs that are masked off are null. The A2 series has its own file; this one says what the other products do
differently.
"""

import a2_status
from a2_status import INNER, PARAM_INVALID, SUCCESS
from oracle import operand_number
from products import A2, C950


def expected_status(call, product):
    """`call` is a System."""
    if product is A2:
        return a2_status.expected_status(call)
    if not _given_dtypes(call) <= set(product.dtypes) or _outputs_do_not_follow(call, product):
        return PARAM_INVALID
    if _is_invalid(call, product):
        return PARAM_INVALID
    if product is not C950 and call.spatial == 3:
        return PARAM_INVALID
    if not any(call.mask[:2]):
        return SUCCESS
    planning = EVERYWHERE + (ON_950 if product is C950 else [])
    return INNER if any(is_broken(call) for is_broken in planning) else SUCCESS


def _given_dtypes(call):
    return {*call.dtypes[:3], *(dtype for dtype, wanted in zip(call.dtypes[3:], call.mask) if wanted)}


def _outputs_do_not_follow(call, product):
    names = call.dtypes
    given = zip(names[3:], (names.input, names.weight, names.grad_output), call.mask)
    return product.outputs_follow_inputs and any(wanted and mine != usual for mine, usual, wanted in given)


def _is_invalid(call, product):
    if 0 <= call.cube_math_type <= 3 and operand_number(call.dtypes, call.cube_math_type, product) is None:
        return True
    rules = [rule for rule in a2_status.INVALID[1:] if rule is not a2_status._wrong_channels]
    return any(is_broken(call) for is_broken in rules) or _wrong_channels(call, product)


def _wrong_channels(call, product):
    if product is not C950:
        return a2_status._wrong_channels(call)
    big, small = (call.grad_output, call.input) if call.transposed else (call.input, call.grad_output)
    return small[1] != call.weight[0] or big[1] != call.weight[1] * call.groups


def _kernel_of_950(call):
    return call.transposed and max(call.weight[2:]) > 255


def _dilation_of_950(call):
    one_tap = call.weight[2:] == (1,)  # has no distance to another
    return call.spatial == 1 and not call.transposed and call.groups > 1 and call.dilation == (45,) and not one_tap


EVERYWHERE = a2_status.PLANNING[:-1]  # all but the ranges, which are the A2's own
ON_950 = [_kernel_of_950, _dilation_of_950]
