"""A PostgreSQL of its own: started as an unprivileged user, on a socket in a folder, and ended again."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_WHERE = "/usr/lib/postgresql"


class NoPostgres(Exception):
    """Why there is none here."""


def _programs() -> Path:
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).parent
    there = sorted(Path(_WHERE).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if not there:
        raise NoPostgres("PostgreSQL is not installed: apt-get install postgresql")
    return there[-1].parent


def _user() -> str | None:
    """PostgreSQL refuses to run as root: whom to be then; None where this is no root."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise NoPostgres("this is root, and there is no other user to run PostgreSQL as")


@contextmanager
def postgres() -> Iterator[str]:
    """Yields the URL of an empty database. Raises NoPostgres with the reason where none can be started."""
    programs, user = _programs(), _user()
    # Not below pytest's folders: they are closed to other users, and a socket's path must be short.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    try:
        data = folder / "data"
        if user is not None:
            shutil.chown(folder, user)
            folder.chmod(0o755)

        def run(*words: str) -> None:
            done = subprocess.run(
                words, user=user, cwd=folder, capture_output=True, text=True, timeout=120, env={"LC_ALL": "C"}
            )
            if done.returncode:
                raise NoPostgres(f"{Path(words[0]).name}: {(done.stderr or done.stdout).strip()[-300:]}")

        run(str(programs / "initdb"), "-D", str(data), "-U", "app", "-A", "trust", "--no-sync", "-E", "UTF8")
        control = str(programs / "pg_ctl")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=10"
        run(control, "-D", str(data), "-l", str(folder / "log"), "-w", "-o", options, "start")
        try:
            yield f"postgresql://app@/postgres?host={folder}"
        finally:
            run(control, "-D", str(data), "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
