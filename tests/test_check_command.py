"""pyaclnn check: what it prints, where, and how it ends."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from pyaclnn.chip import PRODUCTS

from toolchain import ROOT, environment, pyaclnn

REFUSED = "2d n8 ci64 co64 i56x56 k3x3 p1 dtype=bf16"
ACCEPTED = "2d ci4 co4 i8 k3 dtype=f16"
ESCAPE = "\x1b"


def check(*words, stdin="", status=0, cwd=None, **variables):
    """Runs the command in a pipe; returns what it printed, to standard error where `status` is 2."""
    done = subprocess.run(
        [sys.executable, "-m", "pyaclnn", "check", *words],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=cwd or ROOT / "tests",
        env=environment(**{"COLUMNS": None, "FORCE_COLOR": None, **variables}),
    )
    output, errors = done.stdout.decode(), done.stderr.decode()
    assert done.returncode == status, output + errors
    assert (errors == "") == (status != 2) and (output == "") == (status == 2)
    assert "Traceback" not in errors
    return errors if status == 2 else output


def squeezed(text):
    """Without what wrapping changes."""
    return re.sub(r"\s+", "", text)


# ---- for people ----------------------------------------------------------------------------------------------------


def test_a_row_for_each_product_and_the_reasons_below():
    output = check(*REFUSED.split(), status=1)
    title, *rows = [line.split() for line in output.splitlines() if line]
    assert " ".join(title).startswith("2d n8 ci64 co64 i56x56 o56x56 k3x3 s1x1")
    table = {row[0]: row[1:] for row in rows if row[0] in PRODUCTS and row[1] != "refuse"}
    assert list(table) == list(PRODUCTS)
    for product in ("A2", "950"):
        assert " ".join(table[product][:8]) == f"{PRODUCTS[product]} accepted operands bf16, sums f32, results bf16"
        assert table[product][-1] == "MiB"
    for product in ("310P", "910A"):
        assert table[product] == [PRODUCTS[product], "161002", "PARAM_INVALID", "CONVBWD_DTYPE"]
    assert output.count("310P, 910A refuse it with 161002 ACLNN_ERR_PARAM_INVALID\n") == 1
    assert output.count("hint   convert the tensor to a listed dtype") == 1
    assert len(re.findall(r"Tensor \w+ not implemented for DT_BFLOAT16 \(27\), the product takes", output)) == 6


def test_further_rules_are_counted_in_the_table_and_explained_below():
    output = check("2d ci4 co4 i512x8 k300x1 cube=5 dtype=f16", "--soc", "A2", status=1)
    assert "CONVBWD_CUBE_MATH_TYPE_RANGE and 1 more" in output
    first = output.index("  CONVBWD_CUBE_MATH_TYPE_RANGE\n")
    second = output.index("  CONVBWD_KERNEL_LIMIT (alone: 561103)\n")
    assert first < second < output.index("kernel of H is 300")


def test_accepted_calls_have_nothing_below_the_table():
    output = check(ACCEPTED)
    assert output.count("accepted") == 4 and "refuse" not in output and "hint" not in output


def test_what_is_printed_into_a_pipe_is_plain_text():
    for variables in ({}, {"TERM": "xterm-256color"}, {"COLUMNS": "50"}):
        output = check(REFUSED, status=1, **variables)
        assert ESCAPE not in output
        assert not re.search(r"[ \t]$", output, re.MULTILINE)


@pytest.mark.parametrize("columns", [40, 58, 61, 80, 99, 200])
def test_narrow_and_wide_output_says_the_same(columns):
    line = "2d n8 ci64 co64 i56x56 k3 s0x1 o5 cube=9 dtype=f16,bf16,i8 out=f32,f32,f16"
    output = check(line, status=1, COLUMNS=str(columns))
    assert max(map(len, output.splitlines())) <= columns
    for text in (
        "161002",
        "CONVBWD_DTYPE and 2 more",
        "stride[0] is 0",
        "cubeMathType is 9",
        "310P, 910A refuse it",
        "every element of stride is greater than 0",
        "use 1 where the kernel moves by one element",
    ):
        assert squeezed(text) in squeezed(output), text


def test_an_encoding_without_arrows_gets_arrows_of_letters():
    output = check("2d ci4 co4 i8 k3 dtype=f16 out=f32", "--soc", "A2", PYTHONIOENCODING="ascii", COLUMNS="200")
    assert output.isascii()
    for types in ("gradInput f16 -> f32", "gradWeight f32", "gradBias f16 -> f32"):
        assert squeezed(types) in squeezed(output)


def on_a_terminal(columns, **variables):
    """What the command prints on a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    env = environment(**{"TERM": "xterm-256color", "COLUMNS": None, "NO_COLOR": None, **variables})
    command = [sys.executable, "-m", "pyaclnn", "check", *REFUSED.split()]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT / "tests", env=env) as process:
        os.close(theirs)
        output = b""
        while True:
            try:
                output += os.read(ours, 4096)
            except OSError:  # the other side is closed
                break
    os.close(ours)
    assert process.returncode == 1
    return output.decode()


