"""Whatever the arguments of phase one are, on whatever product: a documented status, and a reason that can be read."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from any_arguments import INTS, TENSORS, Asker
from two_phase import FORMATS, INNER_NULLPTR, PARAM_INVALID, PARAM_NULLPTR, SUCCESS, default_format

SOCS = (None, "Ascend910_9391", "Ascend950PR_9589", "Ascend310P3", "Ascend910A")
LIMITS = (0, 1, 255, 256, 65535, 2**31 - 1, 2**31, 2**48, 2**56, 2**63 - 1)
NUMBERS = st.one_of(st.integers(-3, 9), st.sampled_from(LIMITS + tuple(-x for x in LIMITS)), st.just(-(2**63)))
NO_OBJECT = st.sampled_from([None, "dead", "foreign", "of another kind"])
DTYPES = st.sampled_from([0, 1, 27, 34, 35, 36, 3, -1, 12345])
ANY_FORMAT = st.sampled_from([*FORMATS.values(), -1, 3, 10**6])


def dense(dims, dtype):
    return {"dims": dims, "strides": None, "offset": 0, "storage": dims, "dtype": dtype,
            "format": FORMATS[default_format(len(dims))]}


@st.composite
def good_calls(draw):
    """A call that some product takes: kernel 1 or 3 with the padding that keeps the size."""
    spatial = draw(st.integers(1, 3))
    transposed, dtype = draw(st.booleans()), draw(st.sampled_from([0, 1, 27]))
    batch, co, ci, groups = draw(st.sampled_from([(0, 4, 6, 2), (1, 2, 2, 1), (2, 4, 4, 4), (3, 6, 4, 2)]))
    kernel = draw(st.sampled_from([1, 3]))
    weight = [ci, co // groups] if transposed else [co, ci // groups]
    shapes = {
        "gradOutput": [batch, co, *[5] * spatial],
        "input": [batch, ci, *[5] * spatial],
        "weight": [*weight, *[kernel] * spatial],
    }
    shapes |= {"gradInput": shapes["input"], "gradWeight": shapes["weight"], "gradBias": [co]}
    return {name: dense(dims, dtype) for name, dims in shapes.items()} | {
        "soc": draw(st.sampled_from(SOCS)),
        "biasSizes": [co],
        "stride": [1] * spatial,
        "padding": [kernel // 2] * spatial,
        "dilation": [1] * spatial,
        "outputPadding": [0] * spatial,
        "outputMask": [draw(st.booleans()) for _ in range(3)],
        "transposed": transposed,
        "groups": groups,
        "cubeMathType": draw(st.integers(0, 3)),
        "workspaceSize": True,
        "executor": True,
    }


def spoil_tensor(draw, tensor):
    member = draw(st.sampled_from(["dims", "strides", "storage", "offset", "dtype", "format"]))
    lists = st.lists(NUMBERS, max_size=6)
    if member == "strides":
        # as many as there are dimensions: the function cannot know how many it was given
        lists = st.lists(NUMBERS, min_size=len(tensor["dims"]), max_size=len(tensor["dims"]))
    elif member == "dims" and tensor["strides"] is not None:
        lists = st.lists(NUMBERS, min_size=len(tensor["strides"]), max_size=len(tensor["strides"]))
    strategies = {"offset": NUMBERS, "dtype": DTYPES, "format": ANY_FORMAT}
    return tensor | {member: draw(strategies.get(member, lists))}


@st.composite
def calls(draw):
    """A good call with up to five arguments replaced by something else."""
    call = draw(good_calls())
    for name in draw(st.lists(st.sampled_from(sorted(call)), max_size=5)):
        if name in TENSORS and isinstance(call[name], dict):
            call[name] = draw(NO_OBJECT) if draw(st.integers(0, 5)) == 0 else spoil_tensor(draw, call[name])
        elif name in INTS:
            call[name] = draw(st.one_of(st.lists(NUMBERS, max_size=5), NO_OBJECT))
        elif name == "outputMask":
            call[name] = draw(st.one_of(st.lists(st.booleans(), max_size=5), NO_OBJECT))
        elif name == "groups":
            call[name] = draw(st.integers(-(2**31), 2**31 - 1) | st.integers(-1, 8))
        elif name == "cubeMathType":
            call[name] = draw(st.integers(-128, 127))
        elif name in ("transposed", "workspaceSize", "executor"):
            call[name] = draw(st.booleans())
    return call


@pytest.fixture(scope="module")
def asker():
    asker = Asker()
    yield asker
    asker.close()


def check_refused(answer):
    first = answer["violations"][0]
    assert answer["untouched"]
    assert first["status"] == answer["status"]
    code = "EZ1001" if answer["status"] < 200000 else "EZ9999"
    whole = f"{first['rule']}: {first['values']}; {first['sentence']}; {first['hint']}"
    assert code in answer["message"] and whole[:1000] in answer["message"]
    assert answer["message"].count("CONVBWD_") == 1
    said = [(violation["rule"], violation["values"]) for violation in answer["violations"]]
    assert len(set(said)) == len(said)


@settings(max_examples=800, deadline=None, suppress_health_check=list(HealthCheck))
@given(call=calls())
def test_any_call_gets_a_documented_status_and_a_reason(asker, call):
    answer = asker.ask(call)
    assert answer["status"] in (SUCCESS, PARAM_NULLPTR, PARAM_INVALID, INNER_NULLPTR)
    if answer["status"] == SUCCESS:
        assert answer["violations"] == [] and answer["message"] == ""
        assert answer["description"].startswith("route=")
    else:
        check_refused(answer)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(call=calls())
def test_a_choice_of_another_product_leaves_no_trace(asker, call):
    answers = [asker.ask(call | {"soc": soc}) for soc in (call["soc"], "Ascend310P3", call["soc"])]
    assert answers[0]["status"] == answers[2]["status"]
    first, _, last = ([violation["rule"] for violation in answer["violations"]] for answer in answers)
    assert first == last


def test_a_process_that_dies_is_noticed_and_replaced(asker):
    with pytest.raises(AssertionError, match="the process ended with 1"):
        asker.ask({"soc": "no call"})
    assert asker.ask(GOOD)["status"] == SUCCESS


GOOD = {name: dense([1, 2, 5, 5], 1) for name in TENSORS} | {
    "weight": dense([2, 2, 1, 1], 1), "gradWeight": dense([2, 2, 1, 1], 1), "gradBias": dense([2], 1),
    "soc": None, "biasSizes": None, "stride": [1, 1], "padding": [0, 0], "dilation": [1, 1], "outputPadding": [0, 0],
    "outputMask": [True, True, True], "transposed": False, "groups": 1, "cubeMathType": 0, "workspaceSize": True,
    "executor": True,
}
