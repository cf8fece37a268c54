"""Sphinx's configuration of the static site, which docs/site/build makes of the documents of the tree."""

import re
from pathlib import Path

from docutils import nodes

project = "Millrace"
copyright = "the Millrace authors, Apache License 2.0"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "contents"
html_theme = "furo"
html_title = "Millrace"
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["millrace.css"]
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "native"

# Anchors are those of GitHub, so that links work in both places.
myst_heading_anchors = 6
myst_links_external_new_tab = False
# Heads of pages may be followed by a level that is not the next one, as in tables of results.
suppress_warnings = ["myst.header", "misc.highlighting_failure"]


def doors(guide: str) -> list[tuple[str, list[str]]]:
    """The doors of the guide's first page, each with its pages in order, and no page twice."""
    seen = {"docs/guide/README"}
    found = []
    for part in re.split(r"(?m)^## ", guide)[1:]:
        pages = []
        for target in re.findall(r"\]\(([^)#:]+)\.md(?:#[^)]*)?\)", part):
            page = str((Path("docs/guide") / target)).replace("docs/guide/../", "docs/")
            if page not in seen:
                seen.add(page)
                pages.append(page)
        found.append((part.split("\n", 1)[0], pages))
    return found


def contents(source: Path) -> str:
    """The table of contents: README, the guide by its doors, then what else there is."""
    groups = [("", ["README", "docs/guide/README"]), *doors((source / "docs/guide/README.md").read_text())]
    groups.append(("Performance", ["benchmarks/README"]))
    groups.append(("Inside", ["ARCHITECTURE", "docs/design/README", *pages(source, "docs/design"), "CONTRIBUTING", "CHANGELOG"]))
    listed = {page for _, group in groups for page in group}
    every = sorted(str(page.relative_to(source).with_suffix("")) for page in source.rglob("*.md"))
    groups.append(("More", [page for page in every if page not in listed and page != root_doc]))
    lines = ["# Millrace", ""]
    for caption, group in groups:
        lines += ["```{toctree}", ":maxdepth: 1"]
        lines += [f":caption: {caption}"] if caption else []
        lines += ["", *(page for page in group if (source / f"{page}.md").exists()), "```", ""]
    return "\n".join(lines)


def pages(source: Path, directory: str) -> list[str]:
    """The pages of a directory in the order of the links of its README, then the others."""
    index = (source / directory / "README.md").read_text()
    linked = re.findall(r"\]\((\w[\w-]*)\.md\)", index)
    others = sorted(page.stem for page in (source / directory).glob("*.md"))
    return [f"{directory}/{name}" for name in dict.fromkeys(linked + others) if name != "README"]


def know_html_ids(app, doctree):
    """Lets links lead to the ids of <a> elements, which log-messages.md has for each message."""
    slugs = app.env.metadata[app.env.docname].setdefault("myst_slugs", {})
    for node in doctree.findall(nodes.raw):
        for name in re.findall(r'<a id="([^"]+)"', node.astext()):
            slugs.setdefault(name, (node.line or 0, name, name))


def setup(app):
    app.connect("doctree-read", know_html_ids)
    source = Path(app.srcdir)
    (source / "contents.md").write_text(contents(source))
