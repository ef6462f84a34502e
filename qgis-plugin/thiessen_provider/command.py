# SPDX-License-Identifier: Apache-2.0
"""Runs the command `thiessen`, and tells QGIS how far it is and what it says."""

import re
import shlex
import shutil

from processing.core.ProcessingConfig import ProcessingConfig
from qgis.core import QgsBlockingProcess, QgsProcessingException
from qgis.PyQt.QtCore import QProcess

COMMAND_SETTING = "THIESSEN_COMMAND"
# 0...10...20: a number is a tenth done, and each dot a quarter of a tenth more.
_PROGRESS = re.compile(r"(\d+)(\.*)(?: - done\.?)?")


def find_command():
    """The path of the command, or None."""
    chosen = ProcessingConfig.getSetting(COMMAND_SETTING)
    return shutil.which(chosen or "thiessen")


class _Listener:
    """Reads what the command writes on stderr: progress on lines of its own, and messages."""

    def __init__(self, feedback):
        self.feedback = feedback
        self.messages = []
        self.line = ""

    def __call__(self, some_bytes):
        self.line += bytes(some_bytes).decode("utf-8", errors="replace")
        *whole, self.line = re.split(r"[\r\n]+", self.line)
        for line in whole:
            self._read(line)
        self._follow(self.line)

    def finish(self):
        self._read(self.line)
        self.line = ""

    def _read(self, line):
        if not line.strip() or self._follow(line):
            return
        self.messages.append(line.removeprefix("thiessen: "))
        self.feedback.pushConsoleInfo(line)

    def _follow(self, line):
        steps = _PROGRESS.findall(line)
        if not steps or not re.fullmatch(r"[\d. ]*( - done\.?)?", line):
            return False
        tenth, dots = steps[-1]
        self.feedback.setProgress(int(tenth) + 2.5 * min(len(dots), 4))
        return True


def run_command(arguments, feedback):
    """Runs `thiessen` with these arguments until it ends or the user cancels.

    Raises
    ------
    QgsProcessingException
        There is no command, or it failed: with what it said.
    """
    command = find_command()
    if command is None:
        raise QgsProcessingException(
            "The command thiessen is not in PATH. Install it, or name its place in"
            " Settings > Options > Processing > Providers > thiessen."
        )
    arguments = [*map(str, arguments), "--progress"]
    feedback.pushInfo("Command:")
    feedback.pushCommandInfo(shlex.join(["thiessen", *arguments]))
    listener = _Listener(feedback)

    def on_stdout(some_bytes):
        feedback.pushConsoleInfo(bytes(some_bytes).decode("utf-8", errors="replace").rstrip())

    # QGIS holds no reference to its handlers: they have names here.
    process = QgsBlockingProcess(command, arguments)
    process.setStdErrHandler(listener)
    process.setStdOutHandler(on_stdout)
    exit_code = process.run(feedback)
    listener.finish()
    if feedback.isCanceled():
        return
    if process.processError() == QProcess.FailedToStart:
        raise QgsProcessingException(f"{command} cannot be started")
    if process.exitStatus() == QProcess.CrashExit:
        raise QgsProcessingException("thiessen was ended from outside")
    if exit_code != 0:
        said = "\n".join(listener.messages) or f"exit code {exit_code}"
        raise QgsProcessingException(f"thiessen: {said}")
