# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages name other pages by their paths in the project. On the site such a name becomes a link."""
import os
import re

NAME = re.compile(r"(?<![\w/(\[.`-])((?:docs/[\w/-]+|README|CHANGELOG|CONTRIBUTING|SECURITY|THIRD-PARTY)\.md)\b(?!\))")
FENCE = re.compile(r"^(```|    )")


def on_config(config):
    """`docs/results/*.md` in the table of contents is all pages of that directory."""
    for section in config["nav"]:
        for pages in section.values() if isinstance(section, dict) else []:
            expand(pages, config["docs_dir"])


def expand(pages, root):
    for pattern in [page for page in pages if "*" in page]:
        directory = os.path.dirname(pattern)
        at = pages.index(pattern)
        pages[at:at + 1] = [f"{directory}/{name}" for name in sorted(os.listdir(os.path.join(root, directory)))]


def on_page_markdown(markdown, page, config, files):
    known = {file.src_path for file in files}
    here = os.path.dirname(page.file.src_path)

    def link(match):
        name = match.group(1)
        return f"[{name}]({os.path.relpath(name, here or '.')})" if name in known else name

    fenced, lines = False, []
    for line in markdown.split("\n"):
        fenced ^= line.startswith("```")
        lines.append(line if fenced or FENCE.match(line) else NAME.sub(link, line))
    return "\n".join(lines)
