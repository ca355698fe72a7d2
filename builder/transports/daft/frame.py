"""The plan as a Daft frame, and its execution: the one file that imports daft and ray. Needs the extra `scale`."""

import logging
import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from builder.transports.daft.crew import Crew, FrameError, partition_size
from builder.transports.daft.line import Post
from builder.transports.daft.worker import work
from builder.transports.protocol import Ask
from schemas.wire import dump_request, load_request

# Read by daft when it is imported: no word to third parties, no bars beside ours.
os.environ |= {"DO_NOT_TRACK": "true", "DAFT_ANALYTICS_ENABLED": "0", "DAFT_PROGRESS_BAR": "0"}

import daft
from daft.exceptions import DaftCoreException

if TYPE_CHECKING:
    from daft import Series


@dataclass(frozen=True, slots=True)
class DaftHands:
    """Gets a plan to the crew's workers as a Daft frame."""

    crew: Crew

    def host(self) -> str:
        """Get the runner ready; returns the address of this process that workers reach. Raises FrameError."""
        address = self.crew.ray
        try:
            if address is not None and address != "auto":
                _knock(address)
            return _runner(address)
        except (OSError, RuntimeError, ValueError) as error:
            raise FrameError(f"the Ray cluster {address} cannot be used: {error}") from error

    def carry_out(self, asks: Sequence[Ask], post: Post) -> None:
        """Have the workers ask everything, partition by partition; returns when they are through.

        A partition is a range of keys. Raises FrameError if a worker ends early or none can be started.
        """
        size = partition_size(len(asks), self.crew.workers)
        frame = _frame(sorted(asks, key=lambda ask: ask.key))
        if self.crew.ray is not None:
            frame = frame.into_partitions(-(-len(asks) // size))
        caller = _caller(self.crew, size)(self.crew, post)
        try:
            frame.select(caller.ask(frame["key"], frame["stage"], frame["request"]).alias("over")).collect()
        except _errors(self.crew.ray) as error:
            raise FrameError(f"the workers could not go on: {error}") from error


def _frame(asks: Sequence[Ask]) -> daft.DataFrame:
    return daft.from_pydict(
        {
            "key": [ask.key for ask in asks],
            "stage": [ask.stage for ask in asks],
            "request": [dump_request(ask.request) for ask in asks],
        }
    )


def _caller(crew: Crew, size: int) -> Any:
    @daft.cls(max_concurrency=crew.workers, use_process=True)
    class Caller:
        def __init__(self, crew: Crew, post: Post) -> None:
            self.crew, self.post = crew, post

        @daft.method.batch(return_dtype=daft.DataType.bool(), batch_size=size)
        async def ask(self, keys: "Series", stages: "Series", requests: "Series") -> list[bool]:
            rows = zip(keys.to_pylist(), stages.to_pylist(), requests.to_pylist(), strict=True)
            asks = {key: Ask(stage, key, load_request(request)) for key, stage, request in rows}
            await work(asks, self.post, self.crew.store, self.crew.sign, self.crew.config)
            return [True] * len(asks)

    return Caller


def _knock(address: str) -> None:
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), timeout=5).close()  # Ray itself tries for minutes


@cache
def _runner(address: str | None) -> str:
    if address is None:
        daft.set_runner_native()
        return "127.0.0.1"
    import ray

    if not ray.is_initialized():
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
    daft.set_runner_ray(noop_if_initialized=True)
    address_here: Callable[[], str] = ray.util.get_node_ip_address
    return address_here()


def _errors(address: str | None) -> tuple[type[Exception], ...]:
    if address is None:
        return (DaftCoreException, RuntimeError)
    import ray

    return (DaftCoreException, RuntimeError, ray.exceptions.RayError)
