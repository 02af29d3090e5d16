"""A Node process that runs one Lambda function, one invocation at a time."""

import json
import os
import queue
import subprocess
import threading
from pathlib import Path
from typing import NamedTuple

BOOTSTRAP = Path(__file__).with_name("bootstrap.ts")

#: Of a function's memory, how much V8 may take for its objects: what Lambda's own runtime gives it.
HEAP_SHARE = 0.9

#: Seconds that the lines a function has logged may take after its answer.
LOGS_WITHIN = 2

#: The line by which `bootstrap.ts` says that all that was logged before stands before it.
LOGGED = "\0\n"

EXITED = json.dumps({"errorType": "Runtime.ExitError", "errorMessage": "Error: Runtime exited"})


class Answer(NamedTuple):
    """What the process said: `ready`, `init` (it failed to start), `response` or `error`; or that it has ended."""

    kind: str
    payload: str


class NodeProcess:
    """Requests are lines of JSON on its standard input, answers are such lines on a pipe of their own."""

    def __init__(self, code: str, environment: dict[str, str], memory_size: int):
        reading, writing = os.pipe()
        heap = f"--max-old-space-size={int(memory_size * HEAP_SHARE)}"
        self._answers: queue.Queue[Answer] = queue.Queue()
        self._logs: list[str] = []
        self._logged = threading.Event()
        # In LocalStack's own process group, so that it ends with LocalStack however that ends.
        self._process = subprocess.Popen(
            [os.environ["WINNOW_NODE"], heap, str(BOOTSTRAP)],
            cwd=code,
            env={**environment, "LAMBDA_TASK_ROOT": code, "ANSWERS": str(writing)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=[writing],
        )
        os.close(writing)
        threading.Thread(target=self._read_answers, args=[reading], daemon=True).start()
        threading.Thread(target=self._read_logs, daemon=True).start()
        self.started = self._answers.get()

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def ask(self, request: dict, timeout: float) -> Answer | None:
        """Sends one request. Gives the answer, or None when there was none within `timeout` seconds."""
        self._logged.clear()
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            answer = self._answers.get(timeout=timeout)
        except BrokenPipeError:
            return Answer("exit", EXITED)
        except queue.Empty:
            return None
        self._logged.wait(LOGS_WITHIN)
        return answer

    def take_logs(self) -> str:
        """Gives what was logged since the last time."""
        taken, self._logs = self._logs, []
        return "".join(taken)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _read_answers(self, pipe: int) -> None:
        with os.fdopen(pipe) as lines:
            for line in lines:
                self._answers.put(Answer(*json.loads(line)))
        self._answers.put(Answer("exit", EXITED))

    def _read_logs(self) -> None:
        for line in self._process.stdout:
            text = line.decode(errors="replace")
            if text == LOGGED:
                self._logged.set()
            else:
                self._logs.append(text)
        self._logged.set()
