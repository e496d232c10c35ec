"""Let editors follow imports in a clone: python .ci/editor.py, once.

The folders `common`, `ontologies` ... are installed as `alignrank.common` and so on, a mapping that
pyright and jedi do not follow. Links in `.editor/alignrank` show them the same tree. A link of a
folder shows modules that are made later, too; only a module that is new in `api` itself needs the
command again. Python itself sees none of the links.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
FOLDERS = ("common", "ontologies", "matchers", "evaluation", "experiments")


def link(place: Path, target: Path) -> None:
    """Make a link; one that is there is made anew."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_symlink():
        place.unlink()
    place.symlink_to(os.path.relpath(target, place.parent), target_is_directory=target.is_dir())


def main() -> None:
    """Make the links, and tell jedi of them; pyright reads of them in pyproject.toml."""
    for folder in FOLDERS:
        link(PROJECT / ".editor" / "alignrank" / folder, PROJECT / folder)
    for module in (PROJECT / "api").glob("*.py"):
        link(PROJECT / ".editor" / "alignrank" / module.name, module)
    settings = {"added_sys_path": [str(PROJECT / ".editor")], "smart_sys_path": True}
    (PROJECT / ".jedi").mkdir(exist_ok=True)
    project = {"path": str(PROJECT), "environment_path": None, "sys_path": None, **settings}
    project["load_unsafe_extensions"] = False
    (PROJECT / ".jedi" / "project.json").write_text(json.dumps([1, project]), encoding="utf-8")
    print("pyright and jedi follow imports of alignrank now, also in modules made later")


if __name__ == "__main__":
    main()
