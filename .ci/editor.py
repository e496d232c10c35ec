"""Let editors follow imports in a clone: python .ci/editor.py, once.

The folders `common`, `ontologies` ... are installed as `alignrank.common` and so on, a mapping that
pyright and jedi do not follow. Links in `.editor` show them the same tree: `.editor/alignrank` has
the folders and the face, `.editor/api/alignrank` is `api`, whose modules are looked for second. All
are links of folders, so that modules made later are there, too. Python itself sees none of them.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
#: What is linked in `.editor`, by its place there.
LINKS = {
    **{
        f"alignrank/{name}": name
        for name in ("common", "ontologies", "matchers", "evaluation", "experiments")
    },
    "alignrank/__init__.py": "api/__init__.py",
    "api/alignrank": "api",
}


def main() -> None:
    """Make the links, and tell jedi of them; pyright reads of them in pyproject.toml."""
    tree = PROJECT / ".editor"
    shutil.rmtree(tree, ignore_errors=True)
    for place, target in LINKS.items():
        (tree / place).parent.mkdir(parents=True, exist_ok=True)
        linked = os.path.relpath(PROJECT / target, (tree / place).parent)
        (tree / place).symlink_to(linked, target_is_directory=not target.endswith(".py"))
    settings = {"added_sys_path": [str(tree), str(tree / "api")], "smart_sys_path": True}
    (PROJECT / ".jedi").mkdir(exist_ok=True)
    project = {"path": str(PROJECT), "environment_path": None, "sys_path": None, **settings}
    project["load_unsafe_extensions"] = False
    (PROJECT / ".jedi" / "project.json").write_text(json.dumps([1, project]), encoding="utf-8")
    print("pyright and jedi follow imports of alignrank now, also in modules made later")


if __name__ == "__main__":
    main()
