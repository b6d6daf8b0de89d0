"""Runs a command in a pseudo-terminal of its own: runInTerminal.py COLUMNS ROWS COMMAND [ARGUMENT...]

Standard input is what is typed, standard output what is shown, and each line "COLUMNS ROWS" on file descriptor 3 a new
size. Ends with the command's exit code, or 128 and the number of the signal that ended it.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))


def main():
    columns, rows, command = sys.argv[1], sys.argv[2], sys.argv[3:]
    # The size is set before the command looks at it.
    ready, go = os.pipe()
    child, terminal = pty.fork()
    if child == 0:
        os.close(go)
        os.read(ready, 1)
        os.close(ready)
        os.close(3)
        os.execvp(command[0], command)
    os.close(ready)
    resize(terminal, columns, rows)
    os.close(go)
    sources = [terminal, 0, 3]
    sizes = b""
    while True:
        readable, _, _ = select.select(sources, [], [])
        for source in readable:
            try:
                data = os.read(source, 65536)
            except OSError:
                # Linux answers so when the last process has left the terminal.
                data = b""
            if source == terminal:
                if not data:
                    _, status = os.waitpid(child, 0)
                    sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
            elif not data:
                sources.remove(source)
            elif source == 0:
                os.write(terminal, data)
            else:
                *lines, sizes = (sizes + data).split(b"\n")
                for line in lines:
                    resize(terminal, *line.split())


main()
