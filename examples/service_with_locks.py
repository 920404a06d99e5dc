"""A service full of locks: why it cannot be copied, and the copy that works.

Prints what it shows: what copy.deepcopy says, what graphcopy finds, the rules, the receipt, and the proof.
"""

from __future__ import annotations

import concurrent.futures
import copy
import logging
import queue
import tempfile
import threading
from pathlib import Path

import graphcopy


class Worker:
    """A part of the service, with a callback into it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.lock = threading.RLock()
        self.jobs: queue.Queue[str] = queue.Queue()
        self.done = lambda job: service.finished.append(job)


class Service:
    """Holds what real services hold: locks, a pool, a queue, a logger, a file."""

    def __init__(self, log_file: Path) -> None:
        self.finished: list[str] = []
        self.pool = concurrent.futures.ThreadPoolExecutor(2)
        self.log = logging.getLogger("service")
        self.out = log_file.open("w")
        self.workers = [Worker(self) for _ in range(3)]
        self.workers[0].jobs.put("first job")


def main() -> None:
    """Run the example."""
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder) / "service.log")

        print("1. copy.deepcopy says only:")
        try:
            copy.deepcopy(service)
        except TypeError as error:
            print("  ", error)

        print("\n2. graphcopy names what nobody can copy, and what to do:")
        try:
            graphcopy.copy(service)
        except graphcopy.CopyError as error:
            print(error)

        print("\n3. With that rule it copies; a file that is being written becomes None:")
        copied, receipt = graphcopy.copy(service, rules=[graphcopy.resource_rules], receipt=True)
        print(receipt)

        proof = graphcopy.compare(service, copied, receipt=receipt)
        print("\n4. The proof:", proof)
        assert proof.ok

        print("\n5. The copy works on its own:")
        worker = copied.workers[0]
        with service.workers[0].lock:  # held in the original, free in the copy
            assert worker.lock.acquire(timeout=1)
            worker.lock.release()
        worker.done(worker.jobs.get())
        print("   finished in the copy:", copied.finished, "- in the original:", service.finished)
        assert copied.finished == ["first job"]
        assert service.finished == []
        assert copied.pool.submit(len, "abc").result() == 3
        assert service.workers[0].jobs.qsize() == 1

        service.out.close()
        for each in (service, copied):
            each.pool.shutdown()


if __name__ == "__main__":
    main()
