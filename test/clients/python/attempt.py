"""Tells how a client library's behaviours went: one line of JSON each, on stdout."""

import json
import time
import traceback


def behaviour(name, attempt):
    """Tries one of them, named as a user would say what the client does, and tells its outcome."""
    told = {"behaviour": name}
    try:
        attempt()
    except Exception:  # noqa: BLE001 -- whatever it is, it is the outcome
        told["error"] = traceback.format_exc()
    print(json.dumps(told), flush=True)


def eventually(what, holds, within=120):
    """Looks again and again until it holds: far longer than a slow machine needs."""
    end = time.monotonic() + within
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.05)
