"""Headless Chromium, driven over a pipe by the DevTools protocol: no package and no port is needed."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars",
    "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 60.0


class Chromium:
    """A browser with one page. ``call`` sends a command, and ``events`` holds what the page reported since ``open``."""

    def __init__(self, to_browser, from_browser):
        self.to_browser, self.from_browser = to_browser, from_browser
        self.number, self.buffer, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        """Return the result of a command; events that come before it are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def _read(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            part = os.read(self.from_browser, 1 << 20)
            if not part or time.monotonic() > end:
                raise RuntimeError("Chromium has stopped.")
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def open(self, url, scheme="light", width=1000):
        """Open a page in a colour scheme, and wait until it is loaded."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not self.of("Page.loadEventFired"):
            self.events.append(self._read())

    def of(self, method):
        """Return the parameters of all events of one kind."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def value(self, expression):
        """Return the value of an expression on the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        return found["result"].get("value")


def find_program():
    """Return the path of Chromium, None if it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def chromium():
    """Start Chromium with a new profile; it ends with the ``with`` block."""
    flags = [*FLAGS, "--no-sandbox"] if os.geteuid() == 0 else list(FLAGS)
    read_commands, to_browser = os.pipe()
    from_browser, write_answers = os.pipe()

    def connect():
        first, second = os.dup(read_commands), os.dup(write_answers)  # 3 and 4 may be in use
        os.dup2(first, 3)
        os.dup2(second, 4)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [find_program(), *flags, f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=connect, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(read_commands)
        os.close(write_answers)
        try:
            browser = Chromium(to_browser, from_browser)
            yield browser
            browser.session = None
            browser.call("Browser.close")
            process.wait(10)
        finally:
            process.kill()
            process.wait()
            os.close(to_browser)
            os.close(from_browser)
