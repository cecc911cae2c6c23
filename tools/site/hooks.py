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
DOCS = "docs/"
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
DIRECTIVE = re.compile(r"^<!-- (?:file|from|in): .*? -->\n", re.MULTILINE)


def on_files(files, config):
    for source, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / source).read_text()))
    for page, content in {**c_reference.pages(ROOT / "include"), **python_reference.pages(ROOT / "pyaclnn")}.items():
        files.append(File.generated(config, f"reference/{page}", content=content))
    return files


def on_page_markdown(markdown, page, config, files):
    """Fenced blocks stay as they are, but for the remarks of our tests before them."""
    place = page.file.src_uri
    if place.startswith("reference/"):
        return markdown
    source = next((source for source, name in PAGES.items() if name == place), DOCS + place)
    text, at = "", 0
    for fence in FENCE.finditer(markdown):
        text += _relinked(markdown[at : fence.start()], source, place) + fence[0]
        at = fence.end()
    return DIRECTIVE.sub("", text + _relinked(markdown[at:], source, place))


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
