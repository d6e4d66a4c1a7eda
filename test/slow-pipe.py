"""Runs a command on a pipe that does not block, and writes each part when the one before was read: slow-pipe.py <part...> -- <command...>."""
import array, fcntl, os, subprocess, sys, termios, time

at = sys.argv.index("--")
parts, command = sys.argv[1:at], sys.argv[at + 1:]
reading, writing = os.pipe()
fcntl.fcntl(reading, fcntl.F_SETFL, fcntl.fcntl(reading, fcntl.F_GETFL) | os.O_NONBLOCK)
child = subprocess.Popen(command, stdin=reading)
for part in parts:
    os.write(writing, part.encode())
    left = array.array("i", [1])
    while left[0] > 0 and child.poll() is None:
        time.sleep(0.02)
        fcntl.ioctl(reading, termios.FIONREAD, left)
os.close(writing)
sys.exit(child.wait())
