"""The C API as pages: one for each public header that declares anything, made from its comments."""

import re

COMMENT = re.compile(r"/\*\*(?!<)(.*?)\*/", re.DOTALL)
NOISE = re.compile(r"ACL_FUNC_VISIBILITY\s*|ACL_DEPRECATED_MESSAGE\([^)]*\)\s*|__attribute__\s*\(\(.*?\)\)\s*")
TAG = re.compile(r"^@(param\[([a-z,]+)\]|retval|return|deprecated)\s+", re.MULTILINE)
SECTION = re.compile(r"/\* ---- (.*?) ---- \*/")
FUNCTION = re.compile(r"(?!typedef\b|struct\b[^(]*\{|enum\b[^(]*\{)[^(){}=]*?\b(\w+)\s*\(", re.DOTALL)
NAMED_LAST = re.compile(r"(\w+)\s*(?:\[[^\]]*\])?\s*;\s*$")
CALLBACK = re.compile(r"\(\s*\*\s*(\w+)\s*\)\s*\(")


def pages(include):
    """By name below reference/: the pages of all headers, and one that lists them."""
    made, rows = {}, []
    for header in sorted(include.rglob("*.h")):
        name = header.relative_to(include).as_posix()
        page = _page(name, header.read_text())
        if page:
            file = f"c/{name.replace('/', '_')[:-2]}.md"
            made[file] = page
            rows.append(f"| [`{name}`]({file}) | {_about(header.read_text())} |")
    made["c.md"] = "\n".join(["# C API", "", "| header | what it declares |", "|---|---|", *rows, ""])
    return made


def _about(text):
    """The first sentence of a header."""
    comment = re.match(r"\s*/\*\*(.*?)\*/", text, re.DOTALL)
    return _plain(comment[1]).split("\n\n")[0].replace("\n", " ") if comment else ""


def _page(name, text):
    head = re.match(r"\s*/\*\*(.*?)\*/", text, re.DOTALL)
    body = text[head.end() :] if head else text
    entries = [entry for entry in _entries(body) if entry]
    if not any(entry.startswith("### ") for entry in entries):
        return None
    about = _described(head[1]) if head else ""
    return "\n\n".join([f"# `{name}`", about, *entries]) + "\n"


def _entries(body):
    """Sections and declarations in their order, each with the comment before it."""
    at, comment = 0, ""
    while at < len(body):
        rest = body[at:]
        space = re.match(r"\s+", rest)
        section, documentation = SECTION.match(rest), COMMENT.match(rest)
        other, line = re.match(r"/\*.*?\*/", rest, re.DOTALL), re.match(r"#(?:[^\n]*\\\n)*[^\n]*", rest)
        if space:
            at += space.end()
        elif section:
            yield f"## {section[1]}"
            at += section.end()
        elif documentation:
            comment = documentation[1]
            at += documentation.end()
        elif other:
            at += other.end()
        elif line:
            define = re.match(r"#define (\w+)[ \t]+(\S.*)", line[0])
            if define and comment:
                yield _entry(define[1], line[0], comment)
            comment = comment if define is None else ""
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
    code = re.sub(r"[ \t]*/\*\*<?.*?\*/", lambda found: found[0], NOISE.sub("", declaration), flags=re.DOTALL)
    return "\n\n".join(filter(None, [f"### {name}", f"```c\n{code}\n```", _described(comment)]))


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
