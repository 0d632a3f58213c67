"""Runs pelt jobs in a process of their own: `pelt run job.json --events`, one JSON object a line.

A thread reads what the process says, as pipes cannot be polled on every system; it touches nothing but a queue.
"""

import json
import os
import queue
import subprocess
import threading

from .find_pelt import hidden_window

# Seconds that a process gets to end by itself before it is killed.
PATIENCE = 3.0


class PeltFailed(Exception):
    """pelt ended with an error; the message is its own."""


class PeltProcess:
    """One job, from its start to its report.

    command  words that run pelt
    request  the job: command, inputs, output, options; paths from `folder`
    folder   where the process runs
    """

    def __init__(self, command, request, folder, threads=0):
        self.stage = "starting"
        self.fraction = 0.0
        self.warnings = []
        self.report = None
        self._failure = ""
        self._events = queue.Queue()
        job = os.path.join(folder, "job.json")
        with open(job, "w", encoding="utf-8") as file:
            json.dump(request, file)
        words = [*command, "run", "job.json", "--events"]
        if threads > 0:
            words += ["--threads", str(threads)]
        try:
            self._process = subprocess.Popen(
                words,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                **hidden_window(),
            )
        except OSError as error:
            raise PeltFailed(f"pelt did not start: {error}") from error
        self._readers = [
            threading.Thread(target=self._read, args=(stream, kind), daemon=True)
            for kind, stream in (("out", self._process.stdout), ("err", self._process.stderr))
        ]
        for reader in self._readers:
            reader.start()

    def poll(self, wait=0.0):
        """Takes in what was said since; True once the job is done. Raises PeltFailed.

        wait  seconds to wait for the next line
        """
        try:
            self._take(self._events.get(timeout=wait) if wait > 0 else self._events.get_nowait())
            while True:
                self._take(self._events.get_nowait())
        except queue.Empty:
            pass
        code = self._process.poll()
        if code is None:
            return False
        for reader in self._readers:
            reader.join()
        while not self._events.empty():
            self._take(self._events.get_nowait())
        if code == 0 and self.report is not None:
            return True
        raise PeltFailed(self._failure or f"pelt ended with exit code {code}")

    def cancel(self):
        """Ends the process, and waits until it has."""
        if self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _read(self, stream, kind):
        for line in stream:
            self._events.put((kind, line))
        stream.close()

    def _take(self, said):
        kind, line = said
        if kind == "err":
            # What is said before a job starts, such as a usage error; the last line counts.
            self._failure = line.strip().removeprefix("error: ") or self._failure
            return
        event = parse_event(line)
        if event is None:
            return
        if event["type"] == "progress":
            progress = event.get("progress", {})
            self.stage = str(progress.get("stage", self.stage))
            self.fraction = min(1.0, max(0.0, float(progress.get("fraction", self.fraction))))
        elif event["type"] == "warning":
            self.warnings.append(str(event.get("message", "")))
        elif event["type"] == "done":
            self.report = event.get("report", {})
        elif event["type"] == "failed":
            self._failure = str(event.get("message", ""))


def parse_event(line):
    """One line of `pelt run --events`; None if it is none."""
    try:
        event = json.loads(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) and isinstance(event.get("type"), str) else None
