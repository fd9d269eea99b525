"""What the rows of the attack share."""
import errno
import os
import socket


class Failure(Exception):
    pass


def put_in_place(path, what, content=b"", size=40 << 20):
    """Makes something of this kind at `path`, instead of what was there."""
    remove(path)
    if what == "file":
        path.write_bytes(content)
    elif what == "folder":
        path.mkdir()
        (path / "inside").write_bytes(content)
    elif what == "fifo":
        os.mkfifo(path)
    elif what == "dangling":
        path.symlink_to("nowhere/at/all")
    elif what == "loop":
        path.symlink_to(path.name)
    elif what == "device":
        path.symlink_to("/dev/zero")
    elif what == "socket":
        with socket.socket(socket.AF_UNIX) as made:
            try:
                made.bind(str(path))
            except OSError as error:  # a path that is too long for one
                if error.errno not in (None, errno.EINVAL, errno.ENAMETOOLONG):
                    raise
    elif what == "empty":
        path.write_bytes(b"")
    elif what == "large":
        path.write_bytes(content * (size // max(1, len(content))))
    elif what == "closed":
        path.write_bytes(content)
        path.chmod(0)


KINDS = ["folder", "fifo", "dangling", "loop", "device", "socket", "empty", "large", "closed", "nothing"]


def remove(path):
    if path.is_dir() and not path.is_symlink():
        for inside in path.iterdir():
            remove(inside)
        path.rmdir()
    elif path.exists() or path.is_symlink():
        path.unlink()
