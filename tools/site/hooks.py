"""mkdocs calls these: pages that are not files of docs/, and links that lead out of it.

The documents are written to be read on a host of repositories. On the site, README, CHANGELOG and CONTRIBUTING are
pages, and what else a link names in the repository is only named.
"""

import posixpath
import re
import sys
from pathlib import Path

from mkdocs.structure.files import File

sys.path.insert(0, str(Path(__file__).parent))

import c_reference  # noqa: E402
import python_reference  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
PARTS = {"From C": "c.md", "torch-npu": "torch-npu.md", "Use from l0n0lacl": "l0n0lacl.md"}
"""Sections of README that are long enough for pages of their own."""
STYLE = "site.css"
DOCS = "docs/"
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
DIRECTIVE = re.compile(r"^<!-- (?:file|from|in): .*? -->\n", re.MULTILINE)


def on_files(files, config):
    contents = {page: (ROOT / source).read_text() for source, page in PAGES.items()}
    contents.update(_parted(contents["index.md"]))
    reference = {**c_reference.pages(ROOT / "include"), **python_reference.pages(ROOT / "pyaclnn")}
    contents.update({f"reference/{page}": content for page, content in reference.items()})
    for page, content in contents.items():
        files.append(File.generated(config, page, content=content))
    files.append(File.generated(config, STYLE, abs_src_path=str(Path(__file__).parent / STYLE)))
    return files


def _parted(readme):
    """The pages that are made of README: a section with a page of its own is a link on the front page."""
    front, *sections = re.split(r"^(?=## )", readme, flags=re.MULTILINE)
    made = {}
    for section in sections:
        heading, text = section.split("\n", 1)
        page = PARTS.get(heading[3:])
        if page:
            made[page] = f"# {heading[3:]}\n" + re.sub(r"^###", "##", text, flags=re.MULTILINE)
            section = f"{heading}\n\nThis has [a page of its own](docs/{page}).\n\n"
        front += section
    missing = set(PARTS.values()) - set(made)
    if missing:
        raise ValueError(f"README.md has no section for {', '.join(sorted(missing))}")
    return {"index.md": front, **made}


def on_page_markdown(markdown, page, config, files):
    """Fenced blocks stay as they are, but for the remarks of our tests before them."""
    place = page.file.src_uri
    if place.startswith("reference/"):
        return markdown
    source = _source_of(place)
    text, at = "", 0
    for fence in FENCE.finditer(markdown):
        text += _relinked(markdown[at : fence.start()], source, place) + fence[0]
        at = fence.end()
    return DIRECTIVE.sub("", text + _relinked(markdown[at:], source, place))


def _source_of(place):
    """What links of a page are relative to."""
    if place in PARTS.values():
        return "README.md"
    return next((source for source, page in PAGES.items() if page == place), DOCS + place)


def _relinked(text, source, place):
    return LINK.sub(lambda link: _link(*link.groups(), source, place), text)


def _link(picture, words, target, source, place):
    if re.match(r"\w+:|#", target):
        return f"{picture}[{words}]({target})"
    name, _, anchor = target.partition("#")
    name = posixpath.normpath(posixpath.join(posixpath.dirname(source), name))
    page = PAGES.get(name) or (name[len(DOCS) :] if name.startswith(DOCS) else None)
    if page is None:
        return words
    relative = posixpath.relpath(page, posixpath.dirname(place) or ".")
    return f"{picture}[{words}]({relative}{'#' + anchor if anchor else ''})"
