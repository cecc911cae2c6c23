"""The public headers compile alone in every language, and declare what is documented, with the documented numbers.

The tables in cases/ were made from the documentation, not from the headers.
"""

import json
import re
import shutil

import pytest
from toolchain import ROOT, run, tool

CASES = ROOT / "tests" / "cases"
INCLUDE = ROOT / "include"
HEADERS = sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.h"))
DOCUMENTED_HEADERS = """
    acl/acl.h acl/acl_base.h acl/acl_base_mdl.h acl/acl_base_rt.h acl/acl_mdl.h acl/acl_op.h acl/acl_op_compiler.h
    acl/acl_rt.h acl/error_codes/ge_error_codes.h acl/error_codes/rt_error_codes.h
    aclnn/acl_meta.h aclnn/aclnn_base.h aclnn/opdev/op_errno.h
    aclnnop/aclnn_convolution_backward.h aclnnop/aclnn_copy.h aclnnop/aclnn_util.h
    aclnnop/level2/aclnn_convolution_backward.h aclnnop/level2/aclnn_copy.h aclnnop/level2/aclnn_util.h
""".split()
INCLUDE_HABITS = """
    "acl/acl.h" "acl/acl_base.h" "acl/acl_rt.h" <acl/acl_base.h> <acl/acl.h> "aclnn/acl_meta.h" "aclnn/aclnn_base.h"
    "aclnn/opdev/op_errno.h" "aclnnop/aclnn_convolution_backward.h" "aclnnop/level2/aclnn_convolution_backward.h"
    "aclnn_convolution_backward.h" "aclnn_base.h" "acl_meta.h" "opdev/op_errno.h" "aclnn_util.h" "aclnnop/aclnn_util.h"
    "level2/aclnn_convolution_backward.h"
""".split()
OBJECTS = "Tensor Scalar IntArray FloatArray BoolArray TensorList ScalarList".split()
ALLOWED_SYSTEM_HEADERS = {"stdbool.h", "stddef.h", "stdint.h"}

C_STANDARDS = ["c99", "c11"]
CXX_STANDARDS = ["c++11", "c++14", "c++17", "c++20"]
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang", "clang++")}
PRESENT = [family for family in COMPILERS if family == "gcc" or shutil.which(family)]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
ROOTS = [INCLUDE, INCLUDE / "aclnn", INCLUDE / "aclnnop"]

DOCUMENTED_FUNCTION = re.compile(r"/\*\*((?:(?!\*/).)*)\*/\s*((?:ACL_FUNC_VISIBILITY|ACLNN_API)\s[^;]*;)", re.DOTALL)
FUNCTION = re.compile(r"^(?:ACL_FUNC_VISIBILITY|ACLNN_API)\s[^;]*;", re.MULTILINE)
NAME = re.compile(r"(\w+)\((?!\")")
STATUS = re.compile(r"@retval (ACL\w+) +(\d+)")


def table(name):
    return json.loads((CASES / name).read_text())


def prototypes():
    return (CASES / "prototypes.txt").read_text().splitlines()


def compiler(family, standard):
    """The program of a family that speaks the standard's language."""
    return tool(COMPILERS[family]["++" in standard])


@pytest.fixture(params=PRESENT)
def family(request):
    return request.param


@pytest.fixture
def compiles(tmp_path):
    """Compiles a source; everything that the compiler has to say is an error."""

    def check(source, family, standard, *options, roots=(INCLUDE,), status=0):
        path = tmp_path / ("source.cpp" if "++" in standard else "source.c")
        path.write_text(source)
        command = [compiler(family, standard), f"-std={standard}", "-S", "-o", "/dev/null", *WARNINGS, *options]
        return run([*command, *(f"-I{root}" for root in roots), path], status=status)

    return check


def includes(names):
    return "".join(f'#include "{name}"\n' for name in names)


def preprocessed(*options):
    """All headers together, as the preprocessor leaves them."""
    together = (word for name in HEADERS for word in ("-include", name))
    return run([tool("gcc"), "-E", "-P", *options, f"-I{INCLUDE}", *together, "-x", "c", "/dev/null"])


# ---- every header, alone ----


def test_exactly_the_documented_headers_exist():
    ours = {name for name in HEADERS if name.startswith("aclemu/")}
    assert set(HEADERS) - ours == set(DOCUMENTED_HEADERS)


@pytest.mark.parametrize("standard", C_STANDARDS + CXX_STANDARDS)
@pytest.mark.parametrize("header", HEADERS)
def test_a_header_compiles_alone(header, standard, family, compiles):
    compiles(f'#include "{header}"\nextern int not_empty;\n', family, standard)


def test_the_runtime_headers_compile_as_old_cxx(family, compiles):
    names = [name for name in HEADERS if name.startswith("acl/")]
    compiles(includes(names), family, "c++98")


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_includes_no_other_system_header(header):
    included = re.findall(r"#include\s*<([^>]*)>", (INCLUDE / header).read_text())
    assert set(included) <= ALLOWED_SYSTEM_HEADERS


