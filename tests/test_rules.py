"""The rules as data: every row is complete, and the C tests break and keep each of them."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OPERATOR = ROOT / "lib" / "op" / "convolution_backward"
sys.path.insert(0, str(ROOT / "tools"))

import generate_rules  # noqa: E402
import tables  # noqa: E402

IMPERATIVES = set("add ask call check choose convert correct create give make pass resize set skip split use".split())
STAGES = ["CALL", "NULLS", "PRODUCT", "TYPES", "EIGHT_BIT", "RANKS", "FORMATS", "VALUES", "CUBE_MATH", "INPUTS",
          "OUTPUTS", "LENGTHS", "CHANNELS", "EQUATION", "VIEWS", "BIAS_SIZES", "EMPTY", "PLAN", "EXTENT"]
RULES = tables.rules()
NAMES = [rule.name for rule in RULES]
BY_NAME = pytest.mark.parametrize("rule", RULES, ids=NAMES)


def names_in_c_tests(macro):
    sources = (ROOT / "tests" / "c").glob("validate_*.c")
    text = "".join(tables.without_comments(source.read_text()) for source in sources)
    return set(re.findall(rf"\b{macro}\((\w+)", text))


REJECTED = names_in_c_tests("REJECTS")
ACCEPTED = names_in_c_tests("ACCEPTS") | names_in_c_tests("ACCEPTS_EMPTY")


def test_the_pattern_finds_every_row():
    assert len(RULES) == tables.without_comments((OPERATOR / "rules.def").read_text()).count("RULE(") > 0


def test_no_name_is_used_twice():
    assert len(set(NAMES)) == len(NAMES)


def test_stages_stand_in_the_order_in_which_they_run():
    assert [rule.stage for i, rule in enumerate(RULES) if i == 0 or RULES[i - 1].stage != rule.stage] == STAGES


@BY_NAME
def test_rows_are_complete(rule):
    assert rule.name.startswith("CONVBWD_")
    assert rule.status in {"PARAM_NULLPTR", "PARAM_INVALID", "INNER_NULLPTR"}
    for text in (rule.sentence, rule.hint):
        assert text and not text.endswith(".") and "  " not in text and text.isascii()
    assert rule.hint.split()[0] in IMPERATIVES
    assert len(rule.sentence) + len(rule.hint) < 400, "a record of error text has room for 1023 bytes"
    assert rule.products == "all" or set(rule.products.split(", ")) < set(tables.product_names())
    assert rule.source in {"documented", "observed", "ours"}


@BY_NAME
def test_every_rule_is_checked_somewhere(rule):
    checks = "".join(path.read_text() for path in OPERATOR.glob("*.c"))
    assert re.search(rf"\b{rule.name}\b", checks)


# The exported function checks the CALL stage itself, before there is a problem: test_rejects.py
@pytest.mark.parametrize("name", [rule.name for rule in RULES if rule.stage != "CALL"])
def test_every_rule_has_a_rejecting_and_an_accepting_test(name):
    assert name in REJECTED
    assert name in ACCEPTED


def test_the_c_tests_name_no_rule_that_is_gone():
    assert REJECTED | ACCEPTED <= set(NAMES)


@pytest.mark.parametrize("document", generate_rules.DOCUMENTS)
def test_generated_documents_are_what_the_tables_say(document):
    written = (ROOT / "docs" / document).read_text()
    assert written == generate_rules.DOCUMENTS[document](), "run: python3 tools/generate_rules.py"


def test_every_member_of_a_product_has_a_comment_to_be_shown():
    for row in tables.products().values():
        assert set(row) <= set(tables.product_members())
