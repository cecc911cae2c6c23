"""Every C test program passes: plain, under AddressSanitizer + UndefinedBehaviorSanitizer, and under ThreadSanitizer."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import scaling
from pyaclnn.bench import workloads

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import tables  # noqa: E402

PROGRAMS = sorted(path.stem for path in (ROOT / "tests" / "c").glob("*_*.c"))
THREADED = [name for name in PROGRAMS if name.startswith(("base_", "copy_", "kernels_", "operator_", "runtime_", "stream_"))]

BUILDS = {
    "plain": (["-Dbuildtype=debugoptimized", "-Dwerror=true"], PROGRAMS),
    "asan": (["-Dbuildtype=debugoptimized", "-Db_sanitize=address,undefined", "-Db_lundef=false"], PROGRAMS),
    "tsan": (["-Dbuildtype=debugoptimized", "-Db_sanitize=thread", "-Db_lundef=false"], THREADED),
}

SANITIZER_OPTIONS = {
    "ASAN_OPTIONS": "abort_on_error=0:detect_leaks=1:detect_stack_use_after_return=1",
    "LSAN_OPTIONS": "report_objects=1",
    "TSAN_OPTIONS": "halt_on_error=0:exitcode=66:second_deadlock_stack=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
}


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    """Builds one configuration on first use and gives the folder of its C tests."""
    built = {}

    def folder(name):
        if name not in built:
            where = tmp_path_factory.mktemp(name)
            options, _ = BUILDS[name]
            meson = [sys.executable, "-m", "mesonbuild.mesonmain"]
            for command in (
                [*meson, "setup", where, ROOT, "-Dtests=true", *options],
                [*meson, "compile", "-C", where],
            ):
                done = subprocess.run(command, capture_output=True, text=True)
                assert done.returncode == 0, done.stdout + done.stderr
            built[name] = where / "tests" / "c"
        return built[name]

    return folder


# What makes a program brief where it would take many minutes: fewer and smaller random problems.
BRIEFLY = {("tsan", "kernels_conv"): ["20", "1000000"]}


@pytest.mark.parametrize(
    ("configuration", "program"),
    [(configuration, program) for configuration, (_, programs) in BUILDS.items() for program in programs],
)
def test_c_program_passes(build, configuration, program):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ACLEMU_")}
    done = subprocess.run(
        [build(configuration) / program, *BRIEFLY.get((configuration, program), [])],
        capture_output=True,
        text=True,
        timeout=1800,
        env={**environment, **SANITIZER_OPTIONS},
    )

    report = done.stdout + done.stderr
    assert done.returncode == 0, report
    counted = re.search(r"^(\d+) checks, 0 failed$", done.stdout, re.MULTILINE)
    assert counted and int(counted[1]) > 0, report
    assert "WARNING: ThreadSanitizer" not in report and "runtime error:" not in report, report


# ---- how work spreads over threads ----


@pytest.mark.parametrize(("threads", "least", "most"), [(1, 1, 1), (2, 1.5, 2), (64, 8, 64)])
def test_the_work_of_a_large_layer_spreads_over_threads(build, threads, least, most):
    (row,) = (row for row in workloads.load() if row.name == "r50_1x1s2_256_512_56")
    found = scaling.measure(build("plain") / "scaling", row, "f32", threads)
    for kernel, alone, together in found:
        assert kernel == "gemm"
        # what the clock takes between the pieces is not theirs
        assert least * 0.95 <= alone / together <= most * 1.05


# ---- the products of a rule: the programs print what every product says of the calls that break it ----

PRODUCTS = set(tables.product_names())
ANSWER = re.compile(r"^(CONVBWD_\w+): (\w+) (\w+)$", re.MULTILINE)

# What a product outside of a rule's column may say instead of accepting: it refuses such calls by another rule before.
INSTEAD = {
    "CONVBWD_8BIT_GRAD_INPUT_UNIFORM": "CONVBWD_DTYPE",
    "CONVBWD_8BIT_GROUPS": "CONVBWD_DTYPE",
    "CONVBWD_8BIT_KERNEL": "CONVBWD_DTYPE",
    "CONVBWD_8BIT_ONE_GRADIENT": "CONVBWD_DTYPE",
    "CONVBWD_8BIT_OUTPUT_PADDING": "CONVBWD_DTYPE",
    "CONVBWD_EMPTY_CHANNELS": "CONVBWD_CHANNELS_PER_GROUP",
    "CONVBWD_EMPTY_TRANSPOSED_CHANNELS": "CONVBWD_WEIGHT_OUTER_CHANNELS",
    "CONVBWD_FLOAT8_GRAD_WEIGHT": "CONVBWD_DTYPE",
    "CONVBWD_FLOAT_GRAD_WEIGHT_3D": "CONVBWD_PRODUCT_3D",
    "CONVBWD_GRAD_BIAS_PLAIN": "CONVBWD_DTYPE",
    "CONVBWD_HIFLOAT8_GRAD_WEIGHT": "CONVBWD_DTYPE",
}
# CALL needs no problem, and PRODUCT is about the chips that are none of these
WITH_PRODUCTS = [rule for rule in tables.rules() if rule.stage not in ("CALL", "PRODUCT")]


@pytest.fixture(scope="module")
def answers(build):
    """What each product said of the calls that break a rule: a set of rules and "accepted" by (rule, product)."""
    found = {}
    for program in PROGRAMS:
        if program.startswith("validate_"):
            printed = subprocess.run([build("plain") / program], capture_output=True, text=True, timeout=600).stdout
            for rule, product, answer in ANSWER.findall(printed):
                found.setdefault((rule, product), set()).add(answer)
    return found


@pytest.mark.parametrize("rule", WITH_PRODUCTS, ids=lambda rule: rule.name)
def test_a_rule_holds_on_exactly_the_products_of_its_column(rule, answers):
    column = PRODUCTS if rule.products == "all" else set(rule.products.split(", "))
    assert {product for product in PRODUCTS if rule.name in answers[rule.name, product]} == column
    for product in PRODUCTS - column:
        assert answers[rule.name, product] & {"accepted", INSTEAD.get(rule.name)}, f"{product} has no neighbour"


def test_what_is_said_instead_is_listed_for_rules_of_some_products_only():
    assert set(INSTEAD) <= {rule.name for rule in WITH_PRODUCTS if rule.products != "all"}