@pytest.mark.parametrize("habit", INCLUDE_HABITS)
def test_an_include_habit_resolves(habit, compiles):
    for standard in ("c11", "c++11"):
        compiles(f"#include {habit}\nextern int not_empty;\n", "gcc", standard, roots=ROOTS)


def test_headers_can_be_included_in_any_order_and_again(family, compiles):
    lines = [f"#include {habit}\n" for habit in INCLUDE_HABITS]
    for standard in ("c11", "c++11"):
        compiles("".join(lines + lines[::-1]), family, standard, roots=ROOTS)
        compiles("".join(lines[::-1] + lines), family, standard, roots=ROOTS)


def test_another_header_may_define_the_types_of_the_base_layer(compiles):
    source = "#include <stdint.h>\n#define ACLNN_META\ntypedef int32_t aclnnStatus;\n"
    for kind in ["OpExecutor", *OBJECTS]:
        source += f"typedef struct acl{kind} acl{kind};\n"
    source += '#include "aclnn/acl_meta.h"\nenum { OK };\n'
    for standard in ("c99", "c++11"):
        compiles(source, "gcc", standard)


# ---- the numbers ----


def assertions(pairs):
    """One static assertion for each (expression, value); the message of a failure is the expression."""
    lines = ["#ifdef __cplusplus\n#define _Static_assert static_assert\n#endif\n"]
    lines += [f'_Static_assert(({text}) == {value}, "{text} is not {value}");\n' for text, value in pairs]
    return includes(HEADERS) + "".join(lines)


@pytest.mark.parametrize("standard", ["c11", "c++11"])
def test_enumerators_have_the_documented_values(standard, compiles):
    pairs = [(f"(long){name}", value) for members in table("enums.json").values() for name, value in members.items()]
    pairs += [(f"sizeof({enum})", 4) for enum in table("enums.json")]
    compiles(assertions(pairs), "gcc", standard, "-Wno-deprecated-declarations")


@pytest.mark.parametrize("standard", ["c11", "c++11"])
def test_error_codes_have_the_documented_values(standard, compiles):
    compiles(assertions(table("error_codes.json").items()), "gcc", standard)


@pytest.mark.parametrize("standard", ["c11", "c++11"])
def test_flags_have_the_documented_values(standard, compiles):
    compiles(assertions(table("flags.json").items()), "gcc", standard)


@pytest.mark.parametrize("standard", ["c11", "c++11"])
def test_structs_have_the_documented_layout(standard, compiles):
    pairs = []
    for struct, layout in table("struct_layouts.json").items():
        for member, value in layout.items():
            pairs.append((f"sizeof({struct})" if member == "sizeof" else f"offsetof({struct}, {member})", value))
    compiles(assertions(pairs), "gcc", standard)


def test_no_enumerator_is_undocumented():
    found = {}
    for enum, body in re.findall(r"typedef enum (\w+) \{(.*?)\}", preprocessed("-D__attribute__(x)="), re.DOTALL):
        members = [member.partition("=") for member in body.split(",")]
        assert all(value for _, _, value in members), f"{enum} leaves a value to the compiler"
        found[enum] = {name.strip() for name, _, _ in members}
    assert found == {enum: set(members) for enum, members in table("enums.json").items()}


def test_no_macro_is_undocumented():
    found = set(re.findall(r"^#define (ACL\w+) .", preprocessed("-dM"), re.MULTILINE))
    attributes = {"ACLNN_API", "ACL_FUNC_VISIBILITY"}
    assert found - attributes == set(table("error_codes.json")) | set(table("flags.json"))


@pytest.mark.parametrize("standard", ["c99", "c++11"])
def test_error_codes_are_case_labels(standard, family, compiles):
    labels = {value: name for name, value in table("error_codes.json").items()}
    cases = "".join(f"\tcase {name}: return {number};\n" for number, name in enumerate(labels.values()))
    body = f"{{\n\tswitch (status) {{\n{cases}\t}}\n\treturn -1;\n}}\n"
    compiles(f"{includes(HEADERS)}int index_of(int status);\nint index_of(int status)\n{body}", family, standard)


# ---- the functions ----


def test_functions_have_the_documented_types(compiles):
    source = includes(HEADERS)
    for prototype in prototypes():
        name = NAME.search(prototype)[1]
        source += prototype.replace(f"{name}(", f"documented_{name}(", 1) + ";\n"
        same = f"__builtin_types_compatible_p(__typeof__({name}), __typeof__(documented_{name}))"
        source += f'_Static_assert({same}, "the type of {name} differs");\n'
    compiles(source, "gcc", "gnu11", "-Wno-deprecated-declarations")


