from __future__ import annotations
import json
from pathlib import Path
import pytest
from tests.test_docs import *  # noqa
from tests.test_docs import _NEEDS_DATA, _PLAIN
for _n in [n for n in globals() if n.startswith("test_")]:
    del globals()[_n]

@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_record(page, workplace, here):
    out = []
    for language, title, text, shown in steps(page):
        if title:
            (workplace / title).write_text(text)
            continue
        plain = text.replace("\\\n", "")
        error = ""
        printed = ""
        try:
            if language == "python":
                printed = here.python(text)
            elif _PLAIN.fullmatch(plain):
                printed = here(plain)
            else:
                printed = run(["bash", "-euo", "pipefail", "-c", text], workplace)
        except BaseException as e:
            error = repr(e)[:3000]
        out.append([text, shown, printed, error])
        Path(f"/tmp/rec/{page.stem}.json").write_text(json.dumps(out, ensure_ascii=False, indent=1))
