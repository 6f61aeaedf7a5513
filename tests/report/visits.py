"""A page of the report, open in a browser."""

import base64
import json
import re
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from misieve.report.packing import ALIGNED

__all__ = ["PICTURES", "Visit", "packed"]

#: Where pictures of the page are written: look at them.
PICTURES = Path(__file__).parents[2] / "build" / "report"


class Visit:
    """A page that is open, with what it asked for and complained about."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        self.page = self.context.new_page()
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.path = path
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append("dialog"))
        self.context.route("http*://**", lambda route: route.abort())
        start = time.perf_counter()
        self.page.goto(path.as_uri())
        self.page.locator("html[data-ready]").wait_for(state="attached")
        self.seconds = time.perf_counter() - start

    def close(self) -> None:
        """Every visit ends with this: nothing was asked for but the page, nothing went wrong."""
        assert self.requests == [self.path.as_uri()]
        assert self.complaints == []
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        self.context.close()

    def settle(self) -> None:
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))")

    def move(self, slider: str, place: int) -> None:
        self.page.locator(f"#{slider}").evaluate(
            "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', { bubbles: true })); }", place
        )
        self.settle()

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()

    def names(self) -> list[str]:
        return self.page.locator("#table tbody button").all_text_contents()

    def shot(self, name: str, **options: Any) -> None:
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.settle()
        self.page.screenshot(path=PICTURES / f"{name}.png", **options)


def packed(html: str) -> dict[str, Any]:
    """What is packed into a page, read as the page reads it."""
    raw = zlib.decompress(base64.b64decode(re.search('id="data">([^<]*)<', html)[1]))
    length = int.from_bytes(raw[:4], "little")
    header = json.loads(raw[4 : 4 + length])
    state, start = dict(header["text"]), 4 + length
    for name, kind, count in header["arrays"]:
        start += -start % ALIGNED
        state[name] = np.frombuffer(raw, kind, count, start)
        start += state[name].nbytes
    return state