def test_exactly_the_documented_functions_are_declared():
    declared = {NAME.search(text)[1] for name in HEADERS if not name.startswith("aclemu/") for text in functions(name)}
    assert declared == {NAME.search(prototype)[1] for prototype in prototypes()}


def functions(header):
    return FUNCTION.findall((INCLUDE / header).read_text())


def documented_functions():
    found = [function for header in HEADERS for function in DOCUMENTED_FUNCTION.findall((INCLUDE / header).read_text())]
    return [pytest.param(*function, id=NAME.search(function[1])[1]) for function in found]


@pytest.mark.parametrize("header", HEADERS)
def test_every_function_has_a_comment(header):
    commented = [declaration for _, declaration in DOCUMENTED_FUNCTION.findall((INCLUDE / header).read_text())]
    assert commented == functions(header)


@pytest.mark.parametrize("comment, declaration", documented_functions())
def test_a_comment_names_every_parameter_and_the_result(comment, declaration):
    parameters = declaration[NAME.search(declaration).end() : declaration.rindex(")")].split(",")
    names = [re.findall(r"\w+", parameter)[-1] for parameter in parameters if parameter.strip() not in ("void", "...")]
    assert re.findall(r"@param\[[a-z,]+\]\s+(\w+)", comment) == names
    assert ("@retval ACL_SUCCESS" in comment or "@retval ACLNN_SUCCESS" in comment) != ("@return" in comment)


@pytest.mark.parametrize("comment, declaration", documented_functions())
def test_a_comment_gives_the_numbers_of_its_statuses(comment, declaration):
    codes = table("error_codes.json")
    for name, number in STATUS.findall(comment):
        assert codes[name] == int(number), f"{declaration}: {name}"


# ---- use ----


@pytest.mark.parametrize("standard", CXX_STANDARDS)
def test_destroy_functions_are_deleters(standard, family, compiles):
    owners = [(f"acl{kind}", f"aclnnStatus (*)(const acl{kind} *)", f"aclDestroy{kind}") for kind in OBJECTS]
    owners += [
        ("aclOpExecutor", "aclnnStatus (*)(aclOpExecutor *)", "aclDestroyAclOpExecutor"),
        ("aclDataBuffer", "aclError (*)(const aclDataBuffer *)", "aclDestroyDataBuffer"),
        ("void", "aclError (*)(void *)", "aclrtFree"),
        ("void", "aclError (*)(void *)", "aclrtFreeHost"),
        ("void", "aclError (*)(aclrtStream)", "aclrtDestroyStream"),
        ("void", "aclError (*)(aclrtContext)", "aclrtDestroyContext"),
    ]
    source = "#include <memory>\n" + includes(["acl/acl.h", "aclnn/acl_meta.h"]) + "void own();\nvoid own()\n{\n"
    for owned, deleter, function in owners:
        source += f"\tstd::unique_ptr<{owned}, {deleter}> by_{function}(nullptr, {function});\n"
    compiles(source + "}\n", family, standard)


@pytest.mark.parametrize("standard", C_STANDARDS + CXX_STANDARDS)
def test_ok_is_a_constant(standard, family, compiles):
    source = '#include "aclnn/acl_meta.h"\nint is_ok(aclnnStatus status);\n'
    source += "int is_ok(aclnnStatus status)\n{\n\treturn status == OK;\n}\n"
    if "++" in standard:
        source += 'static_assert(OK == 0, "");\n'
    compiles(source, family, standard)


def test_ok_may_stay_unused(compiles):
    compiles('#include "aclnn/acl_meta.h"\n', "gcc", "c11", "-Wunused-const-variable=2")


def test_dim3_is_one_in_each_dimension_until_given(tmp_path):
    source = tmp_path / "dim3.cpp"
    source.write_text(
        '#include "acl/acl_rt.h"\n#include <cstdio>\n#include <initializer_list>\n'
        "int main()\n{\n\tdim3 none, some(2), all(2, 3, 4);\n"
        '\tfor (const dim3 &d : {none, some, all})\n\t\tstd::printf("%u %u %u\\n", d.x, d.y, d.z);\n}\n'
    )
    run([tool("g++"), "-std=c++11", *WARNINGS, f"-I{INCLUDE}", source, "-o", tmp_path / "dim3"])
    assert run([tmp_path / "dim3"]).split("\n") == ["1 1 1", "2 1 1", "2 3 4", ""]


@pytest.mark.parametrize("use", ["aclrtGetVersion(0, 0, 0)", "(int)ACL_OPT_STRONG_CONSISTENCY"])
def test_what_is_deprecated_warns_its_user(use, family, compiles):
    source = f'#include "acl/acl.h"\nint use(void);\nint use(void)\n{{\n\treturn {use};\n}}\n'
    compiles(source, family, "c11", status=1)
    compiles(source, family, "c11", "-Wno-deprecated-declarations")
