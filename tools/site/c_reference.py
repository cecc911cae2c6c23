"""The C API as pages: one for each public header that declares anything, made from its comments."""

import posixpath
import re

COMMENT = re.compile(r"/\*\*(?!<)(.*?)\*/", re.DOTALL)
NOISE = re.compile(
    r"(?:ACL_FUNC_VISIBILITY|ACLNN_API|ACL_DEPRECATED_MESSAGE\([^)]*\)|__attribute__\s*\(\(.*?\)\))\s*"
)
TAG = re.compile(r"^@(param\[([a-z,]+)\]|retval|return|deprecated)\s+", re.MULTILINE)
SECTION = re.compile(r"/\* (?:-{4}|={4}) (.*?) (?:-{4}|={4}) \*/")
CONSTANT = re.compile(r"#define (\w+)[ \t]+([-(\d][^/\n]*?)[ \t]*(?:/\*\*<(.*?)\*/[ \t]*)?\n+", re.DOTALL)
CONSTANTS = re.compile(rf"(?:/\*(?!\*)(?P<about>[^/]*)\*/\n)?(?P<rows>(?:{CONSTANT.pattern})+)", re.DOTALL)
LONG = 80
CALLED = re.compile(r"(?<![\w`])(acl\w+)\(\)")
FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(r"(?!typedef\b|struct\b[^(]*\{|enum\b[^(]*\{)[^(){}=]*?\b(\w+)\s*\(", re.DOTALL)
NAMED_LAST = re.compile(r"(\w+)\s*(?:\[[^\]]*\])?\s*;\s*$")
CALLBACK = re.compile(r"\(\s*\*\s*(\w+)\s*\)\s*\(")


def pages(include):
    """By name below reference/: the pages of all headers, and one that lists them."""
    made, rows = {}, []
    for header in sorted(include.rglob("*.h")):
        name, text = header.relative_to(include).as_posix(), header.read_text()
        page, file = _page(name, text), f"{name.replace('/', '_')[:-2]}.md"
        if page:
            made[f"c/{file}"] = page
        rows.append(f"| {f'[`{name}`]({file})' if page else f'`{name}`'} | {_cell(_about(text))} |")
    made["c/index.md"] = "\n".join(["# C API", "", "| header | what it declares |", "|---|---|", *rows, ""])
    places = {name: file for file, page in made.items() for name in re.findall(r"^### (\w+)$", page, re.MULTILINE)}
    return {file: _linked(page, places) for file, page in made.items()}


def _linked(page, places):
    """Functions that the prose names lead to where they stand."""
    def link(found):
        file = places.get(found[1])
        return f"[{found[0]}]({posixpath.basename(file)}#{found[1].lower()})" if file else found[0]

    return "".join(part if part.startswith("```") else CALLED.sub(link, part) for part in FENCE.split(page))


def _about(text):
    """The first sentence of a header."""
    comment = re.match(r"\s*/\*\*(.*?)\*/", text, re.DOTALL)
    return _plain(comment[1]).split("\n\n")[0].replace("\n", " ") if comment else ""


def _page(name, text):
    head = re.match(r"\s*/\*\*(.*?)\*/", text, re.DOTALL)
    body = text[head.end() :] if head else text
    entries = [entry for entry in _entries(body) if entry]
    if not any(re.search(r"^(?:### |\| )", entry, re.MULTILINE) for entry in entries):
        return None
    about = _described(head[1]) if head else ""
    return "\n\n".join([f"# `{name}`", about, *entries]) + "\n"


def _entries(body):
    """Sections and declarations in their order, each with the comment before it."""
    at, comment = 0, ""
    while at < len(body):
        rest = body[at:]
        space = re.match(r"\s+", rest)
        section, documentation, constants = SECTION.match(rest), COMMENT.match(rest), CONSTANTS.match(rest)
        other, line = re.match(r"/\*.*?\*/", rest, re.DOTALL), re.match(r"#(?:[^\n]*\\\n)*[^\n]*", rest)
        if space:
            at += space.end()
        elif section:
            yield f"## {section[1]}"
            at += section.end()
        elif documentation:
            comment = documentation[1]
            at += documentation.end()
        elif constants:
            yield _constants(constants["about"], constants["rows"])
            at += constants.end()
        elif other:
            at += other.end()
        elif line:
            at += line.end()
        elif rest.startswith(("extern \"C\" {", "}")):
            at += rest.index("{" if rest.startswith("extern") else "}") + 1
        else:
            end = _end_of(rest)
            declaration = rest[:end].strip()
            name = _name(declaration)
            if name:
                yield _entry(name, declaration, comment)
            comment = ""
            at += end