def test_a_terminal_gets_colours_and_its_own_width():
    output = on_a_terminal(70)
    assert f"{ESCAPE}[32maccepted" in output and f"{ESCAPE}[31m161002" in output
    plain = re.sub(r"\x1b\[[\d;]*m", "", output)
    assert ESCAPE not in plain and max(map(len, plain.splitlines())) <= 70
    assert ESCAPE + "[3" not in on_a_terminal(70, NO_COLOR="1")


# ---- what can be asked ---------------------------------------------------------------------------------------------


def test_a_problem_may_be_one_word_or_several():
    assert check(ACCEPTED) == check(*ACCEPTED.split())


def test_soc_narrows_to_chips_and_products():
    output = check(ACCEPTED, "--soc", "310P", "--soc", "Ascend910B1", "--soc", "310P")
    assert re.findall(r"^ (\w+) +(Ascend\w+)", output, re.MULTILINE) == [("310P", "Ascend310P3"), ("A2", "Ascend910B1")]
    assert check(REFUSED, "--soc", "A2")
    named = f"{REFUSED} soc=Ascend910B1"
    assert "950" not in check(named)
    assert check(named, "--soc", "all", status=1).count("Ascend") == 4 + 1


def test_a_file_may_hold_lines_objects_and_comments(tmp_path):
    row = {"id": "row 7", **json.loads((ROOT / "tests/cases/system_cases.jsonl").read_text().splitlines()[0])}
    row["id"] = "row 7"
    mixed = tmp_path / "calls.txt"
    printed = "aclemu: 2d n1 ci4 co4 i8x8 o6x6 k3x3 s1x1 p0x0 d1x1 g1 mask=111 cube=0 dtype=f16 soc=Ascend910B3"
    mixed.write_text(f"# three calls\n\n{printed}\n{json.dumps(row)}\n{REFUSED}\n")
    output = check(mixed, status=1)
    assert output.endswith("3 calls: 1 accepted by all that were asked, 2 refused by some\n")
    assert "\nrow 7: gradOutput bf16 [1, 1, 1, 1, 1]," in output
    assert check("-", stdin=mixed.read_text(), status=1) == output

    (tmp_path / "list.json").write_text(json.dumps([printed[len("aclemu: ") :], row, REFUSED], indent=1))
    assert check(tmp_path / "list.json", status=1) == output
    (tmp_path / "one.json").write_text(json.dumps(row, indent=1))
    assert check(tmp_path / "one.json", "--soc", "A2").startswith("row 7: ")


def test_text_of_an_id_cannot_control_the_terminal():
    row = json.loads((ROOT / "tests/cases/system_cases.jsonl").read_text().splitlines()[0])
    row["id"] = "\x1b[31m[red]\udc00é"
    output = check("-", "--soc", "A2", stdin=json.dumps(row))
    assert ESCAPE not in output and "[red]" in output


# ---- for programs --------------------------------------------------------------------------------------------------


def keys(form, value):
    """Names what differs between a value and its form: types, lists of one form, objects with exactly these keys."""
    if isinstance(form, dict):
        assert list(value) == list(form)
        for key, inner in form.items():
            keys(inner, value[key])
    elif isinstance(form, list):
        assert isinstance(value, list)
        for inner in value:
            keys(form[0], inner)
    elif isinstance(form, tuple):
        if value is not None:
            keys(form[0], value)
    else:
        assert type(value) is form


ARITHMETIC = {"route": str, "operands": (str,), "accumulator": (str,), "gradInput": [str], "gradWeight": [str],
              "gradBias": [str]}  # fmt: skip
VIOLATION = {"rule": str, "stage": str, "status": int, "sentence": str, "hint": str, "values": str}
VERDICT = {"product": str, "soc": str, "accepted": bool, "status": int, "statusName": str, "workspaceSize": (int,),
           "arithmetic": (ARITHMETIC,), "violations": [VIOLATION]}  # fmt: skip
DOCUMENT = {"version": int, "accepted": bool, "calls": [{"title": str, "accepted": bool, "verdicts": [VERDICT]}]}


def test_json_has_the_documented_form():
    empty, nothing = "2d n0 ci4 co4 i8 k3 dtype=f16", "2d ci4 co4 i8 k3 mask=000 cube=1"
    lines = [REFUSED, ACCEPTED, empty, nothing, "2d ci4 co4 i9 o1 k3 s0"]
    answer = json.loads(check("-", "--json", stdin="\n".join(lines), status=1))
    keys(DOCUMENT, answer)
    assert answer["version"] == 1 and len(answer["calls"]) == len(lines)
    assert [call["accepted"] for call in answer["calls"]] == [False, True, False, True, False]
    a2, _, p310, _ = answer["calls"][0]["verdicts"]
    assert (a2["statusName"], a2["violations"]) == ("ACLNN_SUCCESS", [])
    assert a2["arithmetic"] == {
        "route": "compute", "operands": "bf16", "accumulator": "f32", "gradInput": ["bf16"], "gradWeight": ["bf16"],
        "gradBias": ["bf16"],
    }  # fmt: skip
    assert (p310["soc"], p310["status"], p310["statusName"]) == ("Ascend310P3", 161002, "ACLNN_ERR_PARAM_INVALID")
    assert (p310["arithmetic"], p310["workspaceSize"]) == (None, None)
    assert [violation["rule"] for violation in p310["violations"]] == ["CONVBWD_DTYPE"] * 6


