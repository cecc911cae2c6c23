"""The site of the documentation builds without a warning, and its reference leaves nothing out."""

import html
import re
import subprocess
import sys

import pytest

import pyaclnn
from toolchain import ROOT, environment, tool

sys.path.insert(0, str(ROOT / "tools"))

from public_headers import read_public_headers  # noqa: E402

from toolchain import c_compiler  # noqa: E402


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


def test_remarks_for_the_tests_are_not_for_readers(site):
    for path in site.glob("*.html"):
        assert "file: backward.c" not in path.read_text()
