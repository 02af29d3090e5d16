"""Runs Lambda functions as Node processes, where LocalStack would run them in containers."""

import json
import time

from localstack.services.lambda_.invocation.executor_endpoint import StatusErrorException
from localstack.services.lambda_.invocation.lambda_models import FunctionVersion, InvocationResult
from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

from winnow_localstack.node_process import Answer, NodeProcess

LOOPBACK = "127.0.0.1"


class ProcessExecutorPlugin(RuntimeExecutorPlugin):
    """What LAMBDA_RUNTIME_EXECUTOR=process names."""

    name = "process"

    def load(self, *args, **kwargs):
        return ProcessExecutor


class ProcessExecutor(RuntimeExecutor):
    """One execution environment. As in Lambda, a process that ended or took too long is replaced by a new one."""

    def __init__(self, id: str, function_version: FunctionVersion):
        super().__init__(id, function_version)
        self._environment: dict[str, str] = {}
        self._process: NodeProcess | None = None
        self._stopped = False

    def start(self, env_vars: dict[str, str]) -> None:
        # Nothing of the environment that LocalStack itself runs in.
        self._environment = {name: str(value) for name, value in env_vars.items()}
        self._process = self._start_process()

    def invoke(self, payload: dict[str, str]) -> InvocationResult:
        if self._process.has_ended:
            self._process = self._start_process()
        timeout = self.function_version.config.timeout
        began = time.monotonic()
        answer = self._process.ask({**payload, "timeout": timeout}, timeout)
        logs = self._process.take_logs()
        request = payload["invoke-id"]
        if answer is None:
            answer, line = timed_out(request, timeout)
            logs += line
        if answer.kind in ("exit", "timeout"):
            self._process.kill()
        if self._stopped:
            raise RuntimeError("the environment was stopped during the invocation")
        logs = self._framed(request, logs, time.monotonic() - began)
        return InvocationResult(request, answer.payload.encode(), is_error=answer.kind != "response", logs=logs)

    def stop(self) -> None:
        self._stopped = True
        if self._process is not None:
            self._process.kill()

    def get_address(self) -> str:
        return LOOPBACK

    def get_endpoint_from_executor(self) -> str:
        return LOOPBACK

    def get_runtime_endpoint(self) -> str:
        """Where the runtime in a container would call back; a process answers on its pipe."""
        return ""

    def get_logs(self) -> str:
        return "" if self._process is None else self._process.take_logs()

    @classmethod
    def prepare_version(cls, function_version: FunctionVersion) -> None:
        function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version: FunctionVersion) -> None:
        """Nothing is left behind but the code, which is LocalStack's."""

    def _start_process(self) -> NodeProcess:
        config = self.function_version.config
        code = str(config.code.get_unzipped_code_location())
        process = NodeProcess(code, self._environment, config.memory_size)
        if process.started.kind != "ready":
            process.kill()
            raise StatusErrorException("Environment startup failed", payload=process.started.payload.encode())
        return process

    def _framed(self, request: str, logs: str, seconds: float) -> str:
        """The lines that Lambda itself writes before and after those of the function."""
        start = f"START RequestId: {request} Version: {self.function_version.id.qualifier}\n"
        memory = self.function_version.config.memory_size
        report = f"REPORT RequestId: {request}\tDuration: {seconds * 1000:.2f} ms\tMemory Size: {memory} MB\n"
        return f"{start}{logs}END RequestId: {request}\n{report}"


def timed_out(request: str, timeout: int) -> tuple[Answer, str]:
    """What Lambda answers and logs of an invocation that had no answer in time."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    message = f"{now} {request} Task timed out after {timeout:.2f} seconds"
    error = {"errorType": "Sandbox.Timedout", "errorMessage": message}
    return Answer("timeout", json.dumps(error)), f"{message}\n"
