"""The site of the documentation builds without a warning, and its reference leaves nothing out."""

import html
import re
import subprocess
import sys

import pytest

import pyaclnn
from toolchain import ROOT, c_compiler, environment, tool

sys.path.insert(0, str(ROOT / "tools"))

from public_headers import read_public_headers, top_level_statements  # noqa: E402


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [tool("mkdocs"), "build", "--strict", "--site-dir", str(folder)]
    env = environment(NO_MKDOCS_2_WARNING="1")
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def page(site, name):
    return (site / name).read_text()


def test_every_function_of_the_headers_is_in_the_reference_with_its_signature(site):
    headers = read_public_headers(ROOT / "include", [c_compiler()])
    pages = {path.stem: path.read_text() for path in (site / "reference" / "c").glob("*.html")}
    for header in headers.declarations:
        text = pages.get(header.replace("/", "_")[:-2], "")
        words = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", text)))
        for name in headers.functions(header):
            assert f'id="{name.lower()}"' in text, f"{header}: {name}"
            assert re.search(rf"\b{name}\(", words), f"{header}: {name} has no declaration"


def test_what_a_function_takes_and_gives_stands_beside_it(site):
    text = page(site, "reference/c/aclemu_aclemu.html").split('id="aclemudescribesettings"')[1].split("<h3")[0]
    words = re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))
    assert "aclnnStatus aclemuDescribeSettings ( char * text , size_t size )" in re.sub(r" *([(),*]) *", r" \1 ", words)
    assert "text out receives the line with a closing zero" in words
    assert "ACLNN_ERR_PARAM_INVALID 161002 `size` is too small".replace("`", "") in words.replace("`", "")


def test_all_that_headers_say_about_parameters_and_results_is_in_the_reference(site):
    """The comments are taken apart without the generator; letters and digits alone count, markup does not."""
    missing, seen = [], 0
    for header in sorted((ROOT / "include").rglob("*.h")):
        name = header.relative_to(ROOT / "include").as_posix().replace("/", "_")[:-2]
        reference = site / "reference" / "c" / f"{name}.html"
        words = f" {bare(words_of(reference))} " if reference.exists() else ""
        for comment in re.findall(r"/\*\*(?!<)(.*?)\*/", header.read_text(), re.DOTALL):
            for tag in re.split(r"^@", re.sub(r"^\s*\* ?", "", comment, flags=re.MULTILINE), flags=re.MULTILINE)[1:]:
                # a row of a table has the direction behind the name of the parameter
                row = re.sub(r"^param\[([a-z,]+)\]\s+(\w+)|^(?:retval|return|deprecated)\b", r"\2 \1", tag)
                seen += 1
                if f" {bare(row)} " not in words:
                    missing.append((name, tag))
    assert seen > 1000 and not missing


def test_every_name_of_the_package_is_in_the_reference(site):
    text = page(site, "reference/python.html")
    names = set(pyaclnn.__all__) - {"ffi", "lib"}
    missing = [name for name in names if not re.search(rf'id="[\w.]*\b{name}"', text)]
    assert not missing


def test_links_within_the_site_lead_somewhere(site):
    """mkdocs checks those of the documents; these are all that a reader can follow."""
    for path in site.rglob("*.html"):
        if path.name == "404.html":
            continue
        for target in re.findall(r'(?:href|src)="([^"#?:]+)(?:[#?][^"]*)?"', path.read_text()):
            assert (path.parent / target).exists(), f"{path.relative_to(site)}: {target}"


def test_a_reader_needs_no_other_host(site):
    for path in site.rglob("*.html"):
        text = path.read_text()
        fetched = re.findall(r'<(?:script|img|iframe)[^>]*src="(https?:[^"]+)', text)
        fetched += re.findall(r'<link[^>]*href="(https?:[^"]+)"', text)
        assert not fetched, path
    for path in site.rglob("*.css"):
        assert not re.search(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""", path.read_text()), path


def test_remarks_for_the_tests_are_not_for_readers(site):
    for path in site.glob("*.html"):
        assert "file: backward.c" not in path.read_text()


def test_every_constant_of_the_headers_is_in_the_reference_with_its_value(site):
    headers = read_public_headers(ROOT / "include", [c_compiler()])
    words = words_of(site / "reference" / "c")
    missing = [name for name in headers.constants if not re.search(rf"\b{name}\b[ =]+[-(]?\d", words)]
    assert len(headers.constants) > 200 and not missing


def test_every_type_of_the_headers_is_in_the_reference(site):
    headers = read_public_headers(ROOT / "include", [c_compiler()])
    found = "".join(path.read_text() for path in (site / "reference" / "c").glob("*.html"))
    names = [
        re.search(r"\(\s*\*\s*(\w+)\s*\)|(\w+)(?:\[\w*\])?$", statement).group(1, 2)
        for text in headers.declarations.values()
        for statement in top_level_statements(text)
        if statement.startswith("typedef")
    ]
    missing = [name for pair in names for name in pair if name and f'id="{name.lower()}"' not in found]
    assert len(names) > 50 and not missing


def test_every_header_is_named(site):
    words = words_of(site / "reference" / "c" / "index.html")
    headers = read_public_headers(ROOT / "include", [c_compiler()])
    assert [name for name in headers.names if name not in words] == []


def test_a_function_that_is_named_in_the_reference_leads_to_its_place(site):
    text = page(site, "reference/c/aclnnop_aclnn_convolution_backward.html")
    assert 'href="aclnn_acl_meta.html#aclsettensoraddr"' in text


def test_a_long_section_of_readme_has_a_page_of_its_own(site):
    front = page(site, "index.html")
    moved = {"c": "find_package(aclemu", "torch-npu": "npu_gradients.py", "l0n0lacl": "createopp"}
    for name, sentence in moved.items():
        assert f'href="{name}.html">a page of its own' in front
        assert sentence in re.sub(r"<[^>]+>", "", page(site, f"{name}.html"))
        assert sentence not in re.sub(r"<[^>]+>", "", front)


DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_anchors_are_headings_on_a_host_of_repositories_too(document):
    """mkdocs checks those of the site, whose names it makes in a way of its own."""
    prose = without_fences(document)
    for target, anchor in re.findall(r"\]\((?!\w+:)([^)#\s]*)#([^)\s]+)\)", prose):
        linked = document.parent / target if target else document
        headings = re.findall(r"^#+ (.*)$", without_fences(linked), re.MULTILINE)
        assert anchor in [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings], target


def without_fences(document):
    return re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)


def bare(text):
    return " ".join(re.findall(r"\w+", text))


def words_of(place):
    pages = [place] if place.is_file() else sorted(place.glob("*.html"))
    text = "\n".join(path.read_text() for path in pages).replace("</td>", " ")
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", text)))
