"""Runs a command in a terminal of its own: in-terminal.py <columns> <rows> <command...>. Its output is the terminal's."""
import fcntl, os, pty, select, struct, sys, termios

columns, rows, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvp(command[0], command)
sources = [0, terminal]
while terminal in sources:
    for source in select.select(sources, [], [])[0]:
        try:
            data = os.read(source, 65536)
        except OSError:
            data = b""
        if source == 0 and data == b"\x1fhang up":
            sources.remove(terminal)
            os.close(terminal)
            break
        if data == b"":
            sources.remove(source)
        else:
            os.write(terminal if source == 0 else 1, data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
