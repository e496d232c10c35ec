"""Run the gallery's scripts and write a page for each: ``python docs/gallery/make.py``.

`tests/experiments/report/figures/test_gallery.py` runs every script, and fails where a page is not
its script's.
"""

from __future__ import annotations

import ast
import os
import runpy
from pathlib import Path

HERE = Path(__file__).parent
MADE = "<!-- made by docs/gallery/make.py: do not edit -->"


def scripts() -> list[Path]:
    """Return the numbered scripts in order."""
    return sorted(HERE.glob("[0-9][0-9]_*.py"))


def run(script: Path, folder: Path) -> None:
    """Run a script with `folder` as the current one, where it leaves its figure."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        runpy.run_path(str(script))
    finally:
        os.chdir(before)


def parts(script: Path) -> tuple[str, str, str]:
    """Return title, text and code of a script."""
    text = script.read_text(encoding="utf-8")
    tree = ast.parse(text)
    title, _, words = (ast.get_docstring(tree) or "").partition("\n")
    code = "".join(text.splitlines(keepends=True)[tree.body[0].end_lineno :])
    return title.rstrip("."), words.strip(), code.strip()


def page(script: Path) -> str:
    """Return the page of a script: what the figure shows, the figure, the code that makes it."""
    title, words, code = parts(script)
    picture = f"![{title}]({script.stem}.svg)"
    return f"{MADE}\n# {title}\n\n{words}\n\n{picture}\n\n```python\n{code}\n```\n"


def index() -> str:
    """Return the page that shows all figures."""
    cells = [
        f"[![{title}]({script.stem}.svg){{ width=300 }}]({script.stem}.md)\n\n"
        f"[{title}]({script.stem}.md)\n"
        for script in scripts()
        for title, _, _ in [parts(script)]
    ]
    intro = (
        "Every figure is drawn by the script on its page, from data that comes with alignrank. "
        "`alignrank report RESULTS --figure all` draws them from the results of `rank`, `compare` "
        "or `study`, as PDF, SVG or PNG."
    )
    return f"{MADE}\n# Gallery\n\n{intro}\n\n" + "\n".join(cells)


def main() -> None:
    """Run everything and write the pages."""
    for script in scripts():
        run(script, HERE)
        script.with_suffix(".md").write_text(page(script), encoding="utf-8")
    (HERE / "index.md").write_text(index(), encoding="utf-8")


if __name__ == "__main__":
    main()