def test_the_document_describes_every_key_of_the_json():
    described = (ROOT / "docs/check.md").read_text()
    for form in (DOCUMENT, DOCUMENT["calls"][0], VERDICT, ARITHMETIC, VIOLATION):
        for key in form:
            assert re.search(rf"[`.]{key}`", described), key


# ---- mistakes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, complaint",
    [
        (["2d", "ci4"], "co, i, k missing"),
        (["2d ci4 co4 i8 k3 q7"], "unknown item 'q7'"),
        (["2d", "ci4", "co4", "i8", "k3", "s0"], "stride 0 gives no output size"),
        (["2d ci4 co4 i8 k3 dtype=f23"], "dtype: unknown element type 'f23'"),
        (["2d ci4 co4 i8 k3 g99999999999"], "groups: 99999999999 does not fit into 32 bits"),
        (["2d ci99999999999999999999 co4 i8 k3"], "ci: 99999999999999999999 does not fit into 64 bits"),
        (["2d ci4 co4 i8 k3 soc=Ascend310P9"], 'soc is "Ascend310P9", which no supported chip has; the nearest: '),
        (["2d ci4 co4 i8 k3", "--soc", "310"], 'soc is "310", which no supported chip has; the nearest: '),
        (["calls.jsn"], "'calls.jsn' is neither a file nor a problem, which begins with 1d, 2d or 3d"),
        (["."], ".: Is a directory"),
        (["4d", "ci4"], "a problem begins with 1d, 2d or 3d: '4d ci4'"),
        ([], "the following arguments are required: PROBLEM"),
        (["2d", "--soc"], "argument --soc: expected one argument"),
    ],
)
def test_a_mistake_on_the_command_line_ends_with_2_and_names_the_item(words, complaint):
    assert f"pyaclnn check: {complaint}" in check(*words, status=2).replace("error: ", "")


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("", "there is no problem in it"),
        ("# nothing\n", "there is no problem in it"),
        ("[]", "there is no problem in it"),
        (f"{ACCEPTED}\n2d ci4 co4 i8 k3 q7\n", "line 2: unknown item 'q7'"),
        (f"{ACCEPTED}\n\n{ACCEPTED} g99999999999\n", "line 3: groups: 99999999999 does not fit into 32 bits"),
        (f'{ACCEPTED}\n{{"input": 1}}\n', "line 2: gradOutput, weight missing"),
        ('{"a": 1}\n{"b": 2}\n', "line 1: a call has no 'a'; known: id, soc, format, gradOutput"),
        ('{"input": 1, "input": 2}', "input is given twice"),
        ('{"input": 1', "no JSON: "),
        ('{"input": 1}}', "line 1: no JSON: "),
        ("[1]", "call 1: 1 is neither a JSON object nor a problem line"),
        (json.dumps([ACCEPTED, "2d"]), "call 2: ci, co, i, k missing"),
        ("[" * 100000, "no JSON: nested too deeply"),
        (b"\xff\xfe", "byte 0 is no UTF-8 text"),
    ],
)
def test_a_mistake_in_a_text_ends_with_2_and_names_its_place(text, complaint):
    assert f"pyaclnn check: standard input: {complaint}" in check("-", stdin=text, status=2)


@pytest.mark.parametrize("options", [[], ["--json"]], ids=["table", "json"])
def test_output_that_cannot_be_written_is_no_answer(options):
    command = [sys.executable, "-m", "pyaclnn", "check", ACCEPTED, *options]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=ROOT / "tests", env=environment())
    assert (done.returncode, done.stderr) == (2, b"pyaclnn check: standard output: No space left on device\n")


def test_nothing_is_printed_for_the_calls_before_a_mistake():
    check("-", stdin=f"{REFUSED}\nnonsense\n", status=2)


def test_help_teaches_by_examples_that_work():
    text = check("--help")
    for word in (*PRODUCTS, "--json", "Exit status:", "docs/check.md", "docs/problems.md"):
        assert word in text
    examples = re.findall(r"^ +pyaclnn check (2d .*|\"3d .*)$", text, re.MULTILINE)
    assert len(examples) == 2
    for example in examples:
        check(*example.replace('"', "").split(), status=1)


def test_help_of_the_package_lists_the_command():
    assert re.search(r"^ +check +say which products", pyaclnn("--help"), re.MULTILINE)


def test_rich_is_loaded_for_the_table_only():
    code = (
        "import sys, pyaclnn; from pyaclnn.command_line import main\n"
        f"pyaclnn.check('{ACCEPTED}'); main(['check', '{ACCEPTED}', '--json']); sys.exit('rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT / "tests", stdout=subprocess.DEVNULL).returncode == 0
