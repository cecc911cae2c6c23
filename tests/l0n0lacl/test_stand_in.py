"""The stand-in for pyACL gives what l0n0lacl calls, and names what it does not give."""

import acl
import pytest
from l0n0lacl import 设备
from l0n0lacl.环境 import 环境


def test_the_version_is_that_of_the_interface():
    assert (环境.大版本号, 环境.小版本号, 环境.补丁版本号) == (1, 17, 0)


def test_the_number_of_cores_is_that_of_the_chip():
    assert (设备.设备AICore数量(0), 设备.设备VectorCore数量(0)) == (20, 40)


@pytest.mark.parametrize("name", ["mdl", "rt.create_stream"])
def test_what_l0n0lacl_does_not_call_is_an_attribute_error_with_its_name(name):
    holder = acl.rt if name.startswith("rt.") else acl
    with pytest.raises(AttributeError, match=f"no acl[.]{name}: "):
        getattr(holder, name.split(".")[-1])