def _end_of(text):
    """Behind the semicolon that ends the first declaration."""
    depth = 0
    hidden = re.sub(r"/\*.*?\*/|//[^\n]*", lambda found: " " * len(found[0]), text, flags=re.DOTALL)
    for at, character in enumerate(hidden):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == ";" and depth == 0:
            return at + 1
    return len(text)


def _name(declaration):
    bare = NOISE.sub("", re.sub(r"/\*.*?\*/", "", declaration, flags=re.DOTALL)).strip()
    if bare.startswith("typedef") and CALLBACK.search(bare):
        return CALLBACK.search(bare)[1]
    tagged = re.match(r"(?:struct|enum|union)\s+(\w+)\s*(?:\{|;)", bare)
    function = FUNCTION.match(bare)
    last = NAMED_LAST.search(bare)
    found = tagged or (function if not bare.startswith("typedef") else None) or last
    return found[1] if found else None


def _entry(name, declaration, comment):
    code = _laid_out(NOISE.sub("", declaration))
    return "\n\n".join(filter(None, [f"### {name}", f"```c\n{code}\n```", _described(comment)]))


def _laid_out(declaration):
    """A function that is long has its parameters below each other, so that they fit on a narrow page."""
    line = re.sub(r"\s+", " ", declaration)
    prototype = re.fullmatch(r"([^(){}]*)\(([^{}]*)\);", line)
    if not prototype or line.startswith("typedef"):
        return declaration
    if len(line) <= LONG:
        return line
    parameters = ",\n    ".join(re.split(r", (?![^()]*\))", prototype[2].strip()))
    return f"{prototype[1]}(\n    {parameters});"


def _constants(about, rows):
    """A table of macros that follow each other, below the remark about them if there is one."""
    constants = CONSTANT.findall(rows)
    columns = 3 if any(meaning for _, _, meaning in constants) else 2
    table = [("constant", "value", "meaning"), ("---",) * 3]
    table += [(f"`{name}`", value, _cell(re.sub(r"\s+", " ", _plain(meaning)))) for name, value, meaning in constants]
    lines = [f"| {' | '.join(row[:columns])} |" for row in table]
    return "\n\n".join(filter(None, [_text(_plain(about or "")), "\n".join(lines)]))


def _plain(comment):
    """Without the stars and the indentation of a comment."""
    return "\n".join(re.sub(r"^\s*\*? ?", "", line).rstrip() for line in comment.strip().splitlines()).strip()


def _described(comment):
    """Prose, then what parameters and results mean as tables."""
    prose, *tags = re.split(r"^(?=@)", _plain(comment), flags=re.MULTILINE)
    parameters, results, rest = [], [], []
    for tag in tags:
        found = TAG.match(tag)
        text = re.sub(r"\s+", " ", tag[found.end() :] if found else tag).strip()
        kind = found[1].split("[")[0] if found else ""
        if kind == "param":
            name, _, meaning = text.partition(" ")
            parameters.append(f"| `{name}` | {found[2]} | {_cell(meaning)} |")
        elif kind == "retval":
            name, _, meaning = text.partition(" ")
            results.append(f"| `{name}` | {_cell(meaning)} |")
        elif kind == "return":
            rest.append(f"Returns {_text(text)}.")
        else:
            rest.append(f"{kind.capitalize()}: {_text(text)}")
    tables = []
    if parameters:
        tables.append("\n".join(["| parameter | | meaning |", "|---|---|---|", *parameters]))
    if results:
        tables.append("\n".join(["| result | when |", "|---|---|", *results]))
    return "\n\n".join(filter(None, [_text(prose.strip()), *tables, *rest]))


def _text(text):
    """Comments are prose, not markup: only backquotes mean something in them."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<\[])", r"\\\1", part) for part in parts)


def _cell(text):
    return _text(text).replace("|", "\\|")
