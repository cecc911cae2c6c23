"""What the benchmark's figures come to, and how they are written down."""

import json

import pytest
from pyaclnn.bench import chart, markdown
from pyaclnn.bench.results import Figure, Result, Results, from_json, geometric_mean, to_json
from pyaclnn.bench.table import print_results


def result(row="layer", dtype="float32", threads=1, flops=8_000_000, faults=(), **milliseconds):
    names = {"pyaclnn": "pyaclnn", "torch": "torch", "any_order": "onednn any", "plain": "onednn plain"}
    figures = {names[name]: Figure(time, 15 if time else 0, 2) for name, time in milliseconds.items()}
    return Result(row, dtype, threads, flops, figures, list(faults))


@pytest.fixture
def results():
    found = Results("2026-01-02 03:04 UTC", {"processor": "a processor"}, {"calls": "15"}, {"torch": "2"}, {1: 8e9})
    found.results = [
        result("first", pyaclnn=2.0, torch=4.0, any_order=1.0, plain=3.0),
        result("second", pyaclnn=1.0, torch=8.0, any_order=9.0, plain=4.0),
    ]
    return found


def test_the_geometric_mean_is_the_root_of_the_product():
    assert geometric_mean([2, 8]) == pytest.approx(4)
    assert geometric_mean([0.5, 0.5, 0.25, 16]) == pytest.approx(1)
    assert geometric_mean([]) is None


def test_ratios_are_the_time_of_the_rival_divided_by_ours():
    one = result(pyaclnn=2.0, torch=3.0)
    assert one.speedup("torch") == 1.5
    assert one.speedup("onednn any") is None
    assert result(pyaclnn=None, torch=3.0).speedup("torch") is None


def test_the_faster_way_to_call_onednn_is_the_rival():
    assert result(any_order=2.0, plain=1.0).best_onednn == "onednn plain"
    assert result(any_order=2.0, plain=None).best_onednn == "onednn any"
    assert result(torch=1.0).best_onednn is None


def test_the_share_of_the_peak_is_the_work_in_the_time_that_it_takes(results):
    # 8 million operations in 2 ms are 4 GF/s, half of 8 GF/s
    assert results.results[0].gigaflops == pytest.approx(4)
    assert results.share_of_peak(results.results[0]) == pytest.approx(0.5)
    assert results.share_of_peak(result(threads=2, pyaclnn=2.0)) is None


def test_results_are_the_same_after_a_way_through_json(results):
    results.results[1].faults.append("something")
    assert from_json(json.loads(json.dumps(to_json(results)))) == results


@pytest.mark.parametrize("document", [{}, [], {"version": 2}, {"version": 1, "results": [{}]}, "text", None])
def test_other_json_is_refused(document):
    with pytest.raises(ValueError):
        from_json(document)


def printed(results, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    print_results(results)
    return [line.split() for line in capsys.readouterr().out.splitlines()]


def test_the_table_has_every_ratio_and_the_mean(results, capsys, monkeypatch):
    lines = printed(results, capsys, monkeypatch)
    assert "first 2 4 2.00 1 0.50 4 50".split() in lines
    assert "second 1 8 8.00 4 plain 4.00 8 100".split() in lines
    assert "torch/ours: geometric mean 4.00 of 2 rows, worst first 2.00".split() in lines
    assert "best oneDNN/ours: geometric mean 1.41 of 2 rows, worst first 0.50".split() in lines
    assert "120 calls counted, 16 discarded because other work disturbed them".split() in lines


def test_the_table_shows_what_is_missing_and_what_went_wrong(results, capsys, monkeypatch):
    results.notes.append("torch does not take part: no")
    results.results.append(result("third", pyaclnn=None, faults=["pyaclnn and torch disagree: much"]))
    lines = printed(results, capsys, monkeypatch)
    assert "third - - - - - - -".split() in lines
    assert "Note: torch does not take part: no".split() in lines
    assert "FAULT: third float32, 1 thread: pyaclnn and torch disagree: much".split() in lines


def test_the_section_of_a_document_is_replaced_and_nothing_else(results, tmp_path):
    document = tmp_path / "performance.md"
    document.write_text(f"# Head\n\n{markdown.BEGIN}\nold\n{markdown.END}\n\nTail\n")
    for _ in range(2):
        markdown.replace_section(results, document)
        text = document.read_text()
        assert text.startswith(f"# Head\n\n{markdown.BEGIN}\n| what | value |\n")
        assert text.endswith(f"\n{markdown.END}\n\nTail\n") and "old" not in text
    rows = "| first | 2 | 4 | 2.00 | 1 | 0.50 | 4 | 50 |\n| second | 1 | 8 | 8.00 | 4 plain | 4.00 | 8 | 100 |\n"
    assert rows in text
    assert "| date | 2026-01-02 03:04 UTC |\n| processor | a processor |\n| torch | 2 |\n" in text


def test_the_chart_comes_before_the_tables_with_its_path_from_the_document(results, tmp_path):
    document = tmp_path / "docs" / "performance.md"
    document.parent.mkdir()
    document.write_text(f"{markdown.BEGIN}\n{markdown.END}\n")
    markdown.replace_section(results, document, str(tmp_path / "images" / "chart.png"))
    lines = document.read_text().splitlines()
    assert lines[1:4] == ["![Ratios of all rows](../images/chart.png)", "", "| what | value |"]


def test_a_document_without_the_marks_is_not_touched(results, tmp_path):
    document = tmp_path / "other.md"
    document.write_text("mine\n")
    with pytest.raises(ValueError, match="no place for results"):
        markdown.replace_section(results, document)
    assert document.read_text() == "mine\n"


def test_the_chart_has_a_bar_for_every_ratio(results, tmp_path):
    pytest.importorskip("matplotlib")
    results.results.append(result("third", dtype="bfloat16", pyaclnn=1.0))
    panels = chart.figure(results).axes
    assert [panel.get_title() for panel in panels] == ["float32, 1 thread", "bfloat16, 1 thread"]
    ends = [sorted(round(bar.get_x() + bar.get_width(), 6) for bar in panel.patches) for panel in panels]
    assert ends == [[0.5, 2.0, 4.0, 8.0], []]
    assert [label.get_text() for label in panels[0].get_yticklabels()] == ["first", "second"]  # the slowest is lowest
    chart.draw(results, tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
